import type { SourceKind } from '../domain/address-source.ts'
import type { Asset } from '../domain/asset.ts'
import type { ProviderMethod } from '../domain/catalogue.ts'
import { Refusal } from '../domain/errors.ts'
import { offersCrypto, offersMethod, offersProviders } from '../domain/methods.ts'
import { minorOf } from '../domain/money.ts'
import type { Order } from '../domain/order.ts'
import { quote, type Rate } from '../domain/quote.ts'
import { payoutWallets, type Wallet } from '../domain/wallet.ts'
import type { Provider } from '../providers/port.ts'
import { readCatalogue } from './read-catalogue.ts'
import { chooseKind, type Sources } from './read-sources.ts'
import type { World } from './world.ts'

export interface MethodOffer {
  provider: Provider
  method: ProviderMethod
}

export interface AssetOffer {
  asset: Asset
  /** where its address comes from */
  kind: SourceKind
  /** null where the money goes to an address of the merchant's own at once */
  payoutAddress: string | null
  /** what would be due now, atomic */
  due: bigint
  rate: Rate
}

export interface Offers {
  methods: MethodOffer[]
  assets: AssetOffer[]
  /** a provider that should have been asked does not answer */
  providerAway: boolean
}

/** What offers depend on: an order has it, and so has a product before it is ordered. */
export interface Payable extends Pick<Order, 'amount' | 'currency' | 'methodKeys' | 'receivingWallet'> {
  /** the buyer may still name another price: no method is too dear for it yet */
  isPriceOpen?: boolean
}

/** Where a merchant's money goes, and where addresses for it come from. */
export interface Payee {
  wallet: Wallet
  sources: Sources
}

/** What a buyer of this order can choose from now. */
export async function offerMethods(world: World, order: Payable, payee: Payee): Promise<Offers> {
  const [{ methods, providerAway }, assets] = await Promise.all([
    offerProviders(world, order),
    offerAssets(world, order, payee),
  ])
  return { methods, assets, providerAway }
}

async function offerProviders(world: World, order: Payable): Promise<Omit<Offers, 'assets'>> {
  if (!offersProviders(order.methodKeys) || order.receivingWallet === null)
    return { methods: [], providerAway: false }
  const methods: MethodOffer[] = []
  let providerAway = false
  for (const provider of world.providers.all) {
    try {
      const catalogue = await readCatalogue(world, provider)
      const fitting = catalogue.methods.filter(method => fits(method, order))
      methods.push(...fitting.map(method => ({ provider, method })))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      providerAway = true
    }
  }
  return { methods, providerAway }
}

/** A minimum in another currency is left for the provider to judge. */
function fits(method: ProviderMethod, order: Payable): boolean {
  if (!offersMethod(order.methodKeys, method.key)) return false
  const { minimum, currencies } = method
  if (order.isPriceOpen) return true
  // A locked method takes dollars for any order: the gateway converts.
  if (currencies && !currencies.includes(order.currency) && !currencies.includes('USD')) return false
  if (!minimum || minimum.currency !== order.currency) return true
  return minorOf(order.amount, order.currency) >= minorOf(minimum.amount, minimum.currency)
}

async function offerAssets(world: World, order: Payable, payee: Payee): Promise<AssetOffer[]> {
  if (!offersCrypto(order.methodKeys) || !payee.wallet.includeCrypto) return []
  const offers = await Promise.all(world.networks.assets.map(asset => offerAsset(world, order, payee, asset)))
  return offers.filter(offer => offer !== null)
}

/** One asset's offer; null, with the reason in the log, when it cannot be offered now. */
export async function offerAsset(
  world: World,
  order: Payable,
  { wallet, sources }: Payee,
  asset: Asset,
): Promise<AssetOffer | null> {
  const payoutAddress = payoutWallets(wallet, order.receivingWallet)[asset.network] ?? null
  const network = world.networks.of(asset.chain)
  if (!network) return null
  const kind = chooseKind(world, sources, asset, payoutAddress)
  if (!kind)
    return payoutAddress === null ? null : hide(world, asset, 'there is no source of addresses for it')
  const fault = await network.fault(asset)
  if (fault) return hide(world, asset, fault)
  const rate = await world.rates.rate(asset.id, order.currency)
  if (!rate) return hide(world, asset, `there is no fresh rate in ${order.currency}`)
  const due = quote(order.amount, order.currency, rate.value, asset)
  const isTooLittle = due < asset.minimum && !order.isPriceOpen
  if (isTooLittle) return hide(world, asset, 'the amount is below the minimum of the network')
  return { asset, kind, payoutAddress, due, rate }
}

function hide(world: World, asset: Asset, reason: string): null {
  world.log.info({ assetId: asset.id, reason }, 'an asset is not offered')
  return null
}
