import { expect, test } from 'bun:test'
import { locales } from '../../../views/locale.ts'

const AT = '2026-11-02T21:04:09.000Z'
const localeOf = (tag: string) => locales.find(locale => locale.tag === tag)!
const printed = (text: string) => text.replace(/[\u200e\u200f]/g, '').replace(/[\u00a0\u202f]/g, ' ')

test.each([
  ['en', 'Nov 2, 2026, 21:04', '21:04:09'],
  ['de', '02.11.2026, 21:04', '21:04:09'],
  ['ar', '02/11/2026، 21:04', '21:04:09'],
  ['ru', '2 нояб. 2026 г., 21:04', '21:04:09'],
  ['hi', '2 नव॰ 2026, 21:04', '21:04:09'],
  ['ja', '2026/11/02 21:04', '21:04:09'],
])('a time in %s is %s', (tag, dateTime, clock) => {
  const locale = localeOf(tag)
  expect([printed(locale.dateTime(AT)), printed(locale.clock(AT))]).toEqual([dateTime, clock])
})

test.each(locales)('times in $name have Latin digits', ({ dateTime, clock }) => {
  expect(`${dateTime(AT)} ${clock(AT)}`).not.toMatch(/(?![0-9])\p{Nd}/u)
})

test('the texts of a language are loaded when they are first read', () => {
  const program = `
    const { locales } = await import('./views/locale.ts')
    const loaded = () => Object.keys(require.cache)
      .map(path => /\\/texts\\/made\\/(.+)\\.ts$/.exec(path)?.[1])
      .filter(tag => tag !== undefined)
    const atFirst = loaded()
    const { title } = locales.find(({ tag }) => tag === 'de').texts.choose
    console.log(JSON.stringify({ atFirst, later: loaded().toSorted(), title }))`
  const root = `${import.meta.dir}/../../..`
  const { stdout } = Bun.spawnSync([process.execPath, '-e', program], { cwd: root })
  expect(JSON.parse(stdout.toString())).toEqual({
    atFirst: ['en'],
    later: ['de', 'en'],
    title: localeOf('de').texts.choose.title,
  })
})
