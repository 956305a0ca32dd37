import { soleProvider } from '../domain/payment-methods.ts'
import type { Refunded } from '../domain/refund-totals.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { OrderView } from '../operations/orders/view.ts'

const instant = (at: number | null) => (at === null ? undefined : formatTimestamp(at))

/** Members without a value are left out: undefined is not printed. */
export const present = <T>(value: T | null): T | undefined => value ?? undefined

/** An image of ours is named by its path: where it is served may change, the snapshot may not. */
export const imageUrl = (image: string | null, checkoutUrl: string): string | null =>
  image?.startsWith('/') ? checkoutUrl + image : image

/** What was refunded of an order or a transaction; nothing where nothing was. */
export const presentRefunded = (refunded: Refunded) =>
  refunded.refundCount === 0
    ? {}
    : {
        refundStatus: present(refunded.refundStatus),
        refundedAmount: present(refunded.refundedAmount),
        refundCount: String(refunded.refundCount),
        lastRefundedAt: instant(refunded.lastRefundedAt),
        refundedAt: instant(refunded.refundedAt),
      }

/** An order as spec 2.2 shows it. */
export function presentOrder({ order, session, merchant }: OrderView, checkoutUrl: string) {
  const forced = order.forcedAt !== null
  return {
    merchantId: order.merchantId,
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
    status: order.status,
    provisioningStatus: session.status,
    expiresAt: instant(order.expiresAt),
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
    paidAt: instant(order.paidAt),
    forced: forced || undefined,
    forcedAt: instant(order.forcedAt),
    forcedBy: present(order.forcedBy),
    forceReason: present(order.forceReason),
    forcedProviderStatus: present(order.forcedProviderStatus),
    cancelledAt: instant(order.cancelledAt),
    cancelledBy: present(order.cancelledBy),
    cancelReason: present(order.cancelReason),
    ...presentRefunded(order),
    description: present(order.description),
    productImageUrl: present(imageUrl(order.productImageUrl, checkoutUrl)),
    returnUrl: present(order.returnUrl),
    metadata: order.metadata,
    createdAt: formatTimestamp(order.createdAt),
    updatedAt: formatTimestamp(order.updatedAt),
  }
}
