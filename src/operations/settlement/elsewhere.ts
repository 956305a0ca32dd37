import { chainOf } from '../../domain/asset.ts'
import type { Attempt } from '../../domain/attempt.ts'
import { lookAt, noLooks, withLook } from '../../domain/elsewhere.ts'
import type { Json } from '../../domain/metadata.ts'
import type { Networks } from '../../networks/port.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'

/** The chains of each network of wallets. They stay the same while the server runs. */
const chainsByNetwork = new WeakMap<Networks['assets'], Map<string, string[]>>()

function chainsOf({ assets }: Networks, network: string): string[] {
  const known = chainsByNetwork.get(assets) ?? new Map<string, string[]>()
  chainsByNetwork.set(assets, known)
  const chains = known.get(network) ?? [
    ...new Set(assets.filter(asset => asset.network === network).map(({ chain }) => chain)),
  ]
  known.set(network, chains)
  return chains
}

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

/** What one source reported about an attempt, and when it was asked. */
interface Reported {
  source: string
  askedAt: number
  cursor?: Json
}

/** Whether a chain reports what arrived at an address whose payment is expected on another chain. */
export const isElsewhere = ({ provider, assetId }: Attempt, source: string): boolean =>
  provider === null && source !== chainOf(assetId)

/** When a source was last asked about an attempt, of what is stored; null if it never was. */
export async function askedBefore(tables: Tables, attempt: Attempt, source: string): Promise<number | null> {
  if (!isElsewhere(attempt, source)) return attempt.checkedAt
  const known = await tables.elsewhere.find(attempt.id)
  return known && lookAt(known, source).readAt
}

/** How far a source was read for an attempt. Another chain does not move the cursor of the attempt's own. */
export const progressOf = (
  attempt: Attempt,
  { source, askedAt, cursor }: Reported,
): { checkedAt?: number; cursor?: Json } =>
  isElsewhere(attempt, source) ? {} : { checkedAt: askedAt, ...(cursor !== undefined && { cursor }) }

/** Stores how far another chain was read for an attempt. */
export async function noteLook(
  tables: Tables,
  attempt: Attempt,
  { source, askedAt, cursor }: Reported,
): Promise<void> {
  if (!isElsewhere(attempt, source)) return
  const known = (await tables.elsewhere.find(attempt.id)) ?? noLooks(attempt.id)
  const look = { readAt: askedAt, failedAt: null, ...(cursor !== undefined && { cursor }) }
  await tables.elsewhere.put(withLook(known, source, look))
}
