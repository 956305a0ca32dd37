/** The newest block, as one endpoint reports it. */
export interface Tip {
  height: number
  /** the hash of the block; null where the endpoint does not report hashes by height */
  hash: string | null
  /** the time of the block, in milliseconds since 1970 UTC; null where it is not reported */
  at: number | null
  /** the reason why the endpoint does not follow its chain; null if it does, or does not say */
  problem: string | null
}

/** The position from which a watch continues. */
export interface Start {
  /** payments in blocks above this height are wanted */
  from: number
  /** payments were reported up to this height, so a scan reads these blocks first */
  reportedTo: number
}

/** A script to read, with the positions of its watches. */
export interface Target {
  script: string
  address: string
  /** the position of each watch of the script; at least one */
  starts: readonly Start[]
  /** older payments above this height are reported too, by a reader that finds them at no cost */
  listedAbove: number
  /** the lowest block in which a watch of the script began */
  since: number
  /** true if the sum of all payments is always wanted, not only if it could show an omission */
  wantsReceived: boolean
  /** unconfirmed transactions that were reported before */
  pending: readonly string[]
}

/** One output that pays a script. The outputs of a block reward are left out: no buyer pays by mining. */
export interface Payment {
  txId: string
  index: number
  script: string
  /** the amount of the output, in atomic units */
  amount: bigint
  /** the outputs that the payment's transaction spends, as `readInputs` returns them */
  inputs: readonly string[]
  /** the payment's block, null while unconfirmed; `at` is in milliseconds since 1970 UTC */
  block: { height: number; hash: string; at: number } | null
}

export interface Reading {
  /**
   * unconfirmed payments, payments in blocks above the lowest start, and older payments that cost nothing to
   * find
   */
  payments: Payment[]
  /** Returns the height up to which all blocks above `from` were read. */
  coveredFrom(from: number): number
  /**
   * The endpoint's sum of all payments ever made in blocks. Null where it reports no sum, or where every scan
   * lists all payments since the watch began, so that the sum could show nothing.
   */
  received: bigint | null
}

/** The client of one endpoint of a coin. Every method throws NetworkError. */
export interface Reader {
  readonly protocol: string
  /** the only part of the URL that may be logged or shown */
  readonly host: string
  /** true if the endpoint runs on this machine */
  readonly isLocal: boolean
  /** true for a reader of whole blocks, which lists no payment below the height where it starts */
  readonly readsBlocks: boolean
  /**
   * Returns the endpoint's name for its coin, and true if it serves the main chain; null where it does not
   * say.
   */
  identity(): Promise<{ name: string | null; isMain: boolean | null }>
  tip(): Promise<Tip>
  /**
   * Reads the hashes of blocks in the order of the heights; null for a block that does not exist. Returns
   * null if the endpoint does not report hashes by height.
   */
  hashes(heights: readonly number[]): Promise<(string | null)[] | null>
  /**
   * Reads the targets, and returns the readings by script. A script with too many payments to read is
   * missing.
   */
  read(targets: Target[], tip: Tip): Promise<Map<string, Reading>>
  /** Returns the sum of all payments ever made in blocks; null where the endpoint does not report it. */
  received(target: Pick<Target, 'address'>): Promise<bigint | null>
  /** Drops partly read histories, since the chain was replaced. */
  forget(): void
}

/** Returns the lowest height at which one of a target's watches continues. */
export const lowestStart = ({ starts }: Target): number => Math.min(...starts.map(({ from }) => from))
