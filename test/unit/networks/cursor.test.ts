import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { NetworkError } from '../../../src/networks/port.ts'
import { readCursor, writeCursor } from '../../../src/networks/rpc/cursor.ts'

const Amount = Type.Transform(Type.String({ pattern: '^[0-9]+$' }))
  .Decode(digits => BigInt(digits))
  .Encode(amount => `${amount}`)
const Cursor = Type.Object({
  height: Type.Integer({ minimum: 0 }),
  payments: Type.Array(Type.Object({ amount: Amount })),
})

test('a cursor is read as it was written', () => {
  const cursor = { height: 5, payments: [{ amount: 12n }] }
  const stored = writeCursor(Cursor, cursor)
  expect(stored).toEqual({ height: 5, payments: [{ amount: '12' }] })
  expect(readCursor(Cursor, stored)).toEqual(cursor)
})

test('a stored cursor of another shape is refused, and the error names the property', () => {
  const stored = { height: 5, payments: [{ amount: '-1' }] }
  expect(() => readCursor(Cursor, stored)).toThrow(NetworkError)
  expect(() => readCursor(Cursor, stored)).toThrow(
    /position on this chain cannot be read \(\/payments\/0\/amount/,
  )
  for (const other of [null, [], 'five', { height: -1, payments: [] }]) {
    expect(() => readCursor(Cursor, other)).toThrow(/position on this chain cannot be read \(\//)
  }
})

test('a cursor that could not be read again is not written', () => {
  expect(() => writeCursor(Cursor, { height: 0.5, payments: [] })).toThrow()
})
