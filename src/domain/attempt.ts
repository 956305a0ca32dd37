import { chainOf } from './asset.ts'
import type { Json } from './metadata.ts'
import { type Amount, ceilDiv, minorOf } from './money.ts'
import type { Chosen, Started } from './opening.ts'
import type { Order } from './order.ts'
import { MINED_WITHIN_MS, VALUE_UNIT } from './quote.ts'

export type AttemptState = 'waiting' | 'underpaid' | 'confirming' | 'settled' | 'expired' | 'failed'

/** While one of these, money is still expected. */
const openStates: readonly AttemptState[] = ['waiting', 'underpaid', 'confirming']

/** A payment that a buyer opened: a provider's payment page, or an address to pay a coin to. */
export interface Attempt {
  id: string
  merchantId: string
  orderId: string
  kind: 'redirect' | 'address'
  /** the provider that takes the payment; null if Florin watches the chain itself */
  provider: string | null
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
  /** the same for a page of which no offered method can take the rest: what any method may deduct, atomic */
  floorAtomic: bigint
  /** what arrived through a page, in millionths of due; null unless it shows what the method usually keeps */
  pageShare: number | null
  /** a rest below this is too small to be sent, or worth too little to be asked for; atomic */
  dustAtomic: bigint
  /**
   * how much of the order's amount may stay unpaid, in units of value; the same in all attempts of an order
   */
  tolerance: bigint
  /** a rest of the order that is worth less is not asked for, in units of value; the same in all attempts */
  dust: bigint
  rate: string | null
  rateSources: string[]
  rateAt: number | null
  address: string | null
  /** the address is the payout wallet, which other attempts may show too: only the amounts differ */
  shared: boolean
  /** where the money goes: a payout wallet, or the merchant's account for a charge */
  payoutAddress: string | null
  /** where the address comes from, with all that is needed to recover its money */
  addressSource: Json
  /** how many endpoints of the chain have to report a payment before it is final */
  requiredEndpoints: number
  paymentUri: string | null
  redirectUrl: string | null
  callbackUrl: string | null
  callbackSecret: string | null
  /** the provider's own id of the payment; may be a secret */
  providerRef: string | null
  feeSplit: boolean
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
  /** where the buyer wants to be refunded to; null if they did not say */
  refundAddress: string | null
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
  requiredConfirmations: number | null
  /** where the network's next scan continues */
  cursor: Json
  checkedAt: number | null
  /** when its address was given back to the pool; from then on it is not checked */
  reclaimedAt: number | null
  /** when the buyer last chose it */
  chosenAt: number
  createdAt: number
  updatedAt: number
}

/** What a new attempt has to say; everything else has a value that stands for "nothing yet". */
type AttemptStart = Partial<Attempt> &
  Pick<
    Attempt,
    | 'id'
    | 'kind'
    | 'methodKey'
    | 'methodName'
    | 'priced'
    | 'lockedUntil'
    | 'graceLimit'
    | 'watchUntil'
    | 'createdAt'
  >

/** A new attempt of an order, before anything was received. */
export const newAttempt = (order: Pick<Order, 'id' | 'merchantId'>, start: AttemptStart): Attempt => ({
  provider: null,
  assetId: '',
  decimals: 0,
  dueAtomic: 0n,
  thresholdAtomic: 0n,
  floorAtomic: 0n,
  pageShare: null,
  dustAtomic: 0n,
  tolerance: 0n,
  dust: 0n,
  rate: null,
  rateSources: [],
  rateAt: null,
  address: null,
  shared: false,
  payoutAddress: null,
  addressSource: null,
  requiredEndpoints: 1,
  paymentUri: null,
  redirectUrl: null,
  callbackUrl: null,
  callbackSecret: null,
  providerRef: null,
  feeSplit: false,
  refundAddress: null,
  language: 'en',
  state: 'waiting',
  receivedAtomic: 0n,
  confirmedAtomic: 0n,
  credited: 0n,
  settledCredit: 0n,
  awaited: 0n,
  vanishedAt: null,
  graceUntil: start.graceLimit,
  minedWithinMs: MINED_WITHIN_MS,
  blindMs: 0,
  confirmations: null,
  requiredConfirmations: null,
  cursor: null,
  checkedAt: null,
  reclaimedAt: null,
  chosenAt: start.createdAt,
  updatedAt: start.createdAt,
  ...start,
  merchantId: order.merchantId,
  orderId: order.id,
})

/** The provider or the chain that reports what arrives. */
export const upstreamOf = ({ provider, assetId }: Pick<Attempt, 'provider' | 'assetId'>): string =>
  provider ?? chainOf(assetId)

/** The buyer may open another attempt in the same asset once the lock is over. */
export const isLocked = ({ lockedUntil }: Chosen, now: number): boolean => now < lockedUntil

/** Whether a payment that arrives at an attempt would be found, and may pay its order. */
export const isWatched = (attempt: Attempt, now: number): boolean =>
  attempt.reclaimedAt === null && attempt.state !== 'settled' && now <= attempt.watchUntil

/** The source of an address that a provider forwards from; `minimum` is atomic, as a decimal string. */
export interface ProviderAddressSource {
  kind: 'provider'
  provider: string
  minimum: string
}

/** The smallest payment that is reported at all. */
function smallestPayment({ provider, addressSource }: Attempt): bigint {
  if (provider === null || addressSource === null) return 0n
  return BigInt((addressSource as unknown as ProviderAddressSource).minimum)
}

type PricedOrder = Pick<Order, 'amount' | 'currency'>

/** Each value is rounded down by less than one unit: so much is never missing. */
export const ROUNDED = 1_000n

/** How much of an order's amount is neither credited nor waits for the merchant, in units of value. */
function leftValue({ amount, currency }: PricedOrder, attempts: readonly Attempt[]): bigint {
  let left = minorOf(amount, currency) * VALUE_UNIT
  for (const { credited, awaited } of attempts) {
    // Without a value, nobody knows how much more could be asked for.
    if (awaited === null) return 0n
    left -= credited + awaited
  }
  return left > ROUNDED ? left : 0n
}

/** What is left of an order, in minor units, rounded up. */
export const leftMinor = (order: PricedOrder, attempts: readonly Attempt[]): bigint =>
  ceilDiv(leftValue(order, attempts), VALUE_UNIT)

/** What is left of an order, unless it is worth too little to be asked for. In minor units. */
export const askedMinor = (order: PricedOrder, attempts: readonly Attempt[]): bigint =>
  leftValue(order, attempts) < (attempts[0]?.dust ?? 0n) ? 0n : leftMinor(order, attempts)

/**
 * What the buyer still has to send to an attempt: its own rest, or what is left of the order if that is
 * less.
 */
export function remainingAtomic(attempt: Attempt, order: Pick<Order, 'currency'>, left: bigint): bigint {
  const { dueAtomic, credited, priced } = attempt
  const price = minorOf(priced, order.currency)
  const ofOrder = ceilDiv(left * dueAtomic, price)
  const own = ceilDiv((price * VALUE_UNIT - credited - ROUNDED) * dueAtomic, price * VALUE_UNIT)
  const rest = own < ofOrder ? own : ofOrder
  const least = smallestPayment(attempt)
  return rest > 0n && rest < least ? least : rest
}

/** When the buyer chooses an attempt now: after every other choice, also within a millisecond. */
export const nextChoiceAt = ({ attempts, openings }: Started, now: number): number =>
  Math.max(now, ...[...attempts, ...openings].map(({ chosenAt }) => chosenAt + 1))

export const isOpen = ({ state }: Chosen): boolean => openStates.includes(state)
