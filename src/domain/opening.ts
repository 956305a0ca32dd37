import { type Attempt, nothingArrived, type PageAttempt } from './attempt.ts'
import type { Amount } from './money.ts'
import type { Order } from './order.ts'

/**
 * A provider's payment page that a buyer asked for, and that its provider has not opened or refused to open.
 * Nothing can be paid to it. Once the provider has opened the page, it is an attempt with the same ID.
 */
export interface Opening
  extends Pick<
    Attempt,
    | 'id'
    | 'merchantId'
    | 'orderId'
    | 'methodKey'
    | 'methodName'
    | 'tolerance'
    | 'dust'
    | 'minedWithinMs'
    | 'lockedUntil'
    | 'graceLimit'
    | 'watchUntil'
    | 'language'
    | 'chosenAt'
    | 'createdAt'
    | 'updatedAt'
  > {
  kind: 'opening'
  provider: string
  /** what was left of the order when the page was last asked for, in the order's currency */
  priced: Amount
  /** the payout wallet; null for a charge, whose account the provider names */
  payoutAddress: string | null
  callbackUrl: string
  /** null for a charge, whose callbacks the provider signs */
  callbackSecret: string | null
  state: 'waiting' | 'failed'
}

/** What a provider says about a page that it has opened. */
export type OpenedPage = Pick<
  PageAttempt,
  | 'assetId'
  | 'decimals'
  | 'dueAtomic'
  | 'thresholdAtomic'
  | 'floorAtomic'
  | 'address'
  | 'payoutAddress'
  | 'feeSplit'
  | 'redirectUrl'
  | 'providerRef'
>

/** The attempt that an opening becomes. What opened too late is over, and ends with its order. */
export function openedAttempt(
  opening: Opening,
  page: OpenedPage,
  { order, now }: { order: Pick<Order, 'status' | 'expiresAt'>; now: number },
): PageAttempt {
  const graceLimit = Math.min(opening.graceLimit, order.expiresAt)
  return {
    ...opening,
    ...nothingArrived,
    ...page,
    kind: 'redirect',
    lockedUntil: Math.min(opening.lockedUntil, order.expiresAt),
    graceLimit,
    graceUntil: graceLimit,
    requiredConfirmations: null,
    refundAddress: null,
    state: order.status === 'UNPAID' ? 'waiting' : 'expired',
    updatedAt: now,
  }
}

/** What buyers started to pay an order with, each oldest first. */
export interface Started {
  attempts: Attempt[]
  openings: Opening[]
}

/** What a buyer chose to pay with, opened or not. */
export type Chosen = Attempt | Opening

/** Attempts and openings, oldest first. */
export const allOf = ({ attempts, openings }: Started): Chosen[] =>
  [...attempts, ...openings].toSorted((one, other) => one.createdAt - other.createdAt)

/** When a buyer chooses something now: after every other choice, also within a millisecond. */
export const nextChoiceAt = ({ attempts, openings }: Started, now: number): number =>
  Math.max(now, ...[...attempts, ...openings].map(({ chosenAt }) => chosenAt + 1))
