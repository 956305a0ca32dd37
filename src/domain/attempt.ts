import type { Json } from './metadata.ts'
import type { Order } from './order.ts'

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
  /** atomic */
  dueAtomic: bigint
  /**
   * the least confirmed amount that settles, atomic: less than due by the merchant's tolerance, or if the
   * provider deducts its fees
   */
  thresholdAtomic: bigint
  /** a rest below this is too small to be sent, or worth too little to be asked for; atomic */
  dustAtomic: bigint
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
   * until when a payment counts as in time: some time after the lock, or the lock's end once the buyer has
   * opened another payment
   */
  graceUntil: number
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
  confirmations: number | null
  requiredConfirmations: number | null
  /** where the network's next scan continues */
  cursor: Json
  checkedAt: number | null
  /** when its address was given back to the pool; from then on it is not checked */
  reclaimedAt: number | null
  createdAt: number
  updatedAt: number
}

/** What a new attempt has to say; everything else has a value that stands for "nothing yet". */
type AttemptStart = Partial<Attempt> &
  Pick<
    Attempt,
    'id' | 'kind' | 'methodKey' | 'methodName' | 'lockedUntil' | 'graceUntil' | 'watchUntil' | 'createdAt'
  >

/** A new attempt of an order, before anything was received. */
export const newAttempt = (order: Pick<Order, 'id' | 'merchantId'>, start: AttemptStart): Attempt => ({
  provider: null,
  assetId: '',
  decimals: 0,
  dueAtomic: 0n,
  thresholdAtomic: 0n,
  dustAtomic: 0n,
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
  confirmations: null,
  requiredConfirmations: null,
  cursor: null,
  checkedAt: null,
  reclaimedAt: null,
  updatedAt: start.createdAt,
  ...start,
  merchantId: order.merchantId,
  orderId: order.id,
})

/** The buyer may open another attempt in the same asset once the lock is over. */
export const isLocked = (attempt: Attempt, now: number): boolean => now < attempt.lockedUntil

/** Whether a payment that arrives at an attempt would be found, and may pay its order. */
export const isWatched = (attempt: Attempt, now: number): boolean =>
  attempt.thresholdAtomic > 0n &&
  attempt.reclaimedAt === null &&
  attempt.state !== 'settled' &&
  now <= attempt.watchUntil

/** The end of an attempt's grace when the buyer opens another payment at `now`. */
export const endedGrace = ({ lockedUntil, graceUntil }: Attempt, now: number): number =>
  Math.min(graceUntil, Math.max(lockedUntil, now))

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

/** What the buyer still has to send: never less than the provider's minimum. */
export function remainingAtomic(attempt: Attempt): bigint {
  const rest = attempt.dueAtomic - attempt.receivedAtomic
  const least = smallestPayment(attempt)
  return rest > 0n && rest < least ? least : rest
}

/** Whether what is missing is too little to ask the buyer for. */
export const lacksOnlyDust = (attempt: Attempt): boolean => {
  const rest = attempt.dueAtomic - attempt.receivedAtomic
  return attempt.state === 'underpaid' && rest > 0n && rest < attempt.dustAtomic
}

export const isOpen = (attempt: Attempt): boolean => openStates.includes(attempt.state)
