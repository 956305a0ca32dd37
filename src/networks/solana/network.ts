import type { Json } from '../../domain/metadata.ts'
import { type AssetGroup, makeNetwork } from '../make-network.ts'
import { type Network, NetworkError, type OwnAddress, type WatcherOptions } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import type { ChainConfig } from './chain-config.ts'
import { printCursor } from './cursor.ts'
import { mintFault, walletFault } from './readiness.ts'
import { rpcOf } from './rpc.ts'
import { type Account, accountOf, type Listed, signaturesOf, slotOf } from './rpc-calls.ts'
import { look } from './scan.ts'
import { sweep } from './sweep.ts'
import { placesOf } from './tracked-accounts.ts'

/** Solana by JSON-RPC: SOL and tokens, by what transactions change. */
export function solanaNetwork(options: WatcherOptions): Network {
  const { chain, assets, clock } = options
  const config: ChainConfig = { chain, assets, clock }
  const group: AssetGroup<Node> = {
    endpoints: rpcOf(options),
    checkAsset: mintFault,
    startWatch: (node, _asset, own) => startWatch(node, config, own),
    scan: (node, watches) => look(node, config, watches),
  }
  return makeNetwork({
    chain,
    assets,
    clock,
    groupOf: () => group,
    sweep: request => group.endpoints.withFailover(node => sweep(node, config, request)),
  })
}

/** The first cursor of an address: after what it has received by now, and in no older slot. */
async function startWatch(node: Node, config: ChainConfig, { address, source }: OwnAddress): Promise<Json> {
  const places = placesOf(config, address, source, 0, [])
  const [opened, account, ...newest] = await ask<[number, Account | null, ...Listed[][]]>(node, [
    slotOf('confirmed'),
    accountOf(address),
    ...places.map(place => signaturesOf(place.account, null, null, 0, 1)),
  ])
  const problem = walletFault(address, account)
  if (problem) throw new NetworkError(problem)
  return printCursor({
    slot: Math.max(0, opened - 1),
    seen: opened,
    told: 0,
    opened,
    places: places.map((place, index) => ({
      ...place,
      slot: opened,
      until: newest[index]?.[0]?.signature ?? null,
    })),
  })
}
