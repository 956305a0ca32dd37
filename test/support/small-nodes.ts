import { assets } from '../../src/networks/assets.ts'
import { FakeChain } from './fake-monerod.ts'
import type { Solana } from './solana.ts'

/** Answers a request, given its path with the query, and its body. */
export type Answer = (path: string, body: string) => Response | Promise<Response>

const TIP = 120
const hashAt = (height: number): string => `bb${height.toString(16).padStart(62, '0')}`
const json = (value: unknown): Response => Response.json(value)
const missing = (): Response => new Response('Not found', { status: 404 })
const now = (): number => Math.floor(Date.now() / 1000)

/** An empty chain like Bitcoin, in Esplora's API. */
export const esplora =
  (genesis = hashAt(0)): Answer =>
  path => {
    if (path === '/blocks/tip/height') return new Response(`${TIP}`)
    const [, height] = /^[/]block-height[/](\d+)$/.exec(path) ?? []
    if (height !== undefined) return new Response(height === '0' ? genesis : hashAt(Number(height)))
    if (path.startsWith('/block/')) return json({ timestamp: now() })
    if (path.endsWith('/txs')) return json([])
    return path.startsWith('/address/') ? json({ chain_stats: { funded_txo_sum: 0 } }) : missing()
  }

/** An empty chain like Bitcoin, in Blockbook's API. */
export const blockbook =
  (coin = 'Bitcoin', genesis = hashAt(0)): Answer =>
  path => {
    const [place, value] = path.replace(/^[/]api[/]v2[/]?|[?].*$/g, '').split('/')
    if (place === 'address') return json({ page: 1, totalPages: 1, totalReceived: '0' })
    if (place === 'block-index') return json({ blockHash: value === '0' ? genesis : hashAt(Number(value)) })
    return json({
      blockbook: { coin, bestHeight: TIP, inSync: true },
      backend: { chain: 'main', blocks: TIP },
    })
  }

type Param = string | number

interface Request {
  id: number
  method: string
  params: Param[]
}

/** JSON-RPC, with single calls or batches. A method without an answer is unknown. */
export const jsonRpc =
  (answers: Record<string, (params: Param[]) => unknown>): Answer =>
  (_, body) => {
    const sent = JSON.parse(body) as Request | Request[]
    const reply = ({ id, method, params }: Request) => {
      const answer = answers[method]
      if (!answer) return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
      return { jsonrpc: '2.0', id, result: answer(params) }
    }
    return json(Array.isArray(sent) ? sent.map(reply) : reply(sent))
  }

/** An empty chain like Bitcoin, in Bitcoin Core's API. */
export const core = (genesis = hashAt(0)): Answer =>
  jsonRpc({
    getblockchaininfo: () => ({
      chain: 'regtest',
      blocks: TIP,
      bestblockhash: hashAt(TIP),
      mediantime: now(),
    }),
    getblockhash: ([height]) => (height === 0 ? genesis : hashAt(Number(height))),
    getblock: ([hash]) => {
      const height = Number.parseInt(`${hash}`.slice(2), 16)
      const reward = { txid: hashAt(height), vin: [{ coinbase: '00' }], vout: [] }
      return { hash, height, time: now(), merkleroot: reward.txid, tx: [reward] }
    },
    getrawmempool: () => [],
  })

/** TronGrid without JSON-RPC and without payments. The ID of the first block identifies the chain. */
export const trongrid =
  (genesis: string): Answer =>
  path => {
    const block = (height: number, blockID: string) =>
      json({ blockID, block_header: { raw_data: { number: height, timestamp: Date.now() } } })
    if (path === '/wallet/getblockbynum') return block(0, genesis)
    if (/^[/]wallet(solidity)?[/]getnowblock$/.test(path)) return block(TIP, hashAt(TIP))
    return path.startsWith('/v1/accounts/') ? json({ data: [], success: true, meta: {} }) : missing()
  }

/** A monerod of any network. */
export function monerod(nettype: string): Answer {
  const chain = new FakeChain()
  chain.mineEmpty(TIP)
  chain.info = { nettype, synchronized: true }
  return (path, body) => {
    const sent = body === '' ? {} : JSON.parse(body)
    if (path !== '/json_rpc') return json(chain.answer({ host: '', method: path, params: sent }))
    const { id, method, params } = sent
    return json({ jsonrpc: '2.0', id, result: chain.answer({ host: '', method, params }) })
  }
}

/** A Solana node with its own genesis or another one. */
export const solanaNode =
  ({ url }: Solana, genesis?: string): Answer =>
  async (_, body) => {
    const reply = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    if (genesis === undefined || !body.includes('getGenesisHash')) return reply
    return jsonRpc({ getGenesisHash: () => genesis })(_, body)
  }

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const MINT_BYTES = 82
const DECIMALS_AT = 44
const DECIMALS = 6

/** Adds every token of Solana to a node, as on the main chain. */
export function addMints({ methods }: Solana): void {
  const mints = assets.filter(({ chain, contract }) => chain === 'solana' && contract !== null)
  const known = methods.getAccountInfo as (key: string) => unknown
  const mint = Buffer.alloc(MINT_BYTES)
    .fill(DECIMALS, DECIMALS_AT, DECIMALS_AT + 1)
    .toString('base64')
  const value = {
    lamports: 1,
    owner: TOKEN_PROGRAM,
    executable: false,
    data: [mint, 'base64'],
    space: MINT_BYTES,
  }
  methods.getAccountInfo = (key: string) =>
    mints.some(({ contract }) => contract === key) ? { context: { slot: 1 }, value } : known(key)
}
