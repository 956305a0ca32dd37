import type { SourceKind } from '../../../domain/address-source.ts'
import type { Asset } from '../../../domain/asset.ts'
import type { ProviderCoin } from '../../../domain/catalogue.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { CryptoFirst, Merchant } from '../../../domain/merchant.ts'
import { ceilUnits } from '../../../domain/money.ts'
import type { Provider } from '../../../providers/port.ts'
import { chooseKind, loadSources, type Sources } from '../../addresses/steps/load-sources.ts'
import type { Context } from '../../context.ts'
import { fetchCoins } from '../../upstreams/steps/catalogue.ts'

/** To an address of the merchant's own. */
interface OwnRoute {
  via: 'own'
  /** where the address comes from */
  kind: SourceKind
  /** atomic */
  minimum: bigint
}

/** To an address that a provider forwards from. */
interface ProviderRoute {
  via: Provider
  /** atomic */
  minimum: bigint
}

/** How coins come to a merchant. */
export type Route = OwnRoute | ProviderRoute

/** Where they can go. */
interface Target {
  sources: Sources
  payoutAddress: string | null
}

interface ProviderCoins {
  coins: { provider: Provider; coin: ProviderCoin }[]
  /** a provider that should have been asked does not answer */
  isUnavailable: boolean
}

/** What the ways of one merchant's assets are chosen by. */
export interface Choice {
  first: CryptoFirst
  /** what the merchant set up */
  sources: Sources
  /** Reads the providers' coins when they are first asked for. */
  lent(): Promise<ProviderCoins>
  /** Whether a provider was asked in vain. */
  isUnavailable(): Promise<boolean>
}

export async function openChoice(context: Context, { id, cryptoFirst }: Merchant): Promise<Choice> {
  let reading: Promise<ProviderCoins> | undefined
  return {
    first: cryptoFirst,
    sources: await context.storage.read(tables => loadSources(tables, id)),
    lent: () => {
      reading ??= readLent(context)
      return reading
    },
    isUnavailable: async () => (await reading)?.isUnavailable ?? false,
  }
}

async function readLent(context: Context): Promise<ProviderCoins> {
  const lent: ProviderCoins = { coins: [], isUnavailable: false }
  for (const provider of context.providers.all) {
    try {
      const { coins } = await fetchCoins(context, provider)
      lent.coins.push(...coins.map(coin => ({ provider, coin })))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      lent.isUnavailable = true
    }
  }
  return lent
}

/** The ways of an asset that are open now, the merchant's first choice first. */
export async function findRoutes(
  context: Context,
  asset: Asset,
  target: Target,
  choice: Choice,
): Promise<Route[]> {
  const lent = async () => (target.payoutAddress === null ? [] : providerRoutes(asset, choice))
  if (choice.first === 'provider') return [...(await lent()), ...(await ownRoute(context, asset, target))]
  const own = await ownRoute(context, asset, target)
  return own.length > 0 ? own : lent()
}

async function ownRoute(
  context: Context,
  asset: Asset,
  { sources, payoutAddress }: Target,
): Promise<OwnRoute[]> {
  const network = context.networks.of(asset.chain)
  const kind = network && chooseKind(context, sources, asset, payoutAddress)
  if (!network || (!kind && payoutAddress === null)) return []
  const reason = kind ? await network.unavailableReason(asset) : 'there is no source of addresses for it'
  if (kind && reason === null) return [{ via: 'own', kind, minimum: asset.minimum }]
  context.log.info({ assetId: asset.id, reason }, 'an asset is not taken at addresses of its own')
  return []
}

async function providerRoutes(asset: Asset, choice: Choice): Promise<ProviderRoute[]> {
  const { coins } = await choice.lent()
  return coins
    .filter(({ coin }) => coin.assetId === asset.id)
    .map(({ provider, coin }) => {
      const minimum = ceilUnits(coin.minimum, asset.decimals)
      return { via: provider, minimum: minimum > asset.minimum ? minimum : asset.minimum }
    })
}
