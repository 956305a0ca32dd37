/** The mails to buyers. A receipt also uses the texts of its page. */
export const mail = {
  linkSubject: (shop: string) => `Your order at ${shop}`,
  opened: 'You opened a payment for this order. The link below takes you back to it.',
  paid: (shop: string) => `${shop} has received your payment. Thank you.`,
  ignore: 'If you did not order anything, you can ignore this mail.',
}
