import { expect, test } from 'bun:test'
import { isUndated, valuedAt } from '../../../src/domain/coverage.ts'
import type { IncomingPayment } from '../../../src/domain/payment.ts'
import { payment } from './given.ts'

const seen = [
  { at: 20, atomic: '3' },
  { at: 30, atomic: '5' },
]

test.each<[sentence: string, change: Partial<IncomingPayment>, at: number, undated: boolean]>([
  ['in a block has the time of the block', { minedAt: 40, height: 7 }, 40, false],
  ['in a block without a time has that of the first look', { minedAt: null, height: 7 }, 10, true],
  ['in no block has that of the last report', { minedAt: null, height: null }, 30, false],
  ['in no block, and with no report, has its own', { minedAt: null, height: null, seen: [] }, 10, false],
])('a payment %s', (_, change, at, undated) => {
  const given = payment('seen', 5n, { paidAt: 10, seen, ...change })
  expect([valuedAt(given), isUndated(given)]).toEqual([at, undated])
})
