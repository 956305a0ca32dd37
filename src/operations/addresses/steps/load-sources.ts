import {
  type AddressSource,
  type SetUpKind,
  type SourceKind,
  setUpKinds,
} from '../../../domain/address-source.ts'
import type { Asset } from '../../../domain/asset.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'

/** A merchant's sources that still have an address, by network and kind. */
export type Sources = ReadonlyMap<string, AddressSource>

export const sourceKey = (network: string, kind: SourceKind): string => `${network} ${kind}`

/** Loads a merchant's usable address sources. */
export async function loadSources(tables: Tables, merchantId: string): Promise<Sources> {
  const active = (await tables.sources.listOf(merchantId)).filter(source => source.active)
  const usable = await Promise.all(
    active.map(async source => source.kind !== 'pool' || (await tables.sources.findFree(source.id)) !== null),
  )
  return new Map(
    active.filter((_, at) => usable[at]).map(source => [sourceKey(source.network, source.kind), source]),
  )
}

/** Whether the merchant configures this kind, so each address must be allocated. */
export const isSetUp = (kind: SourceKind): kind is SetUpKind => setUpKinds.some(one => one === kind)

/** The best kind of source for an asset now; null if there is none. */
export function chooseKind(
  { networks, policy }: Pick<Context, 'networks' | 'policy'>,
  sources: Sources,
  asset: Asset,
  payoutAddress: string | null,
): SourceKind | null {
  const isUsable = (kind: SourceKind): boolean => {
    if (!isSetUp(kind)) return kind !== 'shared' || policy.sharedAddress
    const source = sources.get(sourceKey(asset.network, kind))
    if (source === undefined || kind !== 'viewkey' || payoutAddress === null) return source !== undefined
    // A view key only sees payments to its own wallet.
    return source.payoutAddress === payoutAddress
  }
  return networks.sourceKinds(asset, payoutAddress).find(isUsable) ?? null
}
