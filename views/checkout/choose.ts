import { drawnOnce } from '../drawn-once.ts'
import { type Html, html } from '../html.ts'
import { type GlyphName, glyphNames, glyphs } from '../icons/glyphs.ts'
import { chevron, chip, markIcon } from '../icons/icons.ts'
import type { Locale } from '../locale.ts'
import { buttonLink, newTabLink, time } from '../parts.ts'
import { type LinkedOrder, payUrl, processUrl } from './links.ts'
import type {
  CheckoutModel,
  Choices,
  ChoosePart,
  CoinChoice,
  CoinModel,
  MethodChoice,
  NetworkChoice,
  NetworkModel,
} from './model.ts'
import { otherPayments } from './money.ts'

const isGlyph = (name: string): name is GlyphName => Object.hasOwn(glyphs, name)

export const leadOf = ([first = 'card']: MethodChoice['means']): GlyphName =>
  isGlyph(first) ? first : 'bank'

/** The icons of other accepted means. A card shows the brands that are accepted everywhere. */
const chipsOf = (means: MethodChoice['means']): GlyphName[] =>
  means
    .flatMap(one => (one === 'card' ? (['visa', 'mastercard'] as const) : isGlyph(one) ? [one] : []))
    .filter(name => name !== leadOf(means) && name !== 'bank')

/** The icons of accepted means, with their names for screen readers and for the filter. */
const accepted = (names: GlyphName[]): Html => {
  const text = names.map(name => glyphNames[name] ?? name).join(', ')
  const label = text && html` role="img" aria-label="${text}"`
  return html`<span class="chips"${label}>${names.map(chip)}</span>`
}

const methodLabel = drawnOnce(({ texts }, { title, provider, means }: MethodChoice): Html => {
  const by = provider && html`<span class="sub">${texts.choose.through({ provider })}</span>`
  return html`${chip(leadOf(means))}
<span class="name">${title} ${by}</span>
${accepted(chipsOf(means))}
<span class="unseen">${texts.page.opensInNewTab}</span>`
})

const method = (
  locale: Locale,
  order: LinkedOrder,
  choice: MethodChoice,
): Html => html`<li><a class="method" href="${processUrl(order, choice.key)}"
 target="_blank" rel="noopener nofollow">${methodLabel(locale, choice)}</a></li>`

const methodList = (locale: Locale, order: LinkedOrder, methods: readonly MethodChoice[]): Html =>
  html`<ul class="methods">${methods.map(choice => method(locale, order, choice))}</ul>`

const moreMethods = (locale: Locale, order: LinkedOrder, { more }: Choices): Html | false =>
  more.length > 0 &&
  html`<details class="more"><summary>${locale.texts.choose.moreWays} ${chevron}</summary>
${methodList(locale, order, more)}</details>`

/** A hint for methods with which buyers buy coins: they meet another company, its questions and its fee. */
export const handledByNamed = (
  locale: Locale,
  { methods, more }: Pick<Choices, 'methods' | 'more'>,
): Html | false =>
  [...methods, ...more].some(({ isConverted }) => isConverted) &&
  html`<p class="hint">${locale.texts.choose.handledByNamed}</p>`

const byProvider = (
  locale: Locale,
  order: LinkedOrder,
  choices: Choices,
): Html => html`<section aria-labelledby="by-provider">
<h2 id="by-provider">${locale.texts.choose.byProvider}</h2>
${methodList(locale, order, choices.methods)}
${moreMethods(locale, order, choices)}
${handledByNamed(locale, choices)}
</section>`

/** The only method, so that nothing is left to choose. */
const only = (
  { texts: { choose: texts } }: Locale,
  order: LinkedOrder,
  { key, title, provider: handler, isConverted }: MethodChoice,
): Html => {
  const method = handler ?? title
  const handled = isConverted && texts.handledBy({ company: method })
  return html`<section aria-labelledby="only">
<h2 id="only">${texts.payWith({ method })}</h2>
${newTabLink(processUrl(order, key), texts.continueTo({ method }))}
<p class="hint">${handled} ${texts.keepPageOpen({ method })}</p>
</section>`
}

const failed = ({
  title,
  text,
}: NonNullable<ChoosePart['failure']>): Html => html`<div class="state warn failure">
<h2>${title}</h2>
<p>${text}</p>
</div>`

const due = ({ coin: { ticker } }: CoinChoice, amount: string): Html =>
  html`<bdi dir="ltr">${amount} ${ticker}</bdi>`

const coinLabel = drawnOnce(
  (_, { name, ticker, mark }: CoinModel): Html =>
    html`${markIcon(mark, ticker)}<span class="name">${name} <span class="sub">${ticker}</span></span>`,
)

/** A coin on its only network: "Bitcoin", and the amount to send. */
const coinButton = (
  locale: Locale,
  choice: CoinChoice,
  { network, amount }: NetworkChoice,
): Html => html`<li><button class="method" name="asset" value="${network.assetId}">
${coinLabel(locale, choice.coin)}<span class="note">${due(choice, amount)}</span></button></li>`

/** The beginning of a button: "USDT · TRON (TRC20)", with the usual fee and time. */
const networkLabel = drawnOnce(
  (_, { assetId, mark, label, usual }: NetworkModel): Html =>
    html`<li><button class="method" name="asset" value="${assetId}">${markIcon(mark, label)}
<span class="name"><bdi>${label}</bdi> ${usual && html`<span class="sub">${usual}</span>`}</span>
`,
)

/** A button without an amount, for a coin whose amount is the same on all networks. */
const plainButton = drawnOnce(
  (locale, network: NetworkModel): Html => html`${networkLabel(locale, network)}</button></li>`,
)

const networkButton = (locale: Locale, coin: CoinChoice, { network, amount }: NetworkChoice): Html =>
  coin.amount === null
    ? html`${networkLabel(locale, network)}<span class="note">${due(coin, amount)}</span></button></li>`
    : plainButton(locale, network)

/** A coin on one network is a button; a coin on several networks opens to show them. */
function coin(locale: Locale, choice: CoinChoice): Html {
  const { networks, isOpen, amount } = choice
  const [first] = networks
  if (first && networks.length === 1) return coinButton(locale, choice, first)
  const { name, ticker, mark } = choice.coin
  const count = locale.texts.choose.networks({ count: networks.length })
  return html`<li><details${isOpen && html` open`}>
<summary class="method">${markIcon(mark, ticker)}
<span class="name">${name}
<span class="sub">${amount === null && `${ticker} · `}${count}</span></span>
<span class="note">${amount !== null && due(choice, amount)} ${chevron}</span></summary>
<ul class="methods networks">${networks.map(network => networkButton(locale, choice, network))}</ul>
</details></li>`
}

const coinList = (locale: Locale, coins: readonly CoinChoice[]): Html =>
  html`<ul class="methods">${coins.map(choice => coin(locale, choice))}</ul>`

const moreCoins = (locale: Locale, { moreCoins }: Choices): Html | false =>
  moreCoins.length > 0 &&
  html`<details class="more"><summary>${locale.texts.choose.moreCoins} ${chevron}</summary>
${coinList(locale, moreCoins)}</details>`

const byCrypto = (
  locale: Locale,
  order: LinkedOrder,
  choices: Choices,
): Html => html`<section aria-labelledby="by-crypto">
<h2 id="by-crypto">${locale.texts.choose.crypto}</h2>
<form class="choices" method="post" action="${payUrl(order)}/crypto">
${coinList(locale, choices.coins)}
${moreCoins(locale, choices)}
</form>
</section>`

/** The reason why there is nothing to choose from. */
export function noneBecause(
  { choose }: Locale['texts'],
  {
    networksAway,
    providerAway,
    isForAmount,
  }: Pick<ChoosePart, 'networksAway' | 'providerAway' | 'isForAmount'>,
): string {
  if (networksAway !== null)
    return `${choose.networksAway({ networks: networksAway })} ${choose.tryInMinutes}`
  if (providerAway) return choose.providerAway
  return isForAmount ? choose.noneForAmount : choose.noneNow
}

function nothing(locale: Locale, model: CheckoutModel, part: ChoosePart): Html {
  const { choose, page } = locale.texts
  return html`<div class="nothing" data-announce="${choose.noMethod}">
<h2>${choose.nothing}</h2>
<p>${noneBecause(locale.texts, part)}
${choose.openUntil.html({ time: time(locale, model.expiresAt) })}</p>
${buttonLink(payUrl(model), page.tryAgain)}
</div>`
}

const cardsAway = ({ choose }: Locale['texts']): Html =>
  html`<p class="hint">${choose.cardsAway} ${choose.tryInMinutes}</p>`

/** Advice for a buyer who wanted to pay on a network that cannot be reached. */
const networksAway = ({ choose }: Locale['texts'], names: string): string =>
  `${choose.networksAway({ networks: names })} ${choose.otherOrLater}`

const FILTER_FROM = 11

/** The field that filters a long list. The script shows it, because without the script it does nothing. */
const filter = ({ texts }: Locale, { methods, more, coins, moreCoins }: Choices): Html | false =>
  [methods, more, coins, moreCoins].flat().length >= FILTER_FROM &&
  html`<p class="filter" hidden><label class="unseen" for="filter">${texts.choose.filter}</label>
<input class="field" id="filter" type="search" autocomplete="off" placeholder="${texts.choose.filter}"></p>
<p class="hint none" role="status" hidden>${texts.choose.noMatch}</p>`

/** True if a provider's method is all that can be chosen. */
export const isOnlyMethod = ({ methods, more, coins }: Choices): boolean =>
  methods.length === 1 && more.length === 0 && coins.length === 0

function sections(locale: Locale, order: LinkedOrder, choices: Choices): (Html | false)[] {
  const [first] = choices.methods
  if (first && isOnlyMethod(choices)) return [only(locale, order, first)]
  const methods = choices.methods.length > 0 && byProvider(locale, order, choices)
  const coins = choices.coins.length > 0 && byCrypto(locale, order, choices)
  return choices.isCryptoFirst ? [coins, methods] : [methods, coins]
}

const noticeOf = ({ texts }: Locale, { isFull, unreached }: ChoosePart): string | null => {
  if (isFull) return texts.errors.byReason.payments_open
  return unreached && networksAway(texts, unreached)
}

/** The choice of payment methods: what the buyer used last comes first. */
export function choosePart(locale: Locale, model: CheckoutModel, part: ChoosePart): Html {
  const { choose: texts } = locale.texts
  const { choices } = part
  if (choices.methods.length + choices.coins.length === 0) return nothing(locale, model, part)
  const back = html`<p class="back"><a href="${payUrl(model)}">${texts.back}</a></p>`
  const { networksAway: away, unreached } = part
  const notice = noticeOf(locale, part)
  return html`<div data-announce="${notice ?? part.failure?.title ?? texts.title}">
${notice && html`<p class="state warn">${notice}</p>`}
${part.isFull && otherPayments(locale, model)}
${part.failure && failed(part.failure)}
${part.canGoBack && back}
${filter(locale, choices)}
${sections(locale, model, choices)}
${part.providerAway && cardsAway(locale.texts)}
${away && away !== unreached && html`<p class="hint">${networksAway(locale.texts, away)}</p>`}
</div>`
}
