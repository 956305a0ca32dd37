/** The payments that did not pay their orders. */
export const unmatched = {
  intro:
    'Money that arrived, but did not pay its order. Accept it if it is enough for you, or send it back ' +
    'from your wallet and mark it as resolved.',
  show: 'Show',
  all: 'All',
  none: 'There are no such payments.',
  noneOpen: 'Nothing is waiting for you. Every payment paid its order, or is resolved.',
  newest: 'Newest',
  older: 'Older',
  value: 'Value',
  unknown: 'unknown',
  arrived: 'Arrived',
  skipped:
    'The database was restored from a backup that did not have this order. Find the payment in your ' +
    'wallet, ask your buyers whose it is, and refund it or deliver the order.',
  seen: 'First seen',
  address: 'Address',
  order: 'Order',
  transaction: 'Transaction',
  refundTo: 'Refund to',
  noRefundAddress: 'The buyer has left no address. Ask them before you send anything back.',
  decided: 'Decided',
  byItself: 'a later payment completed it',
  evidence: 'Evidence',
  accept: {
    title: 'Accept this payment',
    label: 'Reason (optional)',
    hint: 'The order counts as paid with what arrived. This cannot be undone.',
    submit: 'Accept this payment',
  },
  resolve: {
    title: 'Mark as resolved',
    label: 'Note (optional)',
    hint: 'What you did, such as the transaction with which you sent it back. The order does not change.',
    submit: 'Mark as resolved',
  },
  done: {
    accepted: 'The payment is accepted, and its order is paid.',
    resolved: 'The payment is resolved.',
  },
  problems: {
    conflict:
      'This payment is already accepted or resolved, has disappeared from the blockchain, or its ' +
      'order can no ' +
      'longer be paid.',
    tooLong: 'Enter at most 500 characters for a reason, or 1000 for a note.',
  },
  waiting: (count: string) => `${count} open`,
}
