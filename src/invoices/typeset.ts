import bidiFactory from 'bidi-js'

const bidi = bidiFactory()

export type Direction = 'ltr' | 'rtl'

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u
/** Marks that set the direction in which text is read. They have no glyph. */
const marks = /\p{Bidi_Control}/gu
const R = new Set(['R', 'AL'])

/** The direction of a text's first letter, as in browsers; without a letter, that of the document. */
function directionOf(text: string, ofDocument: Direction): Direction {
  for (const letter of text) {
    const type = bidi.getBidiCharTypeName(letter)
    if (type === 'L') return 'ltr'
    if (R.has(type)) return 'rtl'
  }
  return ofDocument
}

export const withoutMarks = (text: string): string => text.replace(marks, '')

/**
 * The parts of a line from left to right, in the order in which they are drawn. Inside a part, letters are in
 * the order in which they are read: the font joins them, and reverses Hebrew and Arabic letters. Brackets
 * that are mirrored are parts of their own, because not every font mirrors them.
 */
export function partsOf(line: string, ofDocument: Direction): string[] {
  if (ofDocument === 'ltr' && !rightToLeft.test(line)) return [withoutMarks(line)]
  const embedding = bidi.getEmbeddingLevels(line, directionOf(line, ofDocument))
  const mirrored = bidi.getMirroredCharactersMap(line, embedding.levels)
  const parts: { level: number; isMirrored: boolean; at: number[] }[] = []
  for (const at of bidi.getReorderedIndices(line, embedding)) {
    const [level, isMirrored] = [embedding.levels[at] ?? 0, mirrored.has(at)]
    const last = parts.at(-1)
    if (last?.level === level && last.isMirrored === isMirrored) last.at.push(at)
    else parts.push({ level, isMirrored, at: [at] })
  }
  return parts.flatMap(({ level, at }) => {
    const isRead = level % 2 === 1 && at.some(one => rightToLeft.test(line[one] ?? ''))
    const letters = (isRead ? at.toReversed() : at).map(one => mirrored.get(one) ?? line[one])
    return withoutMarks(letters.join('')) || []
  })
}

/** Splits a text into lines that are not too wide. Words that are too wide for a line are broken. */
export function linesOf(text: string, isWide: (line: string) => boolean): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/ +/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (!isWide(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const letter of word) {
      if (line !== '' && isWide(line + letter)) {
        lines.push(line)
        line = ''
      }
      line += letter
    }
  }
  return [...lines, line]
}
