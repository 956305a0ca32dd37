import type { BlindChain } from '../../domain/blind-chain.ts'
import type { Elsewhere } from '../../domain/elsewhere.ts'
/** The last on-demand scan of a chain. */
export interface ChainScan {
  chain: string
  beganAt: number
  /** time before which no other scan begins unless this one ends; null once it has ended */
  leasedUntil: number | null
}

/** An attempt for which an open page has requested a check. */
interface AskedCheck {
  chain: string
  attemptId: string
  /** true if the attempt's quoted amount is still valid */
  isLocked: boolean
  askedAt: number
}

/** On-demand scans of servers with a common database. */
export interface SharedScans {
  find(chain: string): Promise<ChainScan | null>
  /** Inserts or replaces the scan of a chain. */
  put(scan: ChainScan): Promise<void>
  /** Ends a scan, unless a newer one of the chain has begun. */
  end(chain: string, beganAt: number): Promise<void>
  /** Queues an attempt for the next scan. Does nothing if it is already queued. */
  ask(check: AskedCheck): Promise<void>
  /**
   * Dequeues attempts and returns their IDs. Those whose quoted amount is still valid come first, then those
   * queued for longest.
   */
  take(chain: string, limit: number): Promise<string[]>
}

/** Chains that could not be read when they were last checked, or were read again since. */
export interface BlindChains {
  find(chain: string): Promise<BlindChain | null>
  list(): Promise<BlindChain[]>
  /** Inserts or replaces the state of a chain. */
  put(known: BlindChain): Promise<void>
}

/** Results of checks of attempts on chains other than their own. */
export interface ElsewhereTable {
  find(attemptId: string): Promise<Elsewhere | null>
  /** Inserts or replaces the results for an attempt. */
  put(known: Elsewhere): Promise<void>
}
