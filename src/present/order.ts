import type { OrderView } from '../domain/order-view.ts'
import { soleProvider } from '../domain/payment-methods.ts'
import type { Refunded } from '../domain/refund-totals.ts'
import type { OrderTax } from '../domain/tax.ts'
import { isLive, shopOf } from '../domain/test-shop.ts'
import { formatTimestamp } from '../domain/timestamp.ts'

const timestamp = (at: number | null) => (at === null ? undefined : formatTimestamp(at))

/** Converts null to undefined, so that the field is left out of the JSON. */
export const present = <T>(value: T | null): T | undefined => value ?? undefined

/**
 * The `livemode` field: false for data of test orders. Live data lacks the field, as it did before there were
 * test orders.
 */
export const markOf = (of: { merchantId: string }): false | undefined => (isLive(of) ? undefined : false)

/** The URL of an image. Orders store an uploaded image by its path, because the public URL may change. */
export const imageUrl = (image: string | null, checkoutUrl: string): string | null =>
  image?.startsWith('/') ? checkoutUrl + image : image

/** Refund totals of an order or a transaction; undefined values if nothing was refunded. */
export const presentRefunded = (refunded: Refunded) => {
  const { refundCount } = refunded
  const isRefunded = refundCount > 0
  return {
    refundStatus: isRefunded ? present(refunded.refundStatus) : undefined,
    refundedAmount: isRefunded ? present(refunded.refundedAmount) : undefined,
    refundCount: isRefunded ? String(refundCount) : undefined,
    lastRefundedAt: isRefunded ? timestamp(refunded.lastRefundedAt) : undefined,
    refundedAt: isRefunded ? timestamp(refunded.refundedAt) : undefined,
  }
}

/** The tax that the amount of an order contains. Rates are in percent. */
const presentTax = ({ country, vatId, lines }: OrderTax) => ({
  country,
  vatId,
  lines: lines.map(({ category, rate, net, tax }) => ({ category, rate: String(rate / 100), net, tax })),
})

export function presentOrder({ order, session, merchant }: OrderView, checkoutUrl: string) {
  const isForced = order.forcedAt !== null
  return {
    merchantId: shopOf(order.merchantId),
    merchantEmail: merchant.email,
    merchantName: merchant.name,
    orderUUID: order.id,
    productUUID: present(order.productId),
    productName: present(order.productName),
    transactionRef: order.transactionRef,
    externalId: order.externalId,
    amount: order.amount,
    currency: order.currency,
    receivingWallet: present(order.receivingWallet),
    tax: order.tax ? presentTax(order.tax) : undefined,
    status: order.status,
    provisioningStatus: session.status,
    expiresAt: timestamp(order.expiresAt),
    customerId: order.customerId,
    customerEmail: order.customerEmail,
    customerFullName: order.customerFullName,
    feePercent: order.feePercent,
    platformFeeAmount: order.feeAmount,
    netAmount: order.netAmount,
    feeCollectionStatus: order.feeCollection,
    paymentMethodsKeys: order.methodKeys,
    source: order.source,
    checkoutUrl: `${checkoutUrl}/pay/${order.id}`,
    directPaymentLink: soleProvider(order.methodKeys)
      ? `${checkoutUrl}/payment/process/${order.id}`
      : undefined,
    providerAddressIn: present(order.providerAddressIn),
    providerPayoutAddress: present(order.providerPayoutAddress),
    providerTxIn: present(order.providerTxIn),
    providerTxOut: present(order.providerTxOut),
    receivedAmount: present(order.receivedAmount),
    receivedCurrency: present(order.receivedCurrency),
    paidTransactionUUID: present(order.transactionId),
    paidAt: timestamp(order.paidAt),
    forced: isForced || undefined,
    forcedAt: timestamp(order.forcedAt),
    forcedBy: present(order.forcedBy),
    forceReason: present(order.forceReason),
    forcedProviderStatus: present(order.forcedProviderStatus),
    cancelledAt: timestamp(order.cancelledAt),
    cancelledBy: present(order.cancelledBy),
    cancelReason: present(order.cancelReason),
    ...presentRefunded(order),
    description: present(order.description),
    productImageUrl: present(imageUrl(order.productImageUrl, checkoutUrl)),
    returnUrl: present(order.returnUrl),
    metadata: order.metadata,
    livemode: markOf(order),
    createdAt: formatTimestamp(order.createdAt),
    updatedAt: formatTimestamp(order.updatedAt),
  }
}
