import { type Attempt, nothingArrived, type PageAttempt } from './attempt.ts'
import type { Amount } from './money.ts'
import type { Order } from './order.ts'

/**
 * A provider's page that a buyer asked for and that the provider has not yet opened or refused. Nothing can
 * be paid to it. Once opened, it becomes an attempt with the same ID.
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
  /** the rest of the order's amount when the buyer last asked for the page, in the order's currency */
  priced: Amount
  /** null for a charge, which goes to the merchant's account with the provider */
  payoutAddress: string | null
  callbackUrl: string
  /** null for a charge, because the provider signs its callbacks */
  callbackSecret: string | null
  state: 'waiting' | 'failed'
}

/** A provider's answer about a page that it opened. */
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

/** The attempt that an opening becomes. If the order has ended meanwhile, the attempt is over at once. */
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

/** Everything that buyers opened for an order, each list oldest first. */
export interface Started {
  attempts: Attempt[]
  openings: Opening[]
}

/** A choice of the buyer, opened by the provider or not. */
export type Chosen = Attempt | Opening

/** All choices of the buyer, oldest first. */
export const allOf = ({ attempts, openings }: Started): readonly Chosen[] =>
  openings.length === 0
    ? attempts
    : [...attempts, ...openings].toSorted((one, other) => one.createdAt - other.createdAt)

/** The time of a new choice: later than any other, even within a millisecond. */
export const nextChoiceAt = ({ attempts, openings }: Started, now: number): number =>
  Math.max(now, ...[...attempts, ...openings].map(({ chosenAt }) => chosenAt + 1))
