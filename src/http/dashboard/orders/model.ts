import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import type { OrderDone, OrderModel } from '../../../../views/dashboard/order.ts'
import type { OrderActions } from '../../../../views/dashboard/order-actions.ts'
import type { Actor } from '../../../domain/audit.ts'
import { isUnreachable } from '../../../domain/buyer-mail.ts'
import type { Invoice } from '../../../domain/invoice.ts'
import { amountOf } from '../../../domain/money.ts'
import type { NotificationFacts } from '../../../domain/notification-facts.ts'
import { allOf, type Chosen } from '../../../domain/opening.ts'
import { ANY } from '../../../domain/payment-methods.ts'
import { canCancelInvoice, canInvoice } from '../../../operations/mails/send-invoice.ts'
import { mailOf } from '../../../operations/mails/send-now.ts'
import { confirmationsOf } from '../../../operations/orders/confirmations.ts'
import type { OrderHistory } from '../../../operations/orders/inspect.ts'
import { isReplaceable } from '../../../operations/orders/stop.ts'
import { emailsOfUsers } from '../../../operations/people/emails.ts'
import type { RefundPrice } from '../../../operations/refunds/price.ts'
import { refundablePart } from '../../../operations/refunds/steps/refundable-part.ts'
import { writeNotification } from '../../../present/notification.ts'
import {
  attemptModels,
  eventModels,
  feeModel,
  netModel,
  overpaidModel,
  refundableAmount,
  refundCoins,
  refundPrice,
  settlementModel,
  sumsModel,
  taxModel,
  unmatchedModels,
} from '../../../present/order-page.ts'
import { orderTimeline, type TimelineContext } from '../../../present/order-timeline.ts'
import { qrSvg } from '../../../present/qr.ts'
import { fingerprintOf } from '../fingerprint.ts'
import { invoiceRow } from '../invoices.ts'
import type { ShopVisit } from '../visit.ts'
import { type MethodNames, orderRow } from './rows.ts'

/** The messages on the page about the form that led to it. */
export interface OrderMessages {
  done: OrderDone | null
  problem: string | null
  entered: OrderActions['entered']
  /** the refund that a person is about to send, in coins */
  price?: RefundPrice
}

const idOf = (actor: string): string => actor.slice(actor.indexOf(':') + 1)

/** Returns a function that names the person, key or program that did something, as pages show it. */
export function nameIn({ texts: { timeline } }: DashboardLocale, emails: ReadonlyMap<string, string>) {
  return (actor: Actor): string => {
    if (actor === 'cli' || actor === 'server') return timeline.actors[actor]
    const id = idOf(actor)
    if (actor.startsWith('key:')) return timeline.actors.key({ id })
    return emails.get(id) ?? timeline.actors.user
  }
}

/** The IDs of the people who did something to an order. */
const userIdsOf = ({ order, notes, audit, refunds }: OrderHistory): string[] =>
  [
    order.cancelledBy,
    order.forcedBy,
    ...notes.map(({ actor }) => actor),
    ...audit.map(({ actor }) => actor),
    ...refunds.map(({ createdBy }) => createdBy),
  ].flatMap(by => (by?.startsWith('user:') ? idOf(by) : []))

/** The part of an order that its provider refunds when Florin asks; null if there is none, or no more. */
function paidBackOf({ providers }: ShopVisit['context'], history: OrderHistory) {
  const part = refundablePart(providers, history)
  if (part === null || part.left <= 0n) return null
  return { amount: amountOf(part.left, history.order.currency), isPart: part.isPart }
}

function actionsOf(
  { may, context }: ShopVisit,
  timelineContext: TimelineContext,
  history: OrderHistory,
  { entered, price }: OrderMessages,
): OrderActions {
  const { order, attempts } = history
  const amount = may('owner') ? refundableAmount(history) : null
  const token = entered?.values.token || context.ids.uuid()
  return {
    // Attempts that are over count too, because money may still arrive for them.
    mayCheck: may('staff') && attempts.length > 0,
    mayCancel: may('staff') && order.status === 'UNPAID' && allOf(history).length === 0,
    mayEnd: may('staff') && order.status === 'UNPAID' && allOf(history).length > 0,
    refund:
      amount === null
        ? null
        : {
            ...{ amount, currency: order.currency, token, paidBack: paidBackOf(context, history) },
            ...refundCoins(timelineContext, history, context.policy.checkoutUrl),
            price: price ? refundPrice(timelineContext, order.currency, price) : null,
          },
    mayCorrect: may('staff') && isReplaceable(history),
    mayForce: may('owner') && order.status === 'UNPAID',
    mayNote: may('staff'),
    mayResend: may('staff'),
    unmatched: unmatchedModels(timelineContext, history, may('owner')),
    entered,
  }
}

const SOON_SECONDS = 5
const LATER_SECONDS = 15
const SELDOM_SECONDS = 60

/** The seconds after which the page asks for something new: few while a buyer pays, many after that. */
function refreshSeconds(history: OrderHistory, now: number): number {
  const { order, events } = history
  const isPaying = ({ state, lockedUntil }: Chosen) =>
    state === 'confirming' || ((state === 'waiting' || state === 'underpaid') && now < lockedUntil)
  if (order.status === 'UNPAID' && allOf(history).some(isPaying)) return SOON_SECONDS
  const isSending = events.some(({ delivery }) => delivery.nextAttemptAt !== null)
  return order.status === 'UNPAID' || isSending ? LATER_SECONDS : SELDOM_SECONDS
}

/**
 * The URL where a page finds out if it is outdated. The token of a form is not compared, because it differs
 * each time.
 */
function refreshOf(history: OrderHistory, { refresh: _, ...model }: OrderModel, now: number) {
  const { refund } = model.actions
  const content = { ...model, actions: { ...model.actions, refund: refund && { ...refund, token: '' } } }
  const url = `/dashboard/orders/${model.id}/part?seen=${fingerprintOf(content)}`
  return { url, seconds: refreshSeconds(history, now) }
}

/** The data of an order that its page shows. */
interface ReadOrder {
  history: OrderHistory
  names: MethodNames
  invoices: readonly Invoice[]
}

/** The invoices of an order, and the actions on them that the person may take. */
function invoicesModel(shop: ShopVisit, { history, invoices }: ReadOrder): OrderModel['invoices'] {
  const { context, merchant, may } = shop
  if (merchant.invoicing === null) return null
  const { order } = history
  const isCancelled = invoices.some(({ cause }) => cause.startsWith('cancelled'))
  const { customerFullName, customerEmail, tax } = order
  const name = customerFullName || (isUnreachable(customerEmail) ? '' : customerEmail)
  return {
    rows: invoices.map(one => invoiceRow(context, one)),
    billing:
      may('staff') && canInvoice({ ...history, merchant })
        ? {
            name,
            street: '',
            postcode: '',
            town: '',
            country: tax?.country ?? '',
            vatId: tax?.vatId ?? '',
            reference: '',
          }
        : null,
    mayCancel: may('staff') && invoices.length > 0 && !isCancelled && canCancelInvoice(order),
  }
}

/** The page of an order, for the person who looks at it. */
export async function orderModel(
  locale: DashboardLocale,
  shop: ShopVisit,
  { history, names, invoices }: ReadOrder,
  messages: OrderMessages,
): Promise<OrderModel> {
  const { done, problem, price } = messages
  const { context, deps } = shop
  const { order } = history
  const { refundedAmount } = order
  const emails = await emailsOfUsers(context, userIdsOf(history))
  const timelineContext: TimelineContext = {
    asset: id => context.networks.asset(id),
    look: deps.look,
    isSandbox: deps.isSandbox,
    nameOf: nameIn(locale, emails),
    locale,
  }
  const { received: _r, paidWith: _p, ...row } = orderRow(context, names, history, confirmationsOf(history))
  const checkoutUrl = `${context.policy.checkoutUrl}/pay/${order.id}`
  const isPayable = order.status === 'UNPAID' && context.clock() < order.expiresAt
  const hasMetadata = Object.keys(order.metadata).length > 0
  const said = (facts: NotificationFacts) => writeNotification(locale, facts, 'person').text
  const model: OrderModel = {
    ...row,
    description: order.description,
    productName: order.productName,
    fee: feeModel(history),
    net: netModel(history),
    tax: taxModel(locale, order),
    overpaid: overpaidModel(timelineContext, history),
    refunded: refundedAmount === null ? null : { amount: refundedAmount, currency: order.currency },
    reversals: history.reversals.map(({ kind, status, amount, currency }) => ({
      ...{ kind, status },
      amount: { amount, currency },
    })),
    sums: sumsModel(history),
    settlement: settlementModel(timelineContext, history),
    expiresAt: order.expiresAt,
    paidAt: order.paidAt,
    methods: order.methodKeys
      .filter(key => key !== ANY)
      .map(key => names.get(key) ?? (key === 'crypto' ? locale.texts.orders.crypto : key)),
    metadata: hasMetadata ? JSON.stringify(order.metadata) : null,
    customerPages: {
      url: checkoutUrl,
      receiptUrl: order.status === 'PAID' ? `${checkoutUrl}/receipt` : null,
      mail: shop.may('staff') ? mailOf(context, order) : null,
      shop: shop.merchant.name,
    },
    invoices: invoicesModel(shop, { history, names, invoices }),
    qr: isPayable ? qrSvg(checkoutUrl) : null,
    attempts: attemptModels(timelineContext, history),
    events: eventModels(history, history.webhook),
    unsentTo: history.webhook === null ? (history.hasFurther ? 'further' : 'none') : null,
    mayConnect: shop.may('owner'),
    timeline: orderTimeline({ ...timelineContext, said }, history),
    actions: actionsOf(shop, timelineContext, history, messages),
    refresh: null,
    done: null,
    problem: null,
  }
  const isAnswer = problem !== null || price !== undefined
  const refresh = isAnswer ? null : refreshOf(history, model, context.clock())
  // The link of an order that is no longer open need not be sent, so the page does not offer it.
  const isOver = done === 'created' && order.status !== 'UNPAID'
  return { ...model, refresh, done: isOver ? null : done, problem }
}
