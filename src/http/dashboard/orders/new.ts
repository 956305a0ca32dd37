import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  type Expiry,
  type NewOrderField,
  type NewOrderModel,
  newOrderBody,
} from '../../../../views/dashboard/new-order.ts'
import { NO_EMAIL } from '../../../domain/customer.ts'
import { invalid, type Refusal } from '../../../domain/errors.ts'
import { ANY, CRYPTO } from '../../../domain/payment-methods.ts'
import { formatTimestamp } from '../../../domain/timestamp.ts'
import { createOrder } from '../../../operations/orders/create.ts'
import { readFields } from '../../body.ts'
import { CreateOrder } from '../../orders/request.ts'
import { withPoint } from '../../pages/product-form.ts'
import { requirePerson, type ShopVisit, shopOf } from '../access.ts'
import { currencyChoices } from '../choices.ts'
import type { DashboardDeps } from '../deps.ts'
import { checkForm, tokenAfter } from '../fields.ts'
import { renderPage, type Settable } from '../page.ts'
import { problemText, refusalOf, refusedFields } from '../problem.ts'
import { usualCurrency } from '../usual-currency.ts'
import { methodNamesOf } from './rows.ts'

const HOUR_MS = 3600_000
const expiries: Record<Expiry, number> = {
  '1h': HOUR_MS,
  '1d': 24 * HOUR_MS,
  '3d': 72 * HOUR_MS,
  '7d': 168 * HOUR_MS,
  '30d': 720 * HOUR_MS,
}
const isExpiry = (text: string): text is Expiry => Object.hasOwn(expiries, text)

const text = Type.String({ maxLength: 2048 })
const fields = ['amount', 'currency', 'description', 'email', 'fullName', 'externalId'] as const
const Form = Type.Object({
  ...(Object.fromEntries(fields.map(name => [name, text])) as Record<NewOrderField, typeof text>),
  token: Type.String({ pattern: '^[0-9A-Za-z-]{8,64}$' }),
  expiry: text,
  methods: Type.Array(text, { maxItems: 64 }),
})
type NewOrderForm = (typeof Form)['static']

/** Reads the form, in which a method can be chosen more than once. */
async function readNewOrder(request: Request): Promise<unknown> {
  const params = await readFields(request)
  const methods = params.getAll('method')
  params.delete('method')
  return { ...Object.fromEntries(params), methods }
}

/** Creates the order as the API does. The same form sent twice creates one order. */
async function create(shop: ShopVisit, form: NewOrderForm): Promise<string> {
  const { context, merchant } = shop
  if (!isExpiry(form.expiry)) throw invalid('/expiry', 'is not one of the choices')
  const [email, fullName] = [form.email.trim(), form.fullName.trim()]
  const [description, externalId] = [form.description.trim(), form.externalId.trim()]
  const order = {
    amount: withPoint(form.amount),
    currency: form.currency.trim().toUpperCase(),
    paymentMethodsKeys: form.methods.length > 0 ? form.methods : [ANY],
    customer: { email: email || NO_EMAIL, ...(fullName && { fullName }) },
    ...(description && { description }),
    ...(externalId && { externalId }),
  }
  checkForm(CreateOrder, order)
  const expiresAt = formatTimestamp(context.clock() + expiries[form.expiry])
  const key = `dashboard:${form.token}`
  // The same form sent again comes later, but asks for the same.
  const compared = { ...order, expiry: form.expiry }
  const created = await createOrder(context, merchant.id, { ...order, expiresAt }, key, compared)
  return created.order.id
}

const fieldNames: Record<string, string> = { paymentMethodsKeys: 'methods', 'customer/email': 'email' }

function problemOf(locale: Parameters<typeof problemText>[0], refusal: Refusal) {
  const { problems } = locale.texts.newOrder
  const paths = refusedFields(refusal).map(path => fieldNames[path] ?? path.replace(/^customer\//, ''))
  const { code } = refusal
  const problem = code in problems ? problems[code as keyof typeof problems] : problemText(locale, refusal)
  return { wrong: paths, problem }
}

async function showForm(
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  shop: ShopVisit,
  form: NewOrderForm,
  refusal: Refusal | null,
): Promise<string> {
  const names = await methodNamesOf(shop.context, shop.merchant.id)
  return renderPage(deps, request, set, locale => {
    const { newOrder, orders } = locale.texts
    const all: [string, string][] = [[CRYPTO, orders.crypto], ...names]
    const model: NewOrderModel = {
      values: form,
      currencies: currencyChoices(locale),
      methods: all.map(([key, name]) => ({ key, name, isChosen: form.methods.includes(key) })),
      expiry: form.expiry,
      token: tokenAfter(shop.context, refusal, form.token),
      ...(refusal ? problemOf(locale, refusal) : { wrong: [], problem: null }),
    }
    return { title: newOrder.title, body: newOrderBody(locale, model) }
  })
}

/** The page on which a person creates an order and gets its link. */
export const newOrderPages = (deps: DashboardDeps) => {
  const { context } = deps
  return new Elysia()
    .get(
      '/dashboard/orders/new',
      async ({ request, set }) => {
        const shop = await shopOf(context, request)
        const empty = Object.fromEntries(fields.map(name => [name, ''])) as Record<NewOrderField, string>
        const currency = await usualCurrency(shop, 'orders')
        const form = { ...empty, currency, token: context.ids.uuid(), expiry: '7d', methods: [] }
        return showForm(deps, request, set, shop, form, null)
      },
      requirePerson(context, 'staff'),
    )
    .post(
      '/dashboard/orders/new',
      async ({ body, redirect, request, set }) => {
        const shop = await shopOf(context, request)
        let id = ''
        const refusal = await refusalOf(async () => {
          id = await create(shop, body)
        })
        if (!refusal) return redirect(`/dashboard/orders/${id}?done=created`, 303)
        set.status = refusal.status
        return showForm(deps, request, set, shop, body, refusal)
      },
      { ...requirePerson(context, 'staff', readNewOrder), body: Form },
    )
}
