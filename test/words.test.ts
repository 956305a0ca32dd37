import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../src/storage/schema/index.ts'
import { splitCode, type Word, wordsOfName } from './support/code-words.ts'

/** The file that defines the rules, and a text by other authors. */
const exempt = ['test/words.test.ts', '.github/CODE_OF_CONDUCT.md']

type Rule = [banned: RegExp, better: string]

/** The rules for the words of a name. "toldAmount" is read as "told amount". */
const nameRules: Rule[] = [
  [/\b(told|tells?|telling)\b/, 'reported, detected'],
  [/\b(un)?hea(r|rs|rd|ring)\b/, 'reachable, probe, detected'],
  [/\b(sighting|sightings|sighted)\b/, 'detected payment'],
  [/\b(lent|lend|lends|lending)\b/, 'allocate, allocated'],
  [/\b(lately|anew|kin|mend|mends|mended|afresh)\b/, 'cache, again, related, fix'],
  [/\b(whoever|whichever)\b/, 'a noun'],
  [/\bgarbled\b/, 'malformed'],
  [/\b(ground|subject of)\b/, 'config, resumed watch'],
  [/\b(stand|stands) up\b/, 'resume'],
  [/\bworld\b/, 'context'],
  [/(?<!state )\bmachine\b/, 'platform'],
  [/\b(wish|wished|wishes)\b/, 'request, requested'],
  [/\b(judge|judged|judges|judgement)\b/, 'check, validate'],
  [/\b(believe|believed|believes)\b/, 'trust, verify'],
]

/** The rules for comments, messages, pages, test titles and papers. */
const textRules: Rule[] = [
  [/\btold\b|\btells\b(?! (you|people)\b)/i, 'reported, says, shows'],
  [/\b(un)?hear(s|d|ing)?\b/i, 'reached, received, reachable'],
  // "he" is also the tag of Hebrew: `he`, he-IL.
  [/(?<!`)\b(he|him|his|himself)\b(?!`|-[A-Z]| rtl)/i, 'they, their, the merchant, the buyer'],
  [/\b(lately|of late|anew|afresh)\b/i, 'recently, again'],
  [/\bkin\b/i, 'related, similar'],
  [/\b(un)?mend(s|ed|ing)?\b/i, 'fix, repair'],
  [/\bgarbled\b/i, 'malformed'],
  [/\b(whoever|whichever|whomever|whosoever)\b/i, 'the noun that is meant'],
  [/\bso many\b/i, 'a number, at most, max'],
  [/\bin earnest\b/i, 'in production'],
  [/\b(is|are|be|was|were) believed\b|\bbelieves?\b/i, 'is trusted, is used'],
  [/\b(stand|stands|stood) up\b/i, 'resume, start'],
  [/\b(comes?|came|coming) to be\b/i, 'is created, exists'],
  [/\bnone but\b/i, 'only'],
  [/\b(lent|lends?|lending)\b/i, 'allocated'],
  [/(?<!there )\b(is|are|be|was|were) none\b/i, 'is not one, is invalid'],
  [/\b(wish|wished|wishes)\b/i, 'want, request'],
  [/\bjudg(e|es|ed|ing|ement)\b/i, 'check, validate'],
  [/\bvouch(es|ed)?\b/i, 'confirm'],
  [/\bfor ever\b/i, 'forever'],
  [/\b(must|should) be an? text\b|\b(un)?known members?\b|\bdecimal texts?\b/i, 'string, property, field'],
  [/\bby (your|its|the merchant’s) word\b/i, 'manually'],
  [/\block(ed|s) (amount|rate|price)s?\b/i, 'quoted amount'],
  [/\bneeds? a decision\b/i, 'needs review'],
  [/\b(do|does|did) not pay (its|their|an) orders?\b/i, 'did not complete its order'],
  [/\ball but\b|\bany but\b|, but for\b/i, 'except'],
  [/\b(?:is|as) a,? preview\b|^preview:|PostgreSQL \(preview/i, 'PostgreSQL is for real payments'],
]

const root = join(import.meta.dir, '..')
const filesOf = (pattern: string): string[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true })].sort()
/** The rules are for English. */
const isOtherLanguage = (file: string): boolean => /\/texts\/made\/(?!en[.])/.test(file)
/** Texts of worlds have words of their own, such as machines, judges and what they hear. */
const isOfWorlds = (file: string): boolean => file.startsWith('test/world/')
const isChecked = (file: string): boolean =>
  !exempt.includes(file) && !isOtherLanguage(file) && !isOfWorlds(file)

const code = ['{src,test,plugins}/**/*.ts', 'views/**/*.{ts,js}', '.ci/*.ts'].flatMap(filesOf)
const papers = ['README.md', '{src,plugins}/**/*.md', '.github/**/*.{md,yml}', 'migrations/**/*.sql'].flatMap(
  filesOf,
)
const read = (file: string): Promise<string> => Bun.file(join(root, file)).text()

const brokenRules = (rules: Rule[], text: string): string[] =>
  rules.flatMap(([banned, better]) => {
    const found = banned.exec(text)
    return found ? [`"${found[0].trim()}", better: ${better}`] : []
  })

/** Every line of a word, so that a finding in a long comment names its own line. */
const linesOf = ({ line, word }: Word): Word[] =>
  word.split('\n').map((text, offset) => ({ line: line + offset, word: text }))

async function findings(files: string[], check: (source: string) => [line: number, finding: string][]) {
  const found: string[] = []
  for (const file of files.filter(isChecked)) {
    for (const [line, finding] of check(await read(file))) found.push(`${file}:${line}: ${finding}`)
  }
  return [...new Set(found)]
}

const namesIn = (source: string): [number, string][] =>
  splitCode(source).names.flatMap(({ line, word }) =>
    brokenRules(nameRules, wordsOfName(word)).map((finding): [number, string] => [line, finding]),
  )

/** A string that is only a language tag, or names its folder, is not a word. */
const languageTag = /^'([.][/]made[/])?[a-z]{2}([.]ts)?'$/

const textsIn = (source: string): [number, string][] =>
  splitCode(source)
    .texts.filter(({ word }) => !languageTag.test(word))
    .flatMap(linesOf)
    .flatMap(({ line, word }) =>
      brokenRules(textRules, word).map((finding): [number, string] => [line, finding]),
    )

const proseIn = (source: string): [number, string][] =>
  linesOf({ line: 1, word: source }).flatMap(({ line, word }) =>
    brokenRules(textRules, word).map((finding): [number, string] => [line, finding]),
  )

test('file names use plain words', () => {
  const named = [...code, ...papers].filter(isChecked)
  expect(named.filter(file => brokenRules(nameRules, wordsOfName(file)).length > 0)).toEqual([])
})

test('names in the code use plain words', async () => {
  expect(await findings(code, namesIn)).toEqual([])
})

test('comments, messages, pages and test titles use plain words', async () => {
  expect(await findings(code, textsIn)).toEqual([])
})

test('documents use plain words', async () => {
  expect(await findings(papers, proseIn)).toEqual([])
})

test('a banned word is found in every kind of text', () => {
  const source = [
    "import { x } from './x.ts'",
    'const toldAmount = 1 // nothing here',
    '/* one line',
    ' * whoever asks */',
    "const a = 'he pays'",
    'const b = `so many $' + '{heard(`in $' + '{"earnest"} or in earnest`)} lent`',
    'const c = /[`"\']he/ // anew',
  ].join('\n')
  expect(namesIn(source).map(([line, finding]) => [line, finding.split('"')[1]])).toEqual([
    [2, 'told'],
    [6, 'heard'],
  ])
  expect(textsIn(source).map(([line, finding]) => [line, finding.split('"')[1]])).toEqual([
    [4, 'whoever'],
    [5, 'he'],
    [6, 'so many'],
    [6, 'in earnest'],
    [6, 'lent'],
    [7, 'anew'],
  ])
})

/** Statistics are sums of money: a bigint there is in the minor unit of its row's currency. */
const inMinorUnits = ['statistics', 'method_statistics']

/** Columns with exact values, in units of 1 / VALUE_UNIT of a minor unit: see `domain/quote.ts`. */
const inUnitsOfValue = ['tolerance', 'dust', 'credited', 'settledCredit', 'awaited'].map(
  name => `attempts.${name}`,
)

test('names of columns with atomic amounts end in Atomic', () => {
  const tables = Object.values(schema).filter(table => is(table, SQLiteTable))
  const isBigint = (column: { columnType: string; mapFromDriverValue(value: unknown): unknown }) =>
    column.columnType === 'SQLiteCustomColumn' && typeof column.mapFromDriverValue('1') === 'bigint'
  const names = tables
    .map(getTableConfig)
    .flatMap(({ name, columns }) => columns.filter(isBigint).map(column => `${name}.${column.name}`))
  expect(names).toContain('attempts.dueAtomic')
  const isNamed = (name: string) =>
    name.endsWith('Atomic') || inMinorUnits.includes(name.split('.')[0]!) || inUnitsOfValue.includes(name)
  expect(names.filter(name => !isNamed(name))).toEqual([])
})
