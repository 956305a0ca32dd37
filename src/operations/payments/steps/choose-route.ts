import type { SourceKind } from '../../../domain/address-source.ts'
import type { Asset, WalletNetwork } from '../../../domain/asset.ts'
import { isBlind } from '../../../domain/blind-chain.ts'
import type { ProviderCoin } from '../../../domain/catalogue.ts'
import { Refusal } from '../../../domain/errors.ts'
import { LIGHTNING } from '../../../domain/lightning.ts'
import type { CryptoFirst, Merchant } from '../../../domain/merchant.ts'
import { ceilUnits } from '../../../domain/money.ts'
import { type PayoutProblem, payoutProblemOf } from '../../../domain/payout-check.ts'
import type { Provider } from '../../../providers/port.ts'
import { chooseKind, loadAllSources, type Sources, sourceKey } from '../../addresses/steps/load-sources.ts'
import { type PayoutContext, payoutProblemsOf } from '../../addresses/steps/payout-checks.ts'
import type { Context } from '../../context.ts'
import { type CatalogueContext, fetchCoins } from '../../upstreams/steps/catalogue.ts'
import { type LogContext, logNew } from './log-new.ts'
import { listBlindChains } from './note-look.ts'

/** A route to an address or an invoice of the merchant's own. */
export interface OwnRoute {
  via: 'own'
  /** source of the address */
  kind: SourceKind
  /** true if few addresses are left */
  isScarce: boolean
  /** the account that issues an invoice; null where there is an address */
  account: string | null
  /** the least that can be paid, atomic */
  minimum: bigint
  /** the most that an account accepts, atomic; null without a known limit */
  maximum: bigint | null
}

/** A route to an address from which a provider forwards the money. */
interface ProviderRoute {
  via: Provider
  /** the least that can be paid, atomic */
  minimum: bigint
}

/** The way by which a coin reaches a merchant. */
export type Route = OwnRoute | ProviderRoute

/** An asset, and the merchant's addresses where it can go. */
interface Target {
  asset: Asset
  sources: Sources
  payoutAddress: string | null
}

interface ForwardedCoins {
  /** the providers, each with the coins that it forwards, by asset */
  providers: { provider: Provider; coins: ReadonlyMap<string, ProviderCoin[]> }[]
  /** true if a provider that could forward coins does not answer */
  isUnavailable: boolean
}

/** The facts by which the routes of one merchant's assets are chosen. */
export interface Choice {
  first: CryptoFirst
  /** the merchant's sources of addresses */
  sources: Sources
  /** the chains that cannot be read now */
  blind: ReadonlySet<string>
  /** The assets found so far that have a source of addresses, on a chain that cannot be read now. */
  unreadable: Set<Asset>
  /** The coins that providers forward, fetched at the first call. */
  forwardedCoins(): Promise<ForwardedCoins>
  /** Resolves to true if a provider was asked and did not answer. */
  isUnavailable(): Promise<boolean>
  /** The problems of a payout wallet. Its chains are asked at the first call. */
  payoutProblems(network: WalletNetwork, address: string): Promise<PayoutProblem[]>
}

type ChoiceContext = CatalogueContext & PayoutContext & Pick<Context, 'providers' | 'policy'>

/** Collects the facts by which the routes of a merchant's assets are chosen, or the routes of one asset. */
export async function openChoice(
  context: ChoiceContext,
  { id, cryptoFirst }: Pick<Merchant, 'id' | 'cryptoFirst'>,
  isPublic: boolean,
  asset?: Asset,
): Promise<Choice> {
  const limit = { max: context.policy.unpaidAddressesMax, isPublic }
  let coins: Promise<ForwardedCoins> | undefined
  const problems = new Map<string, Promise<PayoutProblem[]>>()
  const now = context.clock()
  const blind = (await listBlindChains(context)).filter(known => isBlind(known, now))
  return {
    first: cryptoFirst,
    blind: new Set(blind.map(({ chain }) => chain)),
    unreadable: new Set(),
    sources: await context.storage.remember(
      ['sources', 'attempts', 'providerAccounts'],
      `sources ${id} ${isPublic} ${asset?.id ?? ''}`,
      tables => loadAllSources(tables, id, limit, asset),
    ),
    forwardedCoins: () => {
      coins ??= fetchForwardedCoins(context)
      return coins
    },
    isUnavailable: async () => (await coins)?.isUnavailable ?? false,
    payoutProblems(network, address) {
      const found = problems.get(`${network} ${address}`) ?? payoutProblemsOf(context, id, network, address)
      problems.set(`${network} ${address}`, found)
      return found
    },
  }
}

/** The coins that the providers forward to payout wallets. */
export async function fetchForwardedCoins(
  context: CatalogueContext & Pick<Context, 'providers'>,
): Promise<ForwardedCoins> {
  const forwarded: ForwardedCoins = { providers: [], isUnavailable: false }
  for (const provider of context.providers.all) {
    if (!provider.forwarding) continue
    try {
      const { coins } = await fetchCoins(context, provider)
      forwarded.providers.push({ provider, coins: Map.groupBy(coins, ({ assetId }) => assetId) })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      forwarded.isUnavailable = true
    }
  }
  return forwarded
}

type RouteContext = LogContext & Pick<Context, 'networks' | 'policy'>

/** The kinds of source whose money goes on to the payout wallet. */
const paidOut: readonly SourceKind[] = ['create2', 'seed', 'shared']

const endsAtPayout = (route: Route): boolean => route.via !== 'own' || paidOut.includes(route.kind)

/**
 * The routes of an asset that are open now, the merchant's preferred one first. Leaves out routes whose money
 * would be lost at the payout wallet, and logs why.
 */
export async function findRoutes(context: RouteContext, target: Target, choice: Choice): Promise<Route[]> {
  const { asset, payoutAddress } = target
  const own = await findOwnRoute(context, target, choice)
  const isForwarded =
    payoutAddress !== null && asset.chain !== LIGHTNING && (own === null || choice.first === 'provider')
  const forwarded = isForwarded ? routesThrough(await choice.forwardedCoins(), asset) : []
  const routes = own === null ? forwarded : [...forwarded, own]
  if (payoutAddress === null || !routes.some(endsAtPayout)) return routes
  const reason = payoutProblemOf(await choice.payoutProblems(asset.network, payoutAddress), asset)
  if (reason === null) return routes
  logNew(context, { assetId: asset.id, reason }, 'asset.payout.unusable')
  return routes.filter(route => !endsAtPayout(route))
}

/**
 * The route to the merchant's own source. Null without one, or if it cannot be used now; the log says why.
 */
async function findOwnRoute(
  context: RouteContext,
  { asset, sources, payoutAddress }: Target,
  choice: Choice,
): Promise<OwnRoute | null> {
  const { networks, policy } = context
  const kind = chooseKind({ networks, policy }, sources, asset, payoutAddress)
  // Without an account, Lightning is not even loaded.
  if (!kind && (payoutAddress === null || asset.chain === LIGHTNING)) return null
  const network = networks.of(asset.chain)
  if (!network) return null
  const refuse = (reason: string): null => {
    logNew(context, { assetId: asset.id, reason }, 'asset.own_route.unavailable')
    return null
  }
  if (!kind) return refuse('there is no source of addresses for it')
  const { account = null, isScarce = false } = sources.get(sourceKey(issuerOf(asset, kind), kind)) ?? {}
  const issuer = account === null ? null : (network.accounts?.describe(account) ?? null)
  if (choice.blind.has(issuer?.upstream ?? asset.chain)) {
    choice.unreadable.add(asset)
    return refuse('its chain cannot be read now')
  }
  const reason = await network.unavailableReason(asset)
  const problem = reason === null && kind === 'shared' ? await sharedProblem(asset, choice) : reason
  if (problem !== null) return refuse(problem)
  const { least = asset.minimum, most = null } = issuer?.limits ?? {}
  return { via: 'own', kind, isScarce, account, minimum: least, maximum: most }
}

/**
 * The network under which a source is kept: for an account, the network that issues its invoices, and for
 * addresses, that of the payout wallet.
 */
const issuerOf = ({ chain, network }: Asset, kind: SourceKind): string =>
  kind === 'issued' ? chain : network

/**
 * The reason why a payout wallet cannot be a shared address; null if it can. If a provider forwards the coin
 * to the wallet, a buyer can choose the amount that is forwarded, so that one payment would pay two orders:
 * the order at the provider, and one that asks for just this amount.
 */
async function sharedProblem(asset: Asset, choice: Choice): Promise<string | null> {
  const { providers, isUnavailable } = await choice.forwardedCoins()
  if (!isUnavailable && !providers.some(({ coins }) => coins.has(asset.id))) return null
  return 'a provider forwards it to the payout wallet, where only amounts identify payments'
}

/** The routes through providers to the payout wallet of a merchant, who must have one. */
const routesThrough = ({ providers }: ForwardedCoins, asset: Asset): ProviderRoute[] =>
  providers.flatMap(({ provider, coins }) =>
    (coins.get(asset.id) ?? []).map(coin => {
      const minimum = ceilUnits(coin.minimum, asset.decimals)
      return { via: provider, minimum: minimum > asset.minimum ? minimum : asset.minimum }
    }),
  )
