import { placesOf } from './lightning.ts'
import type { Json } from './metadata.ts'
import { type Amount, ceilDiv, minorOf } from './money.ts'
import type { Order } from './order.ts'
import { VALUE_UNIT } from './quote.ts'

export type AttemptState = 'waiting' | 'underpaid' | 'confirming' | 'settled' | 'expired' | 'failed'

/** States in which money is still expected. */
const openStates: readonly AttemptState[] = ['waiting', 'underpaid', 'confirming']

/** Properties of every attempt. */
interface AnyAttempt {
  id: string
  merchantId: string
  orderId: string
  methodKey: string
  /** name of the method, as the buyer saw it */
  methodName: string
  /** the asset that has to arrive: "btc"; "polygon/usdc" from PayGate; "fiat/eur" for a charge */
  assetId: string
  decimals: number
  /** the rest of the order's amount when the attempt was opened, in the order's currency */
  priced: Amount
  /** `priced` at the attempt's rate, atomic */
  dueAtomic: bigint
  /** the least that counts as all of `priced`, atomic; less than due where the provider deducts fees */
  thresholdAtomic: bigint
  /** the part of the order's amount that may stay unpaid, in units of value; equal in all its attempts */
  tolerance: bigint
  /** below this value, the rest of the order is not asked for; in units of value, equal in all attempts */
  dust: bigint
  /** recipient of the money: a payout wallet, or the merchant's account with a provider */
  payoutAddress: string
  lockedUntil: number
  /** payments until this time are in time: `graceLimit`, or earlier once the buyer opened another payment */
  graceUntil: number
  /** end of the grace while this is the order's newest attempt */
  graceLimit: number
  /** a payment seen in time stays in time only if it is mined at most this long after the lock ends */
  minedWithinMs: number
  /** time in which the chain could not be read; lock and grace are extended by it */
  blindMs: number
  watchUntil: number
  /** language of the page on which the buyer opened the attempt: "en", "pt-BR" */
  language: string
  state: AttemptState
  /** everything that arrived, final or not, atomic */
  receivedAtomic: bigint
  /** the final part of `receivedAtomic` */
  confirmedAtomic: bigint
  /** the credit of the order for this attempt, final or seen, in units of value */
  credited: bigint
  /** the part of `credited` that is final */
  settledCredit: bigint
  /** value of the payments that wait for the merchant's decision, in units of value; null if unknown */
  awaited: bigint | null
  /** when a payment left its chain without a replacement; null if none is missing */
  vanishedAt: number | null
  confirmations: number | null
  /**
   * share of the due that arrived through a provider's page, in millionths; null unless it shows the usual
   * fees of the method
   */
  pageShare: number | null
  /** confirmations that make a payment final; null if the provider decides */
  requiredConfirmations: number | null
  checkedAt: number | null
  /** when the buyer last chose this attempt */
  chosenAt: number
  createdAt: number
  updatedAt: number
}

/** An address to pay a coin to, at a rate that is locked for a while. */
interface CoinQuote {
  kind: 'address'
  address: string
  rate: string
  rateSources: string[]
  rateAt: number
  /** the smallest rest that can be sent and is worth asking for; atomic */
  dustAtomic: bigint
  paymentUri: string
  /** the buyer's refund address; null if they did not enter one */
  refundAddress: string | null
}

/** Properties of an attempt with a provider. */
interface AtProvider {
  provider: string
  callbackUrl: string
  /** the provider's ID of the payment; may be secret */
  providerRef: string
  feeSplit: boolean
}

/**
 * An attempt at an address that comes from the merchant's sources or was issued by the chain's node. Florin
 * watches the chain.
 */
export interface OwnAttempt extends AnyAttempt, CoinQuote {
  provider: null
  /** origin of the address, with everything needed to recover its money */
  addressSource: Json
  /** true if the address is the payout wallet: other attempts may use it too, with different amounts */
  shared: boolean
  /** number of endpoints that must report a payment before it is final */
  requiredEndpoints: number
  /** position at which the network's next scan continues */
  cursor: Json
  /** when the address went back to the pool; from then on it is not checked */
  reclaimedAt: number | null
}

/** Source of an address that a provider forwards from. `minimum` is atomic, as a decimal string. */
export type ProviderAddressSource = {
  kind: 'provider'
  provider: string
  minimum: string
}

/** An attempt at an address that a provider forwards from. */
export interface ForwardedAttempt extends AnyAttempt, CoinQuote, AtProvider {
  addressSource: ProviderAddressSource
  callbackSecret: string
}

export interface PageAttempt extends AnyAttempt, AtProvider {
  kind: 'redirect'
  redirectUrl: string
  /**
   * threshold if no offered method can take the rest: the due less the most that any method deducts; atomic
   */
  floorAtomic: bigint
  /** null for a charge, because the provider signs its callbacks */
  callbackSecret: string | null
  /** the provider's address, which forwards the coins; null for a charge */
  address: string | null
  /** always null, because the provider sends money back */
  refundAddress: null
}

export type AddressAttempt = OwnAttempt | ForwardedAttempt
export type AttemptAtProvider = ForwardedAttempt | PageAttempt

/**
 * A payment that a buyer opened: at an address or on a provider's page, depending on `kind`. `provider` is
 * null if Florin watches the chain itself.
 */
export type Attempt = OwnAttempt | ForwardedAttempt | PageAttempt

/** State of an attempt's payments, and the times until which they are expected. */
export type Progress = Pick<
  AnyAttempt,
  | 'lockedUntil'
  | 'graceUntil'
  | 'graceLimit'
  | 'watchUntil'
  | 'blindMs'
  | 'state'
  | 'receivedAtomic'
  | 'confirmedAtomic'
  | 'credited'
  | 'settledCredit'
  | 'awaited'
  | 'vanishedAt'
  | 'confirmations'
  | 'pageShare'
  | 'checkedAt'
  | 'chosenAt'
  | 'updatedAt'
>

/** The changeable fields of an attempt. Only own addresses have a cursor or can be reclaimed. */
export type AttemptChange = Partial<Progress & Pick<OwnAttempt, 'refundAddress' | 'cursor' | 'reclaimedAt'>>

/** Progress of a new attempt. */
export const nothingArrived = {
  blindMs: 0,
  state: 'waiting',
  receivedAtomic: 0n,
  confirmedAtomic: 0n,
  credited: 0n,
  settledCredit: 0n,
  awaited: 0n,
  vanishedAt: null,
  confirmations: null,
  pageShare: null,
  checkedAt: null,
} as const satisfies Partial<AnyAttempt>

/** The rate at which an attempt was opened. All of it is unknown for a provider's page. */
export interface OpeningRate {
  rate: string | null
  rateSources: string[]
  rateAt: number | null
}

/** The rate at which an attempt was opened. The rate of a provider's page is unknown. */
export const rateOf = (attempt: Attempt): OpeningRate =>
  attempt.kind === 'address'
    ? { rate: attempt.rate, rateSources: attempt.rateSources, rateAt: attempt.rateAt }
    : { rate: null, rateSources: [], rateAt: null }

/** True for an attempt that pays into the merchant's own account with a provider. */
export const isCharge = (attempt: Attempt): attempt is PageAttempt =>
  attempt.kind === 'redirect' && attempt.callbackSecret === null

export const isShared = (attempt: Attempt): attempt is OwnAttempt & { shared: true } =>
  attempt.provider === null && attempt.shared

/** True while an attempt is locked: the buyer cannot open another attempt in the same asset. */
export const isLocked = ({ lockedUntil }: { lockedUntil: number }, now: number): boolean => now < lockedUntil

/** Time of the last check. Opening an attempt counts as a check, because it needs a working endpoint. */
export const lastLookAt = ({ checkedAt, createdAt }: Attempt): number => Math.max(checkedAt ?? 0, createdAt)

/** Max locked attempts of an order: each lets the buyer wait to see if the quoted rate is a bargain. */
const LOCKED_MAX = 10

/** True if `LOCKED_MAX` attempts are locked. On-chain and Lightning bitcoin in one QR code count as one. */
export const holdsMost = (attempts: readonly Attempt[], now: number): boolean =>
  attempts.length >= LOCKED_MAX &&
  placesOf(attempts.filter(one => one.kind === 'address' && isOpen(one) && isLocked(one, now))) >= LOCKED_MAX

/** Kind of source that an attempt's address comes from; undefined if the network does not record it. */
export const sourceKindOf = ({ addressSource }: OwnAttempt): unknown =>
  (addressSource as { kind?: unknown } | null)?.kind

export const isReclaimed = (attempt: Attempt): boolean =>
  attempt.provider === null && attempt.reclaimedAt !== null

/** True if anything was paid to an attempt. Coins that it did not ask for are not in `receivedAtomic`. */
export const hasPayments = ({ receivedAtomic, credited, awaited, vanishedAt }: Attempt): boolean =>
  receivedAtomic > 0n || credited > 0n || awaited !== 0n || vanishedAt !== null

type PricedOrder = Pick<Order, 'amount' | 'currency'>

/** Tolerance for rounding: each value is rounded down by less than one unit. */
export const ROUNDED = 1_000n

/** The part of an order's amount that is not credited, in units of value. */
function leftValue({ amount, currency }: PricedOrder, attempts: readonly Attempt[]): bigint {
  const left = attempts.reduce((sum, { credited }) => sum - credited, minorOf(amount, currency) * VALUE_UNIT)
  return left > ROUNDED ? left : 0n
}

/** Like `leftValue`, less the value of payments that wait for the merchant's decision. */
function restValue(order: PricedOrder, attempts: readonly Attempt[]): bigint {
  let rest = leftValue(order, attempts)
  for (const { awaited } of attempts) {
    // If the awaited value is unknown, so is the rest: ask for nothing.
    if (awaited === null) return 0n
    rest -= awaited
  }
  return rest > ROUNDED ? rest : 0n
}

/** The rest of an order: its amount less all credit, in minor units, rounded up. */
export const leftMinor = (order: PricedOrder, attempts: readonly Attempt[]): bigint =>
  ceilDiv(leftValue(order, attempts), VALUE_UNIT)

/** The rest of an order less the value that waits for the merchant's decision. Minor units, rounded up. */
export const restMinor = (order: PricedOrder, attempts: readonly Attempt[]): bigint =>
  ceilDiv(restValue(order, attempts), VALUE_UNIT)

/** The amount that buyers are asked for: 0 if the rest is worth too little. In minor units. */
export function askedMinor(order: PricedOrder, attempts: readonly Attempt[]): bigint {
  if (attempts.length === 0) return minorOf(order.amount, order.currency)
  const rest = restValue(order, attempts)
  return isTooLittle(rest, attempts[0]) ? 0n : ceilDiv(rest, VALUE_UNIT)
}

/** True if a rest is worth too little to ask a buyer for it. All attempts of an order have one `dust`. */
export const isTooLittle = (rest: bigint, attempt: Pick<Attempt, 'dust'> | undefined): boolean =>
  rest < (attempt?.dust ?? 0n)

/**
 * Amount that the buyer still has to send to an attempt: the unpaid part of its due, or what is left of the
 * order if that is less.
 */
export function remainingAtomic(attempt: Attempt, order: Pick<Order, 'currency'>, left: bigint): bigint {
  const { dueAtomic, credited, priced } = attempt
  const price = minorOf(priced, order.currency)
  const ofOrder = ceilDiv(left * dueAtomic, price)
  const own = ceilDiv((price * VALUE_UNIT - credited - ROUNDED) * dueAtomic, price * VALUE_UNIT)
  const rest = own < ofOrder ? own : ofOrder
  // Less than `minimum` cannot be asked for, because the provider does not report smaller payments.
  const isForwarded = attempt.kind === 'address' && attempt.provider !== null
  const least = isForwarded ? BigInt(attempt.addressSource.minimum) : 0n
  return rest > 0n && rest < least ? least : rest
}

export const isOpen = ({ state }: { state: AttemptState }): boolean => openStates.includes(state)
