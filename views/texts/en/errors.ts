import { plural } from '../plural.ts'

/** Error pages, and why a request of a buyer was refused. */
export const errors = {
  titles: {
    notFound: 'Page not found',
    notPossible: 'This isn’t possible',
    notAvailable: 'Not available',
    tooMany: 'Too many requests',
    providerAway: 'Payment provider not responding',
    other: 'Something went wrong',
  },
  titled: (title: string) => `Error: ${title}`,
  notSold: (shop: string) => `${shop} no longer sells this.`,
  shopClosed:
    'This shop isn’t accepting payments right now. If you have already paid, contact the shop with your ' +
    'order number.',
  checkLink: 'Check the link, or ask the shop for a new one.',
  backToPayment: 'Back to the payment',
  requestId: 'Request ID',
  waitMinute: 'Please wait a minute, then try again.',
  wait: (seconds: number) =>
    plural('en', seconds, {
      one: `Too many requests. Please try again in ${seconds} second.`,
      other: `Too many requests. Please try again in ${seconds} seconds.`,
    }),
  shopCannot: 'The shop can’t accept this order right now. Try again later, or contact the shop.',
  byCode: {
    validation_error: 'This link or form is invalid. Go back, or ask the shop for a new link.',
    not_found: 'There is no page at this address.',
    order_not_payable: 'This order can no longer be paid. Go back to the shop and order again.',
    method_not_offered: 'This payment method isn’t available. Choose another method.',
    product_not_available: 'This product isn’t available. Go back to the shop and choose another one.',
    internal_error: 'Please try again. If it happens again, contact the shop with the request ID below.',
    provider_unavailable: 'Please try again in a few minutes.',
  },
  byReason: {
    order_unknown: 'There is no such order.',
    product_unknown: 'There is no such product.',
    order_paid: 'This order is already paid.',
    order_cancelled: 'This order was cancelled.',
    order_expired: 'This order has expired. Go back to the shop and order again.',
    order_failed: 'The payment of this order failed. Go back to the shop and order again.',
    coin_not_offered: 'This coin isn’t available for this order right now. Choose another method.',
    coin_unsupported: 'This coin is no longer supported. Contact the shop.',
    nothing_to_refund: 'There is nothing to refund. Contact the shop if you think this is wrong.',
    address_saved: 'A refund address is already saved. Contact the shop to change it.',
    private_key: 'This looks like a private key. Never share it. Enter an address instead.',
    payment_address: 'This is the address that you pay to. Enter an address of your own wallet.',
    payments_open:
      'You have opened ten payments for this order. Pay one of them, or try again in 30 minutes.',
    changed: 'This page was out of date. Reload it and try again.',
  },
  notAnAddress: (network: string) => `This isn’t an address on ${network}. Copy it from your wallet again.`,
}
