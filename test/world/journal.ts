import type { Fact, Judge, Saying } from './facts.ts'

type Without<Of, Keys extends PropertyKey> = Of extends unknown ? Omit<Of, Keys> : never
/** A fact or a saying, to which the journal adds the time and the step. */
export type NewFact = Without<Fact, 'at' | 'step'>
export type NewSaying = Without<Saying, 'at' | 'step'>

/** Passes everything that happens, and everything that the server says, to the checks in order. */
export class Journal {
  step = 0
  readonly #judges: readonly Judge[]
  readonly #now: () => number
  readonly #onLine: ((line: Fact | Saying) => void) | null

  constructor(judges: readonly Judge[], now: () => number, onLine: ((line: Fact | Saying) => void) | null) {
    this.#judges = judges
    this.#now = now
    this.#onLine = onLine
  }

  note(added: NewFact): void {
    const fact = { at: this.#now(), step: this.step, ...added } as Fact
    this.#onLine?.(fact)
    for (const judge of this.#judges) judge.note(fact)
  }

  hear(added: NewSaying): void {
    const saying = { at: this.#now(), step: this.step, ...added } as Saying
    this.#onLine?.(saying)
    for (const judge of this.#judges) judge.hear(saying)
  }

  /** The problems of the first check that finds some; empty if there are none. */
  problems(isEnd: boolean): string[] {
    for (const judge of this.#judges) {
      const found = isEnd ? judge.judgeEnd(this.#now()) : judge.judge(this.#now())
      if (found.length > 0) return found
    }
    return []
  }
}
