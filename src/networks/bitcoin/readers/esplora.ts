import type { Json } from '../../../domain/metadata.ts'
import { NetworkError } from '../../port.ts'
import type { HttpEndpoint } from '../../rpc/http.ts'
import { malformedResponse, readArray, readObject } from '../../rpc/json.ts'
import { readAtomic } from '../amounts.ts'
import { readInputs } from '../inputs.ts'
import { readHash, readHeight, readScript, readTime } from '../responses.ts'
import { AddressPages, type Page } from './address-pages.ts'
import type { Payment, Reader, Target, Tip } from './reader.ts'
import { getJson, getText } from './rest.ts'

/** The default number of confirmed transactions on a page. */
const PAGE_DEFAULT = 25
/**
 * A page with fewer transactions is taken for the last page, since hardly any server has a smaller page size.
 */
const PAGE_MIN = 10

/** Reads the REST API of Esplora, mempool.space and litecoinspace.org. */
export class EsploraReader implements Reader {
  readonly protocol = 'esplora'
  readonly readsBlocks = false
  readonly #endpoint: HttpEndpoint
  readonly #pages = new AddressPages(
    (target, token) => this.#page(target, token),
    target => this.received(target),
  )
  #newest: { hash: string; at: number | null } | null = null

  constructor(endpoint: HttpEndpoint) {
    this.#endpoint = endpoint
  }

  get host(): string {
    return this.#endpoint.host
  }

  get isLocal(): boolean {
    return this.#endpoint.isLocal
  }

  async identity(): Promise<{ name: null; isMain: null }> {
    return { name: null, isMain: null }
  }

  async tip(): Promise<Tip> {
    const text = await getText(this.#endpoint, '/blocks/tip/height')
    if (text === null || !/^[0-9]{1,10}$/.test(text.trim())) throw malformedResponse('a height')
    const height = readHeight(Number(text))
    const hash = await this.#hash(height)
    if (hash === null) throw new NetworkError(`does not report the hash of its newest block ${height}`)
    if (this.#newest?.hash !== hash) this.#newest = { hash, at: await this.#foundAt(hash) }
    return { height, hash, at: this.#newest.at, problem: null }
  }

  async hashes(heights: readonly number[]): Promise<(string | null)[]> {
    const hashes: (string | null)[] = []
    for (const height of heights) hashes.push(await this.#hash(height))
    return hashes
  }

  read(targets: Target[], tip: Tip) {
    return this.#pages.read(targets, tip)
  }

  /**
   * Reads the sum of all payments to an address; null also for an error, since some servers refuse this
   * request for addresses with many payments.
   */
  async received({ address }: Pick<Target, 'address'>): Promise<bigint | null> {
    try {
      return readReceived(await getJson(this.#endpoint, `/address/${address}`))
    } catch (error) {
      if (error instanceof NetworkError) return null
      throw error
    }
  }

  forget(): void {
    this.#pages.forget()
  }

  async #hash(height: number): Promise<string | null> {
    const text = await getText(this.#endpoint, `/block-height/${height}`)
    return text === null ? null : readHash(text.trim())
  }

  /** Reads the time of a block; null where the endpoint does not report it. */
  async #foundAt(hash: string): Promise<number | null> {
    const json = await getJson(this.#endpoint, `/block/${hash}`)
    return json === null ? null : readTime(readObject(json, 'a block').timestamp)
  }

  async #page(target: Target, token: string | null): Promise<Page | null> {
    const [length, last] = token?.split(' ') ?? []
    const rest = last === undefined ? '' : `/chain/${last}`
    const json = await getJson(this.#endpoint, `/address/${target.address}/txs${rest}`)
    if (json === null && token === null) throw malformedResponse('the transactions of an address')
    if (json === null) return Number(length) < PAGE_DEFAULT ? emptyPage : null
    return pageOf(readArray(json, 'a list of transactions'), target.script)
  }
}

/** Reads the sum from an address's JSON; null also for a sum that is too large to be exact in JSON. */
function readReceived(json: Json | null): bigint | null {
  const stats = json === null ? undefined : readObject(json, 'an address').chain_stats
  const sum = stats === undefined ? undefined : readObject(stats, 'the sums of an address').funded_txo_sum
  return typeof sum === 'number' && Number.isSafeInteger(sum) ? BigInt(sum) : null
}

const emptyPage: Page = { payments: [], oldest: null, next: null }

function pageOf(list: Json[], script: string): Page {
  const transactions = list.map(json => readTransaction(json, script))
  const settled = transactions.filter(({ block }) => block !== null)
  const last = settled.at(-1)
  return {
    payments: transactions.flatMap(({ payments }) => payments),
    oldest: last?.block?.height ?? null,
    next: last && settled.length >= PAGE_MIN ? `${settled.length} ${last.txId}` : null,
  }
}

interface Transaction {
  txId: string
  block: Payment['block']
  payments: Payment[]
}

function readTransaction(json: Json, script: string): Transaction {
  const transaction = readObject(json, 'a transaction')
  const txId = readHash(transaction.txid)
  const block = readStatus(transaction.status)
  const outputs = readArray(transaction.vout, 'the outputs of a transaction')
  const inputs = readArray(transaction.vin, 'the inputs of a transaction')
  const isReward = inputs.some(input => readObject(input, 'an input').is_coinbase === true)
  const spent = readInputs(inputs)
  const payments = outputs.flatMap((output, index): Payment[] => {
    const { scriptpubkey, value } = readObject(output, 'an output')
    if (readScript(scriptpubkey) !== script || isReward) return []
    return [{ txId, index, script, amount: readAtomic(value), inputs: spent, block }]
  })
  return { txId, block, payments }
}

function readStatus(json: Json | undefined): Payment['block'] {
  const status = readObject(json, 'the status of a transaction')
  if (status.confirmed === false) return null
  if (status.confirmed !== true) throw malformedResponse('the status of a transaction')
  return {
    height: readHeight(status.block_height),
    hash: readHash(status.block_hash),
    at: readTime(status.block_time),
  }
}
