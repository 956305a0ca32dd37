import type { Asset } from '../../../../src/domain/asset.ts'
import { type Attempt, nothingArrived, restMinor } from '../../../../src/domain/attempt.ts'
import type { AttemptPayments } from '../../../../src/domain/grace.ts'
import { amountOf } from '../../../../src/domain/money.ts'
import type { Order, OrderTrigger } from '../../../../src/domain/order.ts'
import { orderTransitions } from '../../../../src/domain/order.ts'
import type { IncomingPayment } from '../../../../src/domain/payment.ts'
import { shareOf } from '../../../../src/domain/quote.ts'
import { assets } from '../../../../src/networks/assets.ts'
import type { Case, Change, Occasion } from '../../../../src/operations/settlement/case.ts'
import { decide } from '../../../../src/operations/settlement/decide.ts'
import { order } from '../../domain/given.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const LOCK = 30 * MINUTE
export const GRACE = 60 * MINUTE
export const WATCH = 7 * 24 * HOUR

/** Every coin in these tests has 6 decimals and costs 1 USD when an attempt is opened. */
export const DECIMALS = 6
const coins = new Map<string, Asset>()
export function coin(id: string): Asset {
  const known = coins.get(id) ?? {
    ...assets[0]!,
    id,
    ticker: id.toUpperCase(),
    name: id,
    decimals: id === 'fiat/usd' ? 2 : DECIMALS,
  }
  coins.set(id, known)
  return known
}

/** An order without attempts, in the form in which it is loaded. */
export const emptyCase = (change: Partial<Order>, more: Partial<Case> = {}): Case => ({
  order: { ...order('UNPAID'), expiresAt: 24 * HOUR, ...change },
  session: { status: 'READY', updatedAt: 0 },
  attempts: [],
  unmatched: [],
  settlement: null,
  isClaimed: () => false,
  takenBackOf: () => 0n,
  rateOf: () => null,
  assetOf: coin,
  countsOther: () => false,
  asksLate: false,
  now: 0,
  ...more,
})

type Kind = 'own' | 'page' | 'gateway'
type Wanted = Pick<
  Attempt,
  | 'id'
  | 'methodKey'
  | 'methodName'
  | 'assetId'
  | 'decimals'
  | 'priced'
  | 'dueAtomic'
  | 'tolerance'
  | 'dust'
  | 'lockedUntil'
  | 'graceLimit'
  | 'minedWithinMs'
  | 'watchUntil'
  | 'createdAt'
> &
  Partial<Pick<Attempt, 'blindMs' | 'checkedAt'>>

/** A new attempt: at an address of the merchant, at one from which a gateway forwards, or on a page. */
export function openedAs(kind: Kind, wanted: Wanted): Attempt {
  const { id, dueAtomic, createdAt } = wanted
  const common = {
    ...nothingArrived,
    ...{ merchantId: 'merchant', orderId: 'order', payoutAddress: 'wallet', refundAddress: null },
    ...{ language: 'en', thresholdAtomic: dueAtomic, graceUntil: wanted.graceLimit },
    ...{ requiredConfirmations: null, chosenAt: createdAt, updatedAt: createdAt },
    ...wanted,
  }
  const atProvider = {
    ...{ provider: 'provider', callbackUrl: 'https://shop.example', callbackSecret: 'secret' },
    ...{ providerRef: id, feeSplit: false },
  }
  const quote = {
    ...{ kind: 'address' as const, address: `address of ${id}`, paymentUri: `coin:${id}` },
    ...{ rate: '1', rateSources: [], rateAt: createdAt, dustAtomic: 0n },
  }
  if (kind === 'page') {
    const page = { kind: 'redirect' as const, redirectUrl: 'https://provider.example', address: null }
    const least = shareOf(dueAtomic, 850_000n)
    return { ...common, ...atProvider, ...page, thresholdAtomic: least, floorAtomic: least }
  }
  if (kind === 'gateway') {
    const addressSource = { kind: 'provider' as const, provider: 'provider', minimum: '0' }
    return { ...common, ...quote, ...atProvider, addressSource }
  }
  const own = { addressSource: null, shared: false, requiredEndpoints: 1, cursor: null, reclaimedAt: null }
  return { ...common, ...quote, provider: null, ...own }
}

/** Changes the order's status like a person or a settlement. */
export function moved(of: Case, trigger: OrderTrigger, change: Partial<Order> = {}): Case {
  const status = orderTransitions[of.order.status][trigger]
  if (!status) throw new Error(`the order is ${of.order.status}: ${trigger}`)
  const expected = status === 'EXPIRED' ? {} : { paymentState: null }
  const sessions = {
    UNPAID: 'READY',
    PAID: 'SETTLED',
    EXPIRED: 'EXPIRED',
    CANCELLED: 'ABANDONED',
    FAILED: 'FAILED',
  } as const
  return {
    ...of,
    order: { ...of.order, ...expected, ...change, status },
    session: { status: sessions[status], updatedAt: of.now },
  }
}

/** Applies changes in memory, as `applyChanges` does to the rows of an order. */
export const applied = (of: Case, changes: readonly Change[]): Case => changes.reduce(appliedOne, of)

function appliedOne(of: Case, change: Change): Case {
  switch (change.do) {
    case 'change payment':
      return withPayments(of, new Set([change.id]), change.change)
    case 'change attempt': {
      const { id } = change.attempt
      const changed = ({ attempt, payments }: AttemptPayments) =>
        attempt.id === id ? { attempt: { ...attempt, ...change.change }, payments } : { attempt, payments }
      return { ...of, attempts: of.attempts.map(changed) }
    }
    case 'pay': {
      const { attempt, payments, settlement } = change.paying
      const ids = new Set(payments.map(({ id }) => id))
      const paid = withPayments(moved(of, 'settle', { transactionId: 'transaction' }), ids, { settles: true })
      return { ...paid, settlement: { attemptId: attempt.id, verdict: settlement.verdict } }
    }
    case 'close':
      return moved(of, change.trigger, { expiresAt: change.expiresAt })
    case 'set payment state':
      return { ...of, order: { ...of.order, paymentState: change.paymentState } }
    case 'add unmatched':
      return {
        ...of,
        unmatched: [...of.unmatched, { ...change.row, id: `row ${change.row.incomingPaymentId}` }],
      }
    case 'change unmatched':
      return {
        ...of,
        unmatched: of.unmatched.map(row => (row.id === change.id ? { ...row, ...change.change } : row)),
      }
    default:
      return of
  }
}

export function withPayments(of: Case, ids: ReadonlySet<string>, change: Partial<IncomingPayment>): Case {
  const changed = (payment: IncomingPayment) => (ids.has(payment.id) ? { ...payment, ...change } : payment)
  return {
    ...of,
    attempts: of.attempts.map(({ attempt, payments }) => ({ attempt, payments: payments.map(changed) })),
  }
}

/** Decides about the payments of a case, and applies the decision to it. */
export function decided(
  of: Case,
  occasion: Occasion = {},
): { of: Case; decision: ReturnType<typeof decide> } {
  const decision = decide(of, occasion)
  return { of: applied(of, decision.changes), decision }
}

/** The part of the order that is neither credited nor waits for the merchant, as its page shows it. */
export const leftOf = ({ order, attempts }: Case): string =>
  amountOf(
    restMinor(
      order,
      attempts.map(({ attempt }) => attempt),
    ),
    order.currency,
  )
