import type { Attempt } from '../../domain/attempt.ts'
import { dateAt } from '../../domain/calendar.ts'
import { receivedSum } from '../../domain/fiat.ts'
import type { InvoicePayment } from '../../domain/invoice.ts'
import { type IncomingPayment, transactionIdOf } from '../../domain/payment.ts'
import type { Tables } from '../../storage/port.ts'

/** The received amount of a coin, such as "0.00041 BTC"; null for a payment through a provider. */
function receivedOf(attempt: Attempt, { amountAtomic, assetId }: IncomingPayment): string | null {
  if (attempt.kind !== 'address' || assetId !== attempt.assetId) return null
  const { receivedAmount, receivedCurrency } = receivedSum(amountAtomic, attempt)
  return `${receivedAmount} ${(receivedCurrency.split('/').at(-1) ?? receivedCurrency).toUpperCase()}`
}

/** The payments of an order, oldest first, and the language of its buyer; both are empty if it was forced. */
export async function loadInvoicePayments(
  tables: Tables,
  orderId: string,
  timeZone: string,
): Promise<{ payments: InvoicePayment[]; language: string | null }> {
  const attempts = await tables.attempts.listOf(orderId)
  const settling = (await tables.incomingPayments.listOfOrder(orderId))
    .filter(({ settles }) => settles)
    .sort((one, other) => one.paidAt - other.paidAt)
  const payments = settling.flatMap(payment => {
    const attempt = attempts.find(({ id }) => id === payment.attemptId)
    if (!attempt) return []
    const received = receivedOf(attempt, payment)
    return {
      method: attempt.methodName,
      received,
      // A late payment counts at the rate of its own time.
      rate: received !== null && attempt.kind === 'address' && !payment.counts ? attempt.rate : null,
      transactionId: transactionIdOf(payment),
      date: dateAt(payment.paidAt, timeZone),
    }
  })
  return { payments, language: attempts.at(-1)?.language ?? null }
}
