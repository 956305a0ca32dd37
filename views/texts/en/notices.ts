/** About money that arrived and did not complete the order, or was more than was due. */
export const notices = {
  titles: {
    wrong_asset: 'A different coin arrived',
    underpaid: 'Your payment doesn’t cover this order',
    late: 'Your payment arrived late',
    second_payment: 'A second payment arrived',
    order_closed: 'A payment arrived after the order had ended',
    too_late: 'Your payment arrived too late',
    overpaid: 'You paid more than was due',
  },
  otherCoin: 'a different coin',
  /** What arrived, and its value where it is known. */
  received: {
    wrong_asset: (coins: string, wanted: string) =>
      `We received ${coins}, but this payment asked for ${wanted}.`,
    underpaid: (coins: string, value: string | null) =>
      value === null ? `We received ${coins}.` : `We received ${coins}, worth ${value}.`,
    late: (coins: string, value: string | null) =>
      value === null
        ? `We received ${coins} after the time to pay had run out.`
        : `We received ${coins}, worth ${value}, after the time to pay had run out.`,
    second_payment: (coins: string) => `We received ${coins}, but this order was already paid.`,
    order_closed: (coins: string) => `We received ${coins}, but this order had already ended.`,
    too_late: (coins: string) => `We received ${coins} long after the time to pay had run out.`,
    overpaid: (coins: string, due: string) => `We received ${coins}, but only ${due} was due.`,
  },
  notLost: (shop: string) => `Your payment is recorded, and ${shop} has been notified.`,
  contact: (shop: string) => `Contact ${shop}`,
  contactForRefund: (contact: string) => `${contact} for a refund, or if you have questions.`,
  refundAddress: (network: string) => `Refund address on ${network}`,
  optional: '(optional)',
  saveAddress: 'Save refund address',
  wrongAddress: 'If the address is wrong, contact the shop.',
}
