import type { Attempt } from './attempt.ts'
import type { Amount } from './money.ts'

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
