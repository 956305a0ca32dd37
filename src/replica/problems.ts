import type { Log } from '../domain/log.ts'
import { ChangesLost } from '../storage/change-source.ts'
import { DatabaseError } from '../storage/engine.ts'

/** What is wrong with the parts of the work, each at most once. */
export class Problems {
  readonly #reasons = new Map<string, string>()

  constructor(private readonly log: Log) {}

  /** A sentence; null if nothing is wrong. */
  first = (): string | null => this.#reasons.values().next().value ?? null

  begin(part: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    const isExpected = error instanceof DatabaseError || error instanceof ChangesLost
    const isKnown = [...this.#reasons.values()].includes(reason)
    if (!isKnown) this.log[isExpected ? 'warn' : 'error']({ reason }, 'replica.failed')
    this.#reasons.set(part, reason)
  }

  end(part: string): void {
    if (this.#reasons.delete(part) && this.#reasons.size === 0) this.log.info({}, 'replica.works')
  }
}
