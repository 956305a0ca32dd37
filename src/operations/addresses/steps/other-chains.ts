import { chainOf } from '../../../domain/asset.ts'
import type { Attempt } from '../../../domain/attempt.ts'
import type { Networks } from '../../../networks/port.ts'
import type { Context } from '../../context.ts'

/** The chains of a network of wallets. */
const chainsOf = ({ assets }: Networks, network: string): string[] => [
  ...new Set(assets.filter(asset => asset.network === network).map(({ chain }) => chain)),
]

/**
 * The chains with endpoints on which the address of an attempt exists too, and belongs to the attempt alone.
 * A forwarder can be deployed on every EVM chain, and an account is the same key on each. None for an
 * address of a provider.
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
