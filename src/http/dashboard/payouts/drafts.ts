import type { Context } from '../../../operations/context.ts'

/** The time for which a draft is kept: longer than a form is accepted without the password. */
const KEPT_MS = 60 * 60_000
const ID_BYTES = 16

interface Draft<Proposal> {
  /** the person and the shop that the draft belongs to */
  owner: string
  proposal: Proposal
  until: number
}

/**
 * Values that people are comparing with their wallets. They are kept in memory, so that exactly the values
 * that a person saw are saved, and no key travels through the page.
 */
export class Drafts<Proposal> {
  readonly #context: Pick<Context, 'clock' | 'ids'>
  readonly #max: number
  readonly #drafts = new Map<string, Draft<Proposal>>()

  constructor(context: Pick<Context, 'clock' | 'ids'>, max: number) {
    this.#context = context
    this.#max = max
  }

  keep(owner: string, proposal: Proposal): string {
    const now = this.#context.clock()
    for (const [id, { until }] of this.#drafts) if (until <= now) this.#drafts.delete(id)
    for (const id of this.#drafts.keys()) {
      if (this.#drafts.size < this.#max) break
      this.#drafts.delete(id)
    }
    const id = this.#context.ids.random(ID_BYTES).toHex()
    this.#drafts.set(id, { owner, proposal, until: now + KEPT_MS })
    return id
  }

  /** Returns the draft; null if it is too old, or belongs to another person or shop. */
  find(owner: string, id: string | undefined): Proposal | null {
    const draft = this.#drafts.get(id ?? '')
    if (!draft || draft.owner !== owner || draft.until <= this.#context.clock()) return null
    return draft.proposal
  }

  forget(id: string): void {
    this.#drafts.delete(id)
  }
}
