import { expect, test } from 'bun:test'
import type { Json } from '../../../src/domain/metadata.ts'
import { type Cursor, printCursor, readCursor } from '../../../src/networks/evm/cursor.ts'
import { NetworkError } from '../../../src/networks/port.ts'

const cursor: Cursor = {
  height: 20_000_000,
  hash: `0x${'ab'.repeat(32)}`,
  balance: 10n ** 30n,
  opened: 19_999_900,
  seen: 20_000_064,
  seenAt: 1_700_000_000_000,
  changes: [{ height: 20_000_010, hash: `0x${'cd'.repeat(32)}`, amount: -(10n ** 20n), sent: 2n }],
  account: {
    nonce: 7n,
    anchor: { height: 19_999_900, hash: `0x${'ef'.repeat(32)}`, balance: 10n ** 29n, nonce: 6n },
    givenOut: { height: 19_999_964, at: 1_699_999_000_000 },
  },
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
  for (const json of wrong) expect(() => readCursor(json)).toThrow(NetworkError)
})

test('a cursor is read back as it was written, through JSON', () => {
  expect(readCursor(JSON.parse(JSON.stringify(printCursor(cursor))))).toEqual(cursor)
})

test('a cursor that was written before accounts were watched is one of a forwarder', () => {
  const { seenAt, account, ...old } = printCursor(cursor) as { [key: string]: Json }
  const [[height, hash, amount] = []] = old.changes as Json[][]
  expect(readCursor({ ...old, changes: [[height!, hash!, amount!]] })).toEqual({
    ...cursor,
    seenAt: 0,
    account: null,
    changes: [{ ...cursor.changes[0]!, sent: 0n }],
  })
})

test('a cursor stays small: of very many changes it keeps the largest', () => {
  const dust = Array.from({ length: 5000 }, (_, index) => ({
    height: index,
    hash: cursor.hash,
    amount: 1n,
    sent: 0n,
  }))
  const payment = { height: 6000, hash: cursor.hash, amount: 10n ** 18n, sent: 0n }
  const json = printCursor({ ...cursor, changes: [...dust, payment] })
  expect(JSON.stringify(json).length).toBeLessThan(5000)
  expect(readCursor(json).changes[0]).toEqual(payment)
})
