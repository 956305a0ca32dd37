/** The payments that did not complete their orders. */
export const unmatched = {
  intro:
    'These payments arrived but did not complete an order: too little, too late, the wrong coin, or ' +
    'a second payment.',
  /** what the role of the person allows */
  todo: {
    owner: 'Accept a payment, or send it back from your wallet and mark it as resolved.',
    staff:
      'When a payment was sent back, mark it as resolved. Only owners can accept a payment: it then ' +
      'counts for its order.',
    viewer: 'Owners can accept a payment. Staff can mark it as resolved when it was sent back.',
  },
  show: 'Show',
  all: 'All',
  none: 'There are no such payments.',
  noneOpen: 'Nothing needs review. Every payment completed its order or is resolved.',
  newest: 'Newest',
  older: 'Older',
  value: 'Value',
  unknown: 'unknown',
  arrived: 'Arrived',
  skipped:
    'This order is missing, because the database was restored from an older backup. Find the payment ' +
    'in your wallet, ask your customers whose it is, and refund it or deliver the order.',
  seen: 'First seen',
  address: 'Address',
  order: 'Order',
  transaction: 'Transaction',
  refundTo: 'Refund to',
  noRefundAddress: 'The customer has left no address. Ask them before you send anything back.',
  decided: 'Decided',
  byItself: 'a later payment completed it',
  evidence: 'Evidence',
  accept: {
    title: 'Accept this payment',
    label: 'Reason (optional)',
    hint:
      'The order is then paid with what arrived: what is missing is no longer due, and your website ' +
      'gets its event. This cannot be undone.',
    submit: 'Accept this payment',
  },
  resolve: {
    title: 'Mark as resolved',
    label: 'Note (optional)',
    hint:
      'For a payment that you sent back, or that needs nothing else. Enter what you did, such as the ' +
      'transaction with which you sent it back. The order and your reports do not change.',
    submit: 'Mark as resolved',
  },
  done: {
    accepted: 'The payment is accepted, and its order is paid.',
    resolved: 'The payment is resolved.',
  },
  problems: {
    conflict:
      'This payment can no longer be changed. Reload the page to see its status. If the money is ' +
      'still in your wallet, send it back to the customer yourself.',
    tooLong: {
      accept: 'Enter a reason of at most 500 characters.',
      resolve: 'Enter a note of at most 1,000 characters.',
    },
  },
  waiting: (count: string) => `${count} open`,
}
