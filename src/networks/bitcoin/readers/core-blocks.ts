import { isWithin } from '../../../domain/clock.ts'
import type { Json } from '../../../domain/metadata.ts'
import { NetworkError } from '../../port.ts'
import { malformedResponse, readArray, readObject } from '../../rpc/json.ts'
import type { JsonRpc } from '../../rpc/json-rpc.ts'
import type { Reply } from '../../rpc/json-rpc-codec.ts'
import { readHash, readHeight, readTime } from '../responses.ts'
import { askOne, call, type Output, readOutputs, resultOf } from './core-rpc.ts'
import { merkleRoot } from './merkle-root.ts'

interface CachedBlock {
  block: CoreBlock
  /** the time when the block was read, in milliseconds since 1970 UTC */
  at: number
}

interface CoreBlock {
  hash: string
  height: number
  /** the time of the block, in milliseconds since 1970 UTC */
  at: number
  byScript: Map<string, Output[]>
  outputs: number
}

/** The verbosities of `getblock`. Old nodes accept only a boolean, which returns ids. */
const WITH_TRANSACTIONS = 2
const WITH_IDS = true

/** The time for which a block is cached. A block that a node reported wrong is corrected after it. */
const CACHED_MS = 3_600_000
/** Max outputs in the cache: about twenty full blocks of Bitcoin, tens of megabytes. */
const CACHED_OUTPUTS_MAX = 200_000

/** Reads whole blocks, and caches the newest, since every scan needs the blocks that are not final. */
export class CoreBlocks {
  readonly #rpc: JsonRpc
  readonly #clock: () => number
  readonly #cache = new Map<string, CachedBlock>()
  #cachedOutputs = 0
  #servesTransactions = true

  constructor(rpc: JsonRpc, clock: () => number) {
    this.#rpc = rpc
    this.#clock = clock
  }

  /** Reads the block of this hash. `isCached` keeps it for the next scans. Throws NetworkError. */
  async read(hash: string, height: number, isCached: boolean): Promise<CoreBlock> {
    const known = this.#cache.get(hash)
    if (known && isWithin(CACHED_MS, known.at, this.#clock())) return known.block
    const block = await this.#ask(hash)
    if (block.hash !== hash || block.height !== height) throw malformedResponse(`block ${height}`)
    if (isCached) this.#store(block)
    return block
  }

  #store(block: CoreBlock): void {
    this.#drop(block.hash)
    this.#cache.set(block.hash, { block, at: this.#clock() })
    this.#cachedOutputs += block.outputs
    for (const hash of this.#cache.keys()) {
      if (this.#cachedOutputs <= CACHED_OUTPUTS_MAX) break
      this.#drop(hash)
    }
  }

  #drop(hash: string): void {
    this.#cachedOutputs -= this.#cache.get(hash)?.block.outputs ?? 0
    this.#cache.delete(hash)
  }

  async #ask(hash: string): Promise<CoreBlock> {
    if (!this.#servesTransactions) return this.#askInParts(hash)
    const [reply] = await this.#rpc.ask([call('getblock', hash, WITH_TRANSACTIONS)])
    if (reply && 'result' in reply) return blockOf(reply.result, transactionsOf(reply.result))
    const block = await this.#askInParts(hash)
    // A rejected verbosity concerns all blocks, other errors concern only this block, which may be too large.
    if (reply && /boolean|verbos|type/i.test(reply.error.message)) this.#servesTransactions = false
    return block
  }

  /**
   * Reads a block by asking for each of its transactions. A node without an index of all transactions also
   * needs the block's hash in each request.
   */
  async #askInParts(hash: string): Promise<CoreBlock> {
    const json = await askOne(this.#rpc, call('getblock', hash, WITH_IDS))
    const ids = transactionsOf(json).map(readHash)
    const replies = await this.#rpc.ask(ids.map(id => call('getrawtransaction', id, 1)))
    const missed = ids.filter((_, index) => isRefused(replies[index]))
    const again = await this.#rpc.ask(missed.map(id => call('getrawtransaction', id, 1, hash)))
    const found = replies.map(reply => (isRefused(reply) ? again.shift() : reply))
    return blockOf(json, found.map(transactionOf))
  }
}

const isRefused = (reply: Reply | undefined): boolean => !reply || 'error' in reply

function transactionOf(reply: Reply | undefined): Json {
  if (reply && 'error' in reply) {
    throw new NetworkError(
      `does not serve the transactions of a block ("${reply.error.message}"): upgrade the node, ` +
        'or run it with txindex=1',
    )
  }
  return resultOf(reply, 'getrawtransaction')
}

const transactionsOf = (block: Json): Json[] =>
  readArray(readObject(block, 'a block').tx, 'the transactions of a block')

function blockOf(json: Json, transactions: Json[]): CoreBlock {
  const block = readObject(json, 'a block')
  const height = readHeight(block.height)
  const ids = transactions.map(one => readHash(readObject(one, 'a transaction').txid))
  if (merkleRoot(ids) !== readHash(block.merkleroot))
    throw new NetworkError(`reports other transactions of block ${height} than its Merkle root stands for`)
  const outputs = transactions.flatMap(readOutputs)
  return {
    hash: readHash(block.hash),
    height,
    at: readTime(block.time),
    byScript: Map.groupBy(outputs, ({ script }) => script),
    outputs: outputs.length,
  }
}
