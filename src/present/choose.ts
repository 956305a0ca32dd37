import type { Choices, ChoosePart, CoinChoice, MethodChoice } from '../../views/checkout/model.ts'
import type { MarkModel } from '../../views/icons/sprite.ts'
import type { Locale } from '../../views/locale.ts'
import type { Asset, AssetLook, Mark, Usual } from '../domain/asset.ts'
import type { PaymentMeans } from '../domain/catalogue.ts'
import { LruCache } from '../domain/lru-cache.ts'
import { fromUnitsShort } from '../domain/money.ts'
import type { Chosen } from '../domain/opening.ts'
import type { AssetOffer, MethodOffer, Offers } from '../operations/payments/list-offers.ts'
import { duration, listOf, money } from './amounts.ts'

/** What a choice depends on besides the offers. */
export interface ChoiceContext {
  look(asset: Asset): AssetLook
  /** the method key or asset id that this browser paid with the last time */
  lastChoice: string | null
}

/** Names that are the same in every language. */
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

const meansOf = ({ method }: MethodOffer): readonly PaymentMeans[] => method.means ?? UNKNOWN

/** Many providers are listed by their domain. */
const domainEnding = /\.(?:com|net|org|io|ai|to|network|money)$/i

/** The first way to pay names the method; an account at a company is called like the company. */
function methodChoice({ texts }: Locale, offer: MethodOffer): MethodChoice {
  const means = meansOf(offer)
  const [first] = means
  const own: Partial<Record<PaymentMeans, string>> = { card: texts.choose.card, bank: texts.choose.bank }
  const provider = offer.method.name.replace(domainEnding, '')
  const title = (first && (own[first] ?? brands[first])) ?? provider
  return {
    key: offer.method.key,
    title,
    provider: title.startsWith(provider) ? null : provider,
    means,
    isConverted: offer.method.capability === 'forwarding',
  }
}

const WAYS_SHOWN = 5

/** Few buyers have an account at a certain company; nearly all have a card. */
const rankOf = (means: PaymentMeans | undefined): number =>
  means === 'card' ? 0 : means === 'account' ? 2 : 1

/**
 * The best method for each of the first ways to pay, and all others. Providers are in the order of their
 * catalogue. One that declined this order comes last, and the one that the buyer used last comes first.
 */
function rankMethods(offers: MethodOffer[], attempts: readonly Chosen[], last: string | null) {
  const declined = new Set(
    attempts.filter(({ state }) => state === 'failed').map(({ methodKey }) => methodKey),
  )
  const rank = (offer: MethodOffer): number =>
    (declined.has(offer.method.key) ? 4 : offer.method.key === last ? -4 : 0) + rankOf(meansOf(offer)[0])
  const ranked = offers.toSorted((a, b) => rank(a) - rank(b))
  const best = [...Map.groupBy(ranked, offer => meansOf(offer)[0]).values()].flatMap(([offer]) => offer ?? [])
  const [shown, folded] = split(best, WAYS_SHOWN, 1)
  return { best: shown, others: [...folded, ...ranked.filter(offer => !best.includes(offer))] }
}

/** The first ones, and the others; a few more need no fold. */
const split = <T>(all: T[], shown: number, spare: number): [T[], T[]] =>
  all.length <= shown + spare ? [all, []] : [all.slice(0, shown), all.slice(shown)]

const markModels = new WeakMap<Mark, MarkModel>()

function drawn(mark: Mark): MarkModel {
  const model = { id: `m${mark.color.slice(1)}-${mark.path.length}`, ...mark }
  // The ID says which drawing it is, and is shorter.
  return Object.defineProperty(model, 'toJSON', { value: () => model.id })
}

/** The same for the same drawing, so that a coin and its network share one. */
export function markModel(mark: Mark | null): MarkModel | null {
  if (mark === null) return null
  const model = markModels.get(mark) ?? drawn(mark)
  markModels.set(mark, model)
  return model
}

const usualTexts = new LruCache<string>(1000)

/** "Network fee usually about $0.50, takes about 13 min". The fees are those of an ordinary day. */
const usualText = (locale: Locale, { feeUsd, seconds }: Usual): string =>
  usualTexts.get(`${locale.formats} ${feeUsd} ${seconds}`, () =>
    locale.texts.choose.usual({
      fee: money(locale, { amount: feeUsd, currency: 'USD' }),
      time: duration(locale, seconds),
    }),
  )

const firstTickers = ['BTC', 'ETH', 'USDC', 'USDT']

/** The most common coins come first, the others in the order of the asset table; before all, the last one. */
function coinChoices(locale: Locale, offers: AssetOffer[], amounts: Amounts, context: ChoiceContext) {
  const { look, lastChoice } = context
  const rank = (ticker: string) =>
    firstTickers.includes(ticker) ? firstTickers.indexOf(ticker) : firstTickers.length
  const isLast = ({ asset }: AssetOffer) => asset.id === lastChoice
  return [...Map.groupBy(offers, ({ asset }) => asset.ticker)]
    .map(([ticker, group]) => ({ ticker, group, isLast: group.some(isLast) }))
    .sort((a, b) => Number(b.isLast) - Number(a.isLast) || rank(a.ticker) - rank(b.ticker))
    .map(({ ticker, group, isLast: wasUsed }): CoinChoice => {
      const [first] = group.map(({ asset }) => look(asset))
      return {
        name: first?.coin ?? ticker,
        ticker,
        mark: markModel(first?.coinMark ?? null),
        hasOneAmount: new Set(group.map(offer => amounts[offers.indexOf(offer)])).size === 1,
        networks: group
          .toSorted((a, b) => Number(isLast(b)) - Number(isLast(a)))
          .map(offer => {
            const { network, networkMark, standard, usual } = look(offer.asset)
            return {
              assetId: offer.asset.id,
              label:
                group.length === 1 ? ticker : `${ticker} · ${network}${standard ? ` (${standard})` : ''}`,
              mark: markModel(networkMark),
              amountAt: offers.indexOf(offer),
              usual: usual && usualText(locale, usual),
            }
          }),
        isOpen: wasUsed && group.length > 1,
      }
    })
}

const COINS_SHOWN = 6

const marksOf = (coins: CoinChoice[]): MarkModel[] => [
  ...new Map(
    coins
      .flatMap(({ mark, networks }) => [mark, ...(networks.length > 1 ? networks.map(one => one.mark) : [])])
      .filter(mark => mark !== null)
      .map(mark => [mark.id, mark]),
  ).values(),
]

/** What is due of each coin that is offered. */
type Amounts = ChoosePart['amounts']
type Methods = Pick<Choices, 'methods' | 'more'>
type Coins = Omit<Choices, keyof Methods | 'id'>

function methodsOf(
  locale: Locale,
  offers: MethodOffer[],
  attempts: readonly Chosen[],
  last: string | null,
): Methods {
  const { best, others } = rankMethods(offers, attempts, last)
  return {
    methods: best.map(offer => methodChoice(locale, offer)),
    more: others.map(offer => methodChoice(locale, offer)),
  }
}

function coinsOf(locale: Locale, offers: AssetOffer[], amounts: Amounts, context: ChoiceContext): Coins {
  const choices = coinChoices(locale, offers, amounts, context)
  const [coins, moreCoins] = split(choices, COINS_SHOWN, 2)
  const isCryptoFirst = offers.some(({ asset }) => asset.id === context.lastChoice)
  return { coins, moreCoins, marks: marksOf(choices), isCryptoFirst }
}

/** Rows of the remembered choices: 1.5 KB each with what is drawn of it. Anybody can ask for new amounts. */
const KNOWN_ROWS_MAX = 3000

/** The choices of the last pages, by everything that they are made of. Most orders differ only in amounts. */
const knownMethods = new LruCache<Methods>(
  KNOWN_ROWS_MAX,
  ({ methods, more }) => 1 + methods.length + more.length,
)
const knownCoins = new LruCache<Coins>(KNOWN_ROWS_MAX, ({ coins, moreCoins }) =>
  [...coins, ...moreCoins].reduce((rows, { networks }) => rows + networks.length, 1),
)
/** Those of these methods, by their coins. */
const knownChoices = new WeakMap<Methods, WeakMap<Coins, Choices>>()

const identified = (choices: Omit<Choices, 'id'>): Choices => ({
  id: Bun.hash(JSON.stringify(choices)).toString(36),
  ...choices,
})

function together(methods: Methods, coins: Coins): Choices {
  const ofMethods = knownChoices.get(methods) ?? new WeakMap<Coins, Choices>()
  knownChoices.set(methods, ofMethods)
  const choices = ofMethods.get(coins) ?? identified({ ...methods, ...coins })
  ofMethods.set(coins, choices)
  return choices
}

/** What a choice is made of a method, for each of the last catalogues. */
const methodKeys = new WeakMap<MethodOffer['method'], string>()

function methodKey(method: MethodOffer['method']): string {
  const known =
    methodKeys.get(method) ?? JSON.stringify([method.key, method.name, method.means, method.capability])
  methodKeys.set(method, known)
  return known
}

const methodsKey = (
  { formats }: Locale,
  offers: MethodOffer[],
  attempts: readonly Chosen[],
  last: string | null,
) =>
  JSON.stringify([
    formats,
    last,
    offers.map(({ method }) => methodKey(method)),
    attempts.map(({ state, methodKey }) => (state === 'failed' ? methodKey : null)),
  ])

/** Which of the offers are of the same coin, for each of the last lists of coins. */
const knownGroups = new LruCache<number[][]>(100)

const groupsOf = (offers: AssetOffer[]): number[][] =>
  [...Map.groupBy(offers.keys(), at => offers[at]?.asset.ticker).values()].filter(({ length }) => length > 1)

/** The coins, and which of them have the same amount on all of their networks. */
function coinsKey({ formats }: Locale, offers: AssetOffer[], amounts: Amounts, last: string | null): string {
  let key = `${formats} ${JSON.stringify(last)}`
  for (const { asset } of offers) key += ` ${asset.id}`
  const groups = knownGroups.get(key, () => groupsOf(offers))
  for (const [first = 0, ...others] of groups) {
    key += others.every(at => amounts[at] === amounts[first]) ? ' 1' : ' 2'
  }
  return key
}

const AMOUNTS_MAX = 100
const knownAmounts = new WeakMap<Asset, Map<bigint, string>>()

/** What is due of a coin, such as "0.00031". */
function amountOf({ asset, dueAtomic }: AssetOffer): string {
  const known = knownAmounts.get(asset) ?? new Map<bigint, string>()
  const last = known.get(dueAtomic)
  if (last !== undefined) return last
  const amount = fromUnitsShort(dueAtomic, asset.decimals)
  if (known.size >= AMOUNTS_MAX) known.clear()
  knownAmounts.set(asset, known.set(dueAtomic, amount))
  return amount
}

/** The networks of some coins, such as "A, B, and C"; null if there are none. */
export function networksOf(locale: Locale, assets: Asset[], { look }: ChoiceContext): string | null {
  const names = new Set(assets.map(asset => look(asset).network))
  return names.size === 0 ? null : listOf(locale, [...names])
}

/** What a buyer can choose from, the best first, and the amounts of the coins. */
export function presentChoices(
  locale: Locale,
  { methods, assets }: Offers,
  attempts: readonly Chosen[],
  context: ChoiceContext,
): { choices: Choices; amounts: Amounts } {
  const { lastChoice } = context
  const amounts = assets.map(amountOf)
  const choices = together(
    knownMethods.get(methodsKey(locale, methods, attempts, lastChoice), () =>
      methodsOf(locale, methods, attempts, lastChoice),
    ),
    knownCoins.get(coinsKey(locale, assets, amounts, lastChoice), () =>
      coinsOf(locale, assets, amounts, context),
    ),
  )
  return { choices, amounts }
}
