import { expect, test } from 'bun:test'
import {
  hasExcess,
  isOverWorthMail,
  isValueWorthMail,
  isWorthMail,
  type PaymentMail,
  paymentMailAt,
} from '../../../src/domain/payment-mail.ts'
import { attempt, order } from './given.ts'

const MINUTE = 60_000
const NOW = 1000 * MINUTE
const mails = (kind: PaymentMail['kind'], ...dueAt: number[]): PaymentMail[] =>
  dueAt.map(at => ({ kind, dueAt: at }) as PaymentMail)

test.each<[PaymentMail['kind'], others: PaymentMail[], at: number | null]>([
  ['part', [], NOW],
  ['vanished', [], NOW + 10 * MINUTE],
  ['part', mails('part', NOW - 4 * MINUTE), NOW + 6 * MINUTE],
  ['part', mails('part', NOW - MINUTE, NOW - 4 * MINUTE), NOW + 9 * MINUTE],
  ['part', mails('unmatched', NOW - MINUTE), NOW],
  ['part', mails('unmatched', 1, 2, 3, 4), NOW],
  ['part', mails('unmatched', 1, 2, 3, 4, 5), null],
  ['part', mails('refund', 1, 2, 3, 4, 5), NOW],
  ['refund', mails('part', 1, 2, 3, 4, 5), NOW],
  ['refund', mails('refund', 1, 2, 3, 4, 5), null],
])('the mail is of the kind %p, after %j', (kind, others, at) => {
  expect(paymentMailAt(kind, others, NOW)).toBe(at)
})

test('payments below a hundredth of an order send no mail', () => {
  expect([0n, 9n, 10n, 11n].map(atomic => isWorthMail({ dueAtomic: 1000n }, atomic))).toEqual([
    ...[false, false],
    ...[true, true],
  ])
  const values = ['0.09', '0.10', null].map(value => isValueWorthMail(order('UNPAID'), value))
  expect(values).toEqual([false, true, true])
})

test.each<[kind: 'address' | 'redirect', confirmed: bigint, has: boolean]>([
  ['address', 1000n, false],
  ['address', 1009n, false],
  ['address', 1010n, true],
  ['redirect', 2000n, false],
])(
  'an attempt of the kind %p for 1000 that received %p has an excess of %p',
  (kind, confirmedAtomic, has) => {
    expect(hasExcess({ kind, dueAtomic: 1000n, confirmedAtomic })).toBe(has)
  },
)

test('an overpayment is worth a mail by its coins, or by its value if several attempts received it', () => {
  const over = attempt({ confirmedAtomic: 1010n })
  const coins = { received: 1010n, due: 1000n }
  const worth = (change: object) =>
    isOverWorthMail(order('PAID'), { attempt: over, coins, received: '10.09', excess: '0.09', ...change })
  expect([worth({}), worth({ attempt: attempt({ confirmedAtomic: 1009n }), excess: '0.10' })]).toEqual([
    true,
    false,
  ])
  expect([worth({ coins: null }), worth({ coins: null, excess: '0.10' })]).toEqual([false, true])
})
