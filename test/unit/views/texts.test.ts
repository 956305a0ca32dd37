import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { html } from '../../../views/html.ts'
import { english, type Locale, locales } from '../../../views/locale.ts'
import { en } from '../../../views/texts/en/index.ts'
import { fill } from '../../../views/texts/fill.ts'
import { plural, pluralForms } from '../../../views/texts/plural.ts'
import type { Texts } from '../../../views/texts/types.ts'
import { pathsOf, usedTexts } from '../../support/text-uses.ts'

type Entry = [path: string, text: string | ((...values: unknown[]) => string)]

/** Every text of a catalogue with its path, such as "choose.title". */
const entriesOf = (catalogue: object, path = ''): Entry[] =>
  Object.entries(catalogue).flatMap(([key, text]): Entry[] =>
    typeof text === 'object' ? entriesOf(text, `${path}${key}.`) : [[`${path}${key}`, text]],
  )

const counts = new Set(['choose.networks', 'crypto.progress', 'errors.wait'])

/** Words that other languages spell as English does. */
const alike = [
  'Name',
  '(optional)',
  'Crypto',
  'Confirmations',
  'Email',
  'Total',
  'Transaction',
  'Privacy',
  'Item',
]

/** More values than a text has. */
const VALUES = [0, 1, 2]

/** A text with a mark for each value, or a number where it needs one. */
const filled = ([path, text]: Entry): string =>
  typeof text === 'string' ? text : text(...VALUES.map(at => (counts.has(path) ? 3 + at : `<${at}>`)))

test('a missing or surplus text is an error of the compiler', () => {
  const { cancelled: _, ...without } = en.end
  // @ts-expect-error a text is missing
  const missing: Texts['end'] = without
  // @ts-expect-error a text that English does not have
  const surplus: Texts['end'] = { ...en.end, more: '' }
  // @ts-expect-error a text that needs values is not a function
  const constant: Texts['end'] = { ...en.end, paidShop: '' }
  expect([missing, surplus, constant]).toHaveLength(3)
})

test('every text is used by some page or mail', async () => {
  const root = join(import.meta.dir, '../../..')
  const files = [...new Bun.Glob('{src,views}/**/*.ts').scanSync({ cwd: root })]
  const sources = files.filter(file => !file.startsWith('views/texts/') && !file.includes('dashboard'))
  const used = usedTexts(en, await Promise.all(sources.map(file => Bun.file(join(root, file)).text())))
  expect(pathsOf(en).filter(path => !used.has(path))).toEqual([])
})

test('the use of a text is recognized by what its section is called', () => {
  const catalogue = { page: { title: '', links: { one: '', two: '' } }, mail: { title: '', end: '' } }
  const used = (source: string) => [...usedTexts(catalogue, [source])].sort()
  expect(used('texts.page.title')).toEqual(['page.title'])
  expect(used('const { mail: texts } = locale.texts\ntexts.title')).toEqual(['mail.title'])
  expect(used('({ texts: { page, mail } }: Locale) => mail.end')).toEqual(['mail.end'])
  expect(used('const { title, links } = locale.texts.page\nlinks.one')).toEqual([
    'page.links.one',
    'page.title',
  ])
  expect(used('locale.texts.page.links[name]')).toEqual(['page.links.one', 'page.links.two'])
  expect(used('order.title, page.title, mail.end')).toEqual([])
})

describe.each(locales)('the catalogue of $name', ({ texts }: Locale) => {
  const entries = entriesOf(texts)

  test('has every text of English, and none is empty', () => {
    expect(entries.map(([path]) => path).sort()).toEqual(
      entriesOf(en)
        .map(([path]) => path)
        .sort(),
    )
    expect(entries.filter(entry => filled(entry).trim() === '')).toEqual([])
  })

  test('has translated every text', () => {
    const source = new Map(entriesOf(en))
    const same = entries.filter(([path, text]) => typeof text === 'string' && source.get(path) === text)
    const untranslated = same.filter(([, text]) => !alike.includes(String(text)))
    expect(texts === english.texts ? [] : untranslated).toEqual([])
  })

  test('uses each value that a text is given', () => {
    const marksIn = (entry: Entry) => new Set(filled(entry).match(/<\d>/g))
    const source = new Map(entriesOf(en))
    const lost = entries.filter(
      entry => !marksIn(entry).isSupersetOf(marksIn([entry[0], source.get(entry[0])!])),
    )
    expect(lost.map(([path]) => path)).toEqual([])
  })
})

test.each(Object.entries(pluralForms))('%s has the plural forms of its numbers', (tag, forms) => {
  const rule = new Intl.PluralRules(tag)
  const needed = new Set<string>(Array.from({ length: 1000 }, (_, count) => rule.select(count)))
  expect(new Set<string>(forms)).toEqual(needed)
})

test('a number gets the form of its language', () => {
  const english = (count: number) => plural('en', count, { one: 'one', other: 'other' })
  expect([0, 1, 2, 21].map(english)).toEqual(['other', 'one', 'other', 'other'])
  const forms = { zero: 'zero', one: 'one', two: 'two', few: 'few', many: 'many', other: 'other' }
  const arabic = (count: number) => plural('ar', count, forms)
  expect([0, 1, 2, 3, 11, 100].map(arabic)).toEqual(['zero', 'one', 'two', 'few', 'many', 'other'])
})

test('a piece of a page is put into a sentence, and the sentence is escaped', () => {
  const link = html`<a href="/x">here</a>`
  expect(fill(value => `"Go" ${value}.`, link).toString()).toBe('&quot;Go&quot; <a href="/x">here</a>.')
  const swapped = fill((one, two) => `${two}-${one}`, html`1`, html`2`)
  expect(swapped.toString()).toBe('2-1')
})

test('a name of the other direction is kept apart from its sentence', () => {
  expect(english.texts.page.contact('Corner Coffee')).toBe('Contact Corner Coffee')
  expect(english.texts.page.contact('متجر')).toBe('Contact \u2068متجر\u2069')
})
