import { encodeTron } from '../../src/networks/addresses/tron.ts'
import type { Anvil } from './anvil.ts'
import { quantity, toHex, tronChain } from './tron-chain.ts'

/** Behaviour of a front. Each property can be changed while it runs. */
interface Shape {
  /** number of blocks until a block is solid */
  solidLag: number
  jsonrpc: boolean
  batches: boolean
  /** true if it lists TRX payments */
  coinList: boolean
  transactionById: boolean
  /** ID of block 0; null if blocks are not served */
  genesis: string | null
  indexLag: number
  /** the maximum number of entries on a page */
  pageSize: number
}

interface Request {
  id: number
  method: string
  params: unknown[]
}

type LogQuery = { fromBlock?: string; toBlock?: string }

const RANGE_MAX = 5000
const methods =
  /^(?:eth_(?:blockNumber|call|chainId|getBalance|getBlockByHash|getBlockByNumber|getCode|getLogs|getTransactionByHash|getTransactionReceipt|syncing)|net_version|web3_clientVersion)$/

const PRIVATE_GENESIS = `${'0'.repeat(16)}${'ab'.repeat(24)}`
/** The zero address. It has no key, but can be queried like any other. */
const NOBODY = encodeTron(new Uint8Array(20))

const refused = ({ id }: Request, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, data: '{}' },
})

/** java-tron's refusal of a request; null if it accepts the request. */
function refusalOf(request: Request): object | null {
  const { method, params } = request
  if (!methods.test(`${method}`)) return refused(request, -32601, 'method not found')
  if (/^eth_(?:getBalance|call|getCode)$/.test(method) && params[1] !== 'latest') {
    return refused(request, -32602, 'QUANTITY not supported, just support TAG as latest')
  }
  if (JSON.stringify(params).includes('"pending"')) {
    return refused(request, -32602, 'TAG pending not supported')
  }
  return null
}

/**
 * TronGrid and java-tron's JSON-RPC over anvil, with java-tron's restrictions. Execution, logs, receipts and
 * reorganisations are real. TRX is anvil's own coin, and one of its atomic units is one sun.
 */
export function startTronFront(anvil: Anvil, overrides: Partial<Shape> = {}) {
  const shape: Shape = {
    solidLag: 19,
    jsonrpc: true,
    batches: true,
    coinList: true,
    transactionById: true,
    genesis: PRIVATE_GENESIS,
    indexLag: 0,
    pageSize: 200,
    ...overrides,
  }
  const paths: string[] = []
  const chain = tronChain(anvil)
  const solid = async () => Math.max(0, (await anvil.head()) - shape.solidLag)

  async function heightOf(tag = 'latest'): Promise<number> {
    if (tag === 'latest') return anvil.head()
    if (tag === 'finalized') return solid()
    return tag === 'earliest' ? 0 : Number(tag)
  }

  async function answer(request: Request): Promise<object> {
    const { id, method } = request
    const params = [...(request.params ?? [])]
    const refusal = refusalOf({ ...request, params })
    if (refusal) return refusal
    if (method === 'eth_getLogs') {
      const { fromBlock, toBlock, ...filter } = params[0] as LogQuery
      const [from, to] = [await heightOf(fromBlock), await heightOf(toBlock)]
      if (to - from > RANGE_MAX) return refused(request, -32602, `exceed max block range: ${RANGE_MAX}`)
      params[0] = { ...filter, fromBlock: quantity(from), toBlock: quantity(to) }
    }
    if (method === 'eth_getBlockByNumber') params[0] = quantity(await heightOf(`${params[0]}`))
    return { jsonrpc: '2.0', id, result: await anvil.rpc<unknown>(method, params) }
  }

  async function rpc(body: Request | Request[]): Promise<object> {
    if (!Array.isArray(body)) return answer(body)
    if (!shape.batches) return refused({ id: 0, method: '', params: [] }, -32600, 'no batches')
    const answers: object[] = []
    for (const request of body) answers.push(await answer(request))
    return answers
  }

  function page(lines: object[], query: URLSearchParams): object {
    const from = Number(query.get('fingerprint') ?? 0)
    const to = from + Math.min(shape.pageSize, Number(query.get('limit') ?? 20))
    const data = lines.slice(from, to)
    const fingerprint = to < lines.length ? { fingerprint: `${to}` } : {}
    return { data, success: true, meta: { at: Date.now(), page_size: data.length, ...fingerprint } }
  }

  async function wallet(path: string, body: { value: string; num?: number }): Promise<object | null> {
    const [, scope, method] = /^[/](wallet|walletsolidity)[/](\w+)$/.exec(path) ?? []
    const upTo = scope === 'walletsolidity' ? await solid() : await anvil.head()
    if (method === 'getnowblock') return chain.header(upTo)
    if (method === 'gettransactioninfobyid') return chain.outcome(body.value, upTo)
    if (method === 'gettransactionbyid' && shape.transactionById) return chain.transaction(body.value, upTo)
    if (method === 'getblockbynum' && shape.genesis && body.num === 0) {
      return { blockID: shape.genesis, block_header: { raw_data: {} } }
    }
    return null
  }

  async function list(path: string, query: URLSearchParams): Promise<object | null> {
    const [, address, tokens] = /^[/]v1[/]accounts[/](\w+)[/]transactions([/]trc20)?$/.exec(path) ?? []
    if (!address || !(tokens || shape.coinList)) return null
    const account = address === NOBODY ? `0x${'0'.repeat(40)}` : toHex(address)
    const top = query.get('only_confirmed') === 'true' ? await solid() : await anvil.head()
    const upTo = Math.min(top, (await anvil.head()) - shape.indexLag)
    const linesOf = tokens ? chain.tokenLines : chain.coinLines
    const lines = await linesOf(account, upTo, query)
    return page(query.get('order_by') === 'block_timestamp,asc' ? lines.toReversed() : lines, query)
  }

  async function found(request: globalThis.Request): Promise<object | null> {
    const { pathname, searchParams } = new URL(request.url)
    paths.push(pathname)
    if (pathname === '/jsonrpc') return shape.jsonrpc ? rpc((await request.json()) as Request) : null
    if (pathname.startsWith('/v1/')) return list(pathname, searchParams)
    return wallet(pathname, (await request.json()) as { value: string })
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      try {
        const answer = await found(request)
        return answer ? Response.json(answer) : Response.json({ Error: 'not found' }, { status: 404 })
      } catch (error) {
        return Response.json({ success: false, error: `${error}`, statusCode: 400 }, { status: 400 })
      }
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    shape,
    /** the paths of all requests so far */
    paths,
    stop: () => server.stop(true),
  }
}

export type TronFront = ReturnType<typeof startTronFront>
