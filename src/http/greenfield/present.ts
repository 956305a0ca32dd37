import { type Attempt, askedMinor, remainingAtomic } from '../../domain/attempt.ts'
import { wholeAgain } from '../../domain/coverage.ts'
import { invoiceStateOf, paymentMethodOf } from '../../domain/greenfield.ts'
import { type Amount, ceilDiv, fromUnits, minorOf, total } from '../../domain/money.ts'
import type { Order } from '../../domain/order.ts'
import { transactionIdOf } from '../../domain/payment.ts'
import { VALUE_UNIT, WATCH_MS } from '../../domain/quote.ts'
import { hasFixedAmount } from '../../domain/upstream.ts'
import { greenfieldTypes, type Webhook } from '../../domain/webhook.ts'
import type { OrderPayments } from '../../operations/orders/read-payments.ts'
import { type UriContext, uriOf } from '../../present/attempt.ts'

const seconds = (at: number): number => Math.floor(at / 1000)

/** An order as an invoice of BTCPay Server. */
export function presentInvoice(order: Order, paidAmount: Amount, checkoutUrl: string) {
  const { id, merchantId, amount, currency, createdAt, expiresAt, metadata, returnUrl } = order
  return {
    id,
    storeId: merchantId,
    amount,
    paidAmount,
    currency,
    type: 'Standard',
    checkoutLink: `${checkoutUrl}/pay/${id}`,
    createdTime: seconds(createdAt),
    expirationTime: seconds(expiresAt),
    monitoringExpiration: seconds(expiresAt + WATCH_MS),
    monitoringTime: seconds(expiresAt + WATCH_MS),
    ...invoiceStateOf(order),
    availableStatusesForManualMarking: order.status === 'UNPAID' ? ['Invalid'] : [],
    archived: false,
    metadata,
    checkout: {
      speedPolicy: 'MediumSpeed',
      paymentMethods: [],
      defaultPaymentMethod: null,
      expirationMinutes: Math.round((expiresAt - createdAt) / 60_000),
      monitoringMinutes: WATCH_MS / 60_000,
      paymentTolerance: 0,
      redirectURL: returnUrl,
      redirectAutomatically: false,
      defaultLanguage: null,
    },
    receipt: { enabled: null, showQR: null, showPayments: null },
  }
}

/** The URI that asks for what remains to be paid to an attempt; null if none can, or if nothing remains. */
function linkOf(attempt: Attempt, remaining: bigint, context: UriContext): string | null {
  if (attempt.kind !== 'address') return null
  const asksTooMuch = hasFixedAmount(attempt) && remaining < attempt.dueAtomic
  return asksTooMuch ? null : uriOf(attempt, remaining, context)
}

/**
 * The amount of an order and everything that is credited to it, in the coin of one of its attempts, atomic.
 * The attempt may have been opened for a part of the order.
 */
function sumsIn({ dueAtomic, priced }: Attempt, { order, attempts }: OrderPayments) {
  const { amount, currency } = order
  const price = minorOf(priced, currency)
  const paid = wholeAgain(total(attempts.map(({ credited }) => credited)))
  return {
    amount: ceilDiv(minorOf(amount, currency) * dueAtomic, price),
    totalPaid: (paid * dueAtomic) / (price * VALUE_UNIT),
  }
}

/**
 * The payments that buyers opened for an order, each as a payment method of its invoice. Once money has
 * arrived, those without money are left out: the plugin for Magento takes only one currency, and reads the
 * paid amount from the last method.
 */
export function presentInvoiceMethods(of: OrderPayments, context: UriContext) {
  const { order, attempts, payments } = of
  const asked = order.status === 'PAID' ? 0n : askedMinor(order, attempts)
  const paid = attempts.filter(({ receivedAtomic }) => receivedAtomic > 0n)
  return (paid.length > 0 ? paid : attempts).map(attempt => {
    const { decimals, receivedAtomic, address } = attempt
    const { amount, totalPaid } = sumsIn(attempt, of)
    const paymentMethodId = paymentMethodOf(attempt)
    const units = (atomic: bigint) => fromUnits(atomic, decimals)
    const destination = address ?? ''
    const remaining = remainingAtomic(attempt, order, asked)
    return {
      paymentMethodId,
      paymentMethod: paymentMethodId,
      currency: paymentMethodId.split('-')[0],
      destination,
      paymentLink: order.status === 'UNPAID' ? linkOf(attempt, remaining, context) : null,
      rate: attempt.kind === 'address' ? attempt.rate : '1',
      paymentMethodPaid: units(receivedAtomic),
      totalPaid: units(totalPaid),
      due: units(remaining > 0n ? remaining : 0n),
      amount: units(amount),
      paymentMethodFee: '0',
      payments: payments
        .filter(({ attemptId, state }) => attemptId === attempt.id && state !== 'gone')
        .map(payment => ({
          id: transactionIdOf(payment) ?? payment.id,
          receivedDate: seconds(payment.paidAt),
          value: units(payment.amountAtomic),
          fee: '0',
          status: payment.state === 'final' ? 'Settled' : 'Processing',
          destination,
        })),
      activated: true,
    }
  })
}

/** A webhook in the format of BTCPay Server, without its secret. */
export const presentGreenfieldWebhook = ({ id, url, events }: Webhook) => ({
  id,
  url,
  enabled: true,
  automaticRedelivery: true,
  authorizedEvents:
    events.length === greenfieldTypes.length
      ? { everything: true, specificEvents: [] }
      : { everything: false, specificEvents: events },
})
