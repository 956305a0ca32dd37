import { bytesToNumberLE } from '@noble/curves/utils.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { LruCache } from '../rpc/cache.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import type { Daemon, Header } from './daemon.ts'
import { type Found, scan } from './match-outputs.ts'
import type { Transaction } from './transaction.ts'

export interface BlockToRead {
  header: Header
  viewKeys: string[]
}

const BLOCKS_TOGETHER = 4
const BLOCKS_KEPT = 32
/** Blocks times view keys: some weeks of a chain for one merchant. */
const FINDINGS_MAX = 50_000
const WAITING_AT_ONCE = 500
const WAITING_MAX = 5000
const WAITING_FINDINGS_MAX = 20_000

/** So that requests are answered while many transactions are scanned. */
const pause = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/**
 * Reads blocks and what waits for one, of one daemon, for private view keys in hex. It remembers by hashes of
 * blocks, so that a block is read and scanned once, and a block that replaced it anew.
 */
export class Reader {
  readonly daemon: Daemon
  readonly #blocksAtOnce: number
  readonly #blocks = new LruCache<Promise<Transaction[]>>(BLOCKS_KEPT)
  readonly #findings = new LruCache<Promise<Found[]>>(FINDINGS_MAX)
  readonly #waitingFindings = new LruCache<Promise<Found[]>>(WAITING_FINDINGS_MAX)
  #waiting = new Map<string, Transaction>()

  constructor(daemon: Daemon, blocksAtOnce: number) {
    this.daemon = daemon
    this.#blocksAtOnce = blocksAtOnce
  }

  /** Reads as many blocks as one look may, and tells how many of them are left. Throws NetworkFault. */
  async readAhead(blocks: BlockToRead[]): Promise<number> {
    const unread = blocks.filter(({ header, viewKeys }) =>
      viewKeys.some(viewKey => header.transactions > 0 && !this.#findings.has(place(header, viewKey))),
    )
    const turn = unread.slice(0, this.#blocksAtOnce)
    await mapLimit(turn, BLOCKS_TOGETHER, ({ header, viewKeys }) =>
      Promise.all(viewKeys.map(viewKey => this.found(header, viewKey))),
    )
    return unread.length - turn.length
  }

  /** What of a block is for a view key, in the order of the chain. Throws NetworkFault. */
  found(header: Header, viewKey: string): Promise<Found[]> {
    if (header.transactions === 0) return Promise.resolve([])
    return this.#findings.get(place(header, viewKey), async () =>
      scanAll(await this.#transactionsOf(header), viewKey),
    )
  }

  #transactionsOf(header: Header): Promise<Transaction[]> {
    return this.#blocks.get(header.hash, () => this.daemon.transactionsOf(header))
  }

  /** What waits for a block and is for each view key. Of very much, only a part is read at each look. */
  async waiting(hashes: string[], viewKeys: string[]): Promise<Map<string, Found[]>> {
    const listed = hashes.slice(0, WAITING_MAX)
    const fresh = listed.filter(hash => !this.#waiting.has(hash)).slice(0, WAITING_AT_ONCE)
    const told = await this.daemon.transactions(fresh)
    this.#waiting = new Map(
      listed.flatMap(hash => {
        const transaction = this.#waiting.get(hash) ?? told.get(hash)?.transaction
        return transaction ? [[hash, transaction] as const] : []
      }),
    )
    const transactions = [...this.#waiting.values()]
    const findings = new Map<string, Found[]>()
    for (const viewKey of viewKeys) {
      const found: Found[] = []
      for (const one of transactions) {
        const scanned = () => scanAll([one], viewKey)
        found.push(...(await this.#waitingFindings.get(`${viewKey} ${one.hash}`, scanned)))
      }
      findings.set(viewKey, found)
    }
    return findings
  }
}

const place = (header: Header, viewKey: string): string => `${viewKey} ${header.hash}`

async function scanAll(transactions: Transaction[], viewKey: string): Promise<Found[]> {
  const scalar = bytesToNumberLE(hexToBytes(viewKey))
  const found: Found[] = []
  for (const transaction of transactions) {
    await pause()
    found.push(...scan(transaction, scalar))
  }
  return found
}
