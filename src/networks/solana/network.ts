import type { Asset } from '../../domain/asset.ts'
import type { Json } from '../../domain/metadata.ts'
import { type Network, NetworkError, type OwnAddress, type WatcherOptions } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { HealthCache } from '../rpc/cache.ts'
import { scanWithQuorum } from '../rpc/quorum.ts'
import type { ChainConfig } from './chain-config.ts'
import { printCursor } from './cursor.ts'
import { mintFault, walletFault } from './readiness.ts'
import { rpcOf } from './rpc.ts'
import { type Account, accountOf, type Listed, signaturesOf, slotOf } from './rpc-calls.ts'
import { look } from './scan.ts'
import { sweep } from './sweep.ts'
import { placesOf } from './tracked-accounts.ts'

/** Solana by its JSON-RPC nodes: SOL and the tokens of the table, by what transactions change. */
export function solanaNetwork(options: WatcherOptions): Network {
  const { chain, assets, clock } = options
  const config: ChainConfig = { chain, assets, clock }
  const rpc = rpcOf(options)
  const remembered = new HealthCache(clock)

  function checkAsset({ id }: Asset): void {
    if (!assets.some(asset => asset.id === id)) throw new NetworkError(`${id} is no asset of ${chain}`)
  }

  return {
    chain,
    async unavailableReason(asset) {
      try {
        checkAsset(asset)
        await rpc.ensureReachable()
        const key = `${asset.contract} ${asset.decimals}`
        return await remembered.problem(key, () => rpc.withFailover(node => mintFault(node, asset)))
      } catch (error) {
        return error instanceof Error ? error.message : `${chain} cannot be examined`
      }
    },
    async startWatch(asset, own) {
      checkAsset(asset)
      return rpc.withFailover(node => begin(node, config, own))
    },
    async scan(watches) {
      for (const { asset } of watches) checkAsset(asset)
      if (watches.length === 0) return []
      return scanWithQuorum(rpc, (node, own) => look(node, config, own), watches)
    },
    sweep: request => rpc.withFailover(node => sweep(node, config, request)),
  }
}

/** After what an address has received by now, and in no older slot. */
async function begin(node: Node, config: ChainConfig, { address, source }: OwnAddress): Promise<Json> {
  const places = placesOf(config, address, source, 0, [])
  const [opened, account, ...newest] = await ask<[number, Account | null, ...Listed[][]]>(node, [
    slotOf('confirmed'),
    accountOf(address),
    ...places.map(place => signaturesOf(place.account, null, null, 0, 1)),
  ])
  const fault = walletFault(address, account)
  if (fault) throw new NetworkError(fault)
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
