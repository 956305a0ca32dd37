import { NetworkError, type WatcherOptions } from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import { Endpoints, WrongChain } from '../rpc/failover.ts'
import { HttpEndpoint } from '../rpc/http.ts'
import { JsonRpc } from '../rpc/json-rpc.ts'
import { genesisHash } from './rpc-calls.ts'

interface Member extends Node {
  host: string
  isLocal: boolean
}

/** The name of a chain is the hash of its first block. */
const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const others = new Map([
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'the devnet of Solana'],
  ['4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY', 'the testnet of Solana'],
  ['EAQLJCV2mh23BsK2P9oYpV5CHVLDNHTxYss3URrNmg3s', 'Eclipse'],
  ['CX4huckiV9QNAkKNVKi5Tj8nxzBive5kQimd94viMKsU', 'the testnet of Eclipse'],
])

/** The JSON-RPC endpoints of Solana. */
export function rpcOf({ chain, endpoints, fetch, clock }: WatcherOptions): Endpoints<Node> {
  const nodes = endpoints.map(({ url }): Member => {
    const upstream = new HttpEndpoint(url, { fetch, clock })
    const rpc = new JsonRpc(upstream)
    return { host: upstream.host, isLocal: upstream.isLocal, ask: calls => rpc.ask(calls) }
  })
  return new Endpoints<Node>({
    chain,
    members: nodes.map(node => ({ host: node.host, node })),
    clock,
    verifyChain: node => prove(chain, node as Member),
  })
}

/** A chain of one's own is believed on this machine, where it need not know its own name. */
async function prove(chain: string, node: Member): Promise<void> {
  const [reply] = await node.ask([genesisHash.call])
  const isMute = !reply || 'error' in reply
  if (isMute && node.isLocal) return
  if (isMute) throw new NetworkError(`does not tell its genesis: "${reply?.error.message ?? ''}"`)
  const told = genesisHash.read(reply.result)
  if (told === MAINNET || (node.isLocal && !others.has(told))) return
  const name = others.get(told) ?? `the chain of genesis ${told}`
  throw new WrongChain(`serves ${name}, not ${chain}: name another endpoint`)
}
