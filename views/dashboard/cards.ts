import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { chips, copyable, field, hidden, message } from './parts.ts'

type Texts = DashboardLocale['texts']['cards']

/** The providers that shops have accounts with, by their names. */
export const cardProviders = { stripe: 'Stripe', mollie: 'Mollie', paypal: 'PayPal' } as const
export type CardProvider = keyof typeof cardProviders

/** The path of a provider's page, to which its forms are also sent. */
export const cardsPath = (provider: CardProvider): string =>
  provider === 'stripe' ? '/dashboard/cards' : `/dashboard/cards/${provider}`

/** The texts that differ between providers. */
const ownTexts = ({ texts: { cards } }: DashboardLocale, { provider }: CardsModel) =>
  provider === 'stripe' ? cards : cards[provider]

interface AccountModel {
  id: string
  name: string
  mode: keyof Texts['modes']
  keyEnd: string
  webhook: keyof Texts['webhooks']
}

export interface CardsModel {
  provider: CardProvider
  /** `unreadable` if the stored key cannot be decrypted; null if no account is connected */
  current: AccountModel | 'unreadable' | null
  /** an account whose key works, until it is saved */
  tried: { account: AccountModel; draft: string } | null
  done: 'saved' | 'removed' | 'tested' | null
  /** orders whose payment pages could not be closed when the account was removed */
  open: readonly string[]
  problem: string | null
  /** URL at which the provider has to report payments, and the events to report */
  callbackUrl: string
  events: readonly string[]
  hasClientId: boolean
  isSandbox: boolean
}

const facts = ({ texts: { cards } }: DashboardLocale, account: AccountModel): Html => html`<dl class="facts">
<dt>${cards.account}</dt><dd><bdi>${account.name}</bdi> <span class="code" dir="ltr">${account.id}</span></dd>
<dt>${cards.mode}</dt><dd>${cards.modes[account.mode]}</dd>
<dt>${cards.key}</dt><dd>${cards.keyEnd({ end: account.keyEnd })}</dd>
</dl>`

function currentPart(locale: DashboardLocale, { current, provider }: CardsModel): Html {
  const { cards } = locale.texts
  if (current === null) return html`<p>${cards.none({ name: cardProviders[provider] })}</p>`
  const isReadable = current !== 'unreadable'
  return html`<section class="card" aria-labelledby="current"><h2 id="current">${cardProviders[provider]}</h2>
${
  isReadable
    ? html`${facts(locale, current)}<dl class="facts"><dt>${cards.webhook}</dt>
<dd>${cards.webhooks[current.webhook]}</dd></dl>`
    : message('warn', cards.unreadable)
}
<div class="row">${
    isReadable &&
    html`<form method="post" action="${cardsPath(provider)}/test">${hidden(locale)}
<button class="quiet">${cards.test}</button></form>`
  }
<form method="post" action="${cardsPath(provider)}/remove" data-ask="${cards.removeAsk}">${hidden(locale)}
<button class="danger small">${cards.remove}</button></form></div></section>`
}

function triedPart(
  locale: DashboardLocale,
  model: CardsModel,
  { account, draft }: NonNullable<CardsModel['tried']>,
): Html {
  const { cards } = locale.texts
  return html`<section class="card" aria-labelledby="tried"><h2 id="tried">${cards.tried}</h2>
<p class="hint">${ownTexts(locale, model).triedHint}</p>
${facts(locale, account)}
<form method="post" action="${cardsPath(model.provider)}/save">${hidden(locale, { draft })}
<button>${cards.save}</button></form></section>`
}

function ownWebhookPart(locale: DashboardLocale, { callbackUrl, events }: CardsModel): Html {
  const { cards } = locale.texts
  return html`<details><summary>${cards.ownWebhook}</summary>
<p>${cards.ownWebhookSteps}</p>
<p>${copyable(locale, callbackUrl)}</p>
<p>${cards.events}: ${events.map(event => html`<span class="code" dir="ltr">${event}</span> `)}</p>
${field({
  name: 'webhookSecret',
  label: cards.webhookSecret,
  type: 'password',
  hint: cards.webhookSecretHint,
  autocomplete: 'off',
})}</details>`
}

const rightsOf = ({ rights }: Texts): Html =>
  html`<ul>${Object.values(rights).map(right => html`<li>${right}</li>`)}</ul>`

function entryPart(locale: DashboardLocale, model: CardsModel): Html {
  const { cards } = locale.texts
  const { current, hasClientId, isSandbox, provider } = model
  const own = ownTexts(locale, model)
  return html`<section class="card" aria-labelledby="entry">
<h2 id="entry">${current === null ? own.connect : cards.replace}</h2>
<p>${own.steps}</p>
${provider === 'stripe' && rightsOf(cards)}
<form method="post" action="${cardsPath(provider)}/try" autocomplete="off">${hidden(locale)}
${
  hasClientId &&
  field({
    name: 'clientId',
    label: cards.paypal.clientId,
    hint: cards.paypal.clientIdHint,
    isRequired: true,
    autocomplete: 'off',
  })
}
${field({
  name: 'key',
  label: own.secretKey,
  type: 'password',
  hint: isSandbox ? own.secretKeyHintTest : own.secretKeyHintLive,
  isRequired: true,
  autocomplete: 'off',
})}
${provider === 'stripe' && ownWebhookPart(locale, model)}
<button>${cards.try}</button></form></section>`
}

const openPart = ({ texts: { cards } }: DashboardLocale, { open }: CardsModel): Html =>
  html`<div class="message warn" role="alert"><p>${cards.removed} ${cards.removedOpen}</p>
<ul>${open.map(id => html`<li><a class="code" href="/dashboard/orders/${id}">${id}</a></li>`)}</ul></div>`

export function cardsBody(locale: DashboardLocale, model: CardsModel): Html {
  const { cards } = locale.texts
  const { current, done, problem, tried } = model
  return html`<h1>${cards.title}</h1>
${chips(
  cards.provider,
  Object.entries(cardProviders).map(([other, name]) => [
    cardsPath(other as CardProvider),
    cards.with({ name }),
    other === model.provider,
  ]),
)}
<p>${ownTexts(locale, model).lead}</p>
${done && message('good', cards[done])}
${problem && message('warn', problem)}
${model.open.length > 0 && openPart(locale, model)}
${(current !== null || tried === null) && currentPart(locale, model)}
${tried ? triedPart(locale, model, tried) : entryPart(locale, model)}`
}
