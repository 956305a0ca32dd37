import type { BlindChain } from '../../domain/blind-chain.ts'
import type { Elsewhere } from '../../domain/elsewhere.ts'
/** The last on-demand scan of a chain. */
export interface ChainScan {
  chain: string
  beganAt: number
  /** no other scan begins before this time unless this one ends; null once it has ended */
  leasedUntil: number | null
}

/** An attempt that an open page wants checked. */
interface AskedCheck {
  chain: string
  attemptId: string
  /** true if its amount still holds */
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
  /** Dequeues attempts and returns their IDs: those whose amount holds first, then longest queued first. */
  take(chain: string, limit: number): Promise<string[]>
}

/** Chains that could not be read. */
export interface BlindChains {
  find(chain: string): Promise<BlindChain | null>
  list(): Promise<BlindChain[]>
  /** Inserts or replaces the state of a chain. */
  put(known: BlindChain): Promise<void>
}

/** State of the other chains of attempts. */
export interface ElsewhereTable {
  find(attemptId: string): Promise<Elsewhere | null>
  /** Inserts or replaces the state of an attempt. */
  put(known: Elsewhere): Promise<void>
}
