import { describe, expect, test } from 'bun:test'
import { readAtomic, readCoins } from '../../../src/networks/bitcoin/amounts.ts'
import { type Cursor, UNSURE_BLOCKS } from '../../../src/networks/bitcoin/cursor.ts'
import {
  countedTo,
  isMore,
  keepsItsBlock,
  nextHeight,
  type ScannedWatch,
} from '../../../src/networks/bitcoin/scanned.ts'

test.each([
  ['1.5', 150_000_000n],
  ['0.00000001', 1n],
  ['2e-8', 2n],
  ['1.0000000000', 100_000_000n],
])('an amount of %s whole coins is read in the smallest unit', (text, expected) => {
  expect(readCoins(text)).toBe(expected)
})

test('an amount with a fraction of the smallest unit is refused', () => {
  expect(readAtomic('21')).toBe(21n)
  expect(() => readCoins('0.000000001')).toThrow()
})

test.each<[sentence: string, received: bigint | null, counted: object | null, isGreater: boolean]>([
  ['one more than was counted', 10n, { before: '4', sum: '2' }, true],
  ['what was counted', 9n, { before: '4', sum: '2' }, false],
  ['any sum while the counted one is unknown', 0n, { before: '4', sum: null }, true],
  ['any sum if nothing is counted', 10n, null, false],
  ['no sum', null, { before: '4', sum: '2' }, false],
])('an endpoint that reports %s leaves out payments, or not', (_, received, counted, isGreater) => {
  const uncounted = [{ height: 5, amount: 3n }]
  expect(isMore(received, { counted } as Cursor, uncounted)).toBe(isGreater)
})

test.each<[sentence: string, counted: object | null, sum: string | null | undefined]>([
  ['the payments up to that block', { before: '4', sum: '2' }, '7'],
  ['no payments while the sum is unknown', { before: '4', sum: null }, null],
  ['no payments if nothing is counted', null, undefined],
])('a cursor that moves up to a block counts %s', (_, counted, sum) => {
  const uncounted = [4, 5, 6].map(height => ({ height, amount: height === 6 ? 100n : BigInt(height - 2) }))
  const scanned = { cursor: { counted }, uncounted } as unknown as ScannedWatch
  expect(countedTo(scanned, 5)?.sum).toBe(sum!)
})

describe('a cursor moves to a block that is final, and too deep to be replaced', () => {
  const tip = { height: 100, hash: null, at: null, problem: null }
  const scanned = (change: object, confirmations = 2) =>
    ({
      ...{ from: 50, coveredTo: 100, isOnChain: true, cursor: { block: { height: 50 } } },
      watch: { asset: { confirmations } },
      ...change,
    }) as unknown as ScannedWatch

  test('and was covered by the scan', () => {
    expect(nextHeight(scanned({}), tip)).toBe(100 - UNSURE_BLOCKS)
    expect(nextHeight(scanned({}, 20), tip)).toBe(81)
    expect(nextHeight(scanned({ coveredTo: 60 }), tip)).toBe(60)
    expect(nextHeight(scanned({ coveredTo: 40 }), tip)).toBe(50)
  })

  test('and keeps its block only if it does not move, on the same chain', () => {
    const stays = { coveredTo: 50 }
    expect(keepsItsBlock(scanned(stays), tip)).toBe(true)
    expect(keepsItsBlock(scanned({}), tip)).toBe(false)
    expect(keepsItsBlock(scanned({ ...stays, isOnChain: false }), tip)).toBe(false)
  })
})
