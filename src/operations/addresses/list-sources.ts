import type { AddressSource, SourceKind } from '../../domain/address-source.ts'
import { type WalletNetwork, walletNetworks } from '../../domain/asset.ts'
import { LIGHTNING, type LightningAccount } from '../../domain/lightning.ts'
import type { UnpaidRun } from '../../domain/unpaid-run.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'
import { findLightning } from './lightning.ts'
import { chooseKind, loadAllSources } from './steps/load-sources.ts'
import { unpaidRun } from './steps/unpaid-run.ts'

export interface ConfiguredSource {
  source: AddressSource
  /** number of addresses that were allocated */
  given: number
  /** addresses left in a pool; null for an account, which never runs out */
  free: number | null
  /** addresses allocated since the last one that was paid; null for a pool */
  run: UnpaidRun | null
}

export interface NetworkSources {
  network: WalletNetwork
  payoutAddress: string | null
  /** configured sources, including unused ones */
  setUps: ConfiguredSource[]
  /** the account that issues Lightning invoices; null for other networks, and if there is none */
  lightning: LightningAccount | null
  /** kind of source that each asset uses now; null if none */
  assets: { assetId: string; kind: SourceKind | null; isWatched: boolean }[]
}

/** Lists a merchant's address sources for every configured network. */
export async function listSources(
  context: Pick<Context, 'storage' | 'networks' | 'policy'>,
  merchantId: string,
): Promise<NetworkSources[]> {
  await getMerchant(context, merchantId)
  return context.storage.read(async tables => {
    const wallet = await tables.wallets.find(merchantId)
    const sources = await loadAllSources(tables, merchantId, {
      max: context.policy.unpaidAddressesMax,
      isPublic: false,
    })
    const active = (await tables.sources.listOf(merchantId)).filter(source => source.active)
    const setUps = await Promise.all(active.map(source => setUpOf(tables, source)))
    const account = await findLightning(tables, merchantId)
    return walletNetworks.flatMap(network => {
      const payoutAddress = wallet?.addresses[network] ?? null
      const own = setUps.filter(({ source }) => source.network === network)
      const lightning = network === lightningOn(context) ? account : null
      if (payoutAddress === null && own.length === 0 && lightning === null) return []
      const assets = context.networks.assets
        .filter(asset => asset.network === network && (asset.chain !== LIGHTNING || lightning !== null))
        .map(asset => ({
          assetId: asset.id,
          kind: chooseKind(context, sources, asset, payoutAddress),
          isWatched: context.networks.of(asset.chain) !== undefined,
        }))
      return [{ network, payoutAddress, setUps: own, lightning, assets }]
    })
  })
}

/** The network whose coin is paid by Lightning. */
const lightningOn = ({ networks }: Pick<Context, 'networks'>): WalletNetwork | undefined =>
  networks.assets.find(({ chain }) => chain === LIGHTNING)?.network

async function setUpOf(tables: Tables, source: AddressSource): Promise<ConfiguredSource> {
  const { all, free } = await tables.sources.countAddresses(source.id)
  const given = all - free
  if (source.kind === 'pool') return { source, given, free, run: null }
  return { source, given, free: null, run: await unpaidRun(tables, source) }
}
