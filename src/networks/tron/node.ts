import { assert } from '../../domain/errors.ts'
import { readQuantity } from '../evm-like/hex.ts'
import { type EndpointUrl, NetworkError } from '../port.ts'
import { HttpEndpoint, type HttpOptions } from '../rpc/http.ts'
import { JsonRpc } from '../rpc/json-rpc.ts'
import { printCalls } from '../rpc/json-rpc-codec.ts'
import { isNotServed, Rest } from './rest-api.ts'
import { MAINNET_ID, requireChainId, requireGenesis } from './verify-chain.ts'

/** TronGrid takes its key in its own header. */
const KEY_HEADER = 'TRON-PRO-API-KEY'
const RPC_PATH = '/jsonrpc'

const chainIdCall = { method: 'eth_chainId', params: [] }

/** One endpoint of TRON, with the interfaces that it serves. */
export class Node {
  readonly #upstream: HttpEndpoint
  readonly #rpcPaths: string[]
  readonly url: string
  /** null if it isn't served */
  readonly rest: Rest | null
  /** null if it isn't served */
  rpc: JsonRpc | null = null
  /** zero for a private chain that doesn't report one */
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

  /** Private chains are accepted on this machine only. */
  get isPrivate(): boolean {
    return this.chainId !== MAINNET_ID
  }

  /** Finds the interfaces that the endpoint serves, and its chain. Throws WrongChain, or NetworkError. */
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

  /** A private chain that can't report its id is accepted on this machine. */
  async #readGenesis(): Promise<number> {
    if (this.rest === null) throw new NetworkError('does not serve JSON-RPC')
    const { isLocal } = this
    const genesis = await this.rest.genesis()
    if (genesis !== null) return requireGenesis(genesis, isLocal)
    if (isLocal) return 0
    throw new NetworkError('does not report which chain it serves')
  }
}

/** Operators write the URL of JSON-RPC with its path, or without. */
function withoutRpcPath(address: string): string {
  const url = new URL(address)
  url.pathname = url.pathname.replace(/[/]jsonrpc[/]?$/, '')
  return url.href
}
