import type {
  Choices,
  CoinChoice,
  CoinModel,
  MethodChoice,
  NetworkModel,
} from '../../views/checkout/model.ts'
import { drawnOnce } from '../../views/drawn-once.ts'
import { markClass } from '../../views/icons/icons.ts'
import type { Locale } from '../../views/locale.ts'
import type { Asset, AssetLook, Usual } from '../domain/asset.ts'
import type { PaymentMeans, ProviderMethod } from '../domain/catalogue.ts'
import { fromUnitsShort } from '../domain/money.ts'
import type { Chosen } from '../domain/opening.ts'
import type { AssetOffer, Offers } from '../operations/payments/list-offers.ts'
import { duration, listOf, money } from './amounts.ts'

/** The facts that a choice depends on, besides the offers. */
export interface ChoiceContext {
  look(asset: Asset): AssetLook
  /** the method key or asset ID that this browser last paid with */
  lastChoice: string | null
}

/** Names of means of payment that are the same in every language. */
const brands: Partial<Record<PaymentMeans, string>> = {
  applepay: 'Apple Pay',
  googlepay: 'Google Pay',
  paypal: 'PayPal',
  revolut: 'Revolut Pay',
  upi: 'UPI',
  pix: 'Pix',
  interac: 'Interac e-Transfer',
  ideal: 'iDEAL',
  klarna: 'Klarna',
  cashapp: 'Cash App Pay',
}

const UNKNOWN: readonly PaymentMeans[] = ['card']

const meansOf = ({ means = UNKNOWN }: Pick<ProviderMethod, 'means'>): readonly PaymentMeans[] => means

/** Matches the ending of a domain. Many providers are listed under their domain. */
const domainEnding = /\.(?:com|net|org|io|ai|to|network|money)$/i

/**
 * A method in a choice. Its title is its first means of payment. An account at a company has the company's
 * name.
 */
const methodChoice = drawnOnce(({ texts }, method: ProviderMethod): MethodChoice => {
  const means = meansOf(method)
  const [first] = means
  const own: Partial<Record<PaymentMeans, string>> = { card: texts.choose.card, bank: texts.choose.bank }
  const provider = method.name.replace(domainEnding, '')
  const title = (first && (own[first] ?? brands[first])) ?? provider
  return {
    key: method.key,
    title,
    provider: title.startsWith(provider) ? null : provider,
    // Catalogues are frozen, and JSON of a frozen array takes several times as long.
    means: [...means],
    isConverted: method.capability === 'forwarding',
  }
})

const WAYS_SHOWN = 5

/**
 * The rank of a means of payment, lowest first. Nearly all buyers have a card; few have an account at a
 * certain company.
 */
const rankOf = (means: PaymentMeans | undefined): number =>
  means === 'card' ? 0 : means === 'account' ? 2 : 1

/**
 * The best method for each of the first means of payment, and all other methods. Methods are in the order of
 * their catalogue, except that a method that declined this order comes last, and the method that the buyer
 * used last comes first.
 */
function rankMethods(methods: ProviderMethod[], attempts: readonly Chosen[], last: string | null) {
  const declined = attempts.filter(({ state }) => state === 'failed').map(({ methodKey }) => methodKey)
  const ranked = methods
    .map(method => {
      const { key } = method
      const moved = declined.includes(key) ? 4 : key === last ? -4 : 0
      return { method, means: meansOf(method)[0], rank: moved + rankOf(meansOf(method)[0]) }
    })
    .sort((one, other) => one.rank - other.rank)
  const ways = new Set<PaymentMeans | undefined>()
  const best: ProviderMethod[] = []
  const rest: ProviderMethod[] = []
  for (const { method, means } of ranked) {
    const list = ways.has(means) ? rest : best
    ways.add(means)
    list.push(method)
  }
  const [shown, folded] = split(best, WAYS_SHOWN, 1)
  return { best: shown, others: [...folded, ...rest] }
}

/**
 * Splits a list into the items to show and the items to fold. If at most `spare` items would be folded, all
 * are shown.
 */
const split = <T>(all: T[], shown: number, spare: number): [T[], T[]] =>
  all.length <= shown + spare ? [all, []] : [all.slice(0, shown), all.slice(shown)]

/**
 * Usual cost and duration: "Network fee usually about $0.50, takes about 13 min". The fee is that of an
 * ordinary day.
 */
const usualText = (locale: Locale, { feeUsd, seconds }: Usual): string =>
  locale.texts.choose.usual({
    fee: money(locale, { amount: feeUsd, currency: 'USD' }),
    time: duration(locale, seconds),
  })

const networkModel = drawnOnce(
  (locale, { assetId, label, networkMark, usual }: AssetLook): NetworkModel => ({
    assetId,
    label,
    mark: networkMark && markClass(networkMark),
    usual: usual && usualText(locale, usual),
  }),
)

/** The class of a coin's icon; null if it has none. */
export const markOf = ({ coinMark }: AssetLook): string | null => coinMark && markClass(coinMark)

const coinModel = drawnOnce(
  (_, look: AssetLook): CoinModel => ({ name: look.coin, ticker: look.ticker, mark: markOf(look) }),
)

/** A coin on its networks. The network that the buyer used last comes first, and is shown at once. */
function coinChoice(locale: Locale, { offers }: RankedCoin, { look, lastChoice }: ChoiceContext): CoinChoice {
  const networks = offers.map(({ asset, dueAtomic }) => ({
    network: networkModel(locale, look(asset)),
    amount: fromUnitsShort(dueAtomic, asset.decimals),
  }))
  const last = networks.find(({ network }) => network.assetId === lastChoice)
  const amount = networks[0]?.amount ?? null
  return {
    coin: coinModel(locale, look(offers[0].asset)),
    amount: networks.every(network => network.amount === amount) ? amount : null,
    networks: last ? [last, ...networks.filter(network => network !== last)] : networks,
    isOpen: last !== undefined && networks.length > 1,
  }
}

const firstTickers = ['BTC', 'ETH', 'USDC', 'USDT']
const COINS_SHOWN = 6

/** A coin and the networks on which it is offered. */
interface RankedCoin {
  offers: [AssetOffer, ...AssetOffer[]]
  /** lowest first */
  rank: number
}

const USED = -1

/** True if the buyer last paid with this coin. */
export const wasUsed = ({ rank }: RankedCoin): boolean => rank === USED

function rankOfCoin(ticker: string): number {
  const at = firstTickers.indexOf(ticker)
  return at < 0 ? firstTickers.length : at
}

/**
 * Sorts coins: the coin that the buyer used last, the most common coins, and the others in the order of the
 * asset table.
 */
export function rankCoins(assets: readonly AssetOffer[], lastChoice: string | null): RankedCoin[] {
  const coins = new Map<string, RankedCoin>()
  for (const offer of assets) {
    const { ticker, id } = offer.asset
    const coin = coins.get(ticker) ?? { offers: [offer], rank: rankOfCoin(ticker) }
    if (coins.has(ticker)) coin.offers.push(offer)
    else coins.set(ticker, coin)
    if (id === lastChoice) coin.rank = USED
  }
  return [...coins.values()].sort((one, other) => one.rank - other.rank)
}

/** The networks of some coins, such as "A, B, and C"; null if there are none. */
export function networksOf(locale: Locale, assets: Asset[], { look }: ChoiceContext): string | null {
  const names = new Set(assets.map(asset => look(asset).network))
  return names.size === 0 ? null : listOf(locale, [...names])
}

/** The providers' methods that a buyer can choose from, the best first. */
export function presentMethods(
  locale: Locale,
  { methods }: Pick<Offers, 'methods'>,
  attempts: readonly Chosen[],
  { lastChoice }: Pick<ChoiceContext, 'lastChoice'>,
): Pick<Choices, 'methods' | 'more'> {
  const offered = methods.map(({ method }) => method)
  const { best, others } = rankMethods(offered, attempts, lastChoice)
  return {
    methods: best.map(method => methodChoice(locale, method)),
    more: others.map(method => methodChoice(locale, method)),
  }
}

/** The methods and coins that a buyer can choose from, the best first. */
export function presentChoices(
  locale: Locale,
  offers: Pick<Offers, 'methods' | 'assets'>,
  attempts: readonly Chosen[],
  context: ChoiceContext,
): Choices {
  const ranked = rankCoins(offers.assets, context.lastChoice)
  const choices = ranked.map(coin => coinChoice(locale, coin, context))
  const [coins, moreCoins] = split(choices, COINS_SHOWN, 2)
  return {
    ...presentMethods(locale, offers, attempts, context),
    coins,
    moreCoins,
    isCryptoFirst: ranked.some(wasUsed),
  }
}
