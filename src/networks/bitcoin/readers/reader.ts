/** The newest block, by one endpoint at one time. */
export interface Tip {
  height: number
  /** null where the endpoint does not tell hashes by height */
  hash: string | null
  /** when it was found, milliseconds since 1970 UTC; null where it is not told */
  at: number | null
  /** why the endpoint does not follow its chain; null where it does, or does not say */
  fault: string | null
}

/** Where a watch goes on. */
export interface Start {
  /** payments in blocks above this height are wanted */
  from: number
  /** payments up to this height were reported; the scan covers them first */
  reportedTo: number
}

/** What is to be read of one script. */
export interface Target {
  script: string
  address: string
  /** of each watch of it; at least one */
  starts: readonly Start[]
  /** unconfirmed transactions that were told before */
  pending: readonly string[]
}

/** One output that pays a script. Outputs of a block's reward are none: no buyer pays so. */
export interface Payment {
  txId: string
  index: number
  script: string
  /** atomic */
  amount: bigint
  /** null while in no block; its time in milliseconds since 1970 UTC */
  block: { height: number; hash: string; at: number } | null
}

export interface Reading {
  /** in blocks above the lowest start, and in none */
  payments: Payment[]
  /** up to which height every payment above `from` is among them */
  coveredFrom(from: number): number
}

/** One endpoint of a chain of Bitcoin's kind, in its own protocol. Every method throws NetworkFault. */
export interface Reader {
  readonly protocol: string
  /** all that may be told of its URL */
  readonly host: string
  /** on this machine */
  readonly isLocal: boolean
  /** what the endpoint calls its coin, and whether it says to serve the main chain; null where not told */
  identity(): Promise<{ name: string | null; isMain: boolean | null }>
  tip(): Promise<Tip>
  /**
   * In the order of the heights, asked for in that order; null for a block that is not there. Null instead of
   * all where the endpoint does not tell hashes by height.
   */
  hashes(heights: readonly number[]): Promise<(string | null)[] | null>
  /** By script. One is missing where so much was sent to it that it could not be read. */
  read(targets: Target[], tip: Tip): Promise<Map<string, Reading>>
  /** The chain was replaced: what is remembered of half-read addresses is worth nothing. */
  forget(): void
}

/** Where the lowest watch of a target goes on. */
export const lowestOf = ({ starts }: Target): number => Math.min(...starts.map(({ from }) => from))
