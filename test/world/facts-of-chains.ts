/** Facts about chains, their endpoints and prices. */

/** An asset that buyers can be asked for, as its chain defines it. */
export interface AssetFact {
  id: string
  chain: string
  ticker: string
  decimals: number
  /** how many decimals the amount of a quote has */
  quoteDecimals: number
  /** null for the coin of a chain */
  contract: string | null
}

/** A chain, as the world runs it. */
export interface ChainFact {
  id: string
  family: 'evm' | 'bitcoin' | 'tron' | 'solana' | 'monero' | 'lightning'
  blockMs: number
  /** The head at a time is `firstHeight + floor((time - startsAt) / blockMs)`. */
  startsAt: number
  firstHeight: number
  /** how many endpoints the server can ask; at least one of them tells no lie without end */
  endpoints: number
  /**
   * A block is final when this many blocks, itself included, are on top of each other. Where the chain itself names
   * its newest final block (EVM, TRON, Solana), the world keeps that block this far behind the head.
   */
  finalDepth: number
}

export interface Base {
  /** the true time */
  at: number
  /** the step of the history during which it happened */
  step: number
}

/** A price of a coin in US dollars from now on, in millionths of a dollar. */
export interface PriceFact extends Base {
  fact: 'price'
  ticker: string
  micros: bigint
}

/** A source of prices behaves like this from now on. Three sources are set up. */
export interface PriceSourceFact extends Base {
  fact: 'price-source'
  source: number
  mood: 'honest' | 'away' | 'stale' | 'false'
}

/** A transfer on a chain. One transaction can have several: they have the same `tx`. */
export interface TransferFact extends Base {
  fact: 'transfer'
  /** unique in the run */
  transfer: number
  /** the number of the transaction on its chain */
  tx: number
  /** as endpoints write it, without 0x */
  txId: string
  chain: string
  asset: string
  /** as the server showed it to the buyer */
  to: string
  /** what arrives: after a token's own fee */
  amount: bigint
  /** the amount in its log, for a token that deducts a fee from each transfer */
  logged?: bigint
  /**
   * The order whose address it is, if any. The address may belong to an attempt for another coin or chain: compare
   * `asset` and `chain`.
   */
  order: string | null
  /** anything except `payment` must never count */
  kind: 'payment' | 'failed' | 'locked' | 'same-key' | 'wrong-program' | 'rejected' | 'dust' | 'flush'
  /** a transfer that it replaces, by spending the same output */
  replaces: number | null
  /** the time until which no endpoint lists it, even if it is mined */
  hiddenUntil: number
  /**
   * Endpoints know it from this time, even if no block has it: Bitcoin and Monero. Infinity if they only list it
   * once it is mined.
   */
  seenAt: number
}

/**
 * The block that contains a transfer, or null for one that is in no block (again). The newest fact holds. It is recorded
 * as soon as it is certain: the block's time may be in the future.
 */
export interface MinedFact extends Base {
  fact: 'mined'
  transfer: number
  block: { height: number; time: number } | null
}

/** A transfer can never be mined any more: replaced, spent twice, or lost in a reorganisation. */
export interface GoneFact extends Base {
  fact: 'gone'
  transfer: number
  why: 'replaced' | 'double-spent' | 'reorganised'
}

/** The newest `depth` blocks of a chain were replaced. `mined` and `gone` facts of its transfers follow. */
export interface ReorganisedFact extends Base {
  fact: 'reorganised'
  chain: string
  depth: number
}

/** An endpoint of a chain behaves like this from now on. */
export interface EndpointFact extends Base {
  fact: 'endpoint'
  chain: string
  endpoint: number
  /** `honest`, or a lie of test/simulation/lies.ts */
  lie: string
  /** what the lie needs, such as a number of blocks */
  amount: number
  /** null if it never ends by itself */
  times: number | null
}
