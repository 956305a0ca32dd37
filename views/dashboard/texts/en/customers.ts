/** The people who ordered. */
export const customers = {
  title: 'Customers',
  search: 'Email address',
  searchHint: 'The whole address, or its beginning.',
  blockedOnly: 'Blocked customers only',
  apply: 'Show customers',
  columns: { email: 'Email address', orders: 'Orders', paid: 'Paid', last: 'Last order', state: 'Status' },
  blocked: 'Blocked',
  atLeast: (count: string) => `${count} or more`,
  refunded: (amount: string) => `${amount} refunded`,
  empty: 'Nobody has ordered yet.',
  nothingFound: 'No customer matches.',
  next: 'Next page',
  previous: 'Previous page',
  pages: 'Pages',
  since: 'Customer since',
  partial: 'Only the newest orders are counted.',
  allOrders: 'All orders of this customer',
  block: {
    title: 'Block',
    hint:
      'A blocked customer cannot order or start a payment. A payment that was already started can ' +
      'still be completed.',
    block: 'Block this customer',
    unblock: 'Unblock this customer',
  },
  erase: {
    title: 'Erase personal data',
    hint: 'Replaces the email address and the name everywhere, for good. Sums and payments stay.',
    label: 'Enter the email address to confirm',
    wrong: 'This is not the address of the customer.',
    submit: 'Erase for good',
  },
  done: {
    blocked: 'The customer is blocked.',
    unblocked: 'The customer is no longer blocked.',
    erased: 'The personal data is erased.',
  },
}
