import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'
import type { HttpEndpoint } from '../rpc/http.ts'
import { type JsonObject, malformedResponse, readCount, readObject } from '../rpc/json.ts'
import { JsonRpc } from '../rpc/json-rpc.ts'
import { Reorganised } from '../rpc/reorg.ts'
import { parsed, readHash, readList, readText } from './fields.ts'
import { readTransaction, type Transaction } from './transaction.ts'

export interface Header {
  height: number
  hash: string
  /** the hash of the block before */
  previous: string
  /** milliseconds since 1970 UTC, by the clock of its miner */
  at: number
  /** beside the one that pays the miner */
  transactions: number
}

/** What a daemon tells of itself. */
export interface Standing {
  /** "mainnet", "fakechain" on a private chain */
  network: string
  /** of its newest block */
  height: number
  hash: string
  isSynchronised: boolean
}

/** A transaction, and whether the daemon saw another that spends the same. */
interface Told {
  transaction: Transaction
  isDoubtful: boolean
}

/** What a restricted daemon answers at once. */
const HEADERS_AT_ONCE = 1000
const TRANSACTIONS_AT_ONCE = 100
const NOT_FOUND = 404
/** Of a height above the newest block, and of a block that the daemon does not have. */
const goneCodes = new Set([-2, -5])

/** One monerod, by the part of its RPC that a restricted one answers too. Everything throws NetworkFault. */
export class Daemon {
  readonly #upstream: HttpEndpoint
  readonly #rpc: JsonRpc

  constructor(upstream: HttpEndpoint) {
    this.#upstream = upstream
    this.#rpc = new JsonRpc(upstream, '/json_rpc')
  }

  get host(): string {
    return this.#upstream.host
  }

  get isLocal(): boolean {
    return this.#upstream.isLocal
  }

  async standing(): Promise<Standing> {
    const told = await this.#ask('get_info', {})
    const height = readCount(told.height, 'a height') - 1
    if (height < 0) throw malformedResponse('a height')
    return {
      network: readText(told.nettype, 'a network'),
      height,
      hash: readHash(told.top_block_hash),
      isSynchronised: told.synchronized !== false && told.busy_syncing !== true,
    }
  }

  /** Those of a range of heights, both ends included, of which each names the one before. */
  async headers(from: number, to: number): Promise<Header[]> {
    const headers: Header[] = []
    for (let start = from; start <= to; start += HEADERS_AT_ONCE) {
      const end = Math.min(to, start + HEADERS_AT_ONCE - 1)
      const told = await this.#ask('get_block_headers_range', { start_height: start, end_height: end })
      const page = readList(told.headers, 'headers').map(readHeader)
      if (page.length !== end - start + 1) throw malformedResponse(`${end - start + 1} headers`)
      for (const header of page) {
        if (header.height !== from + headers.length) throw malformedResponse('headers in their order')
        if (headers.length > 0 && header.previous !== headers.at(-1)!.hash) throw new Reorganised()
        headers.push(header)
      }
    }
    return headers
  }

  /** In their order, without the one that pays the miner. Throws Reorganised when one has gone. */
  async transactionsOf(header: Header): Promise<Transaction[]> {
    const told = await this.#ask('get_block', { hash: header.hash })
    if (readHeader(readObject(told.block_header, 'a header')).hash !== header.hash) throw new Reorganised()
    const hashes = readList(told.tx_hashes, 'hashes').map(hash => readHash(hash))
    if (hashes.length !== header.transactions)
      throw malformedResponse(`a block of ${header.transactions} transactions`)
    const found = await this.transactions(hashes)
    return hashes.map(hash => {
      const one = found.get(hash)
      if (!one) throw new Reorganised()
      return one.transaction
    })
  }

  /** By their hash; without those that it does not know. */
  async transactions(hashes: string[]): Promise<Map<string, Told>> {
    const found = new Map<string, Told>()
    for (let start = 0; start < hashes.length; start += TRANSACTIONS_AT_ONCE) {
      const wanted = hashes.slice(start, start + TRANSACTIONS_AT_ONCE)
      for (const told of await this.#transactions(wanted)) {
        const hash = readHash(told.tx_hash)
        if (!wanted.includes(hash)) throw malformedResponse('the transactions that were asked for')
        const transaction = readTransaction(hash, readText(told.as_json, 'a transaction'))
        found.set(hash, { transaction, isDoubtful: told.double_spend_seen === true })
      }
    }
    return found
  }

  /** Of what waits for a block; empty where the endpoint does not tell that. */
  async waiting(): Promise<string[]> {
    const { status, text } = await this.#upstream.get('/get_transaction_pool_hashes')
    if (status === NOT_FOUND) return []
    return readList(this.#read(status, text).tx_hashes, 'hashes').map(hash => readHash(hash))
  }

  async #transactions(hashes: string[]): Promise<JsonObject[]> {
    const body = JSON.stringify({ txs_hashes: hashes, decode_as_json: true, prune: true })
    const { status, text } = await this.#upstream.post('/get_transactions', body)
    if (text === null && hashes.length > 1) {
      const half = Math.ceil(hashes.length / 2)
      const first = await this.#transactions(hashes.slice(0, half))
      return [...first, ...(await this.#transactions(hashes.slice(half)))]
    }
    const { txs } = this.#read(status, text)
    return readList(txs, 'transactions').map(told => readObject(told, 'a transaction'))
  }

  async #ask(method: string, params: { [key: string]: Json }): Promise<JsonObject> {
    const [reply] = await this.#rpc.ask([{ method, params }])
    if (!reply) throw malformedResponse('a reply')
    if ('error' in reply) {
      const { code, message } = reply.error
      throw goneCodes.has(code) ? new Reorganised() : new NetworkError(`answers "${message}"`)
    }
    return this.#agreed(readObject(reply.result, 'an object'))
  }

  #read(status: number, text: string | null): JsonObject {
    if (status !== 200) throw new NetworkError(`answers with status ${status}`)
    if (text === null) throw new NetworkError('answers with more than can be read')
    return this.#agreed(parsed(text, 'an object'))
  }

  /** A daemon that is busy, or that understood nothing, says so in its answer. */
  #agreed(told: JsonObject): JsonObject {
    if (told.status === 'OK') return told
    throw new NetworkError(`answers "${this.#upstream.redact(readText(told.status, 'a status'))}"`)
  }
}

function readHeader(json: Json): Header {
  const told = readObject(json, 'a header')
  return {
    height: readCount(told.height, 'a height'),
    hash: readHash(told.hash),
    previous: readHash(told.prev_hash),
    at: readCount(told.timestamp, 'a time') * 1000,
    transactions: readCount(told.num_txes, 'a count'),
  }
}
