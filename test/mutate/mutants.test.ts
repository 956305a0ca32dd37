import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Coverage, type Covered } from './coverage.ts'
import { describeMutant, mutantsOf, mutated } from './mutants.ts'
import { plantedFaults } from './planted.ts'

const changed = (source: string): string[] => mutantsOf('a.ts', source).map(mutant => mutated(source, mutant))

test.each([
  ['const a = b < c', ['const a = b <= c', 'const a = b >= c']],
  ['const a = b === c', ['const a = b !== c']],
  ['const a = b && c || d', ['const a = b || c || d', 'const a = b && c && d']],
  ['const a = b *\n  c', ['const a = b /\n  c']],
  ['const a = 1n', ['const a = 2n', 'const a = 0n']],
  ['const a = 60_000', ['const a = 120000']],
  ['const a = true', ['const a = false']],
  ['const a = f(!b)', ['const a = f(b)']],
  ['const a = b.isPaid(c(d)) ? e : f', ['const a = !b.isPaid(c(d)) ? e : f']],
  ['if (f(a)) return b', ['if (true) return b', 'if (false) return b']],
  ['const a = b.filter(c(d)).map(e)', ['const a = b.map(e)']],
  ['const a = b.some(c)', ['const a = b.every(c)']],
  ['const a = Math.min(b, c)', ['const a = Math.max(b, c)']],
  ['return [a, ...b]', ['return []']],
  ['const a = ceilDiv(b(c, d), e)', ['const a = ((b(c, d)) / (e))']],
  ['const a = Math.ceil(b)', ['const a = Math.floor(b)']],
  ['const a = db.where(b)', ['const a = db']],
  ['const a = and(b(c, d), e)', ['const a = and(undefined, e)', 'const a = and(b(c, d), undefined)']],
  [
    "import { eq } from 'drizzle-orm'\nconst a = eq(b, c)",
    ["import { ne, eq } from 'drizzle-orm'\nconst a = ne(b, c)"],
  ],
  [
    'const a = sql`b = 1 AND c IS NULL`',
    [
      'const a = sql`b <> 1 AND c IS NULL`',
      'const a = sql`b = 1 OR c IS NULL`',
      'const a = sql`b = 1 AND c IS NOT NULL`',
    ],
  ],
])('mutation puts faults into %j', (source, faults) => {
  expect(changed(source).sort()).toEqual(faults.sort())
})

test.each([
  ...["import * as a from './b.ts'", "const a = 'b < 1 && true' // c < 2", 'const a = `b < 1`'],
  ...['const a = b.match(/c{1,2} < \\d/)', 'let a: Map<string, (b: C) => D | null>'],
  "export interface A extends Omit<B, 'c'> {\n  d(e: 1): F\n}",
  ...['type A = Pick<B, C> & {\n  d: 0 | 1\n}\n', "const a = (b: Pick<B, 'c' | 'd'> | null) => {}"],
  ...['const a1 = 0xff', 'const a = (b ? -1 : c)', 'return []'],
])('mutation changes nothing in %j', source => {
  expect(changed(source)).toEqual([])
})

test('mutation changes the code inside a template string', () => {
  expect(changed('const a = `b < $' + '{c === d}`')).toEqual(['const a = `b < $' + '{c !== d}`'])
})

test('mutation leaves out whole statements, never parts of them', () => {
  const source = `
function a() {
  b.push(c)
  d = {
    e: f(g),
  }
  await h(
    i(),
  )
  const j =
    k()
  l
    .m()
  return n(
    o(),
  )
}
`
  const statements = mutantsOf('a.ts', source).map(({ from, to }) =>
    source.slice(from, to).replace(/\s+/g, ' '),
  )
  expect(statements).toEqual(['b.push(c)', 'd = { e: f(g), }', 'await h( i(), )'])
})

test('a description of a mutant names the line before and after', () => {
  const source = 'const a = 1\n  b(c)\n  d()\n'
  const [, , call] = mutantsOf('a.ts', source)
  expect(describeMutant(source, call!)).toBe('2: b(c)  →  ;')
})

test('a mutant is tested by the files that run its line, first those that run it often and little else', () => {
  const ran = (lines: number[], others: string[] = []) =>
    Object.fromEntries([['src/a.ts', lines], ...others.map(other => [other, [1]])] as const)
  const coverage = new Coverage({
    'test/much.test.ts': covered(ran([2, 3], ['src/b.ts', 'src/c.ts'])),
    'test/little.test.ts': covered(ran([3])),
    'test/other.test.ts': covered(ran([4])),
    'test/fails.test.ts': { ...covered(ran([3])), passes: false },
    'test/imports.test.ts': { ...covered({}), lines: { 'src/a.ts': { once: [3], often: [4] } } },
  })
  const names = (from: number, to: number) => coverage.testsOf('src/a.ts', from, to).map(({ file }) => file)
  expect(names(3, 3)).toEqual(['test/little.test.ts', 'test/much.test.ts', 'test/imports.test.ts'])
  expect(names(1, 2)).toEqual(['test/much.test.ts'])
  expect(names(5, 6)).toEqual([])
})

function covered(lines: Record<string, readonly number[]>): Covered {
  const ran = Object.entries(lines).map(([file, often]) => [file, { once: [], often: [...often] }])
  return { hash: '', seconds: 1, passes: true, lines: Object.fromEntries(ran) }
}

test('each planted fault changes code that its file has exactly once', () => {
  const wrong = plantedFaults().filter(({ file, before }) => {
    const path = join(import.meta.dir, '../..', file)
    return !existsSync(path) || readFileSync(path, 'utf8').split(before).length !== 2
  })
  expect(wrong).toEqual([])
})
