import { type Html, html } from '../html.ts'
import { type GlyphName, glyphNames, glyphs } from '../icons/glyphs.ts'
import { chevron, chip, markIcon, sprite } from '../icons/sprite.ts'
import type { Locale } from '../locale.ts'
import { buttonLink, newTabLink, time } from '../parts.ts'
import { type LinkedOrder, payUrl, processUrl } from './links.ts'
import type { CheckoutModel, Choices, ChoosePart, CoinChoice, MethodChoice, NetworkChoice } from './model.ts'
import { otherPayments } from './money.ts'

const isGlyph = (name: string): name is GlyphName => Object.hasOwn(glyphs, name)

export const leadOf = ([first = 'card']: MethodChoice['means']): GlyphName =>
  isGlyph(first) ? first : 'bank'

/** What else is accepted. A card shows the brands that are accepted everywhere. */
const chipsOf = (means: MethodChoice['means']): GlyphName[] =>
  means
    .flatMap(one => (one === 'card' ? (['visa', 'mastercard'] as const) : isGlyph(one) ? [one] : []))
    .filter(name => name !== leadOf(means) && name !== 'bank')

/** Icons say nothing to a screen reader, and to the filter. */
const accepted = (names: GlyphName[]): Html => {
  const text = names.map(name => glyphNames[name] ?? name).join(', ')
  const label = text && html` role="img" aria-label="${text}"`
  return html`<span class="chips"${label}>${names.map(chip)}</span>`
}

/** What is drawn of a model in one language. Pages with the same choices share the model. */
function drawnOnce<Model extends object, Drawn = Html>(draw: (locale: Locale, model: Model) => Drawn) {
  const known = new WeakMap<Model, { locale: Locale; drawn: Drawn }>()
  return (locale: Locale, model: Model): Drawn => {
    const last = known.get(model)
    if (last?.locale === locale) return last.drawn
    const drawn = draw(locale, model)
    known.set(model, { locale, drawn })
    return drawn
  }
}

/** Stands for something that differs between orders in what is drawn for all of them. No name contains it. */
const gap = (name: number | ''): string => `\ue000${name}\ue001`

const anyOrder: LinkedOrder = { orderId: gap('') }

function method({ texts }: Locale, { key, title, provider, means }: MethodChoice): Html {
  const by = provider && html`<span class="sub">${texts.choose.through({ provider })}</span>`
  return html`<li><a class="method" href="${processUrl(anyOrder, key)}"
 target="_blank" rel="noopener nofollow">${chip(leadOf(means))}
<span class="name">${title} ${by}</span>
${accepted(chipsOf(means))}
<span class="unseen">${texts.page.opensInNewTab}</span></a></li>`
}

const methodList = drawnOnce(
  (locale, methods: readonly MethodChoice[]): Html =>
    html`<ul class="methods">${methods.map(choice => method(locale, choice))}</ul>`,
)

const moreMethods = (locale: Locale, { more }: Choices): Html | false =>
  more.length > 0 &&
  html`<details class="more"><summary>${locale.texts.choose.moreWays} ${chevron}</summary>
${methodList(locale, more)}</details>`

/** Buyers of coins meet another company, its questions and its fee. */
export const handledByNamed = (
  locale: Locale,
  { methods, more }: Pick<Choices, 'methods' | 'more'>,
): Html | false =>
  [...methods, ...more].some(({ isConverted }) => isConverted) &&
  html`<p class="hint">${locale.texts.choose.handledByNamed}</p>`

const methods = (locale: Locale, choices: Choices): Html => html`<section aria-labelledby="by-provider">
<h2 id="by-provider">${locale.texts.choose.byProvider}</h2>
${methodList(locale, choices.methods)}
${moreMethods(locale, choices)}
${handledByNamed(locale, choices)}
</section>`

/** The only method that there is: the buyer has chosen already. */
const only = (
  { texts: { choose: texts } }: Locale,
  { key, title, provider: handler, isConverted }: MethodChoice,
): Html => {
  const method = handler ?? title
  const handled = isConverted && texts.handledBy({ company: method })
  return html`<section aria-labelledby="only">
<h2 id="only">${texts.payWith({ method })}</h2>
${newTabLink(processUrl(anyOrder, key), texts.continueTo({ method }))}
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

/** A coin on its only network: "Bitcoin", and what to send. */
const coinButton = (coin: CoinChoice, { assetId, amountAt, label }: NetworkChoice): Html =>
  html`<li><button class="method" name="asset" value="${assetId}">
${markIcon(coin.mark, coin.ticker)}<span class="name">${coin.name} <span class="sub">${label}</span></span>
<span class="note"><bdi dir="ltr">${gap(amountAt)} ${coin.ticker}</bdi></span></button></li>`

/** "USDT · TRON (TRC20)", with the usual fee and time. */
const networkButton = (network: NetworkChoice, coin: CoinChoice): Html => {
  const { assetId, mark, label, usual, amountAt } = network
  const due = html`<span class="note"><bdi dir="ltr">${gap(amountAt)} ${coin.ticker}</bdi></span>`
  return html`<li><button class="method" name="asset" value="${assetId}">${markIcon(mark, label)}
<span class="name"><bdi>${label}</bdi> ${usual && html`<span class="sub">${usual}</span>`}</span>
${!coin.hasOneAmount && due}</button></li>`
}

/** A coin on one network is a button; a coin on several networks opens to show them. */
function coin({ texts }: Locale, choice: CoinChoice): Html {
  const { name, ticker, mark, networks, isOpen, hasOneAmount } = choice
  const [first] = networks
  if (first && networks.length === 1) return coinButton(choice, first)
  const amount = hasOneAmount && first && html`<bdi dir="ltr">${gap(first.amountAt)} ${ticker}</bdi>`
  const count = networks.length
  return html`<li><details${isOpen && html` open`}>
<summary class="method">${markIcon(mark, ticker)}
<span class="name">${name}
<span class="sub">${!amount && `${ticker} · `}${texts.choose.networks({ count })}</span></span>
<span class="note">${amount} ${chevron}</span></summary>
<ul class="methods networks">${networks.map(network => networkButton(network, choice))}</ul>
</details></li>`
}

const coinList = drawnOnce(
  (locale, coins: readonly CoinChoice[]): Html =>
    html`<ul class="methods">${coins.map(choice => coin(locale, choice))}</ul>`,
)

const moreCoins = (locale: Locale, { moreCoins }: Choices): Html | false =>
  moreCoins.length > 0 &&
  html`<details class="more"><summary>${locale.texts.choose.moreCoins} ${chevron}</summary>
${coinList(locale, moreCoins)}</details>`

const crypto = (locale: Locale, choices: Choices): Html => html`<section aria-labelledby="by-crypto">
<h2 id="by-crypto">${locale.texts.choose.crypto}</h2>
<form class="choices" method="post" action="${payUrl(anyOrder)}/crypto">
${coinList(locale, choices.coins)}
${moreCoins(locale, choices)}
</form>
</section>`

/** Why there is nothing to choose from. */
export function noneBecause(
  { choose }: Locale['texts'],
  { networksAway, providerAway }: Pick<ChoosePart, 'networksAway' | 'providerAway'>,
): string {
  if (networksAway !== null)
    return `${choose.networksAway({ networks: networksAway })} ${choose.tryInMinutes}`
  return providerAway ? choose.providerAway : choose.noneForAmount
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

/** What a buyer can do who wanted to pay on a network that cannot be reached. */
const networksAway = ({ choose }: Locale['texts'], names: string): string =>
  `${choose.networksAway({ networks: names })} ${choose.otherOrLater}`

const FILTER_FROM = 11

/** A long list can be filtered. The script shows the field, which does nothing without it. */
const filter = ({ texts }: Locale, { methods, more, coins, moreCoins }: Choices): Html | false =>
  [methods, more, coins, moreCoins].flat().length >= FILTER_FROM &&
  html`<p class="filter" hidden><label class="unseen" for="filter">${texts.choose.filter}</label>
<input class="field" id="filter" type="search" autocomplete="off" placeholder="${texts.choose.filter}"></p>
<p class="hint none" role="status" hidden>${texts.choose.noMatch}</p>`

const isOnly = ({ methods, more, coins }: Choices): boolean =>
  methods.length === 1 && more.length === 0 && coins.length === 0

const icons = drawnOnce(
  (_, choices: Choices): Html | false => choices.marks.length > 0 && sprite(choices.marks),
)

function sections(locale: Locale, choices: Choices): (Html | false)[] {
  const [first] = choices.methods
  if (first && isOnly(choices)) return [only(locale, first)]
  const byProvider = choices.methods.length > 0 && methods(locale, choices)
  const byCrypto = choices.coins.length > 0 && crypto(locale, choices)
  return choices.isCryptoFirst ? [byCrypto, byProvider] : [byProvider, byCrypto]
}

interface Around {
  texts: string[]
  /** what comes after each text but the last: an amount, or null for the ID of the order */
  gaps: (number | null)[]
}

/** What is around the IDs of the order and the amounts. */
const aroundOrders = drawnOnce((locale, choices: Choices): Around => {
  const parts = html`${filter(locale, choices)}
${sections(locale, choices)}`
    .toString()
    .split(/\ue000(\d*)\ue001/)
  const names = parts.filter((_, at) => at % 2 === 1)
  return {
    texts: parts.filter((_, at) => at % 2 === 0),
    gaps: names.map(name => (name === '' ? null : Number(name))),
  }
})

function forOrder({ texts, gaps }: Around, { orderId }: LinkedOrder, { amounts }: ChoosePart): Html {
  return html(texts, ...gaps.map(at => (at === null ? orderId : amounts[at])))
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
${icons(locale, choices)}
${notice && html`<p class="state warn">${notice}</p>`}
${part.isFull && otherPayments(locale, model)}
${part.failure && failed(part.failure)}
${part.canGoBack && back}
${forOrder(aroundOrders(locale, choices), model, part)}
${part.providerAway && cardsAway(locale.texts)}
${away && away !== unreached && html`<p class="hint">${networksAway(locale.texts, away)}</p>`}
</div>`
}
