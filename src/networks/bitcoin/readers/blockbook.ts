import type { Json } from '../../../domain/metadata.ts'
import { NetworkError } from '../../port.ts'
import type { HttpEndpoint } from '../../rpc/http.ts'
import { type JsonObject, readArray, readObject } from '../../rpc/json.ts'
import { readAtomic } from '../amounts.ts'
import type { CoinName } from '../coins.ts'
import { readInputs } from '../inputs.ts'
import { isHash, readHash, readHeight, readScript, readTime } from '../responses.ts'
import { scriptOf } from '../script.ts'
import { AddressPages, type Page } from './address-pages.ts'
import type { Payment, Reader, Target, Tip } from './reader.ts'
import { getJson } from './rest.ts'

const PAGE_SIZE = 25
/** Blockbook reports that it is out of sync while it indexes a new block, so a few blocks are tolerated. */
const BLOCKS_BEHIND_MAX = 2
const UNCONFIRMED = -1
/**
 * The number of pages that Blockbook reports for a list that is filtered by height. After the end of such a
 * list, the last page is returned again.
 */
const UNCOUNTED = -1

/** The REST API of Blockbook, version 2. */
export class BlockbookReader implements Reader {
  readonly protocol = 'blockbook'
  readonly readsBlocks = false
  readonly #endpoint: HttpEndpoint
  readonly #coin: CoinName
  readonly #pages = new AddressPages((target, token) => this.#page(target, token))
  /** true if the server reports hashes by height; null until this is known */
  #servesHashes: boolean | null = null

  constructor(endpoint: HttpEndpoint, coin: CoinName) {
    this.#endpoint = endpoint
    this.#coin = coin
  }

  get host(): string {
    return this.#endpoint.host
  }

  get isLocal(): boolean {
    return this.#endpoint.isLocal
  }

  async identity(): Promise<{ name: string | null; isMain: boolean | null }> {
    this.#servesHashes = null
    const { blockbook, backend } = await this.#status()
    const name = typeof blockbook.coin === 'string' ? blockbook.coin : null
    const isMain = typeof backend.chain === 'string' ? /^main/i.test(backend.chain) : null
    return { name, isMain }
  }

  async tip(): Promise<Tip> {
    const { blockbook, backend } = await this.#status()
    const height = readHeight(blockbook.bestHeight)
    const [hash = null] = (await this.hashes([height])) ?? []
    const at = typeof blockbook.lastBlockTime === 'string' ? Date.parse(blockbook.lastBlockTime) : Number.NaN
    const isBehind =
      blockbook.inSync === false &&
      !(typeof backend.blocks === 'number' && backend.blocks - height <= BLOCKS_BEHIND_MAX)
    const problem = isBehind ? `is not in sync at block ${height}` : null
    return { height, hash, at: Number.isNaN(at) ? null : at, problem }
  }

  async hashes(heights: readonly number[]): Promise<(string | null)[] | null> {
    this.#servesHashes ??= (await this.#hash(0)) !== null
    if (!this.#servesHashes) return null
    const hashes: (string | null)[] = []
    for (const height of heights) hashes.push(await this.#hash(height))
    return hashes
  }

  read(targets: Target[], tip: Tip) {
    return this.#pages.read(targets, tip)
  }

  async received({ address }: Pick<Target, 'address'>): Promise<bigint | null> {
    try {
      const json = await getJson(this.#endpoint, `/api/v2/address/${address}?details=basic`)
      const { totalReceived } = json === null ? {} : readObject(json, 'an address')
      return totalReceived === undefined ? null : readAtomic(totalReceived)
    } catch (error) {
      if (error instanceof NetworkError) return null
      throw error
    }
  }

  forget(): void {
    this.#pages.forget()
  }

  async #status(): Promise<{ blockbook: JsonObject; backend: JsonObject }> {
    const status = readObject(await getJson(this.#endpoint, '/api/v2'), 'its status')
    const backend = status.backend === undefined ? {} : readObject(status.backend, 'its status')
    return { blockbook: readObject(status.blockbook, 'its status'), backend }
  }

  /**
   * Reads the hash of a block; null also for versions without this path, which answer with their status or an
   * error.
   */
  async #hash(height: number): Promise<string | null> {
    const json = await getJson(this.#endpoint, `/api/v2/block-index/${height}`)
    const hash = json === null ? undefined : readObject(json, 'a hash').blockHash
    return hash === undefined || hash === '' ? null : readHash(hash)
  }

  async #page(target: Target, token: string | null): Promise<Page> {
    const { address, script, listedAbove } = target
    const number = Number(token ?? 1)
    const query = `details=txs&page=${number}&pageSize=${PAGE_SIZE}&from=${listedAbove + 1}`
    const json = await getJson(this.#endpoint, `/api/v2/address/${address}?${query}`)
    const { page, totalPages, transactions, totalReceived } = readObject(
      json,
      'the transactions of an address',
    )
    const list = transactions === undefined ? [] : readArray(transactions, 'a list of transactions')
    const read = list.map(one => readTransaction(one, script, this.#coin))
    const isKnownLast = typeof totalPages !== 'number' || (totalPages !== UNCOUNTED && totalPages <= number)
    const isLast = readHeight(page) !== number || isKnownLast
    const heights = read.flatMap(({ block }) => (block ? [block.height] : []))
    return {
      payments: read.flatMap(({ payments }) => payments),
      oldest: heights.at(-1) ?? null,
      next: isLast ? null : `${number + 1}`,
      received: totalReceived === undefined ? null : readAtomic(totalReceived),
    }
  }
}

interface Transaction {
  block: Payment['block']
  payments: Payment[]
}

function readTransaction(json: Json, script: string, coin: CoinName): Transaction {
  const transaction = readObject(json, 'a transaction')
  const txId = readHash(transaction.txid)
  const block = readBlock(transaction)
  const inputs = readArray(transaction.vin, 'the inputs of a transaction')
  const isReward = inputs.some(input => isRewardInput(readObject(input, 'an input')))
  const spent = readInputs(inputs)
  const payments = readArray(transaction.vout, 'the outputs of a transaction').flatMap((json): Payment[] => {
    const output = readObject(json, 'an output')
    if (isReward || !pays(output, script, coin)) return []
    const amount = readAtomic(output.value)
    return [{ txId, index: readHeight(output.n), script, amount, inputs: spent, block }]
  })
  return { block, payments }
}

const isRewardInput = ({ txid, coinbase }: JsonObject): boolean =>
  coinbase !== undefined || (typeof txid === 'string' && /^0{64}$/.test(txid))

/**
 * True if an output pays the script. Some versions report no script, so the output's address is compared
 * instead.
 */
function pays({ hex, addresses }: JsonObject, script: string, coin: CoinName): boolean {
  if (hex !== undefined && hex !== '') return readScript(hex) === script
  if (addresses === null) return false
  const [address, ...more] = readArray(addresses, 'the addresses of an output')
  return typeof address === 'string' && more.length === 0 && scriptOf(coin, address) === script
}

/**
 * Reads a transaction's block; null for an unconfirmed transaction, which has the height -1, or 0 in some
 * versions.
 */
function readBlock({ blockHeight, blockHash, blockTime }: JsonObject): Payment['block'] {
  const isUnconfirmed = blockHeight === undefined || blockHeight === UNCONFIRMED || blockHeight === 0
  if (isUnconfirmed && !isHash(blockHash)) return null
  return { height: readHeight(blockHeight), hash: readHash(blockHash), at: readTime(blockTime) }
}
