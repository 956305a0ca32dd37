import { assert } from '../../domain/errors.ts'
import { readQuantity } from '../evm/hex.ts'
import { type EndpointUrl, NetworkError } from '../port.ts'
import { HttpEndpoint, type HttpOptions } from '../rpc/http.ts'
import { JsonRpc } from '../rpc/json-rpc.ts'
import { printCalls } from '../rpc/json-rpc-codec.ts'
import { isUnserved, Rest } from './rest-api.ts'
import { believeChainId, believeGenesis } from './verify-chain.ts'

/** TronGrid takes its key in a header of its own. */
const KEY_HEADER = 'TRON-PRO-API-KEY'
const RPC_PATH = '/jsonrpc'

const chainIdCall = { method: 'eth_chainId', params: [] }

/** One endpoint of TRON, and which of the two interfaces it was found to have. */
export class Node {
  readonly #upstream: HttpEndpoint
  readonly #rpcPaths: string[]
  /** null where it has none */
  readonly rest: Rest | null
  /** null where it has none */
  rpc: JsonRpc | null = null
  /** zero for a private chain that does not tell one */
  chainId = 0

  constructor({ protocol, url }: EndpointUrl, options: HttpOptions) {
    assert(protocol === 'trongrid' || protocol === 'jsonrpc', `TRON is not spoken to by ${protocol}`)
    this.#upstream = new HttpEndpoint(withoutRpcPath(url), { ...options, keyHeader: KEY_HEADER })
    this.rest = protocol === 'trongrid' ? new Rest(this.#upstream) : null
    this.#rpcPaths = this.rest ? [RPC_PATH] : [RPC_PATH, '']
  }

  get host(): string {
    return this.#upstream.host
  }

  get isLocal(): boolean {
    return this.#upstream.isLocal
  }

  /** Looks what the endpoint serves, and of which chain. Throws WrongChain, or NetworkFault. */
  async prove(): Promise<void> {
    this.rpc = await this.#findRpc()
    this.chainId = this.rpc ? await this.#proveByRpc(this.rpc) : await this.#proveByBlock()
  }

  async #findRpc(): Promise<JsonRpc | null> {
    for (const path of this.#rpcPaths) {
      const answer = await this.#upstream.post(path, printCalls([chainIdCall]))
      if (!isUnserved(answer)) return new JsonRpc(this.#upstream, path)
    }
    return null
  }

  async #proveByRpc(rpc: JsonRpc): Promise<number> {
    const [reply] = await rpc.ask([chainIdCall])
    if (!reply || 'error' in reply) {
      throw new NetworkError(`does not tell its chain id: "${reply?.error.message ?? ''}"`)
    }
    const chainId = Number(readQuantity(reply.result))
    believeChainId(chainId, this.isLocal)
    return chainId
  }

  /** Where a private chain has no way to tell what it is, being on this machine is enough. */
  async #proveByBlock(): Promise<number> {
    if (this.rest === null) throw new NetworkError('serves no JSON-RPC')
    const { isLocal } = this
    const genesis = await this.rest.genesis()
    if (genesis !== null) return believeGenesis(genesis, isLocal)
    if (isLocal) return 0
    throw new NetworkError('does not tell which chain it serves')
  }
}

/** Operators name the URL of JSON-RPC with its path, and without. */
function withoutRpcPath(text: string): string {
  const url = new URL(text)
  url.pathname = url.pathname.replace(/[/]jsonrpc[/]?$/, '')
  return url.href
}
