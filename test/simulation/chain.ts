/** A payment, or another transfer, on a simulated chain. Each transfer is a transaction of its own. */
export interface Transfer {
  serial: number
  /** an address as endpoints of the chain write it */
  to: string
  from: string
  /** the asset's ID */
  asset: string
  amount: bigint
  /**
   * the amount that its recipient gets, which is less than `amount` if the token takes a fee without logging
   * it
   */
  credited?: bigint
  /** the block that contains it or will contain it */
  height: number
  /** the number of equal logs that it emits; more than one for a flood */
  count: number
  /** the output that it spends, if another transaction can replace it */
  spends?: string
  /** true if two outputs of one transaction make up the amount */
  isSplit?: boolean
  /** the reason why it is no payment, although it looks like one: its recipient cannot spend anything */
  looks?: 'failed' | 'locked' | 'rejected' | 'other-program'
  /** the transfer whose secret it repeats, so that both outputs have the same key */
  keyOf?: number
  kind: 'payment' | 'disturbance' | 'flush' | 'internal'
}

/** The amount by which all its logs together increase the balance of its recipient. */
export const creditOf = ({ amount, credited = amount, count, looks }: Transfer): bigint =>
  looks === undefined ? credited * BigInt(count) : 0n

/** The amounts of a transfer's outputs. */
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
/** The branch of invented blocks. */
export const INVENTED_BRANCH = 0xffff_ffff

/** The branch of a chain that is too short, and the number of blocks that it lacks. */
const SHORT_BRANCH = 0xffff_fffe
const MISSING_BLOCKS = 50_000

export const blockHash = (branch: number, height: number): string =>
  branch.toString(16).padStart(ID_DIGITS, '0') +
  'b10c'.padEnd(HASH_DIGITS - ID_DIGITS - HEIGHT_DIGITS, '0') +
  height.toString(16).padStart(HEIGHT_DIGITS, '0')

/** The height that is encoded in a hash. */
export const heightOfHash = (hash: string): number => Number.parseInt(hash.slice(-HEIGHT_DIGITS), 16)

/**
 * Returns a transaction ID. The digits that differ come first, because Florin stores only the first ones on
 * some chains.
 */
const idOf = (kind: string, serial: number): string =>
  `${kind}${serial.toString(16).padStart(HEIGHT_DIGITS - 1, '0')}`.padEnd(HASH_DIGITS, '0')

export const transactionId = ({ serial }: Pick<Transfer, 'serial'>): string => idOf('d', serial)
/** The transaction whose output a transfer spends. */
export const spentBy = ({ serial }: Pick<Transfer, 'serial'>): string => idOf('e', serial)

/** The serial number of the transfer with this ID. */
export const serialOf = (id: string): number => Number.parseInt(id.slice(1, HEIGHT_DIGITS), 16)

/**
 * A chain that grows with the clock. Only transfers are stored: the hash and the time of a block follow from
 * its height and its branch, so that a week of blocks needs no memory.
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

  /** A chain with the same blocks, but without transfers. */
  withoutTransfers(): Chain {
    return new Chain(this.#options, this.#branches)
  }

  /** Another, much shorter chain. Its newest block is as recent. */
  shorter(): Chain {
    const { firstHeight } = this.#options
    return new Chain({ ...this.#options, firstHeight: firstHeight - MISSING_BLOCKS }, [
      { id: SHORT_BRANCH, from: 0 },
    ])
  }

  /** A chain with the same blocks, whose amounts are larger. */
  inflated(factor: number): Chain {
    const chain = this.withoutTransfers()
    for (const one of this.transfers) chain.#transfers.push({ ...one, amount: one.amount * BigInt(factor) })
    return chain
  }

  /** The transfers that endpoints list. */
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

  /** The hash of a block up to the newest one: 64 hexadecimal digits. */
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

  /** Removes a transfer from all endpoints until a time. */
  hide(transfer: Transfer, until: number): void {
    this.remove(transfer)
    this.#hidden.push({ transfer, until })
  }

  /** Removes a transfer, as when another transaction spends the same output. */
  remove(transfer: Transfer): void {
    const at = this.#transfers.indexOf(transfer)
    if (at >= 0) this.#transfers.splice(at, 1)
  }

  /**
   * Replaces the newest blocks. With `loses`, their transfers are dropped, as when their senders spend the
   * money elsewhere; otherwise they are in the next block.
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

  /** The transfers in a range of blocks, both ends included. */
  between(low: number, high: number): Transfer[] {
    return this.transfers.filter(({ height }) => height >= low && height <= high)
  }
}
