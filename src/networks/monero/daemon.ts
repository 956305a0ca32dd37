import { asserted } from '../../domain/errors.ts'
import { LruCache } from '../../domain/lru-cache.ts'
import type { Json } from '../../domain/metadata.ts'
import { NetworkError, StatusError } from '../port.ts'
import type { HttpEndpoint } from '../rpc/http.ts'
import { type JsonObject, malformedResponse, readCount, readObject } from '../rpc/json.ts'
import { JsonRpc } from '../rpc/json-rpc.ts'
import { Reorganised } from '../rpc/reorg.ts'
import { blockHash } from './block-hash.ts'
import { parseObject, readHash, readList, readString } from './responses.ts'
import { readTransaction, type Transaction } from './transaction.ts'

export interface Header {
  height: number
  hash: string
  /** the hash of the block before */
  previous: string
  /** the time of the block by the clock of its miner, in milliseconds since 1970 UTC */
  at: number
  /** the number of transactions without the miner's reward */
  transactions: number
}

export interface DaemonStatus {
  /** "mainnet", or "fakechain" on a private chain */
  network: string
  /** the height and the hash of the newest block */
  height: number
  hash: string
  isSynchronised: boolean
}

interface ReportedTransaction {
  transaction: Transaction
  /** true if the daemon has seen another transaction that spends the same output */
  isDoubleSpent: boolean
}

/** A restricted daemon returns at most this many headers or transactions at once. */
const HEADERS_AT_ONCE = 1000
const TRANSACTIONS_AT_ONCE = 100
const KNOWN_BLOCKS_MAX = 4
/** Max headers that are read: half a year of the chain, which is longer than any watch and outage. */
const HEADERS_MAX = 150_000
const NOT_FOUND = 404
/** The codes for a height above the newest block, and for an unknown block. */
const unknownBlockCodes = new Set([-2, -5])

/** The client of one monerod, which may be restricted. Every method may throw NetworkError. */
export class Daemon {
  readonly #endpoint: HttpEndpoint
  readonly #rpc: JsonRpc
  readonly #knownBlocks = new LruCache<Promise<void>>(KNOWN_BLOCKS_MAX)

  constructor(endpoint: HttpEndpoint) {
    this.#endpoint = endpoint
    this.#rpc = new JsonRpc(endpoint, '/json_rpc')
  }

  get host(): string {
    return this.#endpoint.host
  }

  get isLocal(): boolean {
    return this.#endpoint.isLocal
  }

  async status(): Promise<DaemonStatus> {
    const info = await this.#ask('get_info', {})
    const height = readCount(info.height, 'a height') - 1
    if (height < 0) throw malformedResponse('a height')
    return {
      network: readString(info.nettype, 'a network'),
      height,
      hash: readHash(info.top_block_hash),
      isSynchronised: info.synchronized !== false && info.busy_syncing !== true,
    }
  }

  /** Reads the headers of a range, both ends included. Throws Reorganised if they do not form a chain. */
  async headers(from: number, to: number): Promise<Header[]> {
    if (to - from > HEADERS_MAX) {
      throw new NetworkError(`reports block ${to}, which is more than ${HEADERS_MAX} blocks away`)
    }
    const headers: Header[] = []
    for (let start = from; start <= to; start += HEADERS_AT_ONCE) {
      const end = Math.min(to, start + HEADERS_AT_ONCE - 1)
      const range = await this.#ask('get_block_headers_range', { start_height: start, end_height: end })
      const page = readList(range.headers, 'headers').map(readHeader)
      if (page.length !== end - start + 1) throw malformedResponse(`${end - start + 1} headers`)
      for (const header of page) {
        if (header.height !== from + headers.length) throw malformedResponse('headers in order')
        if (headers.length > 0 && header.previous !== asserted(headers.at(-1), 'there are headers').hash)
          throw new Reorganised()
        headers.push(header)
      }
    }
    return headers
  }

  /** Throws Reorganised unless the daemon has this block. The answer is remembered. */
  requireBlock({ height, hash }: Pick<Header, 'height' | 'hash'>): Promise<void> {
    return this.#knownBlocks.get(`${height} ${hash}`, async () => {
      const [header] = await this.headers(height, height)
      if (header?.hash !== hash) throw new Reorganised()
    })
  }

  /** Reads the transactions of a block, without the miner's reward. Throws Reorganised if one is missing. */
  async transactionsOf(header: Header): Promise<Transaction[]> {
    const block = await this.#ask('get_block', { hash: header.hash })
    const own = readObject(block.block_header, 'a header')
    if (readHeader(own).hash !== header.hash) throw new Reorganised()
    const hashes = readList(block.tx_hashes, 'hashes').map(hash => readHash(hash))
    requireTransactions(own, hashes)
    const found = await this.transactions(hashes)
    return hashes.map(hash => {
      const reported = found.get(hash)
      if (!reported) throw new Reorganised()
      return reported.transaction
    })
  }

  /** Reads transactions, by hash, without those that the daemon does not know. */
  async transactions(hashes: string[]): Promise<Map<string, ReportedTransaction>> {
    const found = new Map<string, ReportedTransaction>()
    for (let start = 0; start < hashes.length; start += TRANSACTIONS_AT_ONCE) {
      const wanted = hashes.slice(start, start + TRANSACTIONS_AT_ONCE)
      for (const reported of await this.#transactions(wanted)) {
        const hash = readHash(reported.tx_hash)
        if (!wanted.includes(hash)) throw malformedResponse('the requested transactions')
        const transaction = readTransaction(hash, readString(reported.as_json, 'a transaction'))
        found.set(hash, { transaction, isDoubleSpent: reported.double_spend_seen === true })
      }
    }
    return found
  }

  /** Reads the hashes of unconfirmed transactions; empty if the endpoint does not serve them. */
  async poolHashes(): Promise<string[]> {
    const { status, text } = await this.#endpoint.get('/get_transaction_pool_hashes')
    if (status === NOT_FOUND) return []
    return readList(this.#read(status, text).tx_hashes, 'hashes').map(hash => readHash(hash))
  }

  async #transactions(hashes: string[]): Promise<JsonObject[]> {
    const body = JSON.stringify({ txs_hashes: hashes, decode_as_json: true, prune: true })
    const { status, text } = await this.#endpoint.post('/get_transactions', body)
    if (text === null && hashes.length > 1) {
      const half = Math.ceil(hashes.length / 2)
      const first = await this.#transactions(hashes.slice(0, half))
      return [...first, ...(await this.#transactions(hashes.slice(half)))]
    }
    const { txs } = this.#read(status, text)
    return readList(txs, 'transactions').map(one => readObject(one, 'a transaction'))
  }

  async #ask(method: string, params: { [key: string]: Json }): Promise<JsonObject> {
    const [reply] = await this.#rpc.ask([{ method, params }])
    if (!reply) throw malformedResponse('a reply')
    if ('error' in reply) {
      const { code, message } = reply.error
      throw unknownBlockCodes.has(code) ? new Reorganised() : new NetworkError(`answered "${message}"`)
    }
    return this.#checked(readObject(reply.result, 'an object'))
  }

  #read(status: number, text: string | null): JsonObject {
    if (status !== 200) throw new StatusError(`answered with status ${status}`, status)
    if (text === null) throw new NetworkError('returned a response that is too long')
    return this.#checked(parseObject(text, 'an object'))
  }

  /**
   * Returns the answer. Throws NetworkError if its status says that the daemon is busy or refuses the
   * request.
   */
  #checked(answer: JsonObject): JsonObject {
    if (answer.status === 'OK') return answer
    throw new NetworkError(`answered "${this.#endpoint.redact(readString(answer.status, 'a status'))}"`)
  }
}

function readHeader(json: Json): Header {
  const header = readObject(json, 'a header')
  const read = {
    height: readCount(header.height, 'a height'),
    hash: readHash(header.hash),
    previous: readHash(header.prev_hash),
    at: readCount(header.timestamp, 'a time') * 1000,
    transactions: readCount(header.num_txes, 'a count'),
  }
  // Blocks without transactions are not read, so they are verified here. The first block is not checked,
  // since its hash is known.
  if (read.transactions === 0 && read.height > 0) requireTransactions(header, [])
  return read
}

/** Throws NetworkError unless the block's hash is that of a block with exactly these transactions. */
function requireTransactions(header: JsonObject, hashes: string[]): void {
  if (blockHash(header, hashes) === header.hash) return
  throw new NetworkError(`reports other transactions of block ${header.height} than its hash stands for`)
}
