import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser'
import { type Area, areas, cataloguesOf, englishOf, moduleIn, staleIn } from '../../../.ci/message-files.ts'
import { messagesIn, parsed, valuesOf } from '../../../.ci/messages.ts'
import { locales } from '../../../views/locale.ts'
import { usedTexts } from '../../support/text-uses.ts'

const root = join(import.meta.dir, '../../..')
const [buyers, dashboard] = areas as [Area, Area]

/** Words that other languages spell like English, and messages without words. */
const alike =
  /^(Name|\(optional\)|Crypto|Confirmations|Email|Total|Transaction|Privacy|Item|Error: \{title\}|(\{\w+\}|\P{L})+)$/u

const choicesIn = (
  elements: readonly MessageFormatElement[],
): Extract<MessageFormatElement, { options: unknown }>[] =>
  elements.flatMap(element =>
    'options' in element
      ? [element, ...Object.values(element.options).flatMap(({ value }) => choicesIn(value))]
      : [],
  )

/** The plural forms of whole numbers that a page can show, and "other", which the format always requires. */
function formsOf(tag: string): string[] {
  const rule = new Intl.PluralRules(tag)
  return [...new Set(Array.from({ length: 1000 }, (_, count) => rule.select(count))).add('other')].sort()
}

const formsIn = (message: string): string[][] =>
  choicesIn(parsed(message))
    .filter(({ type }) => type === TYPE.plural)
    .map(({ options }) =>
      Object.keys(options)
        .filter(key => !key.startsWith('='))
        .sort(),
    )

describe.each([
  ['buyers', buyers],
  ['the dashboard', dashboard],
])('the message files of %s', (_name, area) => {
  const english = new Map(messagesIn(englishOf(area)))
  const translations = [...cataloguesOf(area)].slice(1)

  test('are the source of the text modules; after a change, run "npm run texts"', async () => {
    const outdated = [...cataloguesOf(area).keys()].map(tag => moduleIn(area, tag))
    const texts = await Promise.all(outdated.map(({ file }) => Bun.file(file).text()))
    expect(outdated.filter(({ text }, at) => text !== texts[at]).map(({ file }) => file)).toEqual([])
  })

  test('have no translation whose English text changed since both were compared', () => {
    // `npm run texts -- reviewed KEY` records that a translation was compared.
    expect(staleIn(area)).toEqual([])
  })

  test.each([...cataloguesOf(area)])('have whole words and no markup in %s', (_tag, catalogue) => {
    const faulty = messagesIn(catalogue).filter(
      ([path, message]) =>
        (message.trim() === '' && english.get(path) !== '') || /[<>\p{Co}]|&\w+;/u.test(message),
    )
    expect(faulty).toEqual([])
  })

  test.each([...cataloguesOf(area)])('have every plural form in %s', (tag, catalogue) => {
    const needed = JSON.stringify(formsOf(tag))
    const lacking = messagesIn(catalogue).filter(([, message]) =>
      formsIn(message).some(forms => JSON.stringify(forms) !== needed),
    )
    expect(lacking).toEqual([])
  })

  test.each(translations)('have the same texts in %s, in that language', (_tag, catalogue) => {
    const messages = messagesIn(catalogue)
    expect(messages.map(([path]) => path)).toEqual([...english.keys()])
    const same = messages.filter(([path, message]) => english.get(path) === message)
    const untranslated = area === buyers ? same.filter(([, message]) => !alike.test(message)) : []
    expect(untranslated).toEqual([])
  })

  test.each(translations)('use the same values in %s', (_tag, catalogue) => {
    const names = (message = '') => new Set(valuesOf(parsed(message)).keys())
    const different = messagesIn(catalogue).filter(([path, message]) => {
      const [own, wanted] = [names(message), names(english.get(path))]
      // A reason is text in English, so translations need not use it.
      wanted.delete('reason')
      own.delete('reason')
      return own.symmetricDifference(wanted).size > 0
    })
    expect(different).toEqual([])
  })
})

test('every language of the pages has a message file', () => {
  expect([...cataloguesOf(buyers).keys()].sort()).toEqual(locales.map(({ tag }) => tag).sort())
})

const sourcesOf = (isRead: (file: string) => boolean): Promise<string[]> => {
  const files = [...new Bun.Glob('{src,views}/**/*.ts').scanSync({ cwd: root })]
  const sources = files.filter(file => !file.includes('/texts/') && isRead(file))
  return Promise.all(sources.map(file => Bun.file(join(root, file)).text()))
}

test('every text for buyers is used by a page or mail', async () => {
  const english = englishOf(buyers)
  const used = usedTexts(english, await sourcesOf(file => !file.includes('dashboard')))
  expect(messagesIn(english).flatMap(([path]) => (used.has(path) ? [] : [path]))).toEqual([])
})

test('every text of the dashboard has a key that a source file names', async () => {
  // The groups of this area are passed on in many ways, so names alone do not lead to a text.
  const words = new Set<string>()
  for (const text of await sourcesOf(() => true))
    for (const word of [/\w+/g, /[\w-]+/g, /\w+(?:[.:]\w+)+/g].flatMap(form => text.match(form) ?? []))
      words.add(word)
  const isNamed = (path: string) => path.split('.').some((_, at, keys) => words.has(keys.slice(at).join('.')))
  const unused = messagesIn(englishOf(dashboard)).filter(([path]) => !isNamed(path))
  expect(unused).toEqual([])
})
