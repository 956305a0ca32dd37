import { chainName } from '../chain-names.ts'

/** Notifications about payments that leave their blockchain or cannot be seen, and that return. */
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
  chain_blind: {
    title: '',
    text: ({ chain, since }: { chain: string; since: string }) =>
      `Payments on ${chainName(chain)} cannot be seen: the server has not been able to read it since ` +
      `${since}. No payment is lost, and open prices hold longer by this time.`,
    advice: 'Ask no customer to pay again before it can be read.',
  },
  chain_readable: {
    title: '',
    text: ({ chain }: { chain: string }) =>
      `Payments on ${chainName(chain)} can be seen again: the server can read it.`,
    advice: '',
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
