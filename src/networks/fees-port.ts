/** The fees that a chain charges for a transaction now, in atomic units of its own coin. */
export interface FeeRate {
  /** the fee for one unit of work: gas on EVM chains, a signature on Solana */
  perUnit: bigint
  /** the fee of a transaction besides its work, such as what a rollup pays to Ethereum */
  perTransaction: bigint
}

/** The amount of work to move balances, as far as it can be known without asking the chain. */
interface UsualMoves {
  addresses: number
  /** the number of balances in the chain's own coin */
  coins: number
  tokens: number
}

/** A transaction in a final block that may have moved money from addresses of the server. */
export interface MinedTransaction {
  hasFailed: boolean
  /** the fee that the sender paid, also if the transaction failed */
  feeAtomic: bigint
  /** the time of the transaction's block, in milliseconds since 1970 UTC */
  minedAt: number
  /** the addresses that the transaction called, deployed or emptied, also those that are not of the server */
  touched: string[]
  /** the amounts that left addresses; empty if the transaction failed */
  moved: { address: string; assetId: string; amountAtomic: bigint }[]
}

/** The fees of transactions that move money from forwarders and seed addresses. */
export interface MovingFees {
  /**
   * Reads the present fees. Throws NetworkError when no endpoint is usable, or when endpoints report fees
   * that cannot be true.
   */
  rate(): Promise<FeeRate>
  usualFee(rate: FeeRate, moves: UsualMoves): bigint
  /** True for a text that can be the ID of a transaction. */
  isTransactionId(text: string): boolean
  /**
   * Reads a transaction; null until it is in a final block. Throws NetworkError when no endpoint is usable,
   * or when two endpoints do not agree.
   */
  readTransaction(txId: string): Promise<MinedTransaction | null>
}
