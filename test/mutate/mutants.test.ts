import { expect, test } from 'bun:test'
import { describeMutant, mutantsOf, mutated } from './mutants.ts'
import { stagesOf } from './tests.ts'

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
])('puts faults into %j', (source, faults) => {
  expect(changed(source).sort()).toEqual(faults.sort())
})

test.each([
  "import * as a from './b.ts'",
  "const a = 'b < 1 && true' // c < 2",
  'const a = `b < 1`',
  'const a = b.match(/c{1,2} < \\d/)',
  'let a: Map<string, (b: C) => D | null>',
  'const a1 = 0xff',
  'const a = (b ? -1 : c)',
  'return []',
])('puts no fault into %j', source => {
  expect(changed(source)).toEqual([])
})

test('changes the code inside a template string', () => {
  expect(changed('const a = `b < $' + '{c === d}`')).toEqual(['const a = `b < $' + '{c !== d}`'])
})

test('leaves out statements, and nothing that is part of one', () => {
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

test('says which line becomes what', () => {
  const source = 'const a = 1\n  b(c)\n  d()\n'
  const [, , call] = mutantsOf('a.ts', source)
  expect(describeMutant(source, call!)).toBe('2: b(c)  →  ;')
})

test('runs the tests of the own family of chains, and those of all families', () => {
  const files = ['unit/a', 'networks/tron-a', 'networks/evm-a', 'networks/left-out', 'http/a']
  const distances = new Map(files.map((file, at) => [`test/${file}.test.ts`, at]))
  const names = (source: string) => stagesOf(source, distances, false).map(stage => stage.files.join(' '))
  expect(names('src/networks/tron/scan.ts')).toEqual([
    'test/unit/a.test.ts',
    '',
    'test/networks/tron-a.test.ts test/networks/left-out.test.ts',
  ])
  expect(names('src/domain/money.ts').at(-1)).toBe('test/http/a.test.ts')
})
