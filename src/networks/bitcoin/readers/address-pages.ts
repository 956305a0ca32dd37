import { mapLimit } from '../../rpc/map-limit.ts'
import { lowestOf, type Payment, type Reading, type Target, type Tip } from './reader.ts'
import { TooLong } from './rest.ts'

/** A part of what happened at an address, the newest first. */
export interface Page {
  payments: Payment[]
  /** the height of its oldest transaction in a block; null where there is none */
  oldest: number | null
  /** where the next page begins; null for the last */
  next: string | null
}

/** Null for a page that the endpoint does not give. */
type ReadPage = (target: Target, mark: string | null) => Promise<Page | null>

const REQUESTS_AT_ONCE = 4
const PAGES_MAX = 40

/** How far the reading of an address came that has too many transactions for one look. */
interface Half {
  from: number
  /** the tip when it was begun */
  upper: number
  mark: string
  payments: Map<string, Payment>
}

const keyOf = ({ txId, index }: Payment): string => `${txId}:${index}`

/**
 * Reads addresses one by one, page by page back to where each watch goes on. Of an address that is flooded a
 * bounded number of pages is read in one look, and the next look goes on below them.
 */
export class AddressPages {
  readonly #readPage: ReadPage
  readonly #halves = new Map<string, Half>()

  constructor(readPage: ReadPage) {
    this.#readPage = readPage
  }

  forget(): void {
    this.#halves.clear()
  }

  async read(targets: Target[], tip: Tip): Promise<Map<string, Reading>> {
    const readings = await mapLimit(targets, REQUESTS_AT_ONCE, target => this.#read(target, tip))
    return new Map(
      readings.flatMap((reading, index) =>
        reading === null ? [] : [[targets[index]!.script, reading] as const],
      ),
    )
  }

  async #read(target: Target, tip: Tip): Promise<Reading | null> {
    try {
      return await this.#readAll(target, tip)
    } catch (error) {
      if (error instanceof TooLong) return null
      throw error
    }
  }

  async #readAll(target: Target, tip: Tip): Promise<Reading | null> {
    const from = lowestOf(target)
    const first = await this.#readPage(target, null)
    if (first === null) return null
    const half = this.#halfOf(target.script, from)
    const upper = half?.upper ?? tip.height
    const found = new Map(half?.payments)
    let page = first
    let mark = half?.mark ?? nextOf(first, from)
    for (let pages = 1; ; pages++) {
      for (const payment of page.payments) found.set(keyOf(payment), payment)
      if (mark === null || pages === PAGES_MAX) break
      const next = await this.#readPage(target, mark)
      if (next === null) return null
      page = next
      mark = nextOf(page, from)
    }
    const oldest = page.oldest ?? from
    if (mark === null) this.#halves.delete(target.script)
    else this.#halves.set(target.script, { from, upper, mark, payments: confirmed(found) })
    const isRead = (above: number): boolean => mark === null || above >= oldest
    return { payments: [...found.values()], coveredFrom: above => (isRead(above) ? upper : above) }
  }

  /** One that was to reach less deep is of no use. */
  #halfOf(script: string, from: number): Half | undefined {
    const half = this.#halves.get(script)
    return half && half.from <= from ? half : undefined
  }
}

const confirmed = (found: Map<string, Payment>): Map<string, Payment> =>
  new Map([...found].filter(([, { block }]) => block !== null))

const nextOf = ({ oldest, next }: Page, from: number): string | null =>
  oldest !== null && oldest > from ? next : null
