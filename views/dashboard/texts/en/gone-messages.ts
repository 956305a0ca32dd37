/** What notifications say of payments that leave their blockchain, or return to it. */
export const goneMessages = {
  payment_gone: {
    title: '',
    text: ({ txId }: { txId: string }) =>
      `A payment disappeared from the blockchain: transaction ${txId} no longer counts for this ` +
      'order, which stays marked as paid.',
    advice: 'Do not ship until the payment is back or the customer has paid again.',
  },
  payment_back: {
    title: '',
    text: ({ txId }: { txId: string }) =>
      `A payment is on the blockchain again: transaction ${txId} counts for this order.`,
    advice: '',
  },
  payment_vanished: {
    title: '',
    text: ({ txId }: { txId: string }) =>
      `A detected payment disappeared before it was confirmed: transaction ${txId}. ` +
      'The network dropped it, or its sender has replaced it.',
    advice: 'The order asks for the amount again. Deliver nothing for it.',
  },
  unmatched_gone: {
    title: '',
    text: ({ txId }: { txId: string }) =>
      `A payment that had not paid this order disappeared from the blockchain: transaction ${txId}.`,
    advice: 'Send nothing back for it unless it returns.',
  },
  unmatched_back: {
    title: '',
    text: ({ txId }: { txId: string }) =>
      `A payment is on the blockchain again: transaction ${txId}, which has not paid this order.`,
    advice: 'What was to be done about it when it arrived holds again.',
  },
}
