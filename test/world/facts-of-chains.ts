/** Facts about chains, their endpoints and prices. */

/** An asset that buyers can be asked to pay, as its chain defines it. */
export interface AssetFact {
  id: string
  chain: string
  ticker: string
  decimals: number
  /** number of decimals to which a quote is rounded up */
  quoteDecimals: number
  /** the contract of a token; null for the coin of a chain */
  contract: string | null
}

/** A simulated chain. */
export interface ChainFact {
  id: string
  family: 'evm' | 'bitcoin' | 'tron' | 'solana' | 'monero' | 'lightning'
  blockMs: number
  /** The height of the chain at a time is `firstHeight + floor((time - startsAt) / blockMs)`. */
  startsAt: number
  firstHeight: number
  /** number of endpoints that the server can query; at least one of them has no endless lie */
  endpoints: number
  /** the endpoints that cannot list payments in the chain's own coin: those of TRON with JSON-RPC alone */
  withoutCoin?: number[]
  /**
   * A block is final once the chain has this many blocks from it to the newest one, both included. On EVM
   * chains, TRON and Solana, which report their newest final block, that block is this far below the newest
   * one.
   */
  finalDepth: number
}

export interface Base {
  /** the time by a correct clock */
  at: number
  /** the step of the history in which it happened */
  step: number
}

/** A price of a coin, which holds from now on, in millionths of a US dollar. */
export interface PriceFact extends Base {
  fact: 'price'
  ticker: string
  micros: bigint
}

/** The behaviour of a source of prices from now on. There are three sources. */
export interface PriceSourceFact extends Base {
  fact: 'price-source'
  source: number
  mood: 'honest' | 'away' | 'stale' | 'false'
}

/** A transfer on a chain. The transfers of one transaction have the same `tx`. */
export interface TransferFact extends Base {
  fact: 'transfer'
  /** unique in the run */
  transfer: number
  /** the number of the transaction on its chain */
  tx: number
  /** the transaction's ID as endpoints report it, without 0x */
  txId: string
  chain: string
  asset: string
  /** the address as the server showed it to the buyer */
  to: string
  /** the amount that arrives, after the fee that a token may take from each transfer */
  amount: bigint
  /** the amount in the log of a token that deducts a fee from each transfer */
  logged?: bigint
  /**
   * The order that the address belongs to, if any. The address may belong to an attempt for another coin or
   * chain: compare `asset` and `chain`.
   */
  order: string | null
  /** only `payment` may count for an order */
  kind: 'payment' | 'failed' | 'locked' | 'same-key' | 'wrong-program' | 'rejected' | 'dust' | 'flush'
  /** the transfer that it replaces by spending the same output */
  replaces: number | null
  /** the time until which no endpoint lists it, even if it is mined */
  hiddenUntil: number
  /**
   * The time from which endpoints show it while it is in no block, as on Bitcoin and Monero. Infinity if they
   * only list it once it is mined.
   */
  seenAt: number
}

/**
 * The block that contains a transfer, or null if no block contains it any more. The newest fact about a
 * transfer applies. It is recorded as soon as it is certain, so the block's time may be in the future.
 */
export interface MinedFact extends Base {
  fact: 'mined'
  transfer: number
  block: { height: number; time: number } | null
}

/**
 * A transfer that can no longer be mined, because it was replaced, its output was spent elsewhere, or a
 * reorganisation dropped it.
 */
export interface GoneFact extends Base {
  fact: 'gone'
  transfer: number
  why: 'replaced' | 'double-spent' | 'reorganised'
}

/**
 * A reorganisation replaced the newest `depth` blocks of a chain. `mined` and `gone` facts about its
 * transfers follow.
 */
export interface ReorganisedFact extends Base {
  fact: 'reorganised'
  chain: string
  depth: number
}

/** The behaviour of an endpoint of a chain from now on. */
export interface EndpointFact extends Base {
  fact: 'endpoint'
  chain: string
  endpoint: number
  /**
   * a lie of test/simulation/lies.ts, `answers` at the end of an outage, or `honest` when all lies end that are not
   * endless
   */
  lie: string
  /** the parameter of the lie, such as a number of blocks */
  amount: number
  /** the number of scans that it affects; null if it does not end */
  times: number | null
}
