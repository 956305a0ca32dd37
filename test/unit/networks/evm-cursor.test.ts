import { expect, test } from 'bun:test'
import type { Json } from '../../../src/domain/metadata.ts'
import { type Cursor, readCursor, writeCursor } from '../../../src/networks/evm/cursor.ts'
import { NetworkError } from '../../../src/networks/port.ts'

const cursor: Cursor = {
  height: 20_000_000,
  hash: `0x${'ab'.repeat(32)}`,
  settled: { height: 20_000_050, hash: `0x${'ac'.repeat(32)}` },
  reported: 'c2l4dGVlbiBieXRl',
  counted: { 'polygon/usdc': 25n * 10n ** 30n },
  comparedAt: 1_700_000_000_000,
  rereadAt: 1_699_000_000_000,
  rereads: 2,
  balance: 10n ** 30n,
  startHeight: 19_999_900,
  startedAt: 1_699_999_000_000,
  seen: 20_000_064,
  seenAt: 1_700_000_000_000,
  changes: [{ height: 20_000_010, hash: `0x${'cd'.repeat(32)}`, amount: -(10n ** 20n), sent: 2n }],
  account: {
    nonce: 7n,
    anchor: { height: 19_999_900, hash: `0x${'ef'.repeat(32)}`, balance: 10n ** 29n, nonce: 6n },
    allocatedAfter: { height: 19_999_964, at: 1_699_999_000_000 },
    tokens: { 'polygon/usdt': 7n },
  },
}

test('JSON of another form is refused', () => {
  const stored = writeCursor(cursor) as Record<string, unknown>
  const wrong = [
    null,
    5,
    'x',
    [],
    {},
    { ...stored, height: '5' },
    { ...stored, balance: '0x5' },
    { ...stored, balance: 5 },
    { ...stored, settled: 5 },
    { ...stored, counted: { 'polygon/usdc': 5 } },
    { ...stored, changes: [{ height: 1, hash: '', amount: '1' }] },
    { ...stored, account: { nonce: '1' } },
    { height: 1, startHeight: 1 },
  ]
  for (const json of wrong) expect(() => readCursor(json as Json)).toThrow(NetworkError)
})

test('a cursor is read back as it was written, through JSON', () => {
  expect(readCursor(JSON.parse(JSON.stringify(writeCursor(cursor))))).toEqual(cursor)
})

test('a cursor stays small: it keeps the largest of very many changes', () => {
  const dust = Array.from({ length: 5000 }, (_, index) => ({
    height: index,
    hash: cursor.hash,
    amount: 1n,
    sent: 0n,
  }))
  const payment = { height: 6000, hash: cursor.hash, amount: 10n ** 18n, sent: 0n }
  const json = writeCursor({ ...cursor, changes: [...dust, payment] })
  expect(JSON.stringify(json).length).toBeLessThan(5000)
  expect(readCursor(json).changes[0]).toEqual(payment)
})
