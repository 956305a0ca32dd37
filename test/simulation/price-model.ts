import type { AddressAttempt } from '../../src/domain/attempt.ts'
import { MINED_WITHIN_MS, VALUE_UNIT } from '../../src/domain/quote.ts'
import type { Chain, Transfer } from './chain.ts'
import { type Market, PRICE_UNIT, worth } from './market.ts'

/**
 * Computes the value of payments without the server's code, so that the two can be compared. Where the value
 * depends on what the server has seen, or on which of several prices it used, the model has a lowest and a
 * highest value.
 */

/** Values are in this fraction of a cent, so that rounding errors stay below `ROUNDED`. */
const SCALE = 10n ** 20n
const ROUNDED = 10n ** 10n

/** A payment of the buyer, with the amounts that it had before the buyer replaced it with a higher fee. */
export interface Sent {
  attempt: AddressAttempt
  transfer: Transfer
  versions: { at: number; amount: bigint }[]
  /** the time until which no endpoint lists it */
  hiddenUntil: number
}

/** The lowest and the highest value that a payment can have. */
export interface Bounds {
  low: bigint
  high: bigint
  /** true if all of it arrived in time, so that only the quoted price counts */
  isExact: boolean
}

const cents = (amount: string): bigint => BigInt(amount.replace('.', ''))
export const inCents = (amount: string): bigint => cents(amount) * SCALE
const ofStored = (value: bigint): bigint => (value * SCALE) / VALUE_UNIT
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const most = (one: bigint, other: bigint): bigint => (one > other ? one : other)

export const quoted = ({ dueAtomic, priced }: AddressAttempt, atomic: bigint): bigint =>
  (atomic * inCents(priced)) / dueAtomic

/** The value of a payment that is mined; null before it is mined. */
export function boundsOf({ attempt, transfer, versions }: Sent, chain: Chain, market: Market): Bounds | null {
  const { height, amount } = transfer
  if (height > chain.head) return null
  const minedAt = chain.timeOf(height)
  const { lockedUntil, graceLimit, decimals, assetId } = attempt
  if (minedAt <= lockedUntil) {
    const value = quoted(attempt, amount)
    return { low: value, high: value, isExact: true }
  }
  const { low, high } = market.valuedAt(tickerOf(assetId), minedAt)
  const late = { low: worth(amount, decimals, low, SCALE), high: worth(amount, decimals, high, SCALE) }
  if (minedAt > Math.max(graceLimit, lockedUntil + MINED_WITHIN_MS)) return { ...late, isExact: false }
  // Of a late replacement, only the amount that an earlier version had in time is valued at the quote.
  const seen = versions.filter(({ at }) => at <= graceLimit).map(one => one.amount)
  const inTime = least(amount, seen.reduce(most, 0n))
  const atQuote = quoted(attempt, inTime)
  const rest = worth(amount - inTime, decimals, high, SCALE)
  return { low: least(late.low, atQuote), high: most(late.high, atQuote + rest), isExact: false }
}

export const tickerOf = (assetId: string): string => assetId.split('/').at(-1)!

/** The stored facts of an order at the end of a simulation. */
export interface Ending {
  status: string
  amount: string
  attempts: AddressAttempt[]
}

export const creditOf = ({ attempts }: Ending): bigint =>
  ofStored(attempts.reduce((sum, { settledCredit }) => sum + settledCredit, 0n))

export const isEqual = (one: bigint, other: bigint): boolean => one - other < ROUNDED && other - one < ROUNDED

/** The error in the credit of an order whose payments are all final; null if it is within the bounds. */
export function creditProblem(ending: Ending, bounds: readonly Bounds[]): string | null {
  const { status, amount, attempts } = ending
  const low = bounds.reduce((sum, one) => sum + one.low, 0n)
  const high = bounds.reduce((sum, one) => sum + one.high, 0n)
  const print = (value: bigint) => `${value / SCALE} cents`
  const price = inCents(amount)
  const tolerance = ofStored(attempts[0]?.tolerance ?? 0n)
  if (status === 'PAID')
    return high + ROUNDED < price - tolerance
      ? `the order is PAID, but its payments are worth at most ${print(high)}`
      : null
  if (low >= price) return `the order is ${status}, but its payments are worth at least ${print(low)}`
  const credited = creditOf(ending)
  if (credited > high + ROUNDED) return `${print(credited)} are credited, but at most ${print(high)} arrived`
  if (credited + ROUNDED < low) return `${print(credited)} are credited, but at least ${print(low)} arrived`
  return null
}

/** The error in a new quote: its rate has to be current, and its amount the lowest that covers the price. */
export function quoteProblem(attempt: AddressAttempt, step: bigint, market: Market): string | null {
  const { assetId, rate, priced, dueAtomic, decimals, createdAt } = attempt
  const { low, high } = market.quotedAt(tickerOf(assetId), createdAt)
  const [whole = '', places = ''] = rate.split('.')
  const [over, under] = [BigInt(whole + places), 10n ** BigInt(places.length)]
  if (over * PRICE_UNIT < low * under || over * PRICE_UNIT > high * under)
    return `${assetId} is quoted at ${rate}`
  const covers = (atomic: bigint) => atomic * over * 100n >= cents(priced) * under * 10n ** BigInt(decimals)
  const isLeast = covers(dueAtomic) && !covers(dueAtomic - step)
  return isLeast ? null : `${dueAtomic} ${assetId} are asked for ${priced} USD at ${rate}`
}

/** The terms of an attempt, which must never change. */
export const termsOf = ({ id, assetId, priced, dueAtomic, rate, tolerance }: AddressAttempt): string =>
  [id, assetId, priced, dueAtomic, rate, tolerance].join(' ')
