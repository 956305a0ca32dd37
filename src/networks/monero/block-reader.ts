import { bytesToNumberLE } from '@noble/curves/utils.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { LruCache } from '../../domain/lru-cache.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import type { Daemon, Header } from './daemon.ts'
import type { MatchedOutput } from './match-outputs.ts'
import type { Transaction } from './transaction.ts'

export interface BlockToRead {
  header: Header
  viewKeys: string[]
}

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
 * hexadecimal. Blocks are cached by hash, so that a block that replaces a cached one is read.
 */
export class BlockReader {
  readonly daemon: Daemon
  readonly #blocksPerScan: number
  readonly #blocks = new LruCache<Promise<Transaction[]>>(CACHED_BLOCKS_MAX)
  readonly #matches = new LruCache<Promise<MatchedOutput[]>>(CACHED_MATCHES_MAX)
  readonly #poolMatches = new LruCache<Promise<MatchedOutput[]>>(CACHED_POOL_MATCHES_MAX)
  #pool = new Map<string, Transaction>()

  constructor(daemon: Daemon, blocksPerScan: number) {
    this.daemon = daemon
    this.#blocksPerScan = blocksPerScan
  }

  /** Reads as many blocks as one scan may read. Returns the blocks that are left. Throws NetworkError. */
  async readAhead(blocks: BlockToRead[]): Promise<BlockToRead[]> {
    const unread = blocks.filter(({ header, viewKeys }) =>
      viewKeys.some(viewKey => header.transactions > 0 && !this.#matches.has(keyOf(header, viewKey))),
    )
    const batch = unread.slice(0, this.#blocksPerScan)
    await mapLimit(batch, CONCURRENT_BLOCKS, ({ header, viewKeys }) =>
      Promise.all(viewKeys.map(viewKey => this.outputsIn(header, viewKey))),
    )
    return unread.slice(batch.length)
  }

  /**
   * Finds the outputs of a block that a view key can read, in the order of the chain. Throws NetworkError.
   */
  outputsIn(header: Header, viewKey: string): Promise<MatchedOutput[]> {
    if (header.transactions === 0) return Promise.resolve([])
    return this.#matches.get(keyOf(header, viewKey), async () =>
      matchAll(await this.#transactionsOf(header), viewKey),
    )
  }

  #transactionsOf(header: Header): Promise<Transaction[]> {
    return this.#blocks.get(header.hash, () => this.daemon.transactionsOf(header))
  }

  /**
   * Finds the outputs in the pool that each view key can read. A very large pool is read over several scans.
   * Throws NetworkError.
   */
  async poolOutputs(hashes: string[], viewKeys: string[]): Promise<Map<string, MatchedOutput[]>> {
    const listed = hashes.slice(0, POOL_MAX)
    const missing = listed.filter(hash => !this.#pool.has(hash)).slice(0, POOL_BATCH)
    const read = await this.daemon.transactions(missing)
    this.#pool = new Map(
      listed.flatMap(hash => {
        const transaction = this.#pool.get(hash) ?? read.get(hash)?.transaction
        return transaction ? [[hash, transaction] as const] : []
      }),
    )
    const byViewKey = new Map<string, MatchedOutput[]>()
    for (const viewKey of viewKeys) {
      const outputs: MatchedOutput[] = []
      for (const transaction of this.#pool.values()) {
        const match = () => matchAll([transaction], viewKey)
        outputs.push(...(await this.#poolMatches.get(`${viewKey} ${transaction.hash}`, match)))
      }
      byViewKey.set(viewKey, outputs)
    }
    return byViewKey
  }
}

const keyOf = (header: Header, viewKey: string): string => `${viewKey} ${header.hash}`

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
