/** A payment, or another transfer, on a simulated chain. Each is a transaction of its own. */
export interface Transfer {
  serial: number
  /** as the fronts of the chain spell it */
  to: string
  from: string
  /** the asset's id */
  asset: string
  amount: bigint
  /** what its recipient gets of it, which is less where a token takes a fee and does not log it */
  credited?: bigint
  /** the block that contains it, or will contain it */
  height: number
  /** how many equal logs it emits; more than one for a flood */
  count: number
  /** the output that it spends, where another transaction can replace it */
  spends?: string
  /** two outputs of one transaction, which together make the amount */
  isSplit?: boolean
  /** only looks like a payment, and moves nothing that its recipient can spend */
  looks?: 'failed' | 'locked' | 'rejected' | 'other-program'
  /** the transfer with whose secret it was made, so that both outputs have one key */
  keyOf?: number
  kind: 'payment' | 'disturbance' | 'flush' | 'internal'
}

/** What all its logs together add to the balance of its recipient. */
export const creditOf = ({ amount, credited = amount, count, looks }: Transfer): bigint =>
  looks === undefined ? credited * BigInt(count) : 0n

/** The amounts of its outputs. */
export function outputsOf({ amount, isSplit }: Transfer): bigint[] {
  const first = amount / 3n
  return isSplit && first > 0n ? [first, amount - first] : [amount]
}

interface Branch {
  id: number
  from: number
}

interface ChainOptions {
  clock: () => number
  startsAt: number
  firstHeight: number
  blockMs: number
}

const ID_DIGITS = 8
const HEIGHT_DIGITS = 16
const HASH_DIGITS = 64
/** The branch of blocks that exist nowhere. */
export const INVENTED_BRANCH = 0xffff_ffff

/** The branch of a chain that is too short, and how many blocks it lacks. */
const SHORT_BRANCH = 0xffff_fffe
const MISSING_BLOCKS = 50_000

export const blockHash = (branch: number, height: number): string =>
  branch.toString(16).padStart(ID_DIGITS, '0') +
  'b10c'.padEnd(HASH_DIGITS - ID_DIGITS - HEIGHT_DIGITS, '0') +
  height.toString(16).padStart(HEIGHT_DIGITS, '0')

/** The height that is encoded in a hash. */
export const heightOfHash = (hash: string): number => Number.parseInt(hash.slice(-HEIGHT_DIGITS), 16)

/** The digits that differ come first, since networks store only the first ones of some ids. */
const idOf = (kind: string, serial: number): string =>
  `${kind}${serial.toString(16).padStart(HEIGHT_DIGITS - 1, '0')}`.padEnd(HASH_DIGITS, '0')

export const transactionId = ({ serial }: Pick<Transfer, 'serial'>): string => idOf('d', serial)
/** The transaction whose output a transfer spends. */
export const spentBy = ({ serial }: Pick<Transfer, 'serial'>): string => idOf('e', serial)

/** The serial of the transfer that an id belongs to. */
export const serialOf = (id: string): number => Number.parseInt(id.slice(1, HEIGHT_DIGITS), 16)

/**
 * A chain that grows with the clock. Only blocks with transfers are stored: the hash and the time of a block
 * follow from its height and its branch, so that a week costs nothing.
 */
export class Chain {
  readonly #transfers: Transfer[] = []
  readonly #hidden: { transfer: Transfer; until: number }[] = []
  readonly #options: ChainOptions
  readonly #branches: Branch[]
  #serials = 0

  constructor(options: ChainOptions, branches: Branch[] = [{ id: 1, from: 0 }]) {
    this.#options = options
    this.#branches = branches
  }

  /** The same blocks, always without transfers. */
  withoutTransfers(): Chain {
    return new Chain(this.#options, this.#branches)
  }

  /** Another, much shorter chain, whose newest block is as recent. */
  shorter(): Chain {
    const { firstHeight } = this.#options
    return new Chain({ ...this.#options, firstHeight: firstHeight - MISSING_BLOCKS }, [
      { id: SHORT_BRANCH, from: 0 },
    ])
  }

  /** The same blocks, with larger amounts. */
  inflated(factor: number): Chain {
    const chain = this.withoutTransfers()
    for (const one of this.transfers) chain.#transfers.push({ ...one, amount: one.amount * BigInt(factor) })
    return chain
  }

  /** Those that endpoints know. */
  get transfers(): Transfer[] {
    const now = this.#options.clock()
    const found = this.#hidden.filter(({ until }) => until <= now)
    for (const one of found) {
      this.#hidden.splice(this.#hidden.indexOf(one), 1)
      this.#transfers.push(one.transfer)
    }
    return this.#transfers
  }

  get head(): number {
    const { clock, startsAt, firstHeight, blockMs } = this.#options
    return firstHeight + Math.floor((clock() - startsAt) / blockMs)
  }

  get firstHeight(): number {
    return this.#options.firstHeight
  }

  timeOf(height: number): number {
    const { startsAt, firstHeight, blockMs } = this.#options
    return startsAt + (height - firstHeight) * blockMs
  }

  /** 64 hexadecimal digits, for any height up to the head. */
  hashOf(height: number): string {
    return blockHash(this.#branches.findLast(({ from }) => from <= height)!.id, height)
  }

  /** Puts a transfer into the next block. */
  add(transfer: Pick<Transfer, 'to' | 'asset' | 'amount' | 'kind'> & Partial<Transfer>): Transfer {
    this.#serials += 1
    const serial = this.#serials
    const from = `0x${serial.toString(16).padStart(40, 'a')}`
    const added = { from, count: 1, ...transfer, serial, height: this.head + 1 }
    this.transfers.push(added)
    return added
  }

  /** Endpoints do not know a transfer until then. */
  hide(transfer: Transfer, until: number): void {
    this.remove(transfer)
    this.#hidden.push({ transfer, until })
  }

  /** Another transaction spends the same. */
  remove(transfer: Transfer): void {
    const at = this.#transfers.indexOf(transfer)
    if (at >= 0) this.#transfers.splice(at, 1)
  }

  /**
   * Replaces the newest blocks. Their transfers wait for the next block, or are lost, as when their senders
   * spend the money in another way.
   */
  reorganise(depth: number, loses = false): void {
    const from = this.head - depth + 1
    this.#branches.push({ id: this.#branches.length + 1, from })
    for (const transfer of [...this.transfers]) {
      if (transfer.height < from) continue
      if (loses) this.transfers.splice(this.transfers.indexOf(transfer), 1)
      else transfer.height = this.head + 1
    }
  }

  /** Those in blocks of a range, both ends included. */
  between(low: number, high: number): Transfer[] {
    return this.transfers.filter(({ height }) => height >= low && height <= high)
  }
}
