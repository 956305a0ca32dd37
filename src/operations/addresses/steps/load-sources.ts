import {
  type AddressSource,
  type SetUpKind,
  type SourceKind,
  setUpKinds,
} from '../../../domain/address-source.ts'
import type { Asset } from '../../../domain/asset.ts'
import { LIGHTNING, type LightningAccount, lightningAccountIn } from '../../../domain/lightning.ts'
import { isScarce, runLimit } from '../../../domain/unpaid-run.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { unpaidRun } from './unpaid-run.ts'

interface UsableSource extends AddressSource {
  /** true if few addresses are left before one of them must be paid */
  isScarce: boolean
}

/** A source of payment targets that can be used now: of addresses, or an account that issues invoices. */
interface Usable extends Pick<UsableSource, 'payoutAddress' | 'isScarce'> {
  /** the account of a source that issues invoices */
  account?: string
}

/** A merchant's sources that still have an address or issue invoices, by network and kind. */
export type Sources = ReadonlyMap<string, Usable>

/** The limit of an account's unpaid run. Orders from public pages may use only a part of it. */
export interface RunLimit {
  max: number
  /** true if the order was created from a public page */
  isPublic: boolean
}

export const NO_LIMIT: RunLimit = { max: Number.POSITIVE_INFINITY, isPublic: false }

/** The tables of sources, and `attempts`, which shows the addresses that were paid. */
type SourceTables = Pick<Tables, 'sources' | 'attempts'>

export const sourceKey = (network: string, kind: SourceKind): string => `${network} ${kind}`

/** Loads a merchant's usable address sources, or only the named ones. */
export async function loadSources(
  tables: SourceTables,
  merchantId: string,
  limit: RunLimit,
  isWanted: (source: AddressSource) => boolean = () => true,
): Promise<ReadonlyMap<string, UsableSource>> {
  const found = await tables.sources.listOf(merchantId)
  const active = found.filter(source => source.active && isWanted(source))
  const usable = await Promise.all(active.map(source => readUsable(tables, source, limit)))
  return new Map(
    usable
      .filter(source => source !== null)
      .map(source => [sourceKey(source.network, source.kind), source] as const),
  )
}

/** Loads a merchant's usable address sources and Lightning account, or only those that an asset can use. */
export async function loadAllSources(
  tables: SourceTables & Pick<Tables, 'providerAccounts'>,
  merchantId: string,
  limit: RunLimit,
  asset?: Asset,
): Promise<Sources> {
  const isWanted = ({ network }: AddressSource) => asset === undefined || asset.network === network
  const sources = await loadSources(tables, merchantId, limit, isWanted)
  if (asset !== undefined && asset.chain !== LIGHTNING) return sources
  const known = await tables.providerAccounts.find(merchantId, LIGHTNING)
  if (known === null) return sources
  const account = issuerOf(lightningAccountIn(known.credentials), merchantId)
  const issuing = { payoutAddress: null, isScarce: false, account }
  return new Map<string, Usable>([...sources, [sourceKey(LIGHTNING, 'issued'), issuing]])
}

/**
 * The name of a Lightning account for networks. A node's name contains the merchant, whose secret opens it.
 */
export const issuerOf = ({ kind, account }: LightningAccount, merchantId: string): string =>
  kind === 'address' ? account : `${account}#${merchantId}`

/**
 * A source if it is usable now. Returns null for a pool without a free address, and for an account with too
 * long a run of unpaid addresses.
 */
async function readUsable(
  tables: SourceTables,
  source: AddressSource,
  { max, isPublic }: RunLimit,
): Promise<UsableSource | null> {
  const hasFree = async (): Promise<boolean> => (await tables.sources.findFree(source.id)) !== null
  if (source.kind === 'pool') return (await hasFree()) ? { ...source, isScarce: false } : null
  const run = await unpaidRun(tables, source)
  const isUsable = run.count < runLimit(max, isPublic) || (!isPublic && (await hasFree()))
  return isUsable ? { ...source, isScarce: isScarce(run, max) } : null
}

/** True if the merchant configures this kind, so that each address must be allocated. */
export const isSetUp = (kind: SourceKind): kind is SetUpKind => setUpKinds.some(one => one === kind)

/** The best kind of source for an asset now; null if there is none. */
export function chooseKind(
  { networks, policy }: Pick<Context, 'networks' | 'policy'>,
  sources: Sources,
  asset: Asset,
  payoutAddress: string | null,
): SourceKind | null {
  const isUsable = (kind: SourceKind): boolean => {
    if (kind === 'issued') return sources.has(sourceKey(asset.chain, kind))
    if (!isSetUp(kind)) return kind !== 'shared' || policy.sharedAddress
    const source = sources.get(sourceKey(asset.network, kind))
    if (source === undefined || kind !== 'viewkey' || payoutAddress === null) return source !== undefined
    // A view key sees only payments to its own wallet.
    return source.payoutAddress === payoutAddress
  }
  return networks.sourceKinds(asset, payoutAddress).find(isUsable) ?? null
}
