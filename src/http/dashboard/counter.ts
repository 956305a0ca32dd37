import { counterBody, type SaleModel, salePart } from '../../../views/dashboard/counter.ts'
import { html } from '../../../views/html.ts'
import { dateAt } from '../../domain/calendar.ts'
import { NO_EMAIL } from '../../domain/customer.ts'
import type { Refusal } from '../../domain/errors.ts'
import { amountOf } from '../../domain/money.ts'
import { ANY } from '../../domain/payment-methods.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import { createOrder } from '../../operations/orders/create.ts'
import { getOrder } from '../../operations/orders/read.ts'
import { stopOrder } from '../../operations/orders/stop.ts'
import { listPayLacks } from '../../operations/payments/can-pay.ts'
import { checkOrder } from '../../operations/payments/check-order.ts'
import { readReport } from '../../operations/reports/read.ts'
import { CreateOrder } from '../orders/request.ts'
import { withPoint } from '../pages/product-form.ts'
import { checkForm, text, tokenAfter } from './fields.ts'
import { form, page, part, type Route } from './kit.ts'
import type { View } from './page.ts'
import { lookFor, payableOf } from './payable.ts'
import { problemText, refusedFields } from './problem.ts'
import { usualCurrency } from './usual-currency.ts'
import type { ShopVisit } from './visit.ts'

const PATH = '/dashboard/counter'
const SALE = `${PATH}/:order` as const
/**
 * The time after which a sale expires. It is short, because a customer at a counter pays at once or goes
 * away.
 */
const VALID_MS = 3600_000

const fields = { amount: text(100), description: text(2048), token: text(64) }
type Entered = Record<keyof typeof fields, string>

async function createSale(visit: ShopVisit, entered: Entered): Promise<string> {
  const { context, merchant } = visit
  const description = entered.description.trim()
  const order = {
    amount: withPoint(entered.amount),
    currency: await usualCurrency(visit, 'orders'),
    paymentMethodsKeys: [ANY],
    customer: { email: NO_EMAIL },
    ...(description && { description }),
  }
  checkForm(CreateOrder, order)
  const expiresAt = formatTimestamp(context.clock() + VALID_MS)
  const taxPayer = merchant.tax && { country: merchant.tax.country, vatId: '' }
  const input = { ...order, expiresAt, ...(taxPayer && { taxPayer }) }
  // `expiresAt` is not compared: the same form sent again has a later one, but means the same order.
  const created = await createOrder(context, merchant.id, input, `dashboard:${entered.token}`, order)
  return created.order.id
}

/** The sums that were paid today, in the time zone of the shop. */
async function todayOf({ context, merchant }: ShopVisit): Promise<SaleModel['today']> {
  const from = dateAt(context.clock(), merchant.timeZone)
  const { currencies } = await readReport(context, { merchantId: merchant.id, from, by: 'day' })
  return currencies.flatMap(({ currency, sums: { convertedCount: count, gross } }) =>
    count === 0 ? [] : [{ sum: { amount: amountOf(gross, currency), currency }, count }],
  )
}

async function showCounter(
  visit: ShopVisit,
  refused: { entered: Entered; refusal: Refusal } | null = null,
): Promise<View> {
  const { context, merchant } = visit
  const currency = await usualCurrency(visit, 'orders')
  const payLacks = await listPayLacks(context, merchant)
  const today = await todayOf(visit)
  const { amount = '', description = '', token = context.ids.uuid() } = refused?.entered ?? {}
  const refusal = refused?.refusal ?? null
  const wrong = refusal ? refusedFields(refusal) : []
  return locale => ({
    title: locale.texts.counter.title,
    body: counterBody(locale, {
      currency,
      values: { amount, description },
      today,
      token: tokenAfter(context, refusal, token),
      wrong,
      problem: refusal && wrong.length === 0 && payLacks.length === 0 ? problemText(locale, refusal) : null,
      payLacks,
    }),
  })
}

async function saleOf(visit: ShopVisit): Promise<SaleModel> {
  const { context, merchant, params } = visit as ShopVisit & { params: { order: string } }
  const { order } = await getOrder(context, merchant.id, params.order.toLowerCase())
  const { description } = order
  return { order: await payableOf(context, order), description, today: await todayOf(visit) }
}

/**
 * The pages for selling at a counter: a person enters an amount, shows a code to scan, and sees if it was
 * paid.
 */
export const counterRoutes: readonly Route[] = [
  page({ path: PATH, access: 'staff', show: visit => showCounter(visit) }),
  form({
    path: PATH,
    access: 'staff',
    fields,
    run: visit => createSale(visit, visit.body),
    done: id => `${PATH}/${id}`,
    refused: (refusal, visit) => showCounter(visit, { entered: visit.body, refusal }),
  }),
  page({
    path: SALE,
    access: 'staff',
    async show(visit) {
      const sale = await saleOf(visit)
      return locale => ({
        title: `${locale.texts.counter.title}: ${locale.money(sale.order.sum)}`,
        body: html`${salePart(locale, sale)}`,
      })
    },
  }),
  part({
    path: `${SALE}/part`,
    access: 'staff',
    async show(visit) {
      const sale = await saleOf(visit)
      await lookFor(visit.context, sale.order.id)
      return locale => salePart(locale, sale)
    },
  }),
  form({
    path: `${SALE}/check`,
    access: 'staff',
    async run({ context, merchant, params }) {
      const { order } = await getOrder(context, merchant.id, params.order.toLowerCase())
      await checkOrder(context, order.id)
    },
    done: (_, { params }) => `${PATH}/${params.order.toLowerCase()}`,
  }),
  form({
    path: `${SALE}/stop`,
    access: 'staff',
    run: ({ context, merchant, params }) => stopOrder(context, merchant.id, params.order.toLowerCase()),
    done: (_, { params }) => `${PATH}/${params.order.toLowerCase()}`,
  }),
]
