/** The mails to buyers. A receipt also uses the texts of its page. */
export const mail = {
  linkSubject: (shop: string) => `Your order at ${shop}`,
  opened: 'You started to pay for this order. Use the link below to return to it.',
  paid: (shop: string) => `${shop} has received your payment. Thank you.`,
  ignore: 'If you didn’t place this order, you can ignore this email.',
}
