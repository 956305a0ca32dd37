import { expect, test } from 'bun:test'
import { type Cursor, printCursor, readCursor } from '../../../src/networks/evm/cursor.ts'
import { NetworkFault } from '../../../src/networks/port.ts'

const cursor: Cursor = {
  height: 20_000_000,
  hash: `0x${'ab'.repeat(32)}`,
  balance: 10n ** 30n,
  opened: 19_999_900,
  seen: 20_000_064,
  changes: [{ height: 20_000_010, hash: `0x${'cd'.repeat(32)}`, amount: -(10n ** 20n) }],
}

test('what is no cursor is a fault', () => {
  const wrong = [
    null,
    5,
    'x',
    [],
    {},
    { ...(printCursor(cursor) as object), height: '5' },
    { height: 1, opened: 1 },
  ]
  for (const json of wrong) expect(() => readCursor(json)).toThrow(NetworkFault)
})

test('a cursor is read back as it was written, through JSON', () => {
  expect(readCursor(JSON.parse(JSON.stringify(printCursor(cursor))))).toEqual(cursor)
})

test('a cursor stays small: of very many changes it keeps the largest', () => {
  const dust = Array.from({ length: 5000 }, (_, index) => ({ height: index, hash: cursor.hash, amount: 1n }))
  const payment = { height: 6000, hash: cursor.hash, amount: 10n ** 18n }
  const json = printCursor({ ...cursor, changes: [...dust, payment] })
  expect(JSON.stringify(json).length).toBeLessThan(5000)
  expect(readCursor(json).changes[0]).toEqual(payment)
})
