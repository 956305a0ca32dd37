import { chainOf } from '../../../domain/asset.ts'
import type { Attempt } from '../../../domain/attempt.ts'
import type { Networks } from '../../../networks/port.ts'
import type { Context } from '../../context.ts'

const known = new WeakMap<Networks['assets'], Map<string, string[]>>()

function chainsByNetwork(assets: Networks['assets']): Map<string, string[]> {
  const grouped = Map.groupBy(assets, ({ network }) => network)
  const chains = new Map([...grouped].map(([network, its]) => [network, its.map(({ chain }) => chain)]))
  return new Map([...chains].map(([network, all]) => [network, [...new Set(all)]]))
}

/** The chains of a network of wallets. They are cached, because every page of an open payment needs them. */
function chainsOf({ assets }: Networks, network: string): string[] {
  const chains = known.get(assets) ?? chainsByNetwork(assets)
  known.set(assets, chains)
  return chains.get(network) ?? []
}

/**
 * The chains with endpoints on which the address of an attempt exists too, and belongs to the attempt alone.
 * A forwarder can be deployed on every EVM chain, and an account is the same key on each of them. Empty for
 * an address of a provider.
 */
export function otherChains({ networks }: Pick<Context, 'networks'>, attempt: Attempt): string[] {
  if (attempt.provider !== null || attempt.shared || attempt.reclaimedAt !== null) return []
  const { assetId } = attempt
  const asset = networks.asset(assetId)
  if (!asset) return []
  return chainsOf(networks, asset.network).filter(
    chain => chain !== chainOf(assetId) && networks.of(chain)?.sameAddresses !== undefined,
  )
}
