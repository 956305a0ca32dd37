import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { blockHash } from '../../src/networks/monero/block-hash.ts'
import type { Fetch } from '../../src/networks/port.ts'
import type { FakeTransaction } from './monero-payment.ts'

export const GENESIS = '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3'

interface Block {
  hash: string
  previous: string
  at: number
  nonce: number
  /** the hash of the transaction that pays the miner */
  reward: string
  transactions: FakeTransaction[]
}

const VERSION = 16

// biome-ignore lint/suspicious/noExplicitAny: a daemon's JSON
type DaemonJson = any

/** A request to a daemon: a path or a JSON-RPC method, with its parameters. */
export interface Query {
  host: string
  method: string
  params: DaemonJson
}

let mined = 0

/** A chain with the RPC of monerod. Its blocks may contain transactions that consensus would refuse. */
export class FakeChain {
  blocks: Block[] = [
    { hash: GENESIS, previous: '00'.repeat(32), at: 0, nonce: 0, reward: '00'.repeat(32), transactions: [] },
  ]
  pool: FakeTransaction[] = []
  doubleSpent = new Set<string>()
  info: Record<string, unknown> = { nettype: 'fakechain', synchronized: true }

  mine(...transactions: FakeTransaction[]): void {
    mined += 1
    const reward = bytesToHex(keccak_256(utf8ToBytes(`block ${mined}`)))
    const at = Math.floor(Date.now() / 1000)
    const block = { previous: this.blocks.at(-1)!.hash, at, nonce: mined, reward, transactions }
    this.blocks.push({ hash: hashOf(block), ...block })
    this.pool = this.pool.filter(one => !transactions.includes(one))
  }

  mineEmpty(count: number): void {
    for (let block = 0; block < count; block++) this.mine()
  }

  get height(): number {
    return this.blocks.length - 1
  }

  pop(count: number): void {
    this.blocks.splice(-count)
  }

  /** A copy that continues separately. */
  fork(): FakeChain {
    const other = new FakeChain()
    other.blocks = [...this.blocks]
    other.info = { ...this.info }
    return other
  }

  answer({ method, params }: Query): DaemonJson {
    return this.#answers[method]?.(params) ?? null
  }

  readonly #answers: Record<string, (params: DaemonJson) => DaemonJson> = {
    get_info: () => ({
      status: 'OK',
      height: this.blocks.length,
      top_block_hash: this.blocks.at(-1)!.hash,
      ...this.info,
    }),
    get_block_headers_range: ({ start_height, end_height }) => {
      const headers = this.blocks.slice(start_height, end_height + 1)
      if (end_height > this.height) return { error: { code: -2, message: 'Invalid start/end heights.' } }
      return { status: 'OK', headers: headers.map(block => this.#header(block)) }
    },
    get_block: ({ hash }) => {
      const block = this.blocks.find(one => one.hash === hash)
      if (!block) return { error: { code: -5, message: "Internal error: can't get block by hash." } }
      const hashes = block.transactions.map(one => one.hash)
      const found = { status: 'OK', block_header: this.#header(block) }
      return hashes.length === 0 ? found : { ...found, tx_hashes: hashes }
    },
    '/get_transaction_pool_hashes': () =>
      this.pool.length === 0
        ? { status: 'OK' }
        : { status: 'OK', tx_hashes: this.pool.map(({ hash }) => hash) },
    '/get_transactions': ({ txs_hashes }) => {
      const known = [...this.pool, ...this.blocks.flatMap(({ transactions }) => transactions)]
      const found = known.filter(({ hash }) => txs_hashes.includes(hash))
      const txs = found.map(one => this.#transaction(one))
      return { status: 'OK', ...(txs.length > 0 && { txs }) }
    },
  }

  #header(block: Block): DaemonJson {
    const { hash, transactions } = block
    return { hash, height: this.blocks.indexOf(block), num_txes: transactions.length, ...partsOf(block) }
  }

  #transaction({ hash, json }: FakeTransaction): DaemonJson {
    const isDoubleSpent = this.doubleSpent.has(hash)
    return {
      tx_hash: hash,
      as_hex: '',
      as_json: JSON.stringify(json, null, 2),
      double_spend_seen: isDoubleSpent,
    }
  }
}

const partsOf = ({ previous, at, nonce, reward }: Omit<Block, 'hash'>) => ({
  major_version: VERSION,
  minor_version: VERSION,
  timestamp: at,
  prev_hash: previous,
  nonce,
  miner_tx_hash: reward,
})

const hashOf = (block: Omit<Block, 'hash'>): string =>
  blockHash(
    partsOf(block),
    block.transactions.map(({ hash }) => hash),
  )

/** May replace a daemon's answer. null keeps it. */
export type Tap = (query: Query, answer: DaemonJson) => DaemonJson | Response | null | Promise<DaemonJson>

/** Daemons by host, reached like `fetch`. A host without a daemon is down. */
export function daemonsOn(chains: Record<string, FakeChain>) {
  const asked: Query[] = []
  const traffic = { asked, tap: (() => null) as Tap }
  const reach: Fetch = async (url, init) => {
    const { host, pathname } = new URL(url)
    const chain = chains[host]
    if (!chain) throw new TypeError('connection refused')
    const { id, ...query } = queryOf(host, pathname, init?.body)
    asked.push(query)
    const own = chain.answer(query)
    const answer = (await traffic.tap(query, own)) ?? own
    if (answer instanceof Response) return answer
    return Response.json(pathname === RPC ? replyOf(id, answer) : answer)
  }
  return { traffic, reach, chains }
}

const RPC = '/json_rpc'

function queryOf(host: string, path: string, body: unknown): Query & { id: unknown } {
  const sent = body ? JSON.parse(String(body)) : {}
  const { id, method, params } = sent
  return path === RPC ? { host, method, params, id } : { host, method: path, params: sent, id }
}

const replyOf = (id: unknown, answer: DaemonJson): object => ({
  jsonrpc: '2.0',
  id,
  ...(answer?.error ? { error: answer.error } : { result: answer }),
})
