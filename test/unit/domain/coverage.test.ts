import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { endedGrace } from '../../../src/domain/attempt.ts'
import { isInTime, missingOf } from '../../../src/domain/coverage.ts'
import { fromUnits } from '../../../src/domain/money.ts'
import type { IncomingPayment } from '../../../src/domain/payment.ts'
import { MINED_WITHIN_MS } from '../../../src/domain/quote.ts'
import { assess } from '../../../src/domain/settlement.ts'
import {
  attempt,
  GRACE_END,
  grid,
  LOCK_END,
  order,
  payment,
  providerAttempt,
  terms,
  WATCH_END,
} from './given.ts'

const MINED_END = LOCK_END + MINED_WITHIN_MS

describe('whether a payment is in time, by when it was seen and when it was mined', () => {
  const seen: Record<string, number> = {
    'lock end': LOCK_END,
    'after lock': LOCK_END + 1,
    'grace end': GRACE_END,
    'after grace': GRACE_END + 1,
    'watch end': WATCH_END,
    'after watch': WATCH_END + 1,
  }
  const mined: Record<string, number | null> = {
    never: null,
    'lock end': LOCK_END,
    'grace end': GRACE_END,
    'after grace': GRACE_END + 1,
    '6 h after lock': MINED_END,
    'later still': MINED_END + 1,
  }
  test.each(
    grid(`
    seen        | never | lock end | grace end | after grace | 6 h after lock | later still
    lock end    | yes   | yes      | yes       | yes         | yes            | no
    after lock  | yes   | yes      | yes       | yes         | yes            | no
    grace end   | yes   | yes      | yes       | yes         | yes            | no
    after grace | no    | no       | no        | no          | no             | no
    watch end   | no    | no       | no        | no          | no             | no
    after watch | no    | no       | no        | no          | no             | no
  `),
  )('seen at $row, mined at $column: $cell', ({ row, column, cell }) => {
    const times = { paidAt: seen[row]!, minedAt: mined[column]! }
    expect(isInTime(attempt(), times)).toBe(cell === 'yes')
  })

  test('without a grace, the lock decides; a grace of more than six hours holds for blocks too', () => {
    const at = (paidAt: number, minedAt: number | null) => ({ paidAt, minedAt })
    const strict = attempt({ graceUntil: LOCK_END })
    expect(isInTime(strict, at(LOCK_END, MINED_END))).toBe(true)
    expect(isInTime(strict, at(LOCK_END + 1, null))).toBe(false)
    const long = attempt({ graceUntil: MINED_END + 10 })
    expect([MINED_END + 10, MINED_END + 11].map(end => isInTime(long, at(0, end)))).toEqual([true, false])
  })

  test('the page of a provider has neither lock nor grace, only the watch', () => {
    const times = [LOCK_END + 1, GRACE_END + 1, WATCH_END, WATCH_END + 1]
    const inTime = times.map(paidAt => isInTime(providerAttempt(), { paidAt, minedAt: null }))
    expect(inTime).toEqual([true, true, true, false])
  })
})

test.each<[opensAt: number, graceUntil: number]>([
  [0, LOCK_END],
  [LOCK_END - 1, LOCK_END],
  [LOCK_END, LOCK_END],
  [LOCK_END + 1, LOCK_END + 1],
  [GRACE_END - 1, GRACE_END - 1],
  [GRACE_END, GRACE_END],
  [GRACE_END + 1, GRACE_END],
])('another payment that is opened at %p ends the grace at %p', (opensAt, graceUntil) => {
  expect(endedGrace(attempt(), opensAt)).toBe(graceUntil)
})

// 1000 units are due for 10.00 USD: at a rate of 10000 a unit is worth a cent.
describe('what parts in time, and parts that are late, cover together', () => {
  const inTime = (amount: bigint) => payment('final', amount)
  const late = (amount: bigint, paidAt = GRACE_END + 1) => payment('final', amount, { paidAt })
  type Case = [parts: IncomingPayment[], rate: string | null, threshold: bigint, missing: string | null]
  const nearly = '9999.999999999999999999999999999999'

  const enough: Case[] = [
    [[inTime(1_000n)], null, 1_000n, null],
    [[inTime(995n)], null, 995n, '0.05'],
    [[late(1_000n)], '10000', 1_000n, null],
    [[late(1_000n)], '9950', 995n, '0.05'],
    [[late(500n)], '20000', 1_000n, null],
    [[inTime(500n), late(500n)], '10000', 1_000n, null],
    [[inTime(500n), late(500n)], '9900', 995n, '0.05'],
    [[inTime(500n), late(250n), late(250n)], '5000', 750n, '2.50'],
    [[late(1_000n, WATCH_END)], '10000', 1_000n, null],
    [[inTime(1_000n), late(1_000n)], '1', 1_000n, null],
  ]
  const tooLittle: Case[] = [
    [[inTime(999n)], null, 1_000n, '0.01'],
    [[inTime(994n)], null, 995n, '0.06'],
    [[late(1_000n)], nearly, 1_000n, '0.01'],
    [[late(1_000n)], '9949.99', 995n, '0.06'],
    [[late(499n)], '20000', 1_000n, '0.02'],
    [[inTime(500n), late(500n)], '9999', 1_000n, '0.01'],
    [[late(1_000n)], null, 1_000n, '10.00'],
    [[late(1_000n, WATCH_END + 1)], '10000', 1_000n, '10.00'],
  ]
  function expectCovered([parts, rate, thresholdAtomic, missing]: Case, isCovered: boolean) {
    const to = attempt({ thresholdAtomic })
    const { state, coverage } = assess(to, parts, terms(rate), 0, null)
    expect(state === 'settled').toBe(isCovered)
    expect(missingOf(to, order('UNPAID'), coverage)).toBe(missing)
  }
  test.each(enough)('enough, case %#', (parts, rate, threshold, missing) =>
    expectCovered([parts, rate, threshold, missing], true),
  )
  test.each(tooLittle)('too little, case %#', (parts, rate, threshold, missing) =>
    expectCovered([parts, rate, threshold, missing], false),
  )

  test('what a status reports late as a total counts only what it adds', () => {
    const forwarded = attempt({ provider: 'gateway' })
    const total = payment('final', 1_000n, { txIn: null, paidAt: GRACE_END + 1 })
    const { coverage } = assess(forwarded, [inTime(600n), total], terms('5000'), 0, null)
    expect(missingOf(forwarded, order('UNPAID'), coverage)).toBe('2.00')
  })
})

describe('for any payments, rates and tolerance', () => {
  const part = fc.record({
    amount: fc.bigInt({ min: 0n, max: 3_000n }),
    paidAt: fc.integer({ min: 0, max: WATCH_END + 1_000 }),
    minedAt: fc.option(fc.integer({ min: 0, max: WATCH_END + 1_000 })),
    /** in hundredths, so that a unit is worth 0 to 3 cents */
    rate: fc.option(fc.integer({ min: 1, max: 3_000_000 })),
  })

  test('no order settles for less than its amount less the tolerance, except at the quoted rate in time', () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 6 }),
        fc.integer({ min: 950, max: 1_000 }),
        (parts, threshold) => {
          const to = attempt({ thresholdAtomic: BigInt(threshold) })
          const sent = parts.map(({ amount, paidAt, minedAt }) =>
            payment('final', amount, { paidAt, minedAt }),
          )
          const rates = new Map(sent.map(({ id }, at) => [id, parts[at]!.rate]))
          const rateOf = ({ id }: IncomingPayment) => {
            const hundredths = rates.get(id) ?? null
            return hundredths === null ? null : fromUnits(BigInt(hundredths), 2)
          }
          const { state } = assess(to, sent, { order: order('UNPAID'), rateOf }, 0, null)
          // In units of a ten-thousandth of a cent, by an independent rule.
          const paid = parts.map(({ amount, paidAt, minedAt, rate }) => {
            const inTime = paidAt <= GRACE_END && (minedAt === null || minedAt <= MINED_END)
            if (inTime) return amount * 1_000_000n
            return paidAt <= WATCH_END ? amount * BigInt(rate ?? 0) : 0n
          })
          const value = paid.reduce((sum, one) => sum + one, 0n)
          expect(state === 'settled').toBe(value >= BigInt(threshold) * 1_000_000n)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
