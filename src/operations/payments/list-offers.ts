import type { Asset } from '../../domain/asset.ts'
import type { ProviderMethod } from '../../domain/catalogue.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { minorOf } from '../../domain/money.ts'
import type { Order } from '../../domain/order.ts'
import { offersCrypto, offersMethod, offersProviders } from '../../domain/payment-methods.ts'
import { quote, type Rate } from '../../domain/quote.ts'
import { isElsewhere, payoutWallets, type Wallet } from '../../domain/wallet.ts'
import type { Provider } from '../../providers/port.ts'
import type { Sources } from '../addresses/steps/load-sources.ts'
import type { Context } from '../context.ts'
import { fetchCatalogue } from '../upstreams/steps/catalogue.ts'
import { requiredEndpointsFor } from '../upstreams/steps/required-endpoints.ts'
import { type Choice, findRoutes, openChoice, type Route } from './steps/choose-route.ts'

const noSources: Sources = new Map()

export interface MethodOffer {
  provider: Provider
  method: ProviderMethod
}

export interface AssetOffer {
  asset: Asset
  /** null where the money goes to an address of the merchant's own at once */
  payoutAddress: string | null
  /** what would be due now, atomic */
  dueAtomic: bigint
  rate: Rate
  /** how it can be paid, the first choice first; never empty */
  routes: Route[]
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
interface Payee {
  merchant: Merchant
  wallet: Wallet
}

/** What a buyer of this order can choose from now. */
export async function offerMethods(context: Context, order: Payable, payee: Payee): Promise<Offers> {
  const [{ methods, providerAway }, { assets, isUnavailable }] = await Promise.all([
    offerProviders(context, order),
    offerAssets(context, order, payee),
  ])
  return { methods, assets, providerAway: providerAway || isUnavailable }
}

async function offerProviders(context: Context, order: Payable): Promise<Omit<Offers, 'assets'>> {
  if (!offersProviders(order.methodKeys) || order.receivingWallet === null)
    return { methods: [], providerAway: false }
  const methods: MethodOffer[] = []
  let providerAway = false
  for (const provider of context.providers.all) {
    try {
      const catalogue = await fetchCatalogue(context, provider)
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

async function offerAssets(
  context: Context,
  order: Payable,
  payee: Payee,
): Promise<{ assets: AssetOffer[]; isUnavailable: boolean }> {
  const { includeCrypto } = payee.wallet
  if (!offersCrypto(order.methodKeys) || !includeCrypto) return { assets: [], isUnavailable: false }
  const choice = await openChoice(context, payee.merchant)
  const offers = await Promise.all(
    context.networks.assets.map(asset => offerAsset(context, order, payee, asset, choice)),
  )
  return { assets: offers.filter(offer => offer !== null), isUnavailable: await choice.isUnavailable() }
}

/** One asset's offer; null, with the reason in the log, when it cannot be offered now. */
export async function offerAsset(
  context: Context,
  order: Payable,
  { wallet }: Payee,
  asset: Asset,
  choice: Choice,
): Promise<AssetOffer | null> {
  const payoutAddress = payoutWallets(wallet, order.receivingWallet)[asset.network] ?? null
  const isOthers = asset.network === 'evm' && isElsewhere(wallet, order.receivingWallet)
  const target = { sources: isOthers ? noSources : choice.sources, payoutAddress }
  const open = await findRoutes(context, asset, target, choice)
  if (open.length === 0) return null
  const rate = await context.rates.rate(asset.id, order.currency)
  if (!rate) return hide(context, asset, `there is no fresh rate in ${order.currency}`)
  const dueAtomic = quote(order.amount, order.currency, rate.value, asset)
  const worth = open.filter(({ minimum }) => order.isPriceOpen || dueAtomic >= minimum)
  if (worth.length === 0) return hide(context, asset, 'the amount is below the minimum')
  const isHeard =
    (await requiredEndpointsFor(context, order, asset)) <= context.networks.endpointCount(asset.chain)
  const routes = worth.filter(({ via }) => via !== 'own' || isHeard || order.isPriceOpen)
  if (routes.length === 0) return hide(context, asset, 'two endpoints have to tell of so large a payment')
  return { asset, payoutAddress, dueAtomic, rate, routes }
}

function hide(context: Context, asset: Asset, reason: string): null {
  context.log.info({ assetId: asset.id, reason }, 'an asset is not offered')
  return null
}
