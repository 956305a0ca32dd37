import type { Json } from './metadata.ts'
import type { Order } from './order.ts'

export type AttemptState = 'waiting' | 'underpaid' | 'confirming' | 'settled' | 'expired' | 'failed'

/** While one of these, money is still expected. */
const openStates: readonly AttemptState[] = ['waiting', 'underpaid', 'confirming']

/** A payment that a buyer opened: a provider's page to be sent to, or an address of its own to pay to. */
export interface Attempt {
  id: string
  merchantId: string
  orderId: string
  kind: 'redirect' | 'address'
  /** the provider that stands behind it; null where Florin watches the chain itself */
  provider: string | null
  methodKey: string
  /** as a buyer reads it */
  methodName: string
  /** what has to arrive; a card provider pays out "polygon/usdc" */
  assetId: string
  decimals: number
  /** atomic */
  dueAtomic: bigint
  /** the least confirmed sum that settles, atomic: all of it for crypto, the method's share for a provider */
  thresholdAtomic: bigint
  rate: string | null
  rateSources: string[]
  rateAt: number | null
  address: string | null
  /** the address is the payout wallet, which other attempts may show too: they are told apart by amount */
  shared: boolean
  payoutAddress: string | null
  /** how the address came to be, with all that is needed to reach its money again */
  addressSource: Json
  /** how many endpoints of the chain have to tell of a payment before it is final */
  requiredEndpoints: number
  paymentUri: string | null
  redirectUrl: string | null
  callbackUrl: string | null
  callbackSecret: string | null
  providerRef: string | null
  feeSplit: boolean
  lockedUntil: number
  watchUntil: number
  state: AttemptState
  /** all that was seen, atomic */
  received: bigint
  /** the part of it that is final, atomic */
  confirmed: bigint
  confirmations: number | null
  requiredConfirmations: number | null
  /** where the network's watcher goes on */
  cursor: Json
  checkedAt: number | null
  createdAt: number
  updatedAt: number
}

/** What a new attempt has to say; everything else has a value that stands for "nothing yet". */
type AttemptStart = Partial<Attempt> &
  Pick<Attempt, 'id' | 'kind' | 'methodKey' | 'methodName' | 'lockedUntil' | 'watchUntil' | 'createdAt'>

/** A new attempt of an order, before anything was received. */
export const newAttempt = (order: Pick<Order, 'id' | 'merchantId'>, start: AttemptStart): Attempt => ({
  provider: null,
  assetId: '',
  decimals: 0,
  dueAtomic: 0n,
  thresholdAtomic: 0n,
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
  state: 'waiting',
  received: 0n,
  confirmed: 0n,
  confirmations: null,
  requiredConfirmations: null,
  cursor: null,
  checkedAt: null,
  updatedAt: start.createdAt,
  ...start,
  merchantId: order.merchantId,
  orderId: order.id,
})

/** The last moment for a fresh quote is the lock's end; after it the buyer may open another attempt. */
export const isLocked = (attempt: Attempt, now: number): boolean => now < attempt.lockedUntil

/** The kind of source that an address of a provider has; `minimum` is atomic, as decimal text. */
export interface ProviderAddressSource {
  kind: 'provider'
  provider: string
  minimum: string
}

/** The smallest payment that is seen at all. */
function leastPart({ provider, addressSource }: Attempt): bigint {
  if (provider === null || addressSource === null) return 0n
  return BigInt((addressSource as unknown as ProviderAddressSource).minimum)
}

/** What a buyer has to send yet: a provider does not see less than its minimum. */
export function remainingAtomic(attempt: Attempt): bigint {
  const rest = attempt.dueAtomic - attempt.received
  const least = leastPart(attempt)
  return rest > 0n && rest < least ? least : rest
}

export const isOpen = (attempt: Attempt): boolean => openStates.includes(attempt.state)
