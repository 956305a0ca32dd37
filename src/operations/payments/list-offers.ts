import type { Asset } from '../../domain/asset.ts'
import { type Attempt, askedMinor } from '../../domain/attempt.ts'
import type { MethodTerms, ProviderMethod } from '../../domain/catalogue.ts'
import { asserted, Refusal } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { type Amount, amountOf } from '../../domain/money.ts'
import type { Order, OrderSource } from '../../domain/order.ts'
import { ANY, offersCrypto, offersMethod, offersProviders } from '../../domain/payment-methods.ts'
import { payoutProblemOf } from '../../domain/payout-check.ts'
import { quote, type Rate } from '../../domain/quote.ts'
import { isTestShop, TEST_PROVIDER } from '../../domain/test-shop.ts'
import { payoutWallet, usesOtherWallet, type Wallet } from '../../domain/wallet.ts'
import type { CoinForwarding, Provider } from '../../providers/port.ts'
import type { RateOf } from '../../rates/port.ts'
import type { Sources } from '../addresses/steps/load-sources.ts'
import { payoutProblemsOf } from '../addresses/steps/payout-checks.ts'
import type { Context } from '../context.ts'
import { hasProviderAccount, ownMethods } from '../merchants/provider-account.ts'
import { type CatalogueContext, fetchCatalogue } from '../upstreams/steps/catalogue.ts'
import { requiredEndpointsFor } from '../upstreams/steps/required-endpoints.ts'
import { isBelowMinimum, minimumIn, ratesForMinimums } from './steps/check-minimum.ts'
import { type Choice, findRoutes, openChoice, type Route } from './steps/choose-route.ts'
import { type LogContext, logNew } from './steps/log-new.ts'

const noSources: Sources = new Map()

export type OfferContext = CatalogueContext &
  Pick<Context, 'ids' | 'providers' | 'networks' | 'rates' | 'policy' | 'secrets'>

export interface MethodOffer {
  provider: Provider
  method: ProviderMethod
}

export interface AssetOffer {
  asset: Asset
  /** null if the coin is paid straight to an address of the merchant's */
  payoutAddress: string | null
  /** the amount that would be due now, atomic */
  dueAtomic: bigint
  rate: Rate
  /** the routes by which the coin can be paid, the preferred one first; never empty */
  routes: Route[]
}

export interface Offers {
  methods: MethodOffer[]
  assets: AssetOffer[]
  /** true if a provider whose methods could be offered does not answer */
  providerAway: boolean
  /** the assets that are not offered because their chain cannot be read now */
  unreadable: Asset[]
  /** true if nothing is offered for this amount, but something is for other amounts */
  isForAmount: boolean
}

/** The facts that offers depend on, of an order or of a product that is not ordered yet. */
export interface Payable extends Pick<Order, 'amount' | 'currency' | 'methodKeys' | 'receivingWallet'> {
  /** the amount of the whole order, if `amount` is only what is left to pay */
  total?: Amount
  /** source of the order; missing for a product */
  source?: OrderSource
  /** true if the buyer may still enter another price, so that no minimum is too high */
  isPriceOpen?: boolean
}

/** The order with only the unpaid rest as its amount; null if nothing more is asked for. */
export function restOf(order: Order, attempts: readonly Attempt[]): (Order & Payable) | null {
  const asked = askedMinor(order, attempts)
  if (asked === 0n) return null
  return { ...order, total: order.amount, amount: amountOf(asked, order.currency) }
}

/** The merchant who is paid, and their wallet. */
interface Payee {
  merchant: Merchant
  wallet: Wallet
}

/** The offers of a test order: the test payment only, never a real method of its merchant. */
function testOffers({ providers }: OfferContext): Offers {
  const provider = asserted(providers.find(TEST_PROVIDER), 'the provider of test orders is always there')
  const terms = { key: TEST_PROVIDER, name: 'Test payment', minimum: null, currencies: null }
  const methods: MethodOffer[] = [{ provider, method: { ...terms, capability: 'charge' } }]
  return { methods, assets: [], providerAway: false, unreadable: [], isForAmount: false }
}

/** The methods that a buyer of this order can choose from now. */
export async function offerMethods(context: OfferContext, order: Payable, payee: Payee): Promise<Offers> {
  if (isTestShop(payee.merchant.id)) return testOffers(context)
  const [{ methods, providerAway }, { isUnavailable, ...coins }] = await Promise.all([
    offerProviders(context, order, payee),
    offerAssets(context, order, payee),
  ])
  const offers = { methods, ...coins, providerAway: providerAway || isUnavailable }
  const isForAmount = isNothing(offers) && !order.isPriceOpen
  if (!isForAmount) return { ...offers, isForAmount }
  const others = await offerMethods(context, { ...order, isPriceOpen: true }, payee)
  return { ...offers, isForAmount: !isNothing(others) }
}

export const isNothing = ({ methods, assets }: Pick<Offers, 'methods' | 'assets'>): boolean =>
  methods.length + assets.length === 0

async function offerProviders(
  context: OfferContext,
  order: Payable,
  { merchant }: Payee,
): Promise<Pick<Offers, 'methods' | 'providerAway'>> {
  if (!offersProviders(order.methodKeys)) return { methods: [], providerAway: false }
  const offers: MethodOffer[] = []
  let providerAway = false
  let hasOwn = false
  for (const provider of context.providers.all) {
    const capabilities = await usableCapabilities(context, provider, order, merchant)
    if (capabilities.length === 0) continue
    const isOwn = provider.charge?.accounts !== undefined
    hasOwn ||= isOwn
    // If the shop has an account of its own, the gateway is only for orders that name its methods.
    if (hasOwn && !isOwn && order.methodKeys.includes(ANY)) continue
    try {
      const own = isOwn ? await ownMethods(context, merchant.id, provider) : null
      const methods = own ?? (await fetchCatalogue(context, provider)).methods
      const usable = methods.filter(({ capability }) => capabilities.includes(capability))
      const rateOf = await ratesForMinimums(context, order, usable)
      const offered = usable.filter(method => isOffered(context, method, order, rateOf))
      offers.push(...offered.map(method => ({ provider, method })))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      providerAway = true
    }
  }
  return { methods: withoutDuplicates(offers, ({ method }) => method.key), providerAway }
}

/**
 * The capabilities of a provider that an order can use. A charge needs the merchant's account with the
 * provider, and a forwarded coin needs the order's payout wallet.
 */
async function usableCapabilities(
  context: OfferContext,
  { id, charge, forwarding }: Provider,
  { receivingWallet }: Payable,
  merchant: Merchant,
): Promise<ProviderMethod['capability'][]> {
  const hasAccount = charge !== undefined && (await hasProviderAccount(context, merchant.id, id))
  return [
    ...(hasAccount ? (['charge'] as const) : []),
    ...(forwarding &&
    receivingWallet !== null &&
    (await isPaidOut(context, forwarding, receivingWallet, merchant))
      ? (['forwarding'] as const)
      : []),
  ]
}

/** True if what a payment page pays out would arrive, as far as the chain of the coin can tell. */
async function isPaidOut(
  context: OfferContext,
  { paidIn }: CoinForwarding,
  payoutWallet: string,
  { id }: Merchant,
): Promise<boolean> {
  const asset = context.networks.asset(paidIn)
  if (asset?.network !== 'evm') return true
  const reason = payoutProblemOf(await payoutProblemsOf(context, id, 'evm', payoutWallet), asset)
  if (reason !== null) logNew(context, { assetId: asset.id, reason }, 'method.payout.unusable')
  return reason === null
}

/** Keeps the first method of each key, so that of two providers only the first one offers it. */
export function withoutDuplicates<T>(methods: readonly T[], keyOf: (method: T) => string): T[] {
  const keys = new Set<string>()
  return methods.filter(method => {
    const key = keyOf(method)
    return !keys.has(key) && keys.add(key)
  })
}

function isOffered(context: LogContext, method: MethodTerms, order: Payable, rateOf: RateOf): boolean {
  if (!offersMethod(order.methodKeys, method.key)) return false
  const { currencies } = method
  if (order.isPriceOpen) return true
  if (currencies && !currencies.includes(order.currency)) {
    return hideMethod(context, method, `it does not take ${order.currency}`)
  }
  if (!isBelowMinimum(rateOf, order, method)) return true
  const minimum = minimumIn(method, order.currency)
  return hideMethod(
    context,
    method,
    `the amount is below the minimum of ${minimum?.amount} ${minimum?.currency}`,
  )
}

function hideMethod(context: LogContext, { key }: MethodTerms, reason: string): false {
  logNew(context, { methodKey: key, reason }, 'method.hidden')
  return false
}

async function offerAssets(
  context: OfferContext,
  order: Payable,
  payee: Payee,
): Promise<Pick<Offers, 'assets' | 'unreadable'> & { isUnavailable: boolean }> {
  const { includeCrypto } = payee.wallet
  if (!offersCrypto(order.methodKeys) || !includeCrypto)
    return { assets: [], unreadable: [], isUnavailable: false }
  const choice = await openChoice(context, payee.merchant, order.source !== 'api')
  const assets = await offerEach(context, order, payee, context.networks.assets, choice)
  const hasOffer = (one: Asset) => assets.some(({ asset }) => asset === one)
  const unreadable = [...choice.unreadable].filter(asset => !hasOffer(asset))
  return { assets, unreadable, isUnavailable: await choice.isUnavailable() }
}

/** The offers of some assets. Leaves out the assets that cannot be offered now, and logs why. */
export async function offerEach(
  context: OfferContext,
  order: Payable,
  { wallet }: Payee,
  assets: readonly Asset[],
  choice: Choice,
): Promise<AssetOffer[]> {
  const { receivingWallet } = order
  const other = usesOtherWallet(wallet, receivingWallet)
  const targets = assets.map(asset => ({
    asset,
    sources: other && asset.network === 'evm' ? noSources : choice.sources,
    payoutAddress: payoutWallet(wallet, receivingWallet, asset.network),
  }))
  const routes = await Promise.all(targets.map(target => findRoutes(context, target, choice)))
  const routed = targets
    .map(({ asset, payoutAddress }, at) => ({ asset, payoutAddress, routes: routes[at] ?? [] }))
    .filter(target => target.routes.length > 0)
  // Prices are needed only if an asset has a route.
  const rateOf = routed.length === 0 ? () => null : await context.rates.latest()
  return routed.map(target => offerAt(context, order, target, rateOf)).filter(offer => offer !== null)
}

function offerAt(
  context: LogContext & Pick<Context, 'networks' | 'policy'>,
  { amount, total = amount, currency, isPriceOpen }: Payable,
  { asset, payoutAddress, routes: open }: Pick<AssetOffer, 'asset' | 'payoutAddress' | 'routes'>,
  rateOf: RateOf,
): AssetOffer | null {
  const rate = rateOf(asset.id, currency)
  if (!rate) return hide(context, asset, `there is no fresh rate in ${currency}`)
  const dueAtomic = quote(amount, currency, rate, asset)
  if (isPriceOpen) return { asset, payoutAddress, rate, dueAtomic, routes: open }
  const large = open.filter(({ minimum }) => dueAtomic >= minimum)
  if (large.length === 0) return hide(context, asset, 'the amount is below the minimum')
  const affordable = large.filter(route => isAccepted(route, dueAtomic))
  if (affordable.length === 0) return hide(context, asset, 'the amount is more than the wallet accepts')
  const required = requiredEndpointsFor(context.policy, rateOf, { amount: total, currency }, asset)
  const hasQuorum = context.networks.endpointCount(asset) >= required
  const routes = hasQuorum ? affordable : affordable.filter(({ via }) => via !== 'own')
  if (routes.length === 0) return hide(context, asset, 'an amount this large needs two endpoints')
  return { asset, payoutAddress, rate, dueAtomic, routes }
}

const isAccepted = (route: Route, dueAtomic: bigint): boolean =>
  route.via !== 'own' || route.maximum === null || dueAtomic <= route.maximum

function hide(context: LogContext, asset: Asset, reason: string): null {
  logNew(context, { assetId: asset.id, reason }, 'asset.hidden')
  return null
}
