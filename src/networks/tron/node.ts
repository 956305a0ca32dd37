import { assert } from '../../domain/errors.ts'
import { readQuantity } from '../evm-like/hex.ts'
import { type EndpointUrl, NetworkError } from '../port.ts'
import { HttpEndpoint, type HttpOptions } from '../rpc/http.ts'
import { JsonRpc } from '../rpc/json-rpc.ts'
import { printCalls } from '../rpc/json-rpc-codec.ts'
import { isNotServed, Rest } from './rest-api.ts'
import { MAINNET_ID, requireChainId, requireGenesis } from './verify-chain.ts'

/** The header in which TronGrid takes its key. */
const KEY_HEADER = 'TRON-PRO-API-KEY'
const RPC_PATH = '/jsonrpc'

const chainIdCall = { method: 'eth_chainId', params: [] }

/** The client of one endpoint of TRON, with the interfaces that the endpoint serves. */
export class Node {
  readonly #upstream: HttpEndpoint
  readonly #rpcPaths: string[]
  readonly url: string
  /** the client of the REST API; null if the endpoint has none */
  readonly rest: Rest | null
  /** the client of JSON-RPC; null if the endpoint has none, and before `verifyChain` */
  rpc: JsonRpc | null = null
  /** the chain ID; zero for a private chain that does not report its ID, and before `verifyChain` */
  chainId = 0

  constructor({ protocol, url }: EndpointUrl, options: HttpOptions) {
    assert(protocol === 'trongrid' || protocol === 'jsonrpc', `TRON does not speak ${protocol}`)
    const headersOf = () => options.headersOf?.(url) ?? {}
    this.url = url
    this.#upstream = new HttpEndpoint(withoutRpcPath(url), { ...options, headersOf, keyHeader: KEY_HEADER })
    this.rest = protocol === 'trongrid' ? new Rest(this.#upstream) : null
    this.#rpcPaths = this.rest ? [RPC_PATH] : [RPC_PATH, '']
  }

  get host(): string {
    return this.#upstream.host
  }

  get isLocal(): boolean {
    return this.#upstream.isLocal
  }

  /** True for a private chain, which is accepted on this machine only. */
  get isPrivate(): boolean {
    return this.chainId !== MAINNET_ID
  }

  /**
   * Finds the interfaces that the endpoint serves, and checks its chain. Throws WrongChain, or NetworkError.
   */
  async verifyChain(): Promise<void> {
    this.rpc = await this.#findRpc()
    this.chainId = this.rpc ? await this.#readChainId(this.rpc) : await this.#readGenesis()
  }

  async #findRpc(): Promise<JsonRpc | null> {
    for (const path of this.#rpcPaths) {
      const answer = await this.#upstream.post(path, printCalls([chainIdCall]))
      if (!isNotServed(answer)) return new JsonRpc(this.#upstream, path)
    }
    return null
  }

  async #readChainId(rpc: JsonRpc): Promise<number> {
    const [reply] = await rpc.ask([chainIdCall])
    if (!reply || 'error' in reply) {
      throw new NetworkError(`does not report its chain ID: "${reply?.error.message ?? ''}"`)
    }
    const chainId = Number(readQuantity(reply.result))
    requireChainId(chainId, this.isLocal)
    return chainId
  }

  /**
   * Returns the chain ID that follows from the first block; zero for a private chain that does not report the
   * block.
   */
  async #readGenesis(): Promise<number> {
    if (this.rest === null) throw new NetworkError('does not serve JSON-RPC')
    const { isLocal } = this
    const genesis = await this.rest.genesis()
    if (genesis !== null) return requireGenesis(genesis, isLocal)
    if (isLocal) return 0
    throw new NetworkError('does not report which chain it serves')
  }
}

/** Removes the path of JSON-RPC, which operators write or leave out. */
function withoutRpcPath(address: string): string {
  const url = new URL(address)
  url.pathname = url.pathname.replace(/[/]jsonrpc[/]?$/, '')
  return url.href
}
