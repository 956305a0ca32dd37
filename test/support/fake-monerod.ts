import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Fetch } from '../../src/networks/port.ts'
import type { FakeTransaction } from './monero-payment.ts'

export const GENESIS = '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3'

interface Block {
  hash: string
  previous: string
  at: number
  transactions: FakeTransaction[]
}

// biome-ignore lint/suspicious/noExplicitAny: a daemon's JSON
type Told = any

/** What a daemon is asked: a path, or a method of its JSON-RPC; and what with. */
export interface Query {
  host: string
  about: string
  params: Told
}

let mined = 0

/** A chain that is told as monerod tells it: what consensus would refuse can be put into its blocks. */
export class FakeChain {
  blocks: Block[] = [{ hash: GENESIS, previous: '00'.repeat(32), at: 0, transactions: [] }]
  waiting: FakeTransaction[] = []
  doubleSpent = new Set<string>()
  info: Record<string, unknown> = { nettype: 'fakechain', synchronized: true }

  mine(...transactions: FakeTransaction[]): void {
    mined += 1
    const hash = bytesToHex(keccak_256(utf8ToBytes(`block ${mined}`)))
    const at = Math.floor(Date.now() / 1000)
    this.blocks.push({ hash, previous: this.blocks.at(-1)!.hash, at, transactions })
    this.waiting = this.waiting.filter(one => !transactions.includes(one))
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

  /** The same chain so far, which goes on by itself. */
  fork(): FakeChain {
    const other = new FakeChain()
    other.blocks = [...this.blocks]
    other.info = { ...this.info }
    return other
  }

  answer({ about, params }: Query): Told {
    return this.#answers[about]?.(params) ?? null
  }

  readonly #answers: Record<string, (params: Told) => Told> = {
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
      const told = { status: 'OK', block_header: this.#header(block) }
      return hashes.length === 0 ? told : { ...told, tx_hashes: hashes }
    },
    '/get_transaction_pool_hashes': () =>
      this.waiting.length === 0
        ? { status: 'OK' }
        : { status: 'OK', tx_hashes: this.waiting.map(({ hash }) => hash) },
    '/get_transactions': ({ txs_hashes }) => {
      const known = [...this.waiting, ...this.blocks.flatMap(({ transactions }) => transactions)]
      const found = known.filter(({ hash }) => txs_hashes.includes(hash))
      const txs = found.map(one => this.#told(one))
      return { status: 'OK', ...(txs.length > 0 && { txs }) }
    },
  }

  #header(block: Block): Told {
    const { hash, previous, at, transactions } = block
    const height = this.blocks.indexOf(block)
    return { hash, height, prev_hash: previous, timestamp: at, num_txes: transactions.length }
  }

  #told({ hash, json }: FakeTransaction): Told {
    const isDoubtful = this.doubleSpent.has(hash)
    return {
      tx_hash: hash,
      as_hex: '',
      as_json: JSON.stringify(json, null, 2),
      double_spend_seen: isDoubtful,
    }
  }
}

/** May answer in a daemon's place; null leaves it to the daemon. */
export type Tap = (question: Query, told: Told) => Told | Response | null | Promise<Told>

/** Daemons by their hosts, as `fetch` reaches them; a host without one is down. */
export function daemonsOn(chains: Record<string, FakeChain>) {
  const asked: Query[] = []
  const traffic = { asked, tap: (() => null) as Tap }
  const reach: Fetch = async (url, init) => {
    const { host, pathname } = new URL(url)
    const chain = chains[host]
    if (!chain) throw new TypeError('connection refused')
    const { id, ...question } = questionOf(host, pathname, init?.body)
    asked.push(question)
    const told = chain.answer(question)
    const answer = (await traffic.tap(question, told)) ?? told
    if (answer instanceof Response) return answer
    return Response.json(pathname === RPC ? replyOf(id, answer) : answer)
  }
  return { traffic, reach, chains }
}

const RPC = '/json_rpc'

function questionOf(host: string, path: string, body: unknown): Query & { id: unknown } {
  const sent = body ? JSON.parse(String(body)) : {}
  const { id, method, params } = sent
  return path === RPC ? { host, about: method, params, id } : { host, about: path, params: sent, id }
}

const replyOf = (id: unknown, answer: Told): object => ({
  jsonrpc: '2.0',
  id,
  ...(answer?.error ? { error: answer.error } : { result: answer }),
})
