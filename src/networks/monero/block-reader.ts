import { bytesToNumberLE } from '@noble/curves/utils.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { isWithin } from '../../domain/clock.ts'
import { LruCache } from '../../domain/lru-cache.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import type { Daemon, Header } from './daemon.ts'
import type { MatchedOutput } from './match-outputs.ts'
import type { Transaction } from './transaction.ts'

export interface BlockToRead {
  header: Header
  viewKeys: string[]
}

interface PoolTransaction {
  transaction: Transaction
  /** the time when it was read, in milliseconds since 1970 UTC */
  at: number
}

/**
 * What was read longer ago is read again: a daemon can alter a transaction, and hashes do not show that. This
 * is half of the usual time until a block is final and no longer read.
 */
const CACHED_MS = 600_000
const CONCURRENT_BLOCKS = 4
const CACHED_BLOCKS_MAX = 32
/** Max matches in the cache, one for each block and view key: some weeks of the chain for one merchant. */
const CACHED_MATCHES_MAX = 50_000
/**
 * At most this many pool transactions are read in one scan (`POOL_BATCH`) and kept in memory (`POOL_MAX`).
 */
const POOL_BATCH = 500
const POOL_MAX = 5000
const CACHED_POOL_MATCHES_MAX = 20_000

/** Lets the server answer requests while many transactions are matched. */
const yieldToServer = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/**
 * Reads the blocks and the pool of one daemon, and matches their outputs with private view keys in
 * hexadecimal. Blocks are cached by hash and for some minutes, so that a block that replaces a cached one is
 * read, and an altered one is read again.
 */
export class BlockReader {
  readonly daemon: Daemon
  readonly #blocksPerScan: number
  readonly #clock: () => number
  /** the times when blocks were read, by hash */
  readonly #readAt = new LruCache<number>(CACHED_MATCHES_MAX)
  readonly #blocks = new LruCache<Promise<Transaction[]>>(CACHED_BLOCKS_MAX)
  readonly #matches = new LruCache<Promise<MatchedOutput[]>>(CACHED_MATCHES_MAX)
  readonly #poolMatches = new LruCache<Promise<MatchedOutput[]>>(CACHED_POOL_MATCHES_MAX)
  #pool = new Map<string, PoolTransaction>()

  constructor(daemon: Daemon, blocksPerScan: number, clock: () => number) {
    this.daemon = daemon
    this.#blocksPerScan = blocksPerScan
    this.#clock = clock
  }

  /**
   * Reads as many blocks as one scan may read: unread ones, then those that were read too long ago. Returns
   * the unread blocks that are left. Throws NetworkError.
   */
  async readAhead(blocks: BlockToRead[]): Promise<BlockToRead[]> {
    const isRead = ({ header, viewKeys }: BlockToRead): boolean =>
      viewKeys.every(viewKey => this.#matches.has(this.#keyOf(header, viewKey)))
    const byState = Map.groupBy(
      blocks.filter(({ header }) => header.transactions > 0),
      isRead,
    )
    const unread = byState.get(false) ?? []
    const old = (byState.get(true) ?? []).filter(({ header }) => !this.#isRecent(this.#readAtOf(header)))
    const again = old.slice(0, Math.max(0, this.#blocksPerScan - unread.length))
    for (const { header } of again) this.#readAt.forget(header.hash)
    const batch = [...unread.slice(0, this.#blocksPerScan), ...again]
    await mapLimit(batch, CONCURRENT_BLOCKS, ({ header, viewKeys }) =>
      Promise.all(viewKeys.map(viewKey => this.outputsIn(header, viewKey))),
    )
    return unread.slice(this.#blocksPerScan)
  }

  /**
   * Finds the outputs of a block that a view key can read, in the order of the chain. Throws NetworkError.
   */
  outputsIn(header: Header, viewKey: string): Promise<MatchedOutput[]> {
    if (header.transactions === 0) return Promise.resolve([])
    return this.#matches.get(this.#keyOf(header, viewKey), async () =>
      matchAll(await this.#transactionsOf(header), viewKey),
    )
  }

  #transactionsOf(header: Header): Promise<Transaction[]> {
    return this.#blocks.get(`${this.#readAtOf(header)} ${header.hash}`, () =>
      this.daemon.transactionsOf(header),
    )
  }

  /**
   * Finds the outputs in the pool that each view key can read. A very large pool is read over several scans.
   * Throws NetworkError.
   */
  async poolOutputs(hashes: string[], viewKeys: string[]): Promise<Map<string, MatchedOutput[]>> {
    const at = this.#clock()
    const listed = hashes.slice(0, POOL_MAX)
    const missing = listed.filter(hash => !this.#pool.has(hash))
    const old = listed.filter(hash => !this.#isRecent(this.#pool.get(hash)?.at ?? at))
    const read = await this.daemon.transactions([...missing, ...old].slice(0, POOL_BATCH))
    this.#pool = new Map(
      listed.flatMap(hash => {
        const transaction = read.get(hash)?.transaction
        const known = transaction ? { transaction, at } : this.#pool.get(hash)
        return known ? [[hash, known] as const] : []
      }),
    )
    const byViewKey = new Map<string, MatchedOutput[]>()
    for (const viewKey of viewKeys) {
      const outputs: MatchedOutput[] = []
      for (const { transaction, at: readAt } of this.#pool.values()) {
        const match = () => matchAll([transaction], viewKey)
        outputs.push(...(await this.#poolMatches.get(`${readAt} ${viewKey} ${transaction.hash}`, match)))
      }
      byViewKey.set(viewKey, outputs)
    }
    return byViewKey
  }

  #readAtOf({ hash }: Header): number {
    return this.#readAt.get(hash, this.#clock)
  }

  #isRecent(readAt: number): boolean {
    return isWithin(CACHED_MS, readAt, this.#clock())
  }

  #keyOf(header: Header, viewKey: string): string {
    return `${this.#readAtOf(header)} ${viewKey} ${header.hash}`
  }
}

async function matchAll(transactions: Transaction[], viewKey: string): Promise<MatchedOutput[]> {
  const scalar = bytesToNumberLE(hexToBytes(viewKey))
  // Loaded here, since the module and its curve delay the start of servers that read no blocks.
  const { matchOutputs } = await import('./match-outputs.ts')
  const outputs: MatchedOutput[] = []
  for (const transaction of transactions) {
    await yieldToServer()
    outputs.push(...matchOutputs(transaction, scalar))
  }
  return outputs
}
