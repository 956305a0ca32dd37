import type { BlindChain } from '../../domain/blind-chain.ts'
import type { Elsewhere } from '../../domain/elsewhere.ts'
/** The last scan of a chain that open pages asked for. */
export interface ChainScan {
  chain: string
  beganAt: number
  /** until when no other begins unless this one ends; null when it has ended */
  leasedUntil: number | null
}

/** An attempt that an open page waits for. */
interface AskedCheck {
  chain: string
  attemptId: string
  /** whether its amount holds */
  isLocked: boolean
  askedAt: number
}

/** For servers that share a database. */
export interface SharedScans {
  find(chain: string): Promise<ChainScan | null>
  /** Inserts or replaces what is known of a chain. */
  put(scan: ChainScan): Promise<void>
  /** Ends a scan, unless another one of the chain has begun. */
  end(chain: string, beganAt: number): Promise<void>
  /** Leaves an attempt to the next scan. One that is there already stays as it is. */
  ask(check: AskedCheck): Promise<void>
  /** Removes attempts and returns their ids: those whose amount holds first, then longest asked first. */
  take(chain: string, limit: number): Promise<string[]>
}

/** What is known about the chains that could not be read. */
export interface BlindChains {
  find(chain: string): Promise<BlindChain | null>
  list(): Promise<BlindChain[]>
  /** Inserts or replaces what is known of a chain. */
  put(known: BlindChain): Promise<void>
}

/** What is known of the other chains of attempts. */
export interface ElsewhereTable {
  find(attemptId: string): Promise<Elsewhere | null>
  /** Inserts or replaces what is known of an attempt. */
  put(known: Elsewhere): Promise<void>
}
