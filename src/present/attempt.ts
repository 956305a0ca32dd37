import {
  type AddressAttempt,
  type Attempt,
  askedMinor,
  isLocked,
  isOpen,
  leftMinor,
  remainingAtomic,
} from '../domain/attempt.ts'
import { amountOf, fromUnitsShort, minorOf } from '../domain/money.ts'
import { allOf, type Chosen, type Started } from '../domain/opening.ts'
import type { Order } from '../domain/order.ts'
import { moneyBelow } from '../domain/quote.ts'
import { remembered } from '../domain/remembered.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { hasFixedAmount } from '../domain/upstream.ts'
import type { PaymentStatus } from '../operations/payments/load-checkout.ts'

const isCrypto = (one: Chosen): one is AddressAttempt => one.kind === 'address'
const isOpened = (one: Chosen): one is Attempt => one.kind !== 'opening'

/** True if an attempt holds its address, so that the buyer can still pay. */
export const isPayable = (attempt: Attempt, now: number): boolean =>
  isOpen(attempt) && (isLocked(attempt, now) || (attempt.credited > 0n && now < attempt.graceUntil))

/**
 * True if an attempt asks for more than is left and cannot ask for less: on a provider's page, by an invoice,
 * or with an amount that identifies one of several buyers at an address.
 */
const asksTooMuch = (order: Order, attempts: readonly Attempt[], chosen: Chosen): boolean =>
  (chosen.kind !== 'address' || hasFixedAmount(chosen)) &&
  minorOf(chosen.priced, order.currency) > askedMinor(order, attempts)

const lastChosen = <One extends Chosen>(all: readonly One[]): One | undefined =>
  all.length < 2
    ? all[0]
    : all.toSorted((one, other) => one.chosenAt - other.chosenAt || one.createdAt - other.createdAt).at(-1)

/**
 * The attempt or opening that pages and scripts show: the one that completed the order, or the buyer's last
 * choice, unless that is open and asks for more than is left. While nothing more is asked for, it is the
 * attempt whose payment was seen, so that nobody pays twice. `all` may be some of an order's choices; what is
 * left depends on all of its `attempts`.
 */
export function currentOf<One extends Chosen>(
  order: Order,
  all: readonly One[],
  attempts: readonly Attempt[],
): One | undefined {
  if (all.length === 0) return undefined
  const opened = all.filter(one => isOpened(one))
  if (order.status === 'PAID') {
    const settled = opened.filter(({ state }) => state === 'settled')
    const payer = settled.findLast(
      ({ methodKey, assetId }) => methodKey === order.chosenMethod && assetId === order.chosenAsset,
    )
    return payer ?? settled.at(-1) ?? lastChosen(all)
  }
  if (askedMinor(order, attempts) === 0n) {
    const seen = opened.filter(({ credited, awaited }) => credited > 0n || awaited !== 0n)
    return seen.findLast(({ state }) => state === 'confirming') ?? lastChosen(seen) ?? lastChosen(all)
  }
  const last = lastChosen(all.filter(({ state }) => state !== 'settled'))
  if (!last || !isOpen(last) || !asksTooMuch(order, attempts, last)) return last
  return lastChosen(all.filter(one => isOpen(one) && !asksTooMuch(order, attempts, one)))
}

type Payments = Pick<PaymentStatus, 'order' | keyof Started>

interface Shown {
  /** undefined while the buyer has chosen nothing */
  current: Chosen | undefined
  /** the amount that buyers are asked for, in minor units */
  asked: bigint
}

const known = new WeakMap<Payments, Shown>()

/**
 * The payment that pages and scripts show, and the amount that is asked for. Both are cached, because many
 * parts of a page need them.
 */
export function shownOf(payments: Payments): Shown {
  const { order, attempts } = payments
  const shown = known.get(payments) ?? {
    current: currentOf(order, allOf(payments), attempts),
    asked: askedMinor(order, attempts),
  }
  known.set(payments, shown)
  return shown
}

/** The attempts that the buyer can continue, oldest first. */
export function usableAttempts(payments: Payments, now: number): Attempt[] {
  const { order, attempts } = payments
  if (attempts.length === 0 || order.status !== 'UNPAID' || shownOf(payments).asked === 0n) return []
  return attempts.filter(
    attempt =>
      attempt.state !== 'confirming' &&
      !asksTooMuch(order, attempts, attempt) &&
      (attempt.kind === 'redirect' ? isOpen(attempt) : isPayable(attempt, now)),
  )
}

interface TimeContext {
  now: number
  /** time since which the chain of an attempt cannot be read; null while it can be read */
  blindSince(attempt: Attempt): number | null
}

export interface UriContext {
  /** the URI that asks for a part of an attempt's amount */
  remainingUri(attempt: AddressAttempt, remaining: bigint): string
}

/** The URI for what remains to be paid to an attempt; null if nothing remains. */
export function uriOf(attempt: AddressAttempt, remaining: bigint, context: UriContext): string | null {
  if (remaining <= 0n) return null
  return remaining < attempt.dueAtomic ? context.remainingUri(attempt, remaining) : attempt.paymentUri
}

/** A payment URI without its amount, for an attempt that asks for nothing more. Invoices keep the amount. */
const withoutAmount = (uri: string): string =>
  uri.replace(/(?<=[?&])(?:amount|value|uint256|tx_amount)=[^&]*&?/, '').replace(/[?&]$/, '')

/** The amount that buyers are asked for, in minor units. Only an unpaid order asks for anything. */
const askedBy = (status: PaymentStatus): bigint =>
  status.order.status === 'UNPAID' ? shownOf(status).asked : 0n

/** The end of the time to pay an attempt, and the state of its chain. */
export const presentTimes = (one: Chosen, { now, blindSince }: TimeContext) => ({
  lockedUntil: formatTimestamp(one.lockedUntil),
  isLocked: isLocked(one, now),
  graceUntil: formatTimestamp(isOpened(one) ? one.graceUntil : one.graceLimit),
  chainReadAt: timeOrNull(isOpened(one) ? one.checkedAt : null),
  blindSince: timeOrNull(isOpened(one) ? blindSince(one) : null),
})

const presentAttempt = (
  attempt: AddressAttempt,
  status: PaymentStatus,
  context: TimeContext & UriContext,
) => ({
  assetId: attempt.assetId,
  address: attempt.address,
  amount: fromUnitsShort(attempt.dueAtomic, attempt.decimals),
  uri:
    uriOf(attempt, remainingAtomic(attempt, status.order, askedBy(status)), context) ??
    withoutAmount(attempt.paymentUri),
  ...presentTimes(attempt, context),
  state: attempt.state,
  receivedAmount: fromUnitsShort(attempt.receivedAtomic, attempt.decimals),
  confirmations: attempt.confirmations ?? 0,
  requiredConfirmations: attempt.requiredConfirmations,
})

const timeOrNull = (at: number | null): string | null => (at === null ? null : formatTimestamp(at))

/** The amount that waits for the merchant's decision; null if its value is unknown. */
export function presentAwaited(attempts: readonly Attempt[], currency: string): string | null {
  let sum = 0n
  for (const { awaited } of attempts) {
    if (awaited === null) return null
    sum += awaited
  }
  return moneyBelow(sum, { currency })
}

const zeroOf = remembered(currency => amountOf(0n, currency))

/** The credit of an order, and what is left of it. A paid order has nothing left. */
export function presentCredit(order: Order, attempts: readonly Attempt[]) {
  const { amount, currency, status } = order
  const zero = zeroOf(currency)
  if (attempts.length === 0 && status !== 'PAID')
    return { credited: zero, settledCredit: zero, left: { amount, currency } }
  const left = status === 'PAID' ? 0n : leftMinor(order, attempts)
  const settled = attempts.reduce((sum, { settledCredit }) => sum + settledCredit, 0n)
  return {
    credited: amountOf(minorOf(amount, currency) - left, currency),
    settledCredit: moneyBelow(settled, { currency }),
    left: { amount: amountOf(left, currency), currency },
  }
}

/** The status of an order for scripts that poll it. */
export function presentStatus(status: PaymentStatus, context: TimeContext & UriContext) {
  const { order, session, attempts } = status
  const attempt = currentOf(order, attempts.filter(isCrypto), attempts)
  return {
    orderUUID: order.id,
    status: order.status,
    provisioningStatus: session.status,
    ...presentCredit(order, attempts),
    attempt: attempt ? presentAttempt(attempt, status, context) : null,
    attempts: allOf(status).map(one => ({
      attemptId: one.id,
      ...(isCrypto(one) ? { assetId: one.assetId } : { methodKey: one.methodKey }),
      state: one.state,
      credited: moneyBelow(isOpened(one) ? one.credited : 0n, order),
    })),
  }
}
