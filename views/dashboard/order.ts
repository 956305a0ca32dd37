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

/** What arrived beyond the due. */
export interface OverpaidModel {
  /** with its coin; null if a second payment arrived, which the page lists by itself */
  extra: string | null
  /** where the buyer wants it back */
  refundAddress: string | null
}

/** How much of an order is received, while it asks for more or once payments have paid it. */
export interface SumsModel {
  received: Money | null
  /** the part of it that is confirmed, if that is not all */
  confirmed: Money | null
  left: Money | null
  /** what waits for the merchant's decision; null if its value is not known */
  waiting: Money | null
  isWaiting: boolean
}

/** How an order was paid. */
export interface SettlementModel {
  verdict: string
  /** who accepted or forced it */
  by: string | null
  isForced: boolean
  shortfall: Money | null
  /** empty for a single one */
  parts: readonly { credited: Money; coins: string }[]
}

type Reversals = DashboardLocale['texts']['order']['reversals']

/** The pages of the customer, and how to send them there. */
interface CustomerPages {
  url: string
  /** null until the order is paid */
  receiptUrl: string | null
  /** what the person can have mailed to the customer; null if nothing */
  mail: 'link' | 'receipt' | null
  /** the name of the shop */
  shop: string
}

interface TaxModel {
  lines: readonly {
    category: keyof DashboardLocale['texts']['order']['taxCategories']
    rate: string
    tax: Money
  }[]
  /** of the customer */
  country: string | null
  vatId: string | null
}

export interface OrderModel extends Omit<OrderRow, 'received' | 'paidWith'> {
  /** what the operator of the server takes of a paid order; null if that is nothing */
  fee: { amount: Money; percent: string; isCollected: boolean } | null
  /** what the fee and refunds leave of a paid order; null if that is all of it */
  net: Money | null
  /** what the amount contains; null in a shop without tax settings */
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
  /** empty for every method */
  methods: readonly string[]
  /** as JSON; null if there is none */
  metadata: string | null
  customerPages: CustomerPages
  /** null in a shop without invoices */
  invoices: OrderInvoicesModel | null
  /** the link as a QR code, while the order can be paid */
  qr: string | null
  attempts: readonly AttemptModel[]
  events: readonly EventModel[]
  /** who gets events while there is no first webhook: nobody, or further webhooks; null if there is one */
  unsentTo: 'none' | 'further' | null
  mayConnect: boolean
  timeline: readonly TimelineEntry[]
  actions: OrderActions
  /** where newer content comes from, and how often; null while a form waits to be corrected */
  refresh: { url: string; seconds: number } | null
  /** what has just been done */
  done: OrderDone | null
  /** why it was not done */
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

/** The tax of each rate, or why there is none, and whose tax it is. */
function taxText(locale: DashboardLocale, { lines, country, vatId }: TaxModel): Html {
  const { order } = locale.texts
  const of = lines.map(({ category, rate, tax }) =>
    category === 'S' ? order.taxOf({ tax: locale.money(tax), rate }) : order.taxCategories[category],
  )
  return html`${[...of, country, vatId].filter(one => one !== null).join(' · ')}`
}

/** Whose the fee is, and whether anybody took it. */
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

/** What the operator takes, what was refunded, and what is left. */
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

/** The name of an order in titles: the shop's own number, what it is for, or its ID. */
export const nameOfOrder = ({ externalId, productName, description, id }: OrderModel): string =>
  externalId ?? productName ?? description ?? id

/** A mail with the link of the order. */
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

/** What to do about money that was not asked for, or is missing. */
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
