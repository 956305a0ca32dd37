/** The mails to buyers about what happened to their payments. They also use the texts of other pages. */
export const paymentMail = {
  subject: (title: string, shop: string) => `${title} – ${shop}`,
  part: 'Part of your payment has arrived',
  left: (left: string, total: string) =>
    `${left} of ${total} is left to pay. You can pay the rest in any way that the shop offers.`,
  payRest: 'Pay the rest',
  vanished: 'Your payment is no longer on its network',
  refund: 'Your refund',
  recorded: (shop: string, amount: string) => `${shop} has recorded a refund of ${amount} for your order.`,
  refundedTotal: 'Refunded in total',
  sentApart: (shop: string) =>
    `${shop} sends you the money separately. If it doesn’t arrive, contact the shop.`,
  sentBack: 'The payment provider that you paid with sends the money back.',
  decides: 'The shop decides about a refund.',
  leaveAddress: 'If you want the money back, you can leave a refund address on the page of your order.',
  worth: 'Value',
  why: (shop: string) => `You got this email because this address was given for an order at ${shop}.`,
}
