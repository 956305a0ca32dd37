import { asserted } from '../../../domain/errors.ts'
import { mapLimit } from '../../rpc/map-limit.ts'
import { lowestStart, type Payment, type Reading, type Target, type Tip } from './reader.ts'
import { TooLong } from './rest.ts'

/** One page of an address's history, with the newest transaction first. */
export interface Page {
  payments: Payment[]
  /** the height of the oldest transaction in a block; null if the page has no such transaction */
  oldest: number | null
  /** the token of the next page; null for the last page */
  next: string | null
  /** the sum of all payments to the address in blocks; left out by servers whose pages have no sum */
  received?: bigint | null
}

/** Reads one page; null for a page that the endpoint does not serve. */
type ReadPage = (target: Target, token: string | null) => Promise<Page | null>
/** Reads the sum of all payments to an address in blocks; null where the endpoint does not report it. */
type ReadReceived = (target: Target) => Promise<bigint | null>

const CONCURRENT_REQUESTS = 4
/** A scan reads at most this many pages of one address. */
const PAGES_MAX = 40

/** The part of a long history that earlier scans have read. */
interface Unfinished {
  from: number
  /** the tip when the reading began */
  tipHeight: number
  next: string
  payments: Map<string, Payment>
}

const keyOf = ({ txId, index }: Payment): string => `${txId}:${index}`

/**
 * Reads the histories of addresses page by page, back to where each watch continues. A scan reads a bounded
 * number of pages of one address. The next scan continues below these pages.
 */
export class AddressPages {
  readonly #readPage: ReadPage
  readonly #readReceived: ReadReceived | null
  readonly #unfinished = new Map<string, Unfinished>()

  /** `readReceived` is left out where a page reports the sum. */
  constructor(readPage: ReadPage, readReceived: ReadReceived | null = null) {
    this.#readPage = readPage
    this.#readReceived = readReceived
  }

  forget(): void {
    this.#unfinished.clear()
  }

  async read(targets: Target[], tip: Tip): Promise<Map<string, Reading>> {
    const readings = await mapLimit(targets, CONCURRENT_REQUESTS, target => this.#read(target, tip))
    return new Map(
      readings.flatMap((reading, index) =>
        reading === null
          ? []
          : [[asserted(targets[index], 'each target has a reading').script, reading] as const],
      ),
    )
  }

  async #read(target: Target, tip: Tip): Promise<Reading | null> {
    try {
      return await this.#readPages(target, tip)
    } catch (error) {
      if (error instanceof TooLong) return null
      throw error
    }
  }

  async #readPages(target: Target, tip: Tip): Promise<Reading | null> {
    const from = lowestStart(target)
    const first = await this.#readPage(target, null)
    if (first === null) return null
    const unfinished = this.#unfinishedOf(target.script, from)
    const tipHeight = unfinished?.tipHeight ?? tip.height
    const found = new Map(unfinished?.payments)
    let page = first
    let next = unfinished?.next ?? nextOf(first, from)
    for (let pages = 1; ; pages++) {
      for (const payment of page.payments) found.set(keyOf(payment), payment)
      if (next === null || pages === PAGES_MAX) break
      const older = await this.#readPage(target, next)
      if (older === null) return null
      page = older
      next = nextOf(page, from)
    }
    const oldest = page.oldest ?? from
    if (next === null) this.#unfinished.delete(target.script)
    else this.#unfinished.set(target.script, { from, tipHeight, next, payments: confirmed(found) })
    const isCovered = (above: number): boolean => next === null || above >= oldest
    return {
      payments: [...found.values()],
      coveredFrom: above => (isCovered(above) ? tipHeight : above),
      received: await this.#received(target, first),
    }
  }

  /** Asks for the sum only if it can show an omission: every scan sees the whole first page anyway. */
  async #received(target: Target, { oldest, next, received }: Page): Promise<bigint | null> {
    if (received !== undefined) return received
    if (oldest === null) return 0n
    const hidesMore = next !== null && oldest > target.since
    return (hidesMore || target.wantsReceived) && this.#readReceived ? this.#readReceived(target) : null
  }

  /**
   * Returns the unfinished reading of a script; undefined also if that reading was to end at a higher block.
   */
  #unfinishedOf(script: string, from: number): Unfinished | undefined {
    const unfinished = this.#unfinished.get(script)
    return unfinished && unfinished.from <= from ? unfinished : undefined
  }
}

const confirmed = (found: Map<string, Payment>): Map<string, Payment> =>
  new Map([...found].filter(([, { block }]) => block !== null))

const nextOf = ({ oldest, next }: Page, from: number): string | null =>
  oldest !== null && oldest > from ? next : null
