import { invoiceStateOf, paymentMethodOf } from '../../domain/greenfield.ts'
import { type Amount, fromUnits } from '../../domain/money.ts'
import type { Order } from '../../domain/order.ts'
import { transactionIdOf } from '../../domain/payment.ts'
import { WATCH_MS } from '../../domain/quote.ts'
import { greenfieldTypes, type Webhook } from '../../domain/webhook.ts'
import type { OrderPayments } from '../../operations/orders/read-payments.ts'

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

/**
 * The payments that buyers opened for an order, each as a payment method of its invoice. Once money has
 * arrived, those without money are left out: the plugin for Magento takes only one currency, and reads the
 * paid amount from the last method.
 */
export function presentInvoiceMethods({ attempts, payments }: OrderPayments) {
  const paid = attempts.filter(({ receivedAtomic }) => receivedAtomic > 0n)
  return (paid.length > 0 ? paid : attempts).map(attempt => {
    const { decimals, dueAtomic, receivedAtomic, address } = attempt
    const paymentMethodId = paymentMethodOf(attempt)
    const units = (atomic: bigint) => fromUnits(atomic, decimals)
    const destination = address ?? ''
    return {
      paymentMethodId,
      paymentMethod: paymentMethodId,
      currency: paymentMethodId.split('-')[0],
      destination,
      paymentLink: attempt.kind === 'address' ? attempt.paymentUri : null,
      rate: attempt.kind === 'address' ? attempt.rate : '1',
      paymentMethodPaid: units(receivedAtomic),
      totalPaid: units(receivedAtomic),
      due: units(dueAtomic > receivedAtomic ? dueAtomic - receivedAtomic : 0n),
      amount: units(dueAtomic),
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
