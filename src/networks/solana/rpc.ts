import type { NetworkOptions } from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import { distinct, Endpoints } from '../rpc/failover.ts'
import { HttpEndpoint } from '../rpc/http.ts'
import { JsonRpc } from '../rpc/json-rpc.ts'
import { verifyChain } from './verify.ts'

interface LocatedNode extends Node {
  isLocal: boolean
}

/** The JSON-RPC endpoints of Solana. */
export function rpcOf({ chain, endpoints, healthOf, ...options }: NetworkOptions): Endpoints<LocatedNode> {
  const members = distinct(endpoints).map(({ url }) => {
    const endpoint = new HttpEndpoint(url, options)
    const rpc = new JsonRpc(endpoint)
    const node: LocatedNode = { isLocal: endpoint.isLocal, ask: calls => rpc.ask(calls) }
    return { host: endpoint.host, node, health: healthOf?.(url) }
  })
  return new Endpoints({
    chain,
    members,
    clock: options.clock,
    verifyChain: node => verifyChain(chain, node, node.isLocal),
  })
}
