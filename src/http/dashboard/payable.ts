import type { PayableOrder } from '../../../views/dashboard/payable.ts'
import { minorOf } from '../../domain/money.ts'
import type { Order } from '../../domain/order.ts'
import type { Context } from '../../operations/context.ts'
import { startCheck } from '../../operations/payments/check-now.ts'
import { loadPaymentStatus } from '../../operations/payments/load-checkout.ts'
import { presentCredit } from '../../present/attempt.ts'
import { qrSvg } from '../../present/qr.ts'

/** The state of an order that is about to be paid in front of the person who created it. */
export async function payableOf(context: Context, order: Order): Promise<PayableOrder> {
  const { id, amount, currency, paidAt } = order
  const { attempts } = await loadPaymentStatus(context, id)
  const isSeen = attempts.some(({ state }) => state === 'confirming' || state === 'underpaid')
  const { credited, left } = presentCredit(order, attempts)
  const isPart = minorOf(credited, currency) > 0n && minorOf(left.amount, currency) > 0n
  const url = `${context.policy.checkoutUrl}/pay/${id}`
  return {
    id,
    sum: { amount, currency },
    state:
      order.status === 'PAID' ? 'paid' : order.status !== 'UNPAID' ? 'over' : isSeen ? 'seen' : 'waiting',
    left: isPart ? left : null,
    paidAt,
    url,
    qr: qrSvg(url),
  }
}

/** Looks for the payment of an order, as the page of a buyer does, because a person is waiting for it. */
export async function lookFor(context: Context, orderId: string): Promise<void> {
  startCheck(context, await loadPaymentStatus(context, orderId), 'page')?.catch(error =>
    context.log.warn({ reason: String(error) }, 'dashboard.check.failed'),
  )
}
