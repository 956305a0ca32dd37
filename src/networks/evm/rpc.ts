import { isKnownChainId } from '../assets.ts'
import { readQuantity } from '../evm-like/hex.ts'
import { type Fetch, NetworkError, type NetworkOptions } from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import { Endpoints, WrongChain } from '../rpc/failover.ts'
import { HttpEndpoint } from '../rpc/http.ts'
import { JsonRpc } from '../rpc/json-rpc.ts'

interface RpcOptions extends Pick<NetworkOptions, 'headersOf' | 'healthOf'> {
  /** the name that operators use, such as "polygon" */
  chain: string
  chainId: number
  endpoints: readonly string[]
  fetch: Fetch
  /** milliseconds since 1970 UTC */
  clock: () => number
  timeoutMs?: number
  maxBytes?: number
}

/** True for a developer's own chain, whose ID is not in the registry and which only this machine serves. */
export const isPrivateChain = (options: RpcOptions): boolean =>
  !isKnownChainId(options.chainId) && options.endpoints.every(url => new HttpEndpoint(url, options).isLocal)

/** The JSON-RPC endpoints of one chain ID. */
export function rpcOf({ chain, chainId, endpoints, ...options }: RpcOptions): Endpoints<Node> {
  // An endpoint may serve the chain of the registry and not the chain of an assets file, so its health is
  // recorded for each of these uses.
  const use = isKnownChainId(chainId) ? '' : `chain ${chainId}`
  // An endpoint that is listed twice must not confirm its own report.
  const members = [...new Set(endpoints)].map(url => {
    const node = new JsonRpc(new HttpEndpoint(url, options))
    return { host: node.host, node, health: options.healthOf?.(url, use) }
  })
  return new Endpoints<Node>({
    chain,
    members,
    clock: options.clock,
    async verifyChain(node) {
      const [reply] = await node.ask([{ method: 'eth_chainId', params: [] }])
      if (!reply || 'error' in reply) {
        throw new NetworkError(`does not report its chain ID: "${reply?.error.message ?? ''}"`)
      }
      const served = readQuantity(reply.result)
      if (served === BigInt(chainId)) return
      throw new WrongChain(`serves chain ${served}, but ${chain} is chain ${chainId}: use another endpoint`)
    },
  })
}
