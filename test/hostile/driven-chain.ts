import { blockHash, Chain, type Transfer } from '../simulation/chain.ts'

export interface DrivenOptions {
  firstHeight: number
  /** the time between the blocks that exist at the start */
  blockMs: number
}

/** A simulated chain whose blocks are mined on demand, with the time of the machine. */
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

/** The changes that one endpoint makes to the chain it reports. */
export interface Distortion {
  transfer?(transfer: Transfer): Transfer | null
  hash?(height: number, chain: Chain): string
}

/** A driven chain as an endpoint reports it. */
export class DistortedChain extends Chain {
  readonly #truth: DrivenChain
  readonly #distortion: Distortion
  readonly #distorted = new WeakMap<Transfer, Transfer>()

  constructor(truth: DrivenChain, distortion: Distortion) {
    super({ ...truth.options, clock: Date.now, startsAt: Date.now() })
    this.#truth = truth
    this.#distortion = distortion
  }

  override get head(): number {
    return this.#truth.head
  }

  override timeOf(height: number): number {
    return this.#truth.timeOf(height)
  }

  override hashOf(height: number): string {
    return this.#distortion.hash?.(height, this.#truth) ?? this.#truth.hashOf(height)
  }

  override get transfers(): Transfer[] {
    return this.#truth.transfers.flatMap(one => this.#distort(one) ?? [])
  }

  /** Returns the same object for the same transfer, because some fronts derive expensive data from it. */
  #distort(transfer: Transfer): Transfer | null {
    const { transfer: change } = this.#distortion
    if (!change) return transfer
    const known = this.#distorted.get(transfer)
    const changed = change(transfer)
    if (changed === null) return null
    if (known) return Object.assign(known, { height: transfer.height })
    this.#distorted.set(transfer, changed)
    return changed
  }
}

const REPLACED = 6
const SECOND_MS = 1000
const BRANCHES = 0xffff

/** Replaces the newest blocks and everything in them once a second. */
export const replacedEachSecond = (height: number, chain: Chain): string => {
  const branch = 2 + (Math.floor(Date.now() / SECOND_MS) % BRANCHES)
  return height > chain.head - REPLACED ? blockHash(branch, height) : chain.hashOf(height)
}
