import type { BlindChain } from '../../domain/blind-chain.ts'

/** What is known about the chains that could not be read. */
export interface BlindChains {
  find(chain: string): Promise<BlindChain | null>
  list(): Promise<BlindChain[]>
  /** Inserts or replaces what is known of a chain. */
  put(known: BlindChain): Promise<void>
}
