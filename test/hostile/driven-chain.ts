import { blockHash, Chain, type Transfer } from '../simulation/chain.ts'

export interface DrivenOptions {
  firstHeight: number
  /** the time between the blocks that were there from the beginning */
  blockMs: number
}

/** A simulated chain whose blocks are mined on demand, each at the time of the machine. */
export class DrivenChain extends Chain {
  readonly options: DrivenOptions
  readonly #startsAt = Date.now()
  readonly #minedAt: number[] = []

  constructor(options: DrivenOptions) {
    super({ ...options, clock: Date.now, startsAt: Date.now() })
    this.options = options
  }

  override get head(): number {
    return this.firstHeight + this.#minedAt.length
  }

  override timeOf(height: number): number {
    const above = height - this.firstHeight
    if (above <= 0) return this.#startsAt + above * this.options.blockMs
    return this.#minedAt[above - 1] ?? Date.now()
  }

  mine(blocks: number): void {
    for (let mined = 0; mined < blocks; mined++) this.#minedAt.push(Date.now())
  }
}

/** What one endpoint changes about a chain when it tells of it. */
export interface Telling {
  transfer?(transfer: Transfer): Transfer | null
  hash?(height: number, chain: Chain): string
}

/** A driven chain as an endpoint tells it. */
export class ToldChain extends Chain {
  readonly #truth: DrivenChain
  readonly #telling: Telling
  readonly #told = new WeakMap<Transfer, Transfer>()

  constructor(truth: DrivenChain, telling: Telling) {
    super({ ...truth.options, clock: Date.now, startsAt: Date.now() })
    this.#truth = truth
    this.#telling = telling
  }

  override get head(): number {
    return this.#truth.head
  }

  override timeOf(height: number): number {
    return this.#truth.timeOf(height)
  }

  override hashOf(height: number): string {
    return this.#telling.hash?.(height, this.#truth) ?? this.#truth.hashOf(height)
  }

  override get transfers(): Transfer[] {
    return this.#truth.transfers.flatMap(one => this.#tell(one) ?? [])
  }

  /** The same object again, since what the fronts of some chains make from a transfer is expensive. */
  #tell(transfer: Transfer): Transfer | null {
    const { transfer: change } = this.#telling
    if (!change) return transfer
    const known = this.#told.get(transfer)
    const told = change(transfer)
    if (told === null) return null
    if (known) return Object.assign(known, { height: transfer.height })
    this.#told.set(transfer, told)
    return told
  }
}

const REPLACED = 6
const SECOND_MS = 1000
const BRANCHES = 0xffff

/** Replaces the newest blocks once a second, with all that is in them. */
export const replacedEachSecond = (height: number, chain: Chain): string => {
  const branch = 2 + (Math.floor(Date.now() / SECOND_MS) % BRANCHES)
  return height > chain.head - REPLACED ? blockHash(branch, height) : chain.hashOf(height)
}
