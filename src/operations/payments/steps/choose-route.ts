import type { SourceKind } from '../../../domain/address-source.ts'
import type { Asset } from '../../../domain/asset.ts'
import type { ProviderCoin } from '../../../domain/catalogue.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { CryptoFirst, Merchant } from '../../../domain/merchant.ts'
import { ceilUnits } from '../../../domain/money.ts'
import type { Provider } from '../../../providers/port.ts'
import { chooseKind, readSources, type Sources } from '../../addresses/steps/load-sources.ts'
import type { World } from '../../context.ts'
import { readCoins } from '../../upstreams/steps/catalogue.ts'

/** To an address of the merchant's own. */
interface OwnWay {
  via: 'own'
  /** where the address comes from */
  kind: SourceKind
  /** atomic */
  minimum: bigint
}

/** To an address that a provider forwards from. */
interface LentWay {
  via: Provider
  /** atomic */
  minimum: bigint
}

/** How coins come to a merchant. */
export type Way = OwnWay | LentWay

/** Where they can go. */
interface Target {
  sources: Sources
  payoutAddress: string | null
}

interface Lent {
  coins: { provider: Provider; coin: ProviderCoin }[]
  /** a provider that should have been asked does not answer */
  isAway: boolean
}

/** What the ways of one merchant's assets are chosen by. */
export interface Choice {
  first: CryptoFirst
  /** what the merchant set up */
  sources: Sources
  /** Reads the providers' coins when they are first asked for. */
  lent(): Promise<Lent>
  /** Whether a provider was asked in vain. */
  isAway(): Promise<boolean>
}

export async function openChoice(world: World, { id, cryptoFirst }: Merchant): Promise<Choice> {
  let reading: Promise<Lent> | undefined
  return {
    first: cryptoFirst,
    sources: await world.storage.read(tables => readSources(tables, id)),
    lent: () => {
      reading ??= readLent(world)
      return reading
    },
    isAway: async () => (await reading)?.isAway ?? false,
  }
}

async function readLent(world: World): Promise<Lent> {
  const lent: Lent = { coins: [], isAway: false }
  for (const provider of world.providers.all) {
    try {
      const { coins } = await readCoins(world, provider)
      lent.coins.push(...coins.map(coin => ({ provider, coin })))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      lent.isAway = true
    }
  }
  return lent
}

/** The ways of an asset that are open now, the merchant's first choice first. */
export async function waysOf(world: World, asset: Asset, target: Target, choice: Choice): Promise<Way[]> {
  const lent = async () => (target.payoutAddress === null ? [] : lentWays(asset, choice))
  if (choice.first === 'gateway') return [...(await lent()), ...(await ownWay(world, asset, target))]
  const own = await ownWay(world, asset, target)
  return own.length > 0 ? own : lent()
}

async function ownWay(world: World, asset: Asset, { sources, payoutAddress }: Target): Promise<OwnWay[]> {
  const network = world.networks.of(asset.chain)
  const kind = network && chooseKind(world, sources, asset, payoutAddress)
  if (!network || (!kind && payoutAddress === null)) return []
  const reason = kind ? await network.fault(asset) : 'there is no source of addresses for it'
  if (kind && reason === null) return [{ via: 'own', kind, minimum: asset.minimum }]
  world.log.info({ assetId: asset.id, reason }, 'an asset is not taken at addresses of its own')
  return []
}

async function lentWays(asset: Asset, choice: Choice): Promise<LentWay[]> {
  const { coins } = await choice.lent()
  return coins
    .filter(({ coin }) => coin.assetId === asset.id)
    .map(({ provider, coin }) => {
      const minimum = ceilUnits(coin.minimum, asset.decimals)
      return { via: provider, minimum: minimum > asset.minimum ? minimum : asset.minimum }
    })
}
