import { spentBy, type Transfer, transactionId } from '../simulation/chain.ts'
import { seededRandom } from '../simulation/random.ts'
import type { WorldChain } from './chains.ts'
import { type Form, shapeOf } from './forms.ts'
import type { Journal } from './journal.ts'

/** A transfer on a chain, with the facts about it. */
export interface Sent {
  number: number
  chain: WorldChain
  transfer: Transfer
  to: string
  order: string | null
  /** true while it waits in the mempool for a step that mines it */
  waits: boolean
  /** a transfer with the same one-time key, which is lost if this one is */
  keyOf: Sent | null
}

export interface NewTransfer {
  chain: WorldChain
  to: string
  order: string | null
  asset: string
  amount: bigint
  kind?: 'payment' | 'dust' | 'flush'
  /** the percentage of the amount that the token deducts */
  fee?: number
  form?: Form
  /** a transfer whose one-time key it repeats, so that it can never be spent */
  keyOf?: Sent
  /** true to keep it in the mempool until a step mines it */
  waits?: boolean
  /** the time for which endpoints do not list it */
  hiddenMs?: number
  replaces?: Sent
}

const chainKinds = {
  payment: 'payment',
  dust: 'disturbance',
  flush: 'flush',
} as const satisfies Record<string, Transfer['kind']>

/** Chains on which transactions wait in a pool that endpoints show. */
const hasPool = ({ family }: WorldChain): boolean => family === 'bitcoin' || family === 'monero'

/** The transfers on all chains of a world. */
export class Transfers {
  readonly all: Sent[] = []
  #numbers = 0
  readonly #journal: Journal
  readonly #now: () => number

  constructor(journal: Journal, now: () => number) {
    this.#journal = journal
    this.#now = now
  }

  add(given: NewTransfer): Sent {
    const { chain, to, order, asset, amount, kind = 'payment', waits = false, replaces, keyOf = null } = given
    const { fact, credited, more } = shapeOf(chain, given)
    const transfer = chain.chain.add({
      ...{ to: chain.plan.spell(to), asset, amount, kind: chainKinds[kind], ...more },
      ...(keyOf && { keyOf: keyOf.transfer.serial }),
      ...(replaces?.transfer.spends && { spends: replaces.transfer.spends }),
    })
    if (chain.family === 'bitcoin') transfer.spends ??= spentBy(transfer)
    if (waits) transfer.height = Number.POSITIVE_INFINITY
    const hiddenUntil = this.#now() + (given.hiddenMs ?? 0)
    if (!waits && hiddenUntil > this.#now()) chain.chain.hide(transfer, hiddenUntil)
    this.#numbers += 1
    const sent = { number: this.#numbers, chain, transfer, to, order, waits, keyOf }
    this.all.push(sent)
    this.#journal.note({
      ...{ fact: 'transfer', transfer: sent.number, tx: transfer.serial, txId: transactionId(transfer) },
      ...{ chain: chain.fact.id, asset, to, amount: credited, order },
      kind: kind === 'payment' ? fact : kind,
      ...(credited < amount && { logged: amount }),
      replaces: replaces?.number ?? null,
      hiddenUntil,
      seenAt: hasPool(chain) ? hiddenUntil : Number.POSITIVE_INFINITY,
    })
    if (!waits) this.#mined(sent)
    return sent
  }

  #mined({ number, chain, transfer }: Sent): void {
    const { height } = transfer
    const time = chain.chain.timeOf(height)
    this.#journal.note({ fact: 'mined', transfer: number, block: { height, time } })
  }

  #gone(sent: Sent, why: 'replaced' | 'double-spent' | 'reorganised'): void {
    sent.chain.chain.remove(sent.transfer)
    this.all.splice(this.all.indexOf(sent), 1)
    this.#journal.note({ fact: 'gone', transfer: sent.number, why })
  }

  get waiting(): Sent[] {
    return this.all.filter(({ waits }) => waits)
  }

  mine(): void {
    for (const sent of this.waiting) {
      sent.waits = false
      sent.transfer.height = sent.chain.chain.head + 1
      this.#mined(sent)
    }
  }

  /**
   * Replaces the newest waiting transaction by one that spends the same output: to the same address, or to an
   * address outside of the world.
   */
  replace(percent: number, ofOrder: string | null): void {
    const old = this.waiting.findLast(
      ({ chain, order }) => chain.family === 'bitcoin' && (ofOrder === null || order === ofOrder),
    )
    if (!old) return
    const { chain, to, order, transfer } = old
    const amount = (transfer.amount * BigInt(percent)) / 100n
    this.#gone(old, percent === 0 ? 'double-spent' : 'replaced')
    if (amount > 0n) this.add({ chain, to, order, asset: transfer.asset, amount, waits: true, replaces: old })
  }

  /** Replaces the newest blocks. Some of their transfers are lost; the others are mined again. */
  reorganise(chain: WorldChain, depth: number, lostPercent: number, seed: number): void {
    const random = seededRandom(seed)
    const from = chain.chain.head - depth + 1
    this.#journal.note({ fact: 'reorganised', chain: chain.fact.id, depth })
    const known = chain.chain.transfers
    const moved = this.all.filter(
      ({ transfer, waits }) => !waits && transfer.height >= from && known.includes(transfer),
    )
    const lost = new Set<Sent | null>(moved.filter(() => random.int(100) < lostPercent))
    for (const sent of moved) if (lost.has(sent) || lost.has(sent.keyOf)) this.#gone(sent, 'reorganised')
    for (const { number } of moved.filter(one => this.all.includes(one)))
      this.#journal.note({ fact: 'mined', transfer: number, block: null })
    // Transfers that wait in the mempool stay there.
    const { waiting } = this
    chain.chain.reorganise(depth)
    for (const { transfer } of waiting) transfer.height = Number.POSITIVE_INFINITY
    for (const sent of moved) if (this.all.includes(sent)) this.#mined(sent)
  }
}
