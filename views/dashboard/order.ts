import { type Html, html, raw } from '../html.ts'
import { type OrderInvoicesModel, orderInvoices } from './invoices.ts'
import type { DashboardLocale, Money } from './locale.ts'
import { mailto } from './mailto.ts'
import { actions, type OrderActions } from './order-actions.ts'
import { type AttemptModel, attempts, type EventModel, events } from './order-payments.ts'
import { type OrderRow, statusBadges } from './orders.ts'
import { copyable, hidden, live, message, time } from './parts.ts'
import { settledText, type TimelineEntry, timeline } from './timeline.ts'

export type OrderDone = keyof DashboardLocale['texts']['order']['done']

/** Money that arrived beyond the due amount. */
export interface OverpaidModel {
  /** excess amount with its coin; null if a second payment arrived, which the page lists itself */
  extra: string | null
  /** the buyer's refund address */
  refundAddress: string | null
}

/** The received amounts of an order that still asks for money, or was paid by payments. */
export interface SumsModel {
  received: Money | null
  /** confirmed part of the received amount; null if all of it is confirmed */
  confirmed: Money | null
  left: Money | null
  /** amount that waits for the merchant's decision; null if its value is unknown */
  waiting: Money | null
  isWaiting: boolean
}

/** Describes the payment of a paid order. */
export interface SettlementModel {
  verdict: string
  /** person who accepted the payments or marked the order as paid */
  by: string | null
  isForced: boolean
  shortfall: Money | null
  /** payments that paid the order together; empty if it was a single one */
  parts: readonly { credited: Money; coins: string }[]
}

type Reversals = DashboardLocale['texts']['order']['reversals']

/** The links for the customer, and the mail that can be sent with them. */
interface CustomerPages {
  url: string
  /** null until the order is paid */
  receiptUrl: string | null
  /** mail that the server can send to the customer; null if it can send none */
  mail: 'link' | 'receipt' | null
  /** name of the shop */
  shop: string
}

interface TaxModel {
  lines: readonly {
    category: keyof DashboardLocale['texts']['order']['taxCategories']
    rate: string
    tax: Money
  }[]
  /** country of the customer */
  country: string | null
  vatId: string | null
}

export interface OrderModel extends Omit<OrderRow, 'received' | 'paidWith'> {
  /** the operator's fee; null if there is none */
  fee: { amount: Money; percent: string; isCollected: boolean } | null
  /** the rest after the fee and refunds; null if nothing was deducted */
  net: Money | null
  /** taxes that the amount contains; null in a shop without tax settings */
  tax: TaxModel | null
  refunded: Money | null
  /** refunds and disputes at the provider of a charge */
  reversals: readonly { kind: keyof Reversals; status: keyof Reversals['refund']; amount: Money }[]
  sums: SumsModel
  settlement: SettlementModel | null
  overpaid: OverpaidModel | null
  productName: string | null
  expiresAt: number
  paidAt: number | null
  /** accepted methods; empty if all are */
  methods: readonly string[]
  /** JSON; null if there is none */
  metadata: string | null
  customerPages: CustomerPages
  /** null in a shop without invoices */
  invoices: OrderInvoicesModel | null
  /** QR code of the link; null if the order can no longer be paid */
  qr: string | null
  attempts: readonly AttemptModel[]
  events: readonly EventModel[]
  /** `none` or `further` webhooks get events if there is no first webhook; null if there is one */
  unsentTo: 'none' | 'further' | null
  mayConnect: boolean
  timeline: readonly TimelineEntry[]
  actions: OrderActions
  /** source of newer content; null while the person has a form to correct */
  refresh: { url: string; seconds: number } | null
  /** change that was just made, for its message */
  done: OrderDone | null
  /** reason for a refusal */
  problem: string | null
}

type Fee = NonNullable<OrderModel['fee']>

const fact = (label: string, value: Html | string | null | false): Html | null =>
  value ? html`<dt>${label}</dt><dd>${value}</dd>` : null

function customer(locale: DashboardLocale, { customerId, email, fullName }: OrderModel): Html {
  const { noEmail } = locale.texts.orders
  return html`<a href="/dashboard/customers/${customerId}" dir="auto">${email ?? noEmail}</a>
${fullName && html`<span class="soft" dir="auto">${fullName}</span>`}`
}

/** The tax of each rate, or the reason why there is none, with the customer's country and VAT ID. */
function taxText(locale: DashboardLocale, { lines, country, vatId }: TaxModel): Html {
  const { order } = locale.texts
  const of = lines.map(({ category, rate, tax }) =>
    category === 'S' ? order.taxOf({ tax: locale.money(tax), rate }) : order.taxCategories[category],
  )
  return html`${[...of, country, vatId].filter(one => one !== null).join(' · ')}`
}

/** The operator's fee, and if it was collected. */
function feeText(locale: DashboardLocale, { amount, percent, isCollected }: Fee): Html {
  const { fees } = locale.texts.order
  return html`${fees.of({ amount: locale.money(amount), percent: locale.coins(percent) })}
<br><span class="soft">${isCollected ? fees.collected : fees.recorded} ${fees.others}</span>`
}

const lines = (some: readonly (string | null | false)[]): Html =>
  html`${some.filter(Boolean).map((line, at) => html`${at > 0 && html`<br>`}${line}`)}`

function receivedText(locale: DashboardLocale, { received, confirmed, left }: SumsModel): Html | null {
  const { sums: texts } = locale.texts.order
  const more = [
    confirmed && texts.confirmed({ amount: locale.money(confirmed) }),
    left && texts.left({ amount: locale.money(left) }),
  ]
  return received && html`${locale.money(received)} <span class="soft">${lines(more)}</span>`
}

function settlementText(locale: DashboardLocale, settlement: SettlementModel): Html {
  const { order, timeline: texts } = locale.texts
  const { verdict, by, isForced, shortfall } = settlement
  if (isForced) return lines([texts.forced({ by: by ?? '' })])
  return lines([
    settledText(texts, verdict),
    by && texts.acceptedBy({ by }),
    shortfall && order.accept.shortfall({ amount: locale.money(shortfall) }),
  ])
}

const partsText = (locale: DashboardLocale, { parts }: SettlementModel): Html | null =>
  parts.length === 0
    ? null
    : lines(
        parts.map(({ credited, coins }) =>
          locale.texts.order.sums.part({ amount: locale.money(credited), coins }),
        ),
      )

const reversalsText = (locale: DashboardLocale, { reversals }: OrderModel): Html | null =>
  reversals.length === 0
    ? null
    : lines(
        reversals.map(({ kind, status, amount }) =>
          locale.texts.order.reversals[kind][status]({ amount: locale.money(amount) }),
        ),
      )

/** The operator's fee, the refunds, and the rest. */
function netFacts(locale: DashboardLocale, { fee, net, refunded }: OrderModel): Html {
  const { facts: names } = locale.texts.order
  const netName = refunded === null ? names.net : fee ? names.netRefunded : names.left
  return html`${fee && fact(names.fee, feeText(locale, fee))}
${fact(names.refunded, refunded && locale.money(refunded))}
${fact(netName, net && locale.money(net))}`
}

function facts(locale: DashboardLocale, model: OrderModel): Html {
  const { facts: names, everyMethod, sums: sumTexts } = locale.texts.order
  const { sums, settlement } = model
  const { paidAt, description, productName, externalId, methods, metadata } = model
  return html`<dl class="facts">
${fact(names.received, receivedText(locale, sums))}
${sums.isWaiting && fact(names.waiting, sums.waiting ? locale.money(sums.waiting) : sumTexts.unknown)}
${settlement && fact(names.settlement, settlementText(locale, settlement))}
${settlement && fact(names.parts, partsText(locale, settlement))}
${model.tax && fact(names.tax, taxText(locale, model.tax))}
${netFacts(locale, model)}
${fact(names.reversals, reversalsText(locale, model))}
${fact(names.externalId, externalId && copyable(locale, externalId))}
${fact(names.id, copyable(locale, model.id))}
${fact(names.product, productName && html`<span dir="auto">${productName}</span>`)}
${fact(names.description, description && html`<span dir="auto">${description}</span>`)}
${fact(names.methods, methods.length > 0 ? methods.join(', ') : everyMethod)}
${fact(names.created, time(locale, model.createdAt))}
${paidAt === null && fact(names.expires, time(locale, model.expiresAt))}
${paidAt !== null && fact(names.paid, time(locale, paidAt))}
${fact(names.metadata, metadata !== null && html`<span class="code" dir="ltr">${metadata}</span>`)}
</dl>`
}

/** The name of an order in titles: the shop's own number, the product, the description or the ID. */
export const nameOfOrder = ({ externalId, productName, description, id }: OrderModel): string =>
  externalId ?? productName ?? description ?? id

/** A link that opens a mail with the order's link. */
function mailtoOf({ texts: { order } }: DashboardLocale, model: OrderModel): string {
  const { shop, url, receiptUrl } = model.customerPages
  const subject = order.mail.subject({ shop, name: nameOfOrder(model) })
  return mailto(model.email, { subject, body: receiptUrl ?? url })
}

function customerPages(locale: DashboardLocale, model: OrderModel): Html {
  const { order } = locale.texts
  const { qr, id, email, customerPages: pages } = model
  const { url, receiptUrl, mail } = pages
  const shown = (label: string, to: string) =>
    html`<dt>${label}</dt><dd>${copyable(locale, to)} <a href="${to}" target="_blank">${order.pages.open}
<span class="unseen">: ${label}</span></a></dd>`
  return html`<section class="card"><h2>${order.link}</h2>
${qr && html`<p class="hint">${order.linkHint}</p>`}
<dl class="facts">${receiptUrl && shown(order.pages.receipt, receiptUrl)}
${shown(qr === null ? order.pages.customer : order.pages.payment, url)}</dl>
<div class="row">${
    mail &&
    html`<form method="post" action="/dashboard/orders/${id}/mail">${hidden(locale)}
<button class="quiet">${order.mail[mail]({ email: email ?? '' })}</button></form>`
  }
<a class="button quiet" href="${mailtoOf(locale, model)}">${order.mail.write}</a></div>
${qr && html`<div class="qr" role="img" aria-label="${order.qr}">${raw(qr)}</div>`}</section>`
}

/** Advice about missing or excess money. */
function hint(locale: DashboardLocale, { overpaid, payment, status, isForced }: OrderModel): Html | null {
  const { order } = locale.texts
  if (isForced) return html`<p class="message">${order.forced}</p>`
  if (overpaid) {
    const { extra, refundAddress } = overpaid
    const address = html`<span class="code" dir="ltr">${refundAddress}</span>`
    return html`<div class="message"><p>${extra === null ? order.paidTwice : order.overpaid({ extra })}</p>
${refundAddress && html`<p>${order.accept.refundTo} ${address}</p>`}</div>`
  }
  const isWaiting = payment?.state === 'PART_PAID' && status === 'UNPAID'
  return isWaiting ? html`<p class="message">${order.partPaid}</p>` : null
}

/** The part of the page that updates itself. */
export function orderPart(locale: DashboardLocale, model: OrderModel): Html {
  const { order } = locale.texts
  const { refresh } = model
  return html`<div id="order"${refresh && live(refresh.url, refresh.seconds)}>
<div class="between"><div><h1>${order.title({ name: nameOfOrder(model) })}</h1>
<p class="head"><strong>${locale.money(model.amount)}</strong> ${customer(locale, model)}</p></div>
<p role="status">${statusBadges(locale, model)}</p></div>
${hint(locale, model)}
${model.qr !== null && customerPages(locale, model)}
<section class="card">${facts(locale, model)}</section>
${model.qr === null && customerPages(locale, model)}
${orderInvoices(locale, model.id, model.invoices, model.actions.entered)}
${actions(locale, model.id, model.actions)}
${timeline(locale, model.timeline)}
${attempts(locale, model.attempts)}
${events(locale, model, model.actions.mayResend)}
</div>`
}

/** The page of an order. */
export function orderBody(locale: DashboardLocale, model: OrderModel): Html {
  const { order } = locale.texts
  const { done, problem } = model
  return html`<p><a href="/dashboard/orders">${order.back}</a></p>
${done && message('good', order.done[done])}
${problem && message('warn', problem)}
${orderPart(locale, model)}`
}
