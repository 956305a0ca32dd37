import { type Attempt, askedMinor } from '../../../domain/attempt.ts'
import { type Amount, amountOf } from '../../../domain/money.ts'
import type { Order } from '../../../domain/order.ts'
import { overpaidOf } from '../../../domain/overpaid.ts'
import { type IncomingPayment, vanishedOf } from '../../../domain/payment.ts'
import {
  isOverWorthMail,
  isValueWorthMail,
  type PaymentMailKind,
  VANISHED_MS,
} from '../../../domain/payment-mail.ts'
import type { PaymentNews, ValuedPayment } from '../../../domain/payment-news.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { loadPaymentValues } from '../../orders/steps/payment-values.ts'
import { assess } from '../../settlement/assess.ts'
import { type LoadContext, loadCase } from '../../settlement/load.ts'

/** Max payments or refunds named in a mail: the newest ones. */
const NAMED_MAX = 10

/** The news of an order, or the time of the next try; null if there is no news any more. */
type NewsOrDelay = PaymentNews | number | null

interface Loading {
  context: LoadContext & Pick<Context, 'providers'>
  tables: Tables
  order: Order
  attempts: Attempt[]
}

/** Loads the current news of an order. */
export async function loadPaymentNews(
  context: Loading['context'],
  tables: Tables,
  order: Order,
  kind: PaymentMailKind,
): Promise<NewsOrDelay> {
  const attempts = await tables.attempts.listOf(order.id)
  return loaders[kind]({ context, tables, order, attempts })
}

const loaders: Record<PaymentMailKind, (loading: Loading) => Promise<NewsOrDelay>> = {
  async part(loading) {
    const { context, tables, order, attempts } = loading
    if (order.status !== 'UNPAID') return null
    const left = leftOf(order, attempts)
    const assessed = assess(await loadCase(context, tables, order.id)).attempts
    const counting = new Set(assessed.flatMap(({ credits }) => credits.map(({ payment }) => payment.id)))
    const arrived = await valuedPayments(loading, payments => payments.filter(({ id }) => counting.has(id)))
    return left === null || arrived.length === 0 ? null : { kind: 'part', payments: arrived, left }
  },

  async unmatched({ tables, order, attempts }) {
    const rows = await tables.unmatched.listOf(order.id)
    const payments = rows.flatMap(({ payment: { status, reason, value, attemptId }, incoming }) => {
      const attempt = attempts.find(({ id }) => id === attemptId)
      const isNews = status === 'open' && reason !== 'underpaid' && incoming.state !== 'gone'
      if (!attempt || !isNews || !isValueWorthMail(order, value)) return []
      return [{ attempt, payment: incoming, value, reason }]
    })
    return payments.length === 0 ? null : { kind: 'unmatched', payments: payments.slice(-NAMED_MAX) }
  },

  async overpaid({ order, attempts }) {
    const over = overpaidOf(order, attempts)
    return over && isOverWorthMail(order, over) ? { kind: 'overpaid', over } : null
  },

  async refund({ tables, order }) {
    const refunds = (await tables.refunds.list(order.id, NAMED_MAX, null)).reverse()
    const last = refunds.at(-1)
    if (!last) return null
    const reversals = await tables.reversals.listOf(order.id)
    return { kind: 'refund', refunds, isPaidBack: reversals.some(({ refundId }) => refundId === last.id) }
  },

  async vanished(loading) {
    const { context, order, attempts } = loading
    if (order.status !== 'UNPAID' && order.status !== 'EXPIRED') return null
    const left = leftOf(order, attempts)
    const gone = await valuedPayments(loading, vanishedOf)
    if (left === null || gone.length === 0) return null
    const settledAt = Math.max(...gone.map(({ payment }) => payment.updatedAt)) + VANISHED_MS
    return settledAt > context.clock() ? settledAt : { kind: 'vanished', payments: gone, left }
  },
}

/** The amount that is left to pay of an order; null if it is zero, or too small to ask for. */
function leftOf(order: Order, attempts: readonly Attempt[]): Amount | null {
  const asked = askedMinor(order, attempts)
  return asked === 0n ? null : amountOf(asked, order.currency)
}

/** The newest of the selected payments of all attempts, without those that are too small for a mail. */
async function valuedPayments(
  { context, tables, order, attempts }: Loading,
  choose: (payments: IncomingPayment[]) => IncomingPayment[],
): Promise<ValuedPayment[]> {
  const found: ValuedPayment[] = []
  const values = await loadPaymentValues(context, tables, order.id)
  for (const attempt of attempts) {
    for (const payment of choose(await tables.incomingPayments.listOf(attempt.id))) {
      const value = values.get(payment.id) ?? null
      if (isValueWorthMail(order, value)) found.push({ attempt, payment, value })
    }
  }
  return found.sort((a, b) => a.payment.paidAt - b.payment.paidAt).slice(-NAMED_MAX)
}
