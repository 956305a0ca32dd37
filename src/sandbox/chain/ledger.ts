import type { Outcome, Simulation } from '../outcomes.ts'
import type { State } from '../state.ts'

export interface ChainPayment {
  txId: string
  chain: string
  assetId: string
  address: string
  /** the amount, atomic, as a decimal string */
  amount: string
  /** a vanished payment is in no mempool or block, but may still be mined */
  state: 'pending' | 'confirmed' | 'vanished'
  height: number | null
  /** when it was sent, or the time of its block */
  at: number
  /** the output that the payment's transaction spends; a replacement spends the same output */
  input?: string
  /** true if the payment stays unconfirmed until it is mined on demand */
  isLowFee?: boolean
}

interface Target {
  chain: string
  assetId: string
  address: string
  dueAtomic: bigint
}

const KIND = 'coins'
const BLOCK_MS = 15_000
const TX_BYTES = 32

/** The payments on all simulated chains. */
export class Ledger {
  constructor(
    private readonly state: State,
    private readonly clock: () => number,
    private readonly random: (bytes: number) => Uint8Array,
  ) {}

  heightOf(now: number): number {
    return Math.floor(now / BLOCK_MS)
  }

  paymentsTo(chain: string, addresses: string[]): ChainPayment[] {
    return this.#sentTo(chain, addresses).filter(({ state }) => state !== 'vanished')
  }

  send(
    target: Omit<Target, 'dueAtomic'>,
    amount: bigint,
    state: ChainPayment['state'],
    more: Pick<ChainPayment, 'input' | 'isLowFee'> = {},
  ): void {
    const now = this.clock()
    this.#store({
      txId: this.#newId(),
      input: `${this.#newId()}:0`,
      ...more,
      ...target,
      amount: amount.toString(),
      state,
      height: state === 'confirmed' ? this.heightOf(now) : null,
      at: now,
    })
  }

  /** Applies a simulation. Returns false if it needs an earlier payment and there is none. */
  simulate(target: Target, simulation: Simulation): boolean {
    const mempool = this.#received(target).filter(({ state }) => state === 'pending')
    switch (simulation.outcome) {
      case 'mined': {
        const unmined = [...mempool, ...this.#vanished(target)]
        for (const payment of unmined) this.#confirm(payment)
        return unmined.length > 0
      }
      case 'vanished': {
        const leaving = mempool.length > 0 ? mempool : this.#newestMined(target)
        for (const payment of leaving) this.#store({ ...payment, state: 'vanished', height: null })
        return leaving.length > 0
      }
      case 'replaced':
        return this.#replace(target, mempool, simulation)
      case 'failed':
        for (const payment of mempool) this.#remove(payment)
        return true
      case 'duplicate':
      case 'forged':
        // A chain sends no callbacks, so there is nothing to repeat or to forge.
        return true
      default:
        this.#pay(target, mempool, simulation)
        return true
    }
  }

  #pay(target: Target, mempool: ChainPayment[], { outcome, amountAtomic, isLowFee }: Simulation): void {
    const isSettling = outcome === 'paid' && amountAtomic === null && !isLowFee
    const missing = this.#missing(target)
    const waiting = isSettling ? mempool.filter(payment => !payment.isLowFee) : []
    const isCovered = waiting.length > 0 && this.#sum(target) >= target.dueAtomic
    for (const payment of waiting) this.#confirm(payment)
    if (isCovered) return
    const usual: Partial<Record<Outcome, bigint>> = {
      paid: missing,
      pending: missing,
      underpaid: target.dueAtomic / 2n,
      overpaid: target.dueAtomic * 2n,
    }
    const { chain, address } = target
    const assetId = outcome === 'wrong_asset' ? `${chain}/unlisted` : target.assetId
    const state = outcome === 'pending' || isLowFee ? 'pending' : 'confirmed'
    const amount = amountAtomic ?? usual[outcome] ?? target.dueAtomic
    this.send({ chain, address, assetId }, amount, state, { isLowFee })
  }

  /** Replaces the newest payment in the mempool by one that spends the same output. */
  #replace(target: Target, mempool: ChainPayment[], { amountAtomic, isLowFee }: Simulation): boolean {
    const former = mempool.toSorted((a, b) => a.at - b.at).at(-1)
    if (!former) return false
    this.#remove(former)
    const { chain, assetId, address } = target
    const input = former.input ?? `${former.txId}:0`
    const amount = amountAtomic ?? BigInt(former.amount)
    this.send({ chain, assetId, address }, amount, 'pending', { input, isLowFee })
    return true
  }

  #newId(): string {
    return Buffer.from(this.random(TX_BYTES)).toString('hex')
  }

  #store(payment: ChainPayment): void {
    this.state.put(`${KIND}:${payment.chain}`, payment.txId, payment)
  }

  #remove({ chain, txId }: ChainPayment): void {
    this.state.remove(`${KIND}:${chain}`, txId)
  }

  #confirm(payment: ChainPayment): void {
    const now = this.clock()
    this.#store({ ...payment, state: 'confirmed', height: this.heightOf(now), at: now })
  }

  #sentTo(chain: string, addresses: string[]): ChainPayment[] {
    const wanted = new Set(addresses)
    return this.state.list<ChainPayment>(`${KIND}:${chain}`).filter(({ address }) => wanted.has(address))
  }

  #vanished({ chain, address, assetId }: Target): ChainPayment[] {
    return this.#sentTo(chain, [address]).filter(
      payment => payment.assetId === assetId && payment.state === 'vanished',
    )
  }

  /** The payments in the newest block that has any: a reorganisation of the chain takes them out of it. */
  #newestMined(target: Target): ChainPayment[] {
    const mined = this.#received(target).filter(({ state }) => state === 'confirmed')
    const newest = Math.max(...mined.map(({ height }) => Number(height)))
    return mined.filter(({ height }) => height === newest)
  }

  #received({ chain, address, assetId }: Target): ChainPayment[] {
    return this.paymentsTo(chain, [address]).filter(payment => payment.assetId === assetId)
  }

  #sum(target: Target): bigint {
    return this.#received(target).reduce((total, payment) => total + BigInt(payment.amount), 0n)
  }

  /** The amount that is missing; the whole amount if nothing is missing. */
  #missing(target: Target): bigint {
    const sum = this.#sum(target)
    return sum > 0n && sum < target.dueAtomic ? target.dueAtomic - sum : target.dueAtomic
  }
}
