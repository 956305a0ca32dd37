import type { Json } from '../../domain/metadata.ts'
import type { Header } from '../evm-like/rpc-calls.ts'
import { NetworkError, StatusError } from '../port.ts'
import type { HttpEndpoint, HttpResponse } from '../rpc/http.ts'
import { malformedResponse, readArray, readObject } from '../rpc/json.ts'
import { toTronAddress } from './address.ts'
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
import { SolidAnswers } from './solid-answers.ts'

/** A node's interface for all blocks, or for solid blocks only. */
type Scope = 'wallet' | 'walletsolidity'

/** The entries that an index lists for one address. */
export interface Listed<T> {
  entries: T[]
  /** true if the list is longer than one scan reads */
  hasMore: boolean
  /** the time of the last entry of a long list; null if the endpoint does not list the oldest first */
  lastAt: number | null
}

const ENTRIES_AT_ONCE = 200
const PAGES_MAX = 10
/** Transactions with more logs and internal transfers than this are not kept in memory. */
const KEPT_LOGS_MAX = 8
const notServedStatuses = new Set([404, 405, 501])

/** True for the answer of an endpoint that lacks an interface, as opposed to an endpoint that is broken. */
export const isNotServed = ({ status }: HttpResponse): boolean => notServedStatuses.has(status)

/** The client of TronGrid's REST API: an index of transactions by address, and a node to verify them with. */
export class Rest {
  readonly #upstream: HttpEndpoint
  readonly #outcomes: SolidAnswers<Outcome>
  readonly #transfers: SolidAnswers<CoinTransfer | null>

  constructor(upstream: HttpEndpoint) {
    this.#upstream = upstream
    this.#outcomes = new SolidAnswers(upstream.clock)
    this.#transfers = new SolidAnswers(upstream.clock)
  }

  get host(): string {
    return this.#upstream.host
  }

  /** Reads the newest block. Throws NetworkError. */
  async newest(scope: Scope): Promise<Header> {
    const json = await this.#post(`/${scope}/getnowblock`, {})
    if (json === null) throw new NetworkError(`does not serve /${scope}/getnowblock`)
    return readHeader(json)
  }

  /** Reads the ID of the first block; null if the endpoint does not serve blocks. Throws NetworkError. */
  async genesis(): Promise<string | null> {
    return (await this.blockAt(0))?.hash.slice(2) ?? null
  }

  /** Reads a block; undefined if the endpoint does not serve blocks, or has no such block. */
  async blockAt(num: number): Promise<Header | undefined> {
    const json = await this.#post('/wallet/getblockbynum', { num })
    if (json === null || Object.keys(readObject(json, 'a block')).length === 0) return undefined
    const header = readHeader(json)
    if (header.height !== num) throw malformedResponse('the requested block')
    return header
  }

  /** True if the node's answer about a transaction is kept in memory. */
  isKnown(txId: string): boolean {
    return this.#outcomes.find(txId) !== undefined
  }

  /**
   * Reads a transaction in a block; null if the node has no such transaction in a block. Throws NetworkError.
   */
  async outcome(txId: string, scope: Scope): Promise<Outcome | null> {
    const isSolid = scope === 'walletsolidity'
    const known = isSolid ? this.#outcomes.find(txId) : undefined
    if (known) return known
    const json = await this.#post(`/${scope}/gettransactioninfobyid`, { value: txId })
    if (json === null) throw new NetworkError(`does not serve /${scope}/gettransactioninfobyid`)
    const outcome = readOutcome(json, txId)
    const isShort = outcome && outcome.logs.length + outcome.internals.length <= KEPT_LOGS_MAX
    if (isSolid && isShort) this.#outcomes.keep(txId, outcome)
    return outcome
  }

  /**
   * Reads a transfer of TRX; null if the transaction is of another kind, undefined if the endpoint does not
   * serve transactions. Throws NetworkError.
   */
  async transfer(txId: string, scope: Scope): Promise<CoinTransfer | null | undefined> {
    const isSolid = scope === 'walletsolidity'
    const known = isSolid ? this.#transfers.find(txId) : undefined
    if (known !== undefined) return known
    const json = await this.#post(`/${scope}/gettransactionbyid`, { value: txId })
    if (json === null) return undefined
    const transfer = readTransfer(json, txId)
    if (isSolid) this.#transfers.keep(txId, transfer)
    return transfer
  }

  /**
   * Lists transactions that may have paid TRX to an address since a time; null if the endpoint has no such
   * list. Throws NetworkError.
   */
  coinEntries(address: string, since: number): Promise<Listed<CoinEntry> | null> {
    const query = new URLSearchParams(listedSince(since))
    return this.#list(`/v1/accounts/${toTronAddress(address)}/transactions`, query, readCoinEntry)
  }

  /** Lists transactions that may have paid a token to an address since a time. Throws NetworkError. */
  async tokenEntries(address: string, contract: string, since: number): Promise<Listed<TokenEntry>> {
    const query = new URLSearchParams({
      ...listedSince(since),
      contract_address: toTronAddress(contract),
    })
    const path = `/v1/accounts/${toTronAddress(address)}/transactions/trc20`
    const listed = await this.#list(path, query, json => readTokenEntry(json, contract))
    if (listed === null) throw new NetworkError('does not list transfers of tokens')
    return listed
  }

  async #list<T extends { at: number }>(
    path: string,
    query: URLSearchParams,
    read: (json: Json) => T | null,
  ): Promise<Listed<T> | null> {
    const entries: T[] = []
    for (let page = 1; page <= PAGES_MAX; page++) {
      const json = await this.#read(await this.#upstream.get(`${path}?${query}`))
      if (json === null) return null
      const { data, meta = {} } = readObject(json, 'a list')
      const items = readArray(data, 'a list')
      for (const item of items) {
        const entry = read(item)
        if (entry) entries.push(entry)
      }
      const { fingerprint } = readObject(meta, 'the metadata of a list')
      if (typeof fingerprint !== 'string' || items.length === 0)
        return { entries, hasMore: false, lastAt: null }
      query.set('fingerprint', fingerprint)
    }
    const [first, last] = [entries[0], entries.at(-1)]
    const isOldestFirst = first !== undefined && last !== undefined && first.at <= last.at
    return { entries, hasMore: true, lastAt: isOldestFirst ? last.at : null }
  }

  async #post(path: string, body: Json): Promise<Json | null> {
    return this.#read(await this.#upstream.post(path, JSON.stringify(body)))
  }

  /** Reads an answer; null if the endpoint has no such path. */
  #read(answer: HttpResponse): Json | null {
    const { status, text } = answer
    if (isNotServed(answer)) return null
    if (text === null) throw new NetworkError('returned a response that is too long')
    const json = parsed(text)
    if (status === 200 && json !== undefined && json !== null) return json
    throw new StatusError(
      `answered with status ${status} and ${json === undefined ? 'a body that is not JSON' : 'an error'}`,
      status,
    )
  }
}

/** The query for incoming transactions since a time, the oldest first, so that a later scan can continue. */
const listedSince = (since: number): Record<string, string> => ({
  only_to: 'true',
  min_timestamp: `${since}`,
  order_by: 'block_timestamp,asc',
  limit: `${ENTRIES_AT_ONCE}`,
})

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
