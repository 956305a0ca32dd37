import type { Elsewhere } from '../../domain/elsewhere.ts'

/** What is known of the other chains of attempts. */
export interface ElsewhereTable {
  find(attemptId: string): Promise<Elsewhere | null>
  /** Inserts or replaces what is known of an attempt. */
  put(known: Elsewhere): Promise<void>
}
