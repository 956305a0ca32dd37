import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { csvFile } from '../../../src/present/csv.ts'

type Cell = string | number | bigint | null

const fileOf = async (...rows: Cell[][]): Promise<string> =>
  (await Array.fromAsync(csvFile(['a', 'b'], rows))).join('')
const rowOf = async (...cells: Cell[]): Promise<string> =>
  (await fileOf(cells)).split('\r\n').slice(1, -1).join('\r\n')

describe('a CSV file', () => {
  test('starts with a byte order mark and its header, and ends every row as RFC 4180 says', async () => {
    expect(await fileOf(['x', 1], [2n, null])).toBe('\ufeffa,b\r\nx,1\r\n2,\r\n')
  })

  test.each<[cell: Cell, text: string]>([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['a "b"', '"a ""b"""'],
    ['two\nlines', '"two\nlines"'],
    [' space', '" space"'],
    ['-12.50', '-12.50'],
    [-3, '-3'],
    ['=1+1', "'=1+1"],
    ['+49 30 1234', "'+49 30 1234"],
    ['-1+1', "'-1+1"],
    ['-1.', "'-1."],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t\'=1"'],
    ['\r=1', '"\'\r\'=1"'],
    ['  =1', "'  =1"],
    ['＝1', "'＝1"],
    // Programs that separate cells with semicolons would read the second part as a cell of its own.
    ['x;=1', '"x;\'=1"'],
    ['x;"=1;', '"x;\'""=1;"'],
    ['x\n=1', '"x\n\'=1"'],
    ['a=b', 'a=b'],
    ['a-b@c.example', 'a-b@c.example'],
  ])('writes %p as %p', async (cell, text) => {
    expect(await rowOf(cell)).toBe(text)
  })

  test('reads back unchanged, except for the apostrophes', async () => {
    const cells = fc.array(fc.string({ unit: fc.constantFrom(...'ab1",;\r\n\t =-+@\'') }), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(cells, async given => {
        const found = parse((await fileOf(given)).replace('\ufeffa,b\r\n', ''))
        const plain = (text: string) => text.replaceAll("'", '')
        expect(found.map(row => row.map(plain))).toEqual([given.map(plain)])
        for (const text of found.flat()) expect(/^[=+@\t\r]|^-[^0-9]/.test(text)).toBe(false)
      }),
    )
  })

  test('is passed on in pieces while its rows are still being read', async () => {
    let read = 0
    function* rows() {
      for (; read < 10_000; read++) yield ['x'.repeat(100), read]
    }
    const pieces: number[] = []
    for await (const piece of csvFile(['a', 'b'], rows())) pieces.push(piece.length)
    expect(pieces.length).toBeGreaterThan(50)
    expect(Math.max(...pieces)).toBeLessThan(20_000)
  })
})

/** Reads a CSV file by RFC 4180. */
function parse(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
