import type { Json } from '../../../domain/metadata.ts'
import type { HttpEndpoint } from '../../rpc/http.ts'
import { type JsonObject, readArray, readObject } from '../../rpc/json.ts'
import { readAtomic } from '../amounts.ts'
import type { CoinName } from '../coins.ts'
import { isHash, readHash, readHeight, readScript, readTime } from '../responses.ts'
import { scriptOf } from '../script.ts'
import { AddressPages, type Page } from './address-pages.ts'
import { lowestOf, type Payment, type Reader, type Target, type Tip } from './reader.ts'
import { getJson } from './rest.ts'

const PAGE_SIZE = 25
/** While it takes a block in, it is not in sync either. */
const BLOCKS_BEHIND_MAX = 2
const UNCONFIRMED = -1

/** The REST API of Blockbook, version 2. */
export class BlockbookReader implements Reader {
  readonly protocol = 'blockbook'
  readonly #upstream: HttpEndpoint
  readonly #coin: CoinName
  readonly #pages = new AddressPages((target, mark) => this.#page(target, mark))
  #tellsHashes: boolean | null = null

  constructor(upstream: HttpEndpoint, coin: CoinName) {
    this.#upstream = upstream
    this.#coin = coin
  }

  get host(): string {
    return this.#upstream.host
  }

  get isLocal(): boolean {
    return this.#upstream.isLocal
  }

  async identity(): Promise<{ name: string | null; isMain: boolean | null }> {
    this.#tellsHashes = null
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
    const fault = isBehind ? `is not in sync at block ${height}` : null
    return { height, hash, at: Number.isNaN(at) ? null : at, fault }
  }

  async hashes(heights: readonly number[]): Promise<(string | null)[] | null> {
    this.#tellsHashes ??= (await this.#hash(0)) !== null
    if (!this.#tellsHashes) return null
    const hashes: (string | null)[] = []
    for (const height of heights) hashes.push(await this.#hash(height))
    return hashes
  }

  read(targets: Target[], tip: Tip) {
    return this.#pages.read(targets, tip)
  }

  forget(): void {
    this.#pages.forget()
  }

  async #status(): Promise<{ blockbook: JsonObject; backend: JsonObject }> {
    const status = readObject(await getJson(this.#upstream, '/api/v2'), 'its status')
    const backend = status.backend === undefined ? {} : readObject(status.backend, 'its status')
    return { blockbook: readObject(status.blockbook, 'its status'), backend }
  }

  /** An unknown path is answered with the status, by some with an error. */
  async #hash(height: number): Promise<string | null> {
    const json = await getJson(this.#upstream, `/api/v2/block-index/${height}`)
    const hash = json === null ? undefined : readObject(json, 'a hash').blockHash
    return hash === undefined || hash === '' ? null : readHash(hash)
  }

  async #page(target: Target, mark: string | null): Promise<Page> {
    const { address, script } = target
    const number = Number(mark ?? 1)
    const query = `details=txs&page=${number}&pageSize=${PAGE_SIZE}&from=${lowestOf(target) + 1}`
    const json = await getJson(this.#upstream, `/api/v2/address/${address}?${query}`)
    const { page, totalPages, transactions } = readObject(json, 'the transactions of an address')
    const list = transactions === undefined ? [] : readArray(transactions, 'a list of transactions')
    const read = list.map(one => readTransaction(one, script, this.#coin))
    const isLast = readHeight(page) !== number || typeof totalPages !== 'number' || totalPages <= number
    const heights = read.flatMap(({ block }) => (block ? [block.height] : []))
    return {
      payments: read.flatMap(({ payments }) => payments),
      oldest: heights.at(-1) ?? null,
      next: isLast ? null : `${number + 1}`,
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
  const payments = readArray(transaction.vout, 'the outputs of a transaction').flatMap((json): Payment[] => {
    const output = readObject(json, 'an output')
    if (isReward || !pays(output, script, coin)) return []
    return [{ txId, index: readHeight(output.n), script, amount: readAtomic(output.value), block }]
  })
  return { block, payments }
}

const isRewardInput = ({ txid, coinbase }: JsonObject): boolean =>
  coinbase !== undefined || (typeof txid === 'string' && /^0{64}$/.test(txid))

/** Not every version tells the script of an output. */
function pays({ hex, addresses }: JsonObject, script: string, coin: CoinName): boolean {
  if (hex !== undefined && hex !== '') return readScript(hex) === script
  if (addresses === null) return false
  const told = readArray(addresses, 'the addresses of an output')
  return told.length === 1 && typeof told[0] === 'string' && scriptOf(coin, told[0]) === script
}

/** Those without a block have the height -1, or 0 in some versions. */
function readBlock({ blockHeight, blockHash, blockTime }: JsonObject): Payment['block'] {
  const isUnconfirmed = blockHeight === undefined || blockHeight === UNCONFIRMED || blockHeight === 0
  if (isUnconfirmed && !isHash(blockHash)) return null
  return { height: readHeight(blockHeight), hash: readHash(blockHash), at: readTime(blockTime) }
}
