import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { type OrderDone, orderBody, orderPart } from '../../../../views/dashboard/order.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { DashboardAccess } from '../../../domain/user.ts'
import type { Context } from '../../../operations/context.ts'
import { addNote } from '../../../operations/orders/add-note.ts'
import { cancelOrder } from '../../../operations/orders/cancel.ts'
import { endOrder } from '../../../operations/orders/end.ts'
import { forceOrder } from '../../../operations/orders/force.ts'
import { inspectOrder } from '../../../operations/orders/inspect.ts'
import { getOrder } from '../../../operations/orders/read.ts'
import { acceptUnmatched } from '../../../operations/payments/accept-unmatched.ts'
import { checkOrder } from '../../../operations/payments/check-order.ts'
import { recordRefund } from '../../../operations/refunds/record.ts'
import { redeliverEvent } from '../../../operations/webhooks/redeliver.ts'
import { withPoint } from '../../pages/product-form.ts'
import { RecordRefund } from '../../refunds/request.ts'
import { requirePerson, type ShopVisit, shopOf } from '../access.ts'
import type { DashboardDeps } from '../deps.ts'
import { checkForm, tokenAfter } from '../fields.ts'
import { dashboardHeaders } from '../headers.ts'
import { dashboardLocaleOf, renderPage, type Settable } from '../page.ts'
import { problemText, refusalOf, refusedFields } from '../problem.ts'
import { type Outcome, orderModel } from './model.ts'
import { methodNamesOf } from './rows.ts'

const BY_MAX = 128

const text = (maxLength: number) => Type.String({ maxLength })
const Params = Type.Object({ order: text(64) })
const none = Type.Object({})

const outcomes: readonly string[] = [
  ...([
    'created',
    'cancelled',
    'ended',
    'checked',
    'refunded',
    'forced',
    'accepted',
    'resent',
    'noted',
  ] as const),
] satisfies OrderDone[]

const nothing: Outcome = { done: null, problem: null, entered: null }

/** What the page of an order shows, in a language. */
async function readOrder(deps: DashboardDeps, request: Request, orderId: string) {
  const shop = await shopOf(deps.context, request)
  const history = await inspectOrder(shop.context, shop.merchant.id, orderId.toLowerCase())
  const names = await methodNamesOf(shop.context, shop.merchant.id)
  return {
    shop,
    modelIn: (locale: DashboardLocale, outcome: Outcome) =>
      orderModel(deps, locale, shop, history, names, outcome),
  }
}

async function showOrder(
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  orderId: string,
  outcome: (locale: DashboardLocale) => Outcome,
): Promise<string> {
  const { modelIn } = await readOrder(deps, request, orderId)
  return renderPage(deps, request, set, async locale => {
    const model = await modelIn(locale, outcome(locale))
    return {
      title: locale.texts.order.title({ name: model.externalId ?? model.id }),
      body: orderBody(locale, model),
    }
  })
}

/** What a refused form shows: what was entered, and what to correct. */
function refusedOutcome(context: Context, action: string, values: Record<string, string>, refusal: Refusal) {
  const token = tokenAfter(context, refusal, values.token ?? '')
  const fields = refusedFields(refusal)
  const wrong = refusal.code === 'refund_exceeds_remaining' ? ['amount'] : fields
  return (locale: DashboardLocale): Outcome => ({
    done: null,
    problem: problemText(locale, refusal),
    entered: { action, values: { ...values, token }, wrong },
  })
}

type Act = (shop: ShopVisit, orderId: string, body: Record<string, string>) => Promise<unknown>

interface Action {
  access: DashboardAccess
  done: OrderDone
  body: typeof none
  act: Act
}

/** Who is named where a name is stored, such as in the API. */
const nameOf = ({ user }: ShopVisit): string => user.email.slice(0, BY_MAX)

/** The payments of the form, separated by spaces, have to be of the order that the page shows. */
async function acceptedIds({ context, merchant }: ShopVisit, orderId: string, text: string) {
  const { unmatched } = await inspectOrder(context, merchant.id, orderId)
  const ids = text.split(' ')
  if (!ids.every(id => unmatched.some(({ payment }) => payment.id === id))) throw new Refusal('not_found')
  return ids
}

const actions: Record<string, Action> = {
  cancel: {
    access: 'staff',
    done: 'cancelled',
    body: Type.Object({ reason: text(500) }),
    act: (shop, id, { reason = '' }) =>
      cancelOrder(shop.context, shop.merchant.id, id, shop.context.origin.actor, reason.trim() || null),
  },
  end: {
    access: 'staff',
    done: 'ended',
    body: none,
    act: (shop, id) => endOrder(shop.context, shop.merchant.id, id),
  },
  refund: {
    access: 'owner',
    done: 'refunded',
    body: Type.Object({ amount: text(30), reason: text(1000), token: text(64) }),
    async act({ context, merchant }, orderId, { amount = '', reason = '', token = '' }) {
      const body = { amount: withPoint(amount), reason: reason.trim() }
      checkForm(RecordRefund, body)
      // The same form sent twice is one refund.
      const idempotencyKey = `dashboard:${token}`
      const by = context.origin.actor
      return recordRefund(context, { merchantId: merchant.id, orderId, idempotencyKey, by, body })
    },
  },
  force: {
    access: 'owner',
    done: 'forced',
    body: Type.Object({ reason: text(2000), anyway: Type.Optional(text(3)) }),
    act: (shop, orderId, { reason = '', anyway }) =>
      forceOrder(shop.context, {
        merchantId: shop.merchant.id,
        orderId,
        by: nameOf(shop),
        reason,
        anyway: anyway === 'yes',
      }),
  },
  accept: {
    access: 'owner',
    done: 'accepted',
    body: Type.Object({ payment: text(4000), reason: text(500) }),
    async act(shop, id, { payment = '', reason = '' }) {
      const ids = await acceptedIds(shop, id, payment)
      return acceptUnmatched(shop.context, shop.merchant.id, ids, { by: nameOf(shop), reason })
    },
  },
  resend: {
    access: 'staff',
    done: 'resent',
    body: Type.Object({ event: text(64) }),
    act: (shop, _, { event = '' }) => redeliverEvent(shop.context, shop.merchant.id, event),
  },
  notes: {
    access: 'staff',
    done: 'noted',
    body: Type.Object({ text: text(8000) }),
    // Browsers count a line break once, and send two characters.
    act: (shop, id, { text: note = '' }) =>
      addNote(shop.context, shop.merchant.id, id, note.replaceAll('\r\n', '\n')),
  },
}

/** The form of one action. One that worked leads back to the page, one that was refused is shown again. */
const actionRoute = (deps: DashboardDeps, name: string, { access, done, body: fields, act }: Action) =>
  new Elysia().post(
    `/dashboard/orders/:order/${name}`,
    async ({ body, params, redirect, request, set }) => {
      const shop = await shopOf(deps.context, request)
      const id = params.order.toLowerCase()
      const { order } = await getOrder(shop.context, shop.merchant.id, id)
      const refusal = await refusalOf(() => act(shop, order.id, body))
      if (!refusal) return redirect(`/dashboard/orders/${order.id}?done=${done}`, 303)
      set.status = refusal.status
      return showOrder(deps, request, set, order.id, refusedOutcome(shop.context, name, body, refusal))
    },
    { ...requirePerson(deps.context, access), params: Params, body: fields },
  )

/** Looks up all payments now. Not every upstream may answer, which the page says. */
const checkRoute = (deps: DashboardDeps) =>
  new Elysia().post(
    '/dashboard/orders/:order/check',
    async ({ params, redirect, request, set }) => {
      const { context, merchant } = await shopOf(deps.context, request)
      const { order } = await getOrder(context, merchant.id, params.order.toLowerCase())
      const problems = await checkOrder(context, order.id)
      if (problems.length === 0) return redirect(`/dashboard/orders/${order.id}?done=checked`, 303)
      return showOrder(deps, request, set, order.id, ({ texts }) => ({
        ...nothing,
        problem: texts.order.unreachable({ problems: problems.join(' ') }),
      }))
    },
    { ...requirePerson(deps.context, 'staff'), params: Params, body: none },
  )

/** The page without its frame, if it differs from what the browser shows. */
const partRoute = (deps: DashboardDeps) =>
  new Elysia().get(
    '/dashboard/orders/:order/part',
    async ({ params, request, set }) => {
      const { modelIn, shop } = await readOrder(deps, request, params.order)
      const locale = dashboardLocaleOf(request, shop)
      Object.assign(set.headers, dashboardHeaders(request, deps.context.policy.checkoutUrl, locale.tag))
      const model = await modelIn(locale, nothing)
      const seen = new URL(request.url).searchParams.get('seen')
      if (model.refresh?.url.endsWith(`?seen=${seen}`)) {
        set.status = 204
        return
      }
      return orderPart(locale, model).toString()
    },
    { ...requirePerson(deps.context, 'viewer'), params: Params },
  )

/** The page of an order, and what people do there. */
export const orderPages = (deps: DashboardDeps) => {
  const app = new Elysia()
    .get(
      '/dashboard/orders/:order',
      async ({ params, request, set }) => {
        const done = new URL(request.url).searchParams.get('done') ?? ''
        const isDone = outcomes.includes(done)
        return showOrder(deps, request, set, params.order, () => ({
          ...nothing,
          done: isDone ? (done as OrderDone) : null,
        }))
      },
      { ...requirePerson(deps.context, 'viewer'), params: Params },
    )
    .use(partRoute(deps))
    .use(checkRoute(deps))
  for (const [name, action] of Object.entries(actions)) app.use(actionRoute(deps, name, action))
  return app
}
