import type { Json } from '../../domain/metadata.ts'
import type { Header } from '../evm/rpc-calls.ts'
import { NetworkError } from '../port.ts'
import type { Answer, Upstream } from '../rpc/http.ts'
import { malformedResponse, readArray, readObject } from '../rpc/json.ts'
import { toAddress } from './account.ts'
import {
  type CoinEntry,
  type CoinTransfer,
  type Outcome,
  readCoinEntry,
  readHeader,
  readOutcome,
  readTokenEntry,
  readTransfer,
  type TokenEntry,
} from './responses.ts'

/** What a node tells of its newest blocks, or of those alone that cannot be replaced any more. */
type Sight = 'wallet' | 'walletsolidity'

/** The lines of an index about one address. */
export interface Listed<T> {
  entries: T[]
  /** whether these are all of them */
  isWhole: boolean
}

const LINES_AT_ONCE = 200
const PAGES_MAX = 10
const unservedStatuses = new Set([404, 405, 501])

/** By these an endpoint says that it does not have what was asked for, and does not say that it is broken. */
export const isUnserved = ({ status }: Answer): boolean => unservedStatuses.has(status)

/** TronGrid's REST: an index of what happened to an address, and a node to look it up at. */
export class Rest {
  readonly #upstream: Upstream

  constructor(upstream: Upstream) {
    this.#upstream = upstream
  }

  /** Throws NetworkFault. */
  async newest(sight: Sight): Promise<Header> {
    const json = await this.#post(`/${sight}/getnowblock`, {})
    if (json === null) throw new NetworkError(`serves no /${sight}/getnowblock`)
    return readHeader(json)
  }

  /** The id of the first block; null where the endpoint does not serve blocks. Throws NetworkFault. */
  async genesis(): Promise<string | null> {
    const json = await this.#post('/wallet/getblockbynum', { num: 0 })
    if (json === null) return null
    const { height, hash } = readHeader(json)
    if (height !== 0) throw malformedResponse('the first block')
    return hash.slice(2)
  }

  /** Null where the node knows no such transaction in its blocks. Throws NetworkFault. */
  async outcome(txId: string, sight: Sight): Promise<Outcome | null> {
    const json = await this.#post(`/${sight}/gettransactioninfobyid`, { value: txId })
    if (json === null) throw new NetworkError(`serves no /${sight}/gettransactioninfobyid`)
    return readOutcome(json, txId)
  }

  /** Null where it moved no TRX; undefined where the endpoint serves no transactions. Throws NetworkFault. */
  async transfer(txId: string, sight: Sight): Promise<CoinTransfer | null | undefined> {
    const json = await this.#post(`/${sight}/gettransactionbyid`, { value: txId })
    return json === null ? undefined : readTransfer(json, txId)
  }

  /** What may have brought TRX to an account since a time; null where that is not served. */
  coinEntries(account: string, since: number): Promise<Listed<CoinEntry> | null> {
    const query = new URLSearchParams({
      only_to: 'true',
      min_timestamp: `${since}`,
      limit: `${LINES_AT_ONCE}`,
    })
    return this.#list(`/v1/accounts/${toAddress(account)}/transactions`, query, readCoinEntry)
  }

  /** What may have brought a token to an account since a time. Throws NetworkFault. */
  async tokenEntries(account: string, contract: string, since: number): Promise<Listed<TokenEntry>> {
    const query = new URLSearchParams({
      only_to: 'true',
      contract_address: toAddress(contract),
      min_timestamp: `${since}`,
      limit: `${LINES_AT_ONCE}`,
    })
    const path = `/v1/accounts/${toAddress(account)}/transactions/trc20`
    const listed = await this.#list(path, query, json => readTokenEntry(json, contract))
    if (listed === null) throw new NetworkError('serves no transfers of tokens')
    return listed
  }

  async #list<T>(
    path: string,
    query: URLSearchParams,
    read: (json: Json) => T | null,
  ): Promise<Listed<T> | null> {
    const entries: T[] = []
    for (let page = 1; page <= PAGES_MAX; page++) {
      const json = await this.#read(await this.#upstream.get(`${path}?${query}`))
      if (json === null) return null
      const { data, meta = {} } = readObject(json, 'a list')
      const lines = readArray(data, 'a list')
      for (const line of lines) {
        const entry = read(line)
        if (entry) entries.push(entry)
      }
      const { fingerprint } = readObject(meta, 'what is told of a list')
      if (typeof fingerprint !== 'string' || lines.length === 0) return { entries, isWhole: true }
      query.set('fingerprint', fingerprint)
    }
    return { entries, isWhole: false }
  }

  async #post(path: string, body: Json): Promise<Json | null> {
    return this.#read(await this.#upstream.post(path, JSON.stringify(body)))
  }

  /** Null where the endpoint has no such path. */
  #read(answer: Answer): Json | null {
    const { status, text } = answer
    if (isUnserved(answer)) return null
    if (text === null) throw new NetworkError('answers with more than may be read')
    const json = parsed(text)
    if (status === 200 && json !== undefined && json !== null) return json
    throw new NetworkError(
      `answers with ${json === undefined ? 'no JSON' : 'a refusal'} and status ${status}`,
    )
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
