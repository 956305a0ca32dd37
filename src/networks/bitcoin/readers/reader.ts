/** The newest block, as one endpoint reports it. */
export interface Tip {
  height: number
  /** null where the endpoint does not report hashes by height */
  hash: string | null
  /** the time of the block, milliseconds since 1970 UTC; null where it is not reported */
  at: number | null
  /** why the endpoint does not follow its chain; null where it does, or does not say */
  problem: string | null
}

/** Where a watch continues. */
export interface Start {
  /** payments in blocks above this height are wanted */
  from: number
  /** payments up to this height were reported; the scan covers them first */
  reportedTo: number
}

/** What is to be read about one script. */
export interface Target {
  script: string
  address: string
  /** of each watch of the script; at least one */
  starts: readonly Start[]
  /** a reader that can tell older payments at no cost does so, down to this height */
  listedAbove: number
  /** the lowest block in which a watch of the script began */
  since: number
  /** the sum of all payments is wanted too, where the endpoint reports it */
  wantsReceived: boolean
  /** unconfirmed transactions that were reported before */
  pending: readonly string[]
}

/** One output that pays a script. The outputs of a block reward are left out: no buyer pays by mining. */
export interface Payment {
  txId: string
  index: number
  script: string
  /** atomic */
  amount: bigint
  /** what its transaction spends, as `readInputs` returns it */
  inputs: readonly string[]
  /** null while unconfirmed; its time in milliseconds since 1970 UTC */
  block: { height: number; hash: string; at: number } | null
}

export interface Reading {
  /** unconfirmed, in blocks above the lowest start, and older ones that the reader came across */
  payments: Payment[]
  /** The height up to which every payment above `from` is among them. */
  coveredFrom(from: number): number
  /**
   * The sum of all payments in blocks, of any time, as the endpoint counts them; null where it does not, or
   * where the newest payments since the watch began are few enough to be listed again by every scan.
   */
  received: bigint | null
}

/** One endpoint of a coin, in its own protocol. Every method throws NetworkError. */
export interface Reader {
  readonly protocol: string
  /** the only part of its URL that may be logged or shown */
  readonly host: string
  /** on this machine */
  readonly isLocal: boolean
  /** It reads whole blocks, so it lists no payment below the height where it starts. */
  readonly readsBlocks: boolean
  /** The endpoint's name for its coin, and whether it serves the main chain; null where it does not say. */
  identity(): Promise<{ name: string | null; isMain: boolean | null }>
  tip(): Promise<Tip>
  /**
   * The hashes of blocks, read and returned in the order of the heights; null for a block that does not
   * exist. Null instead of the list where the endpoint does not report hashes by height.
   */
  hashes(heights: readonly number[]): Promise<(string | null)[] | null>
  /** By script. A script with too many payments to read is missing. */
  read(targets: Target[], tip: Tip): Promise<Map<string, Reading>>
  /** The sum as in a reading, whatever the list holds; null where the endpoint does not report it. */
  received(target: Pick<Target, 'address'>): Promise<bigint | null>
  /** Drops what is remembered of partly read addresses, since the chain was replaced. */
  forget(): void
}

/** The lowest start of a target. */
export const lowestStart = ({ starts }: Target): number => Math.min(...starts.map(({ from }) => from))
