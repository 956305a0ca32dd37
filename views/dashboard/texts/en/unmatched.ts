/** The payments that did not pay their orders. */
export const unmatched = {
  intro:
    'Money that arrived, but did not pay its order. Accept it if you are content with it, or send it back ' +
    'from your wallet and mark it as resolved.',
  show: 'Show',
  all: 'All',
  none: 'There are no such payments.',
  noneOpen: 'Nothing is waiting for you. Every payment fits its order, or is dealt with.',
  newest: 'Newest',
  older: 'Older',
  value: 'Value',
  unknown: 'unknown',
  arrived: 'Arrived',
  order: 'Order',
  transaction: 'Transaction',
  refundTo: 'Refund to',
  noRefundAddress: 'The buyer has left no address. Ask them before you send anything back.',
  decided: 'Decided',
  byItself: 'a later payment completed it',
  evidence: 'Evidence',
  accept: {
    title: 'Accept this payment',
    label: 'Reason (not required)',
    hint: 'The order counts as paid with what arrived. This cannot be undone.',
    submit: 'Accept this payment',
  },
  resolve: {
    title: 'Mark as resolved',
    label: 'Note (not required)',
    hint: 'What you did, such as the transaction with which you sent it back. The order does not change.',
    submit: 'Mark as resolved',
  },
  done: {
    accepted: 'The payment is accepted, and its order is paid.',
    resolved: 'The payment is resolved.',
  },
  problems: {
    conflict:
      'This payment is already dealt with, is no longer on its chain, or its order can no longer be paid.',
    tooLong: 'Enter at most 500 characters for a reason, or 1000 for a note.',
  },
  waiting: (count: string) => `${count} open`,
}
