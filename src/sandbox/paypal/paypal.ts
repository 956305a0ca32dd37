import { Elysia } from 'elysia'
import { answering, type Handlers, type Json } from '../json-api.ts'
import type { Outcome } from '../outcomes.ts'
import type { ProviderParts } from '../provider-parts.ts'
import { openAccounts, type PayPalAccounts } from './accounts.ts'
import { type Funding, type Order, openOrders, type PayPalOrders, payeeOf } from './orders.ts'
import { hostedPages } from './page.ts'
import { type Dispute, openReversals, type PayPalReversals, type Refund } from './reversals.ts'
import { inProgress, notFound, refused, sumIn, unitsOf } from './wire.ts'

const refundJson = ({ id, status, amount, customId, note, createdAt, capture }: Refund) => ({
  ...{ id, status, amount, create_time: createdAt, update_time: createdAt },
  ...(customId !== null && { custom_id: customId }),
  ...(note !== null && { note_to_payer: note }),
  links: [{ rel: 'up', href: `https://api-m.paypal.com/v2/payments/captures/${capture}`, method: 'GET' }],
})

const SEARCH_MAX_MS = 31 * 24 * 3600_000
const transactionStatuses = { COMPLETED: 'S', PENDING: 'P', FAILED: 'D' }

/** A refund among the transactions of an account. */
const transactionJson = ({ id, capture, status, amount, customId, createdAt }: Refund) => ({
  transaction_info: {
    ...{ transaction_id: id, paypal_reference_id: capture, paypal_reference_id_type: 'TXN' },
    ...{ transaction_event_code: 'T1107', transaction_initiation_date: createdAt },
    ...{ transaction_amount: { ...amount, value: `-${amount.value}` } },
    ...{
      transaction_status: transactionStatuses[status],
      ...(customId !== null && { custom_field: customId }),
    },
  },
})

const disputeJson = ({ capture, account: _, outcome, createdAt, ...rest }: Dispute) => ({
  ...{ ...rest, reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED', create_time: createdAt },
  disputed_transactions: [{ seller_transaction_id: capture }],
  ...(outcome !== null && { dispute_outcome: { outcome_code: outcome } }),
})

interface Books {
  accounts: PayPalAccounts
  orders: PayPalOrders
  reversals: PayPalReversals
  publicUrl: string
}

function captureJson({ reversals }: Books, order: Order) {
  const { capture, amount, customId, id } = order
  if (capture === null) throw notFound()
  const left = reversals.leftOf(order)
  const refunded = left === 0n ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  return {
    ...{ id: capture.id, status: left < unitsOf(amount) ? refunded : capture.status, amount },
    ...{ final_capture: true, custom_id: customId, payee: payeeOf(order), create_time: capture.createdAt },
    supplementary_data: { related_ids: { order_id: id } },
  }
}

function orderJson(books: Books, order: Order) {
  const { id, status, amount, description, capture, customId, createdAt, updatedAt } = order
  const href = `${books.publicUrl}/sandbox/paypal/checkoutnow?token=${id}`
  return {
    ...{ id, intent: 'CAPTURE', status, create_time: new Date(createdAt).toISOString() },
    ...{ update_time: updatedAt, payment_source: { paypal: {} } },
    purchase_units: [
      {
        ...{ reference_id: 'default', description, amount, payee: payeeOf(order) },
        ...(customId !== null && { custom_id: customId }),
        ...(capture !== null && {
          payments: {
            captures: [captureJson(books, order)],
            refunds: books.reversals.refundsOf(id).map(refundJson),
          },
        }),
      },
    ],
    links: status === 'PAYER_ACTION_REQUIRED' ? [{ rel: 'payer-action', href, method: 'GET' }] : [],
  }
}

const inside = (json: unknown, name: string): Json => ((json ?? {}) as Json)[name] as Json

/** Reads a request to create an order. */
function wantedIn(body: Json) {
  const [unit] = (body.purchase_units ?? []) as Json[]
  if (body.intent !== 'CAPTURE' || !unit) throw refused('UNSUPPORTED_INTENT', 'The intent is not supported.')
  const page = inside(inside(body.payment_source, 'paypal'), 'experience_context')
  const urls = [page?.return_url, page?.cancel_url].map(String)
  if (!urls.every(url => URL.canParse(url)))
    throw refused('INVALID_URL', 'return_url or cancel_url is missing')
  const [returnUrl = '', cancelUrl = ''] = urls
  return {
    ...{ amount: sumIn(unit.amount), description: String(unit.description ?? ''), returnUrl, cancelUrl },
    customId: typeof unit.custom_id === 'string' ? unit.custom_id : null,
  }
}

/** The handlers of the API, by method and path. `$` stands for an ID. */
const handlersOf = (books: Books): Handlers => {
  const { accounts, orders, reversals } = books
  return {
    'POST v2/checkout/orders': ({ account, body }) => {
      const wanted = wantedIn(body)
      if (unitsOf(wanted.amount) === 0n)
        throw refused('CANNOT_BE_ZERO_OR_NEGATIVE', 'Must be greater than zero.')
      return orderJson(books, orders.create(account, wanted))
    },
    'GET v2/checkout/orders/$': ({ account, id }) => orderJson(books, orders.require(account, id)),
    'POST v2/checkout/orders/$/capture': async ({ account, id }) =>
      orderJson(books, await orders.capture(account, id)),
    'GET v2/payments/captures/$': ({ account, id }) => captureJson(books, orders.ofCapture(account, id)),
    'POST v2/payments/captures/$/refund': async ({ account, id, body }) => {
      const order = orders.ofCapture(account, id)
      const { custom_id: customId, note_to_payer: note, amount } = body
      const textOf = (text: unknown) => (typeof text === 'string' ? text : null)
      const wanted = { amount: amount === undefined ? order.amount : sumIn(amount) }
      return refundJson(
        await reversals.refund(order, { ...wanted, customId: textOf(customId), note: textOf(note) }),
      )
    },
    'GET v2/payments/refunds/$': ({ account, id }) => {
      const found = reversals.find(id)
      if (found === null) throw notFound()
      orders.require(account, found.order)
      return refundJson(found)
    },
    'GET v1/customer/disputes': ({ account, query }) => ({
      items: reversals
        .disputesOf(account, query.get('disputed_transaction_id'))
        .filter(({ createdAt }) => createdAt >= (query.get('start_time') ?? ''))
        .map(({ dispute_id, status, dispute_amount }) => ({ dispute_id, status, dispute_amount })),
      links: [],
    }),
    'GET v1/reporting/transactions': ({ account, query }) => {
      const [from = '', to = ''] = [query.get('start_date'), query.get('end_date')].map(String)
      if (!(Date.parse(to) - Date.parse(from) <= SEARCH_MAX_MS))
        throw refused('INVALID_REQUEST', 'Date range is greater than 31 days.')
      const rows = reversals
        .refundsAt(account)
        .filter(({ createdAt }) => from <= createdAt && createdAt <= to)
      return { transaction_details: rows.map(transactionJson), page: 1, total_pages: 1 }
    },
    'GET v1/customer/disputes/$': ({ account, id }) => {
      const found = reversals.dispute(id)
      if (found?.account !== account) throw notFound()
      return disputeJson(found)
    },
    'GET v1/notifications/webhooks': ({ account }) => ({ webhooks: accounts.webhooksOf(account) }),
    'POST v1/notifications/webhooks': ({ account, body }) => accounts.makeWebhook(account, body),
    'DELETE v1/notifications/webhooks/$': ({ account, id }) => {
      accounts.removeWebhook(account, id)
      return null
    },
  }
}

const fundingOf: Partial<Record<Outcome, Funding>> = {
  paid: 'balance',
  pending: 'echeck',
  failed: 'declined',
}

/**
 * Simulates PayPal: its API under /paypal/v1 and /paypal/v2, for any client ID, and its payment pages under
 * /paypal/checkoutnow. The state survives a restart.
 */
export function payPalStandIn({ state, clock, random, isDown, deliver, pageOf, publicUrl }: ProviderParts) {
  const newId = (): string => Buffer.from(random(8)).toString('hex').toUpperCase()
  const parts = { state, clock, newId, deliver }
  const accounts = openAccounts(parts)
  const orders = openOrders(parts, accounts)
  const reversals = openReversals(parts, accounts)
  const answer = answering({
    ...{ state, kind: 'paypal.request', idempotencyHeader: 'paypal-request-id', root: '/paypal/' },
    ...{ id: /(?<=\/)(PP-D-)?[0-9A-F]{16}/g, accountOf: accounts.accountOf, notFound, inProgress },
    handlers: handlersOf({ accounts, orders, reversals, publicUrl }),
  })

  const routes = new Elysia()
    .onBeforeHandle(() => (isDown() ? new Response('503 Service Unavailable', { status: 503 }) : undefined))
    .post('/paypal/v1/oauth2/token', ({ request }) => accounts.token(request))
    .use(hostedPages(orders, reversals, pageOf))
    .get('/paypal/*', ({ request }) => answer(request, null))
    .post('/paypal/*', ({ request, body }) => answer(request, body))
    .delete('/paypal/*', ({ request }) => answer(request, null))
  return {
    routes,
    /**
     * Approves an open order as a script says. Returns the webhooks' statuses; null if the outcome cannot
     * happen.
     */
    async simulate(id: string, outcome: Outcome): Promise<number[] | null> {
      const [order, funding] = [orders.current(id), fundingOf[outcome]]
      if (order?.status !== 'PAYER_ACTION_REQUIRED' || !funding) return null
      return orders.approve(order, funding)
    },
  }
}
