import type { FoundLogs, LogSearch } from './log-search.ts'

/** A block with more logs for one address than endpoints report at once. */
interface Flood {
  height: number
  failures: number
  /** the time when the block is tried again, in milliseconds since 1970 UTC */
  retryAt: number
}

const RETRY_FIRST_MS = 60_000
const RETRY_MAX_MS = 3_600_000
const ADDRESSES_MAX = 1000
const BLOCKS_MAX = 1000

const keyOf = (kind: string, address: string): string => `${kind} ${address}`

/**
 * Remembers blocks with more logs for an address than endpoints report at once, which anybody can cause. Such
 * a block costs no requests until it is tried again.
 */
export class Floods {
  readonly #clock: () => number
  readonly #byAddress = new Map<string, Flood[]>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Splits a search into the parts around known floods. Addresses with a flood are added to `unread`. */
  around(search: LogSearch, unread: FoundLogs['unread']): LogSearch[] {
    const { kind, addresses, from, to } = search
    const now = this.#clock()
    const flooded = addresses.filter(address => this.#byAddress.has(keyOf(kind, address)))
    if (flooded.length === 0) return [search]
    const calm = addresses.filter(address => !flooded.includes(address))
    const parts = calm.length > 0 ? [{ ...search, addresses: calm }] : []
    for (const address of flooded) {
      const alone = { ...search, addresses: [address] }
      const floods = (this.#byAddress.get(keyOf(kind, address)) ?? [])
        .filter(({ height }) => height >= from && height <= to)
        .toSorted((a, b) => a.height - b.height)
      let start = from
      for (const { height, retryAt } of floods) {
        parts.push({ ...alone, from: start, to: height - 1 })
        if (now < retryAt) addUnread(unread, address, kind)
        else parts.push({ ...alone, from: height, to: height })
        start = height + 1
      }
      parts.push({ ...alone, from: start, to })
    }
    return parts.filter(part => part.from <= part.to)
  }

  /** Remembers a search for one address in one block that found too much. */
  add({ kind, addresses: [address = ''], from: height }: LogSearch, unread: FoundLogs['unread']): void {
    addUnread(unread, address, kind)
    const key = keyOf(kind, address)
    const known = this.#byAddress.get(key) ?? []
    const failures = (known.find(flood => flood.height === height)?.failures ?? 0) + 1
    const retryAt = this.#clock() + Math.min(RETRY_FIRST_MS * 2 ** failures, RETRY_MAX_MS)
    const others = known.filter(flood => flood.height !== height)
    this.#byAddress.delete(key)
    this.#byAddress.set(key, [...others, { height, failures, retryAt }].slice(-BLOCKS_MAX))
    for (const oldest of this.#byAddress.keys()) {
      if (this.#byAddress.size <= ADDRESSES_MAX) break
      this.#byAddress.delete(oldest)
    }
  }
}

function addUnread(unread: FoundLogs['unread'], address: string, kind: string): void {
  const kinds = unread.get(address) ?? new Set<string>()
  unread.set(address, kinds.add(kind))
}
