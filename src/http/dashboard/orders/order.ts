import type { TProperties } from '@sinclair/typebox'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { nameOfOrder, type OrderDone, orderBody, orderPart } from '../../../../views/dashboard/order.ts'
import { Refusal } from '../../../domain/errors.ts'
import { BY_MAX } from '../../../domain/name.ts'
import type { Role } from '../../../domain/user.ts'
import { invoicesOf } from '../../../operations/invoices/read.ts'
import { cancelOrderInvoice, sendInvoice } from '../../../operations/mails/send-invoice.ts'
import { sendOrderMail } from '../../../operations/mails/send-now.ts'
import { addNote } from '../../../operations/orders/add-note.ts'
import { cancelOrder } from '../../../operations/orders/cancel.ts'
import { endOrder } from '../../../operations/orders/end.ts'
import { forceOrder } from '../../../operations/orders/force.ts'
import { inspectOrder } from '../../../operations/orders/inspect.ts'
import { getOrder } from '../../../operations/orders/read.ts'
import { acceptUnmatched } from '../../../operations/payments/accept-unmatched.ts'
import { checkOrder } from '../../../operations/payments/check-order.ts'
import { executeRefund } from '../../../operations/refunds/execute.ts'
import { priceRefund } from '../../../operations/refunds/price.ts'
import { recordRefund } from '../../../operations/refunds/record.ts'
import { redeliverEvent } from '../../../operations/webhooks/redeliver.ts'
import { withPoint } from '../../pages/product-form.ts'
import { RecordRefund } from '../../refunds/request.ts'
import { checkForm, optional, text, tokenAfter } from '../fields.ts'
import { form, page, part, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import { problemText, refusedFields } from '../problem.ts'
import type { ShopVisit } from '../visit.ts'
import { type OrderMessages, orderModel } from './model.ts'
import { methodNamesOf } from './rows.ts'

const PATH = '/dashboard/orders/:order'

const outcomes: readonly OrderDone[] = [
  ...(['created', 'cancelled', 'ended', 'checked', 'refunded', 'refundSent'] as const),
  ...(['forced', 'accepted', 'resent', 'noted', 'mailed', 'corrected'] as const),
  ...(['invoiced', 'invoiceCancelled'] as const),
]

const nothing: OrderMessages = { done: null, problem: null, entered: null }

/** Reads an order, and returns a function that makes its model in a language. */
async function readOrder(visit: ShopVisit, orderId: string) {
  const history = await inspectOrder(visit.context, visit.merchant.id, orderId.toLowerCase())
  const names = await methodNamesOf(visit.context, visit.merchant.id)
  const { invoicing } = visit.merchant
  const invoices = invoicing === null ? [] : await invoicesOf(visit.context, history.order.id)
  return (locale: DashboardLocale, messages: OrderMessages) =>
    orderModel(locale, visit, { history, names, invoices }, messages)
}

async function showOrder(
  visit: ShopVisit,
  orderId: string,
  messagesIn: (locale: DashboardLocale) => OrderMessages,
): Promise<View> {
  const modelIn = await readOrder(visit, orderId)
  return async locale => {
    const model = await modelIn(locale, messagesIn(locale))
    return {
      title: locale.texts.order.title({ name: nameOfOrder(model) }),
      body: orderBody(locale, model),
    }
  }
}

/** The name that is stored for what a person does, as in the API: their email address, cut if it is long. */
const nameOf = ({ user }: ShopVisit): string => user.email.slice(0, BY_MAX)

/** The payment IDs in the form, separated by spaces. All payments must be of the order that is shown. */
async function acceptedIds({ context, merchant }: ShopVisit, orderId: string, text: string) {
  const { unmatched } = await inspectOrder(context, merchant.id, orderId)
  const ids = text.split(' ')
  if (!ids.every(id => unmatched.some(({ payment }) => payment.id === id))) throw new Refusal('not_found')
  return ids
}

/** A form of the page, which leads back to the page. If it was refused, it is shown again. */
interface Action<F extends TProperties> {
  name: string
  /** the people who may send the form; owners prove who they are, since goods and money leave the shop */
  access: Extract<Role, 'staff' | 'owner'>
  done: OrderDone
  fields: F
  run(visit: ShopVisit, orderId: string, body: Record<keyof F, string>): Promise<unknown>
}

const actionForm = <F extends TProperties>({ name, access, done, fields, run }: Action<F>): Route =>
  form({
    path: `${PATH}/${name}`,
    ...(access === 'owner' ? { proof: access } : { access }),
    fields,
    async run(visit) {
      const { order } = await getOrder(visit.context, visit.merchant.id, visit.params.order.toLowerCase())
      await run(visit, order.id, visit.body as Record<keyof F, string>)
    },
    done: (_, { params }) => `/dashboard/orders/${params.order.toLowerCase()}?done=${done}`,
    refused(refusal, visit) {
      const values = visit.body as Record<string, string>
      const token = tokenAfter(visit.context, refusal, values.token ?? '')
      const wrong = refusal.code === 'refund_exceeds_remaining' ? ['amount'] : refusedFields(refusal)
      return showOrder(visit, visit.params.order, locale => ({
        done: null,
        problem: problemText(locale, refusal),
        entered: { action: name, values: { ...values, token }, wrong },
      }))
    },
  })

/** The coins that a person entered as sent back; empty for empty fields. */
function sentIn(entered: { sentAmount?: string; txId?: string; sentAsset?: string }) {
  const { sentAmount = '', txId = '', sentAsset: sentAssetId = null } = entered
  const sent = { sentAmount: withPoint(sentAmount) || null, txId: txId.trim() || null, sentAssetId }
  return sent.sentAmount === null && sent.txId === null ? {} : { sent }
}

function refundIn(
  { origin }: ShopVisit['context'],
  merchantId: string,
  orderId: string,
  { amount, reason, token }: { amount: string; reason: string; token: string },
) {
  const body = { amount: withPoint(amount), reason: reason.trim() }
  checkForm(RecordRefund, body)
  // With this key, the same form sent twice is one refund.
  return { merchantId, orderId, idempotencyKey: `dashboard:${token}`, by: origin.actor, body }
}

const refundFields = {
  ...{ amount: text(30), reason: text(1000), token: text(64) },
  ...{ sentAmount: optional(70), txId: optional(300), sentAsset: optional(100) },
}

/** The form that shows the amount of a refund in coins. It changes nothing. */
const refundPriceForm = form({
  path: `${PATH}/refund-price`,
  access: 'owner',
  fields: refundFields,
  run: ({ context, merchant, params, body }) =>
    priceRefund(context, {
      merchantId: merchant.id,
      orderId: params.order.toLowerCase(),
      amount: withPoint(body.amount),
      assetId: body.sentAsset ?? '',
    }),
  done: (price, visit) =>
    showOrder(visit, visit.params.order, () => ({
      ...nothing,
      entered: { action: 'refund', values: visit.body, wrong: [] },
      price,
    })),
  refused: (refusal, visit) =>
    showOrder(visit, visit.params.order, locale => ({
      ...nothing,
      problem: problemText(locale, refusal),
      entered: { action: 'refund', values: visit.body, wrong: refusedFields(refusal) },
    })),
})

const actions: readonly Route[] = [
  refundPriceForm,
  actionForm({
    name: 'cancel',
    access: 'staff',
    done: 'cancelled',
    fields: { reason: text(500) },
    run: ({ context, merchant }, id, { reason }) =>
      cancelOrder(context, merchant.id, id, context.origin.actor, reason.trim() || null),
  }),
  actionForm({
    name: 'end',
    access: 'staff',
    done: 'ended',
    fields: {},
    run: ({ context, merchant }, id) => endOrder(context, merchant.id, id),
  }),
  actionForm({
    name: 'refund',
    access: 'owner',
    done: 'refunded',
    fields: refundFields,
    run: ({ context, merchant }, orderId, entered) =>
      recordRefund(context, { ...refundIn(context, merchant.id, orderId, entered), ...sentIn(entered) }),
  }),
  actionForm({
    name: 'send-refund',
    access: 'owner',
    done: 'refundSent',
    fields: { amount: text(30), reason: text(1000), token: text(64) },
    run: ({ context, merchant }, orderId, entered) =>
      executeRefund(context, refundIn(context, merchant.id, orderId, entered)),
  }),
  actionForm({
    name: 'force',
    access: 'owner',
    done: 'forced',
    fields: { reason: text(2000), anyway: optional(3) },
    run: (visit, orderId, { reason, anyway }) =>
      forceOrder(visit.context, {
        merchantId: visit.merchant.id,
        orderId,
        by: nameOf(visit),
        reason,
        anyway: anyway === 'yes',
      }),
  }),
  actionForm({
    name: 'accept',
    access: 'owner',
    done: 'accepted',
    fields: { payment: text(4000), reason: text(500) },
    async run(visit, id, { payment, reason }) {
      const ids = await acceptedIds(visit, id, payment)
      await acceptUnmatched(visit.context, visit.merchant.id, ids, { by: nameOf(visit), reason })
    },
  }),
  actionForm({
    name: 'mail',
    access: 'staff',
    done: 'mailed',
    fields: {},
    run: ({ context, merchant }, id) => sendOrderMail(context, merchant.id, id),
  }),
  actionForm({
    name: 'invoice',
    access: 'staff',
    done: 'invoiced',
    fields: {
      ...{ name: text(800), street: optional(800), postcode: optional(800), town: optional(800) },
      ...{ country: optional(800), vatId: optional(800), reference: optional(800) },
    },
    run: ({ context, merchant }, id, billing) => sendInvoice(context, merchant.id, id, billing),
  }),
  actionForm({
    name: 'cancel-invoice',
    access: 'staff',
    done: 'invoiceCancelled',
    fields: {},
    run: ({ context, merchant }, id) => cancelOrderInvoice(context, merchant.id, id),
  }),
  actionForm({
    name: 'resend',
    access: 'staff',
    done: 'resent',
    fields: { event: text(64) },
    run: ({ context, merchant }, _, { event }) => redeliverEvent(context, merchant.id, event),
  }),
  actionForm({
    name: 'notes',
    access: 'staff',
    done: 'noted',
    fields: { text: text(8000) },
    // Browsers send a line break as two characters, but count it as one when they limit the length.
    run: ({ context, merchant }, id, { text }) =>
      addNote(context, merchant.id, id, text.replaceAll('\r\n', '\n')),
  }),
]

/** The page of an order, and its forms. */
export const orderRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'viewer',
    show(visit) {
      const given = new URL(visit.request.url).searchParams.get('done')
      const done = outcomes.find(one => one === given) ?? null
      return showOrder(visit, visit.params.order, () => ({ ...nothing, done }))
    },
  }),
  part({
    path: `${PATH}/part`,
    access: 'viewer',
    async show(visit) {
      const modelIn = await readOrder(visit, visit.params.order)
      const seen = new URL(visit.request.url).searchParams.get('seen')
      return async locale => {
        const model = await modelIn(locale, nothing)
        return model.refresh?.url.endsWith(`?seen=${seen}`) ? null : orderPart(locale, model)
      }
    },
  }),
  // Looks up all payments now. If an upstream does not answer, the page says so.
  form({
    path: `${PATH}/check`,
    access: 'staff',
    fields: {},
    async run({ context, merchant, params }) {
      const { order } = await getOrder(context, merchant.id, params.order.toLowerCase())
      return { id: order.id, problems: await checkOrder(context, order.id) }
    },
    done: ({ id, problems }, visit) =>
      problems.length === 0
        ? `/dashboard/orders/${id}?done=checked`
        : showOrder(visit, id, ({ texts }) => ({
            ...nothing,
            problem: texts.order.unreachable({ problems: problems.join(' ') }),
          })),
  }),
  ...actions,
]
