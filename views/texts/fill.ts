import { type Html, html } from '../html.ts'

/** Letters of the private use area, which no text and no input of a buyer contains. */
const holeOf = (index: number): string => String.fromCharCode(0xe000 + index)

/** A text whose values are pieces of a page: `fill(texts.choose.openUntil, time(locale, at))`. */
export function fill<Pieces extends Html[]>(
  text: (...values: { [Index in keyof Pieces]: string }) => string,
  ...pieces: Pieces
): Html {
  const holes = pieces.map((_, index) => holeOf(index)) as { [Index in keyof Pieces]: string }
  const parts = text(...holes).split(/([\ue000-\ue0ff])/)
  return html`${parts.map(part => pieces[holes.indexOf(part)] ?? part)}`
}
