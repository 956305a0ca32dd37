import { chainOf } from './asset.ts'
import type { Json } from './metadata.ts'
import { type Amount, ceilDiv, minorOf } from './money.ts'
import type { Order } from './order.ts'
import { VALUE_UNIT } from './quote.ts'

export type AttemptState = 'waiting' | 'underpaid' | 'confirming' | 'settled' | 'expired' | 'failed'

/** While one of these, money is still expected. */
const openStates: readonly AttemptState[] = ['waiting', 'underpaid', 'confirming']

/** What every payment has that a buyer opened. */
interface AnyAttempt {
  id: string
  merchantId: string
  orderId: string
  methodKey: string
  /** as the buyer sees it */
  methodName: string
  /** what has to arrive: "btc"; "polygon/usdc" from PayGate; "fiat/eur" for a charge */
  assetId: string
  decimals: number
  /** what was left of the order when it was opened, in the order's currency */
  priced: Amount
  /** `priced` at its rate, atomic */
  dueAtomic: bigint
  /** the least that counts as all of `priced`, atomic: less than due where the provider deducts its fees */
  thresholdAtomic: bigint
  /**
   * how much of the order's amount may stay unpaid, in units of value; the same in all attempts of an order
   */
  tolerance: bigint
  /** a rest of the order that is worth less is not asked for, in units of value; the same in all attempts */
  dust: bigint
  /** where the money goes: a payout wallet, or the merchant's account for a charge */
  payoutAddress: string
  lockedUntil: number
  /**
   * until when a payment counts as in time: `graceLimit`, or earlier once the buyer has opened another
   * payment
   */
  graceUntil: number
  /** the end of the grace of the newest payment of an order */
  graceLimit: number
  /** how long after its lock a payment that was seen in time may be mined */
  minedWithinMs: number
  /** the time in which its chain could not be read; lock and grace are longer by that */
  blindMs: number
  watchUntil: number
  /** the language of the page on which the buyer opened it: "en", "pt-BR" */
  language: string
  state: AttemptState
  /** everything that arrived, final or not, atomic */
  receivedAtomic: bigint
  /** the part of it that is final, atomic */
  confirmedAtomic: bigint
  /** what the order is credited for it, final or seen, in units of value */
  credited: bigint
  /** the part of `credited` that is final */
  settledCredit: bigint
  /** the value of what waits for the merchant's decision, in units of value; null if it is not known */
  awaited: bigint | null
  /** when its chain stopped reporting a payment that nothing replaced; null if none is missing */
  vanishedAt: number | null
  confirmations: number | null
  /** what arrived through a page, in millionths of due; null unless it shows what the method usually keeps */
  pageShare: number | null
  /** null where a provider decides how many it needs */
  requiredConfirmations: number | null
  checkedAt: number | null
  /** when the buyer last chose it */
  chosenAt: number
  createdAt: number
  updatedAt: number
}

/** An address to pay a coin to, at a rate that holds for a while. */
interface CoinQuote {
  kind: 'address'
  address: string
  rate: string
  rateSources: string[]
  rateAt: number
  /** a rest below this is too small to be sent, or worth too little to be asked for; atomic */
  dustAtomic: bigint
  paymentUri: string
  /** where the buyer wants to be refunded to; null if they did not say */
  refundAddress: string | null
}

/** What a provider that takes a payment knows about it. */
interface AtProvider {
  provider: string
  callbackUrl: string
  /** the provider's own id of the payment; may be a secret */
  providerRef: string
  feeSplit: boolean
}

/** At an address of the merchant's sources, or one that the chain's node issued: Florin watches the chain. */
export interface OwnAttempt extends AnyAttempt, CoinQuote {
  provider: null
  /** where the address comes from, with all that is needed to recover its money */
  addressSource: Json
  /** the address is the payout wallet, which other attempts may show too: only the amounts differ */
  shared: boolean
  /** how many endpoints of the chain have to report a payment before it is final */
  requiredEndpoints: number
  /** where the network's next scan continues */
  cursor: Json
  /** when its address was given back to the pool; from then on it is not checked */
  reclaimedAt: number | null
}

/** The source of an address that a provider forwards from; `minimum` is atomic, as a decimal string. */
export type ProviderAddressSource = {
  kind: 'provider'
  provider: string
  minimum: string
}

/** At an address that a provider forwards from. */
export interface ForwardedAttempt extends AnyAttempt, CoinQuote, AtProvider {
  addressSource: ProviderAddressSource
  callbackSecret: string
}

/** On a provider's payment page. */
export interface PageAttempt extends AnyAttempt, AtProvider {
  kind: 'redirect'
  redirectUrl: string
  /** its threshold where no offered method can take the rest: what any method may deduct, atomic */
  floorAtomic: bigint
  /** null for a charge, whose callbacks the provider signs */
  callbackSecret: string | null
  /** the provider's address, whose coins it forwards; null for a charge */
  address: string | null
  /** the provider sends money back */
  refundAddress: null
}

export type AddressAttempt = OwnAttempt | ForwardedAttempt
export type AttemptAtProvider = ForwardedAttempt | PageAttempt

/**
 * A payment that a buyer opened. `kind` says whether the buyer pays to an address or on a provider's page,
 * and `provider` is null where Florin watches the chain itself.
 */
export type Attempt = OwnAttempt | ForwardedAttempt | PageAttempt

/** What is known of the payments of an attempt, and until when they are expected. */
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

/** What can change about an attempt. Only an own address has a cursor, and can be reclaimed. */
export type AttemptChange = Partial<Progress & Pick<OwnAttempt, 'refundAddress' | 'cursor' | 'reclaimedAt'>>

/** What an attempt begins with. */
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

/** The rate that an attempt was opened with, if there was one. */
export interface OpeningRate {
  rate: string | null
  rateSources: string[]
  rateAt: number | null
}

/** A provider's page has its own rate, which is not known here. */
export const rateOf = (attempt: Attempt): OpeningRate =>
  attempt.kind === 'address'
    ? { rate: attempt.rate, rateSources: attempt.rateSources, rateAt: attempt.rateAt }
    : { rate: null, rateSources: [], rateAt: null }

export const isShared = (attempt: Attempt): attempt is OwnAttempt & { shared: true } =>
  attempt.provider === null && attempt.shared

/** The provider or the chain that reports what arrives. */
export const upstreamOf = ({ provider, assetId }: Pick<Attempt, 'provider' | 'assetId'>): string =>
  provider ?? chainOf(assetId)

/** The buyer may open another attempt in the same asset once the lock is over. */
export const isLocked = ({ lockedUntil }: { lockedUntil: number }, now: number): boolean => now < lockedUntil

/** An attempt was opened with a working endpoint, which counts as a look. */
export const lastLookAt = ({ checkedAt, createdAt }: Attempt): number => Math.max(checkedAt ?? 0, createdAt)

/** Buyers try several coins, but need only a few amounts that hold at the same time. */
const LOCKED_MAX = 10

/** Whether as many coin payments of an order are open as a buyer may have at the same time. */
export const holdsMost = (attempts: readonly Attempt[], now: number): boolean =>
  attempts.filter(one => one.kind === 'address' && isOpen(one) && isLocked(one, now)).length >= LOCKED_MAX

/** Which kind of source an own address comes from; undefined where a network does not say. */
export const sourceKindOf = ({ addressSource }: OwnAttempt): unknown =>
  (addressSource as { kind?: unknown } | null)?.kind

export const isReclaimed = (attempt: Attempt): boolean =>
  attempt.provider === null && attempt.reclaimedAt !== null

/** Whether a payment that arrives at an attempt would be found, and may pay its order. */
export const isWatched = (attempt: Attempt, now: number): boolean =>
  !isReclaimed(attempt) && attempt.state !== 'settled' && now <= attempt.watchUntil

/** The smallest payment that is reported at all. */
const smallestPayment = (attempt: AddressAttempt): bigint =>
  attempt.provider === null ? 0n : BigInt(attempt.addressSource.minimum)

type PricedOrder = Pick<Order, 'amount' | 'currency'>

/** Each value is rounded down by less than one unit: so much is never missing. */
export const ROUNDED = 1_000n

/** How much of an order's amount is not credited, in units of value. */
function leftValue({ amount, currency }: PricedOrder, attempts: readonly Attempt[]): bigint {
  const left = attempts.reduce((sum, { credited }) => sum - credited, minorOf(amount, currency) * VALUE_UNIT)
  return left > ROUNDED ? left : 0n
}

/** The part of it that does not wait for the merchant either. */
function restValue(order: PricedOrder, attempts: readonly Attempt[]): bigint {
  let rest = leftValue(order, attempts)
  for (const { awaited } of attempts) {
    // Without a value, nobody knows how much more could be asked for.
    if (awaited === null) return 0n
    rest -= awaited
  }
  return rest > ROUNDED ? rest : 0n
}

/** What is left of an order: its amount less everything credited. In minor units, rounded up. */
export const leftMinor = (order: PricedOrder, attempts: readonly Attempt[]): bigint =>
  ceilDiv(leftValue(order, attempts), VALUE_UNIT)

/** What is left of an order besides what waits for the merchant, in minor units, rounded up. */
export const restMinor = (order: PricedOrder, attempts: readonly Attempt[]): bigint =>
  ceilDiv(restValue(order, attempts), VALUE_UNIT)

/** The rest of an order, unless it is worth too little to be asked for. In minor units. */
export const askedMinor = (order: PricedOrder, attempts: readonly Attempt[]): bigint =>
  restValue(order, attempts) < (attempts[0]?.dust ?? 0n) ? 0n : restMinor(order, attempts)

/**
 * What the buyer still has to send to an attempt: its own rest, or what is left of the order if that is
 * less.
 */
export function remainingAtomic(
  attempt: AddressAttempt,
  order: Pick<Order, 'currency'>,
  left: bigint,
): bigint {
  const { dueAtomic, credited, priced } = attempt
  const price = minorOf(priced, order.currency)
  const ofOrder = ceilDiv(left * dueAtomic, price)
  const own = ceilDiv((price * VALUE_UNIT - credited - ROUNDED) * dueAtomic, price * VALUE_UNIT)
  const rest = own < ofOrder ? own : ofOrder
  const least = smallestPayment(attempt)
  return rest > 0n && rest < least ? least : rest
}

export const isOpen = ({ state }: { state: AttemptState }): boolean => openStates.includes(state)
