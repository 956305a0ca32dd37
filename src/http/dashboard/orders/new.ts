import { Type } from '@sinclair/typebox'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { type Expiry, type NewOrderField, newOrderBody } from '../../../../views/dashboard/new-order.ts'
import { NO_EMAIL } from '../../../domain/customer.ts'
import { invalid, Refusal } from '../../../domain/errors.ts'
import { ANY, CRYPTO } from '../../../domain/payment-methods.ts'
import { formatTimestamp } from '../../../domain/timestamp.ts'
import { cancelOrder } from '../../../operations/orders/cancel.ts'
import { createOrder } from '../../../operations/orders/create.ts'
import { inspectOrder } from '../../../operations/orders/inspect.ts'
import { isReplaceable, stopOrder } from '../../../operations/orders/stop.ts'
import { readFields } from '../../body.ts'
import { CreateOrder } from '../../orders/request.ts'
import { withPoint } from '../../pages/product-form.ts'
import { countryChoices, currencyChoices } from '../choices.ts'
import { checkForm, text, tokenAfter } from '../fields.ts'
import { form, page, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import { problemText, refusedFields } from '../problem.ts'
import { usualCurrency } from '../usual-currency.ts'
import type { ShopVisit } from '../visit.ts'
import { methodNamesOf } from './rows.ts'

const PATH = '/dashboard/orders/new'
const HOUR_MS = 3600_000
const expiries: Record<Expiry, number> = {
  '1h': HOUR_MS,
  '1d': 24 * HOUR_MS,
  '3d': 72 * HOUR_MS,
  '7d': 168 * HOUR_MS,
  '30d': 720 * HOUR_MS,
}
const isExpiry = (text: string): text is Expiry => Object.hasOwn(expiries, text)

const entry = text(2048)
const fields = ['amount', 'currency', 'description', 'email', 'fullName', 'externalId'] as const
const Form = Type.Object({
  ...(Object.fromEntries(fields.map(name => [name, entry])) as Record<NewOrderField, typeof entry>),
  token: Type.String({ pattern: '^[0-9A-Za-z-]{8,64}$' }),
  expiry: entry,
  country: Type.Optional(entry),
  vatId: Type.Optional(entry),
  /** ID of the order that the new one replaces */
  correct: Type.Optional(text(36)),
  methods: Type.Array(entry, { maxItems: 64 }),
})
type NewOrderForm = (typeof Form)['static']

/** Reads the form, in which more than one method can be chosen. */
async function readNewOrder(request: Request): Promise<unknown> {
  const params = await readFields(request)
  const methods = params.getAll('method')
  params.delete('method')
  return { ...Object.fromEntries(params), methods }
}

/** Creates the order as the API does. The same form sent twice creates only one order. */
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
  const { country = '', vatId = '' } = form
  const taxPayer = merchant.tax && { country, vatId }
  const expiresAt = formatTimestamp(context.clock() + expiries[form.expiry])
  const key = `dashboard:${form.token}`
  // `expiresAt` is not compared: the same form sent again has a later one, but means the same order.
  const compared = { ...order, expiry: form.expiry, ...(taxPayer && { taxPayer }) }
  const input = { ...order, expiresAt, ...(taxPayer && { taxPayer }) }
  const created = await createOrder(context, merchant.id, input, key, compared)
  if (form.correct) await closeFormer(shop, form.correct.toLowerCase(), created.order.id)
  return created.order.id
}

/**
 * Ends the order that a new one replaces. If some of the former order was paid meanwhile, the new one is
 * cancelled.
 */
async function closeFormer({ context, merchant }: ShopVisit, formerId: string, newId: string): Promise<void> {
  const { actor } = context.origin
  const former = await inspectOrder(context, merchant.id, formerId)
  const { status } = former.order
  // The former order was closed before, because the form was sent twice.
  if (status === 'CANCELLED' || status === 'EXPIRED') return
  try {
    if (status === 'UNPAID' && !isReplaceable(former)) {
      const message = 'A part of this order was paid meanwhile, so it stays.'
      throw new Refusal('conflict', message, { reason: { kind: 'part_paid' } })
    }
    await stopOrder(context, merchant.id, formerId)
  } catch (error) {
    await cancelOrder(context, merchant.id, newId, actor, null)
    throw error
  }
}

/** The order that is to be corrected, and its values; null if it can no longer be corrected. */
async function readFormer({ context, merchant }: ShopVisit, id: string | undefined) {
  if (id === undefined || id === '') return null
  const former = await inspectOrder(context, merchant.id, id.toLowerCase())
  if (!isReplaceable(former)) return null
  const { amount, currency, description, customerEmail, customerFullName, externalId, methodKeys, tax } =
    former.order
  return {
    id: former.order.id,
    name: externalId ?? former.order.productName ?? description ?? former.order.id,
    methods: methodKeys.filter(key => key !== ANY),
    values: {
      ...{ amount, currency, description: description ?? '', fullName: customerFullName },
      ...{ email: customerEmail === NO_EMAIL ? '' : customerEmail, externalId: externalId ?? '' },
      ...(tax && { country: tax.country ?? tax.seller.country, vatId: tax.vatId ?? '' }),
    },
  }
}

const fieldNames: Record<string, string> = { paymentMethodsKeys: 'methods', 'customer/email': 'email' }

function problemOf(locale: DashboardLocale, refusal: Refusal) {
  const { problems } = locale.texts.newOrder
  const paths = refusedFields(refusal).map(path => fieldNames[path] ?? path.replace(/^customer\//, ''))
  const { code } = refusal
  const problem = code in problems ? problems[code as keyof typeof problems] : problemText(locale, refusal)
  return { wrong: paths, problem }
}

async function showForm(shop: ShopVisit, entered: NewOrderForm, refusal: Refusal | null): Promise<View> {
  const { context, merchant } = shop
  const names = await methodNamesOf(context, merchant.id)
  const corrected = await readFormer(shop, entered.correct)
  return locale => {
    const all: [string, string][] = [[CRYPTO, locale.texts.orders.crypto], ...names]
    return {
      title: corrected
        ? locale.texts.newOrder.correctTitle({ name: corrected.name })
        : locale.texts.newOrder.title,
      body: newOrderBody(locale, {
        values: entered,
        corrected,
        currencies: currencyChoices(locale),
        methods: all.map(([key, name]) => ({ key, name, isChosen: entered.methods.includes(key) })),
        expiry: entered.expiry,
        tax: merchant.tax && {
          countries: countryChoices(locale),
          country: entered.country ?? merchant.tax.country,
          vatId: entered.vatId ?? '',
        },
        token: tokenAfter(context, refusal, entered.token),
        ...(refusal ? problemOf(locale, refusal) : { wrong: [], problem: null }),
      }),
    }
  }
}

/** The page on which a person creates an order and gets its link. */
export const newOrderRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'staff',
    query: { correct: Type.Optional(text(36)) },
    async show(visit) {
      const empty = Object.fromEntries(fields.map(name => [name, ''])) as Record<NewOrderField, string>
      const currency = await usualCurrency(visit, 'orders')
      const token = visit.context.ids.uuid()
      const former = await readFormer(visit, visit.query.correct)
      const entered = former
        ? { ...former.values, correct: former.id, methods: former.methods }
        : { ...empty, currency, methods: [] }
      return showForm(visit, { ...entered, token, expiry: '7d' }, null)
    },
  }),
  form({
    path: PATH,
    access: 'staff',
    read: readNewOrder,
    fields: Form,
    run: visit => create(visit, visit.body),
    done: (id, { body }) => `/dashboard/orders/${id}?done=${body.correct ? 'corrected' : 'created'}`,
    refused: (refusal, visit) => showForm(visit, visit.body, refusal),
  }),
]
