import { type Fetch, NetworkError } from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import { Endpoints, WrongChain } from '../rpc/failover.ts'
import { HttpEndpoint } from '../rpc/http.ts'
import { JsonRpc } from '../rpc/json-rpc.ts'
import { readQuantity } from './hex.ts'

interface RpcOptions {
  /** as an operator reads it: "polygon" */
  chain: string
  chainId: number
  endpoints: readonly string[]
  fetch: Fetch
  /** milliseconds since 1970 UTC */
  clock: () => number
  timeoutMs?: number
  maxBytes?: number
}

/** The JSON-RPC endpoints of one chain id. */
export function rpcOf({ chain, chainId, endpoints, ...options }: RpcOptions): Endpoints<Node> {
  // One that is named twice has one opinion.
  const nodes = [...new Set(endpoints)].map(url => new JsonRpc(new HttpEndpoint(url, options)))
  return new Endpoints<Node>({
    chain,
    members: nodes.map(node => ({ host: node.host, node })),
    clock: options.clock,
    async verifyChain(node) {
      const [reply] = await node.ask([{ method: 'eth_chainId', params: [] }])
      if (!reply || 'error' in reply) {
        throw new NetworkError(`does not tell its chain id: "${reply?.error.message ?? ''}"`)
      }
      const told = readQuantity(reply.result)
      if (told === BigInt(chainId)) return
      throw new WrongChain(`serves chain ${told}, but ${chain} is chain ${chainId}: name another endpoint`)
    },
  })
}
