import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { consequence, copyable, describedBy, field, hidden, select, time } from './parts.ts'

type Texts = DashboardLocale['texts']['order']

/** A payment that did not complete the order. Amounts include their currency or coin. */
export interface UnmatchedPaymentModel {
  id: string
  amount: string
  /** value in the order's currency; null if unknown */
  value: string | null
  shortfall: string | null
  reason: keyof DashboardLocale['texts']['timeline']['reasons']
  status: keyof Texts['accept']['statuses']
  txId: string | null
  refundAddress: string | null
  mayAccept: boolean
}

interface PricedModel {
  /** number without the ticker, so that it can be copied */
  coins: string
  /** rate such as "1 ETH = $2,500.00" */
  rate: string
  at: number | null
}

/** A refund in a coin, at the rate of its payment and at the current rate. */
interface RefundPriceModel {
  coin: string
  amount: string
  paid: PricedModel | null
  now: PricedModel | null
}

/** The actions that are open to the person now. */
export interface OrderActions {
  mayCheck: boolean
  mayCancel: boolean
  /** true if the order can only be ended, because the buyer has begun to pay */
  mayEnd: boolean
  /** the refund that the person may record; null if there is none */
  refund: {
    amount: string
    currency: string
    token: string
    /** what the provider can refund, and if it took only a part of the order; null if there is nothing */
    paidBack: { amount: string; isPart: boolean } | null
    /** coins in which the order was paid, each with the buyer's refund address */
    coins: readonly { assetId: string; name: string; address: string | null }[]
    /** opens a mail that asks the buyer for a refund address; null if their email address is unknown */
    askUrl: string | null
    /** number of coins for the entered amount; null until the person asks for it */
    price: RefundPriceModel | null
  } | null
  /** true if a new order can replace this one */
  mayCorrect: boolean
  mayForce: boolean
  mayNote: boolean
  mayResend: boolean
  unmatched: readonly UnmatchedPaymentModel[]
  /** values and invalid fields of the form that was refused */
  entered: { action: string; values: Record<string, string>; wrong: readonly string[] } | null
}

type FormEntry = OrderActions['entered']

/** A field of a form. Its ID contains the action, because several forms have a field for a reason. */
function input(
  { texts: { order } }: DashboardLocale,
  entered: FormEntry,
  action: string,
  name: keyof Texts['wrong'],
  label: string,
  more: { hint?: string; value?: string; isRequired?: boolean; inputMode?: 'decimal' } = {},
): Html {
  const own = entered?.action === action ? entered : null
  return field({
    name,
    id: `${action}-${name}`,
    label,
    ...more,
    value: own?.values[name] ?? more.value,
    problem: own?.wrong.includes(name) ? order.wrong[name] : undefined,
  })
}

interface Form {
  action: string
  title: string
  isOpen?: boolean
  ask?: string
  values?: Record<string, string>
}

/** A form behind a link that unfolds it. */
const form = (
  locale: DashboardLocale,
  orderId: string,
  { action, title, isOpen, ask, values }: Form,
  body: Html,
): Html =>
  html`<details id="form-${action}"${isOpen && html` open`}><summary>${title}</summary>
<form method="post" action="/dashboard/orders/${orderId}/${action}"${ask && html` data-ask="${ask}"`}>
${hidden(locale, values)}
${body}</form></details>
`

function priceText(locale: DashboardLocale, { coin, amount, paid, now }: RefundPriceModel): Html {
  const { refund } = locale.texts.order
  const row = (label: string, priced: PricedModel) =>
    html`<dt>${label}</dt><dd>${copyable(locale, priced.coins)} ${coin}
<br><span class="soft">${priced.rate}${priced.at !== null && html`, ${time(locale, priced.at)}`}</span></dd>`
  return html`<p>${refund.price({ amount })}</p>
<dl class="facts">${paid && row(refund.paid, paid)}
${now ? row(refund.now, now) : html`<dt>${refund.now}</dt><dd>${refund.unknown}</dd>`}</dl>
<p class="hint">${refund.priceHint}</p>`
}

/** The fields of a refund in coins: the coin, its address, the number of coins and the transaction. */
function coinFields(
  locale: DashboardLocale,
  orderId: string,
  { refund, entered }: Pick<OrderActions, 'refund' | 'entered'>,
): { fields: Html; priceButton: Html } | null {
  const [first] = refund?.coins ?? []
  if (!refund || !first) return null
  const { refund: texts } = locale.texts.order
  const { coins, askUrl, price } = refund
  const known = coins.filter(({ address }) => address !== null)
  const chosen = coins.find(({ assetId }) => assetId === entered?.values.sentAsset) ?? first
  const options = coins.map(({ assetId, name }) => [assetId, name] as const)
  const fields = html`${price && priceText(locale, price)}
${
  known.length === 0 &&
  html`<p class="hint">${texts.noAddress}${askUrl && html` <a href="${askUrl}">${texts.ask}</a>`}</p>`
}
${known.map(
  ({ name, address }) => html`<p>${texts.address({ coin: name })}<br>${copyable(locale, address ?? '')}</p>`,
)}
${select({ name: 'sentAsset', label: texts.sentAsset, value: chosen.assetId, options })}
${input(locale, entered, 'refund', 'sentAmount', texts.sentAmount, {
  hint: texts.sentHint,
  inputMode: 'decimal',
})}
${input(locale, entered, 'refund', 'txId', texts.txId)}`
  const priceButton = html`<button class="quiet" formnovalidate
formaction="/dashboard/orders/${orderId}/refund-price">${texts.showPrice}</button>`
  return { fields, priceButton }
}

/** The form that sends a refund, or that records a refund which was sent by other means. */
function refundForm(
  locale: DashboardLocale,
  orderId: string,
  { refund, entered }: Pick<OrderActions, 'refund' | 'entered'>,
  action: 'refund' | 'send-refund',
): Html | null {
  const { refund: texts, sendRefund } = locale.texts.order
  const isSent = action === 'send-refund'
  const { paidBack = null } = refund ?? {}
  const most = isSent ? paidBack : refund
  if (!refund || most === null) return null
  const { amount } = most
  const coins = isSent ? null : coinFields(locale, orderId, { refund, entered })
  const { title, submit } = isSent ? sendRefund : texts
  const hint = isSent ? sendRefund.hint : paidBack ? texts.hintPaidBack : texts.hint
  const isOpen = entered?.action === action
  const values = { token: refund.token }
  return form(
    locale,
    orderId,
    { action, title, isOpen, values, ...(isSent && { ask: sendRefund.ask }) },
    html`<p class="hint">${hint}${isSent && paidBack?.isPart && html` ${sendRefund.part}`}</p>
${input(locale, entered, action, 'amount', `${texts.amount} (${refund.currency})`, {
  value: amount,
  hint: texts.remaining({ amount: locale.money({ ...refund, amount }) }),
  isRequired: true,
  inputMode: 'decimal',
})}
${coins?.fields}
${input(locale, entered, action, 'reason', texts.reason, { isRequired: true })}
<div class="row"><button>${submit}</button>${coins?.priceButton}</div>`,
  )
}

function forceForm(locale: DashboardLocale, orderId: string, { entered }: OrderActions): Html {
  const { force } = locale.texts.order
  return form(
    locale,
    orderId,
    { action: 'force', title: force.title, isOpen: entered?.action === 'force', ask: force.ask },
    html`<p class="hint">${force.hint}</p>
${input(locale, entered, 'force', 'reason', force.reason, { isRequired: true })}
<label class="check"><input type="checkbox" name="anyway" value="yes">${force.anyway}</label>
${consequence(locale, 'forceOrder')}
<p><button class="danger"${describedBy('forceOrder')}>${force.submit}</button></p>`,
  )
}

function cancelForm(locale: DashboardLocale, orderId: string, { entered }: OrderActions): Html {
  const { cancel } = locale.texts.order
  return form(
    locale,
    orderId,
    { action: 'cancel', title: cancel.title, isOpen: entered?.action === 'cancel' },
    html`${input(locale, entered, 'cancel', 'reason', cancel.reason)}
${consequence(locale, 'cancelOrder')}
<button class="danger"${describedBy('cancelOrder')}>${cancel.submit}</button>`,
  )
}

function endForm(locale: DashboardLocale, orderId: string, { entered }: OrderActions): Html {
  const { end } = locale.texts.order
  return form(
    locale,
    orderId,
    { action: 'end', title: end.title, isOpen: entered?.action === 'end', ask: end.ask },
    html`<p class="hint">${end.hint}</p>
${consequence(locale, 'endOrder')}
<button class="danger"${describedBy('endOrder')}>${end.submit}</button>`,
  )
}

function noteForm(locale: DashboardLocale, orderId: string, { entered }: OrderActions): Html {
  const { note, wrong } = locale.texts.order
  const own = entered?.action === 'notes' ? entered : null
  return form(
    locale,
    orderId,
    { action: 'notes', title: note.title, isOpen: own !== null },
    html`<div class="field"><label for="note">${note.label}</label>
<p class="hint" id="note-hint">${note.hint}</p>
<textarea id="note" name="text" rows="3" maxlength="2000" required
aria-describedby="note-hint${own && ' note-problem'}"${own && html` aria-invalid="true" autofocus`}>
${own?.values.text ?? ''}</textarea>
${own && html`<p class="problem" id="note-problem">${wrong.text}</p>`}</div>
<button>${note.submit}</button>`,
  )
}

/** The form that accepts one payment, or several together. */
function acceptForm(locale: DashboardLocale, orderId: string, ids: readonly string[], submit: string): Html {
  const { accept } = locale.texts.order
  return html`<form method="post" action="/dashboard/orders/${orderId}/accept" data-ask="${accept.ask}">
${hidden(locale, { payment: ids.join(' ') })}
<div class="field"><label for="reason-${ids.length}-${ids[0]}">${accept.reason}</label>
<input id="reason-${ids.length}-${ids[0]}" name="reason" maxlength="500"></div>
<button class="quiet">${submit}</button></form>`
}

function unmatchedPayment(locale: DashboardLocale, orderId: string, model: UnmatchedPaymentModel): Html {
  const { order, timeline, unmatched } = locale.texts
  const { accept } = order
  const { value, shortfall, txId, refundAddress } = model
  const worth = value === null ? ` · ${unmatched.value}: ${unmatched.unknown}` : ` (${value})`
  return html`<li><strong>${model.amount}</strong>${worth}
<span class="badge">${accept.statuses[model.status]}</span>
<br>${timeline.reasons[model.reason]} ${shortfall && accept.shortfall({ amount: shortfall })}
${txId && html`<br><span class="code" dir="ltr">${txId}</span>`}
${refundAddress && html`<br>${accept.refundTo} <span class="code" dir="ltr">${refundAddress}</span>`}
${model.mayAccept && acceptForm(locale, orderId, [model.id], accept.submit)}</li>
`
}

function unmatchedPayments(locale: DashboardLocale, orderId: string, { unmatched: rows }: OrderActions) {
  const { accept } = locale.texts.order
  if (rows.length === 0) return null
  const open = rows.filter(({ mayAccept }) => mayAccept).map(({ id }) => id)
  return html`<section class="card"><h2>${accept.title}</h2>
${open.length > 0 && html`<p class="hint">${accept.hint}</p>`}
<ul class="plain">${rows.map(row => unmatchedPayment(locale, orderId, row))}</ul>
${open.length > 1 && acceptForm(locale, orderId, open, accept.submitAll({ count: open.length }))}</section>`
}

/** All actions on an order that are open to the person. */
export function actions(locale: DashboardLocale, orderId: string, model: OrderActions): Html {
  const { order } = locale.texts
  const { mayCheck, mayCancel, mayCorrect, mayEnd, mayForce, mayNote, refund } = model
  const isAny = mayCheck || mayCancel || mayEnd || mayForce || mayNote || refund !== null
  return html`${unmatchedPayments(locale, orderId, model)}
${
  isAny &&
  html`<section class="card"><h2>${order.actions}</h2>
${
  mayCheck &&
  html`<form method="post" action="/dashboard/orders/${orderId}/check">${hidden(locale)}
<button class="quiet">${order.check}</button></form>`
}
${mayCorrect && html`<p><a href="/dashboard/orders/new?correct=${orderId}">${order.correct}</a></p>`}
${mayNote && noteForm(locale, orderId, model)}
${refundForm(locale, orderId, model, 'send-refund')}
${refundForm(locale, orderId, model, 'refund')}
${mayCancel && cancelForm(locale, orderId, model)}
${mayEnd && endForm(locale, orderId, model)}
${mayForce && forceForm(locale, orderId, model)}
</section>`
}`
}
