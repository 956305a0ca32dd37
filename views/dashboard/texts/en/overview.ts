/** The first page after signing in. */
export const overview = {
  title: 'Overview',
  setup: 'Set up your shop',
  progress: (done: number, all: number) => `${done} of ${all} steps done or left out.`,
  states: { open: 'Open', done: 'Done', skipped: 'Left out' },
  skip: 'Leave out',
  resume: 'Take up again',
  payTest: 'Create and pay a test order',
  steps: {
    shop: {
      title: 'Your shop',
      text: 'Choose a logo and a color, and say whom buyers can ask.',
      action: 'Open settings',
    },
    payouts: {
      title: 'Where the money goes',
      text: 'Enter the addresses of your own wallets. Florin never holds your money or your private keys.',
      action: 'Enter wallets',
    },
    webhook: {
      title: 'Tell your shop about payments',
      text:
        'Your shop’s server gets a signed message for each paid order. Leave this out if you only hand out ' +
        'payment links.',
      action: 'Set up the webhook',
    },
    product: {
      title: 'First product',
      text: 'A product has a page of its own, where buyers order and pay. Or hand out payment links instead.',
      action: 'Create a product',
    },
    payment: {
      title: 'First payment',
      text:
        'See once how a buyer pays, before the first buyer does. With real money, an order of 1.00 is ' +
        'enough.',
      action: 'Create an order',
    },
  },
  attention: 'Needs your attention',
  nothing: 'Nothing at the moment.',
  unmatched: (count: number) =>
    count === 1
      ? '1 payment did not pay its order. Decide what to do.'
      : `${count} payments did not pay their orders. Decide what to do.`,
  webhookFailing: (since: string) => `Your shop’s server has not accepted events since ${since}.`,
  webhookDisabled: 'The webhook was disabled, because your shop’s server failed for too long.',
  givenUp: (count: number) =>
    count === 1
      ? '1 event could not be delivered to your shop.'
      : `${count} events could not be delivered to your shop.`,
  latest: 'Latest notifications',
  toOrder: 'Open the order',
  sales: 'Last 30 days',
  others: 'Other currencies',
  byDay: 'By day',
  day: 'Day',
  paidOf: (paid: string, orders: string) => `${paid} of ${orders}`,
  columns: {
    currency: 'Currency',
    orders: 'Orders',
    paid: 'Paid orders',
    gross: 'Sales',
    refunds: 'Refunds',
    net: 'Net',
  },
  toReports: 'All reports',
  noSales: 'No orders in the last 30 days.',
  newest: 'Newest orders',
  noOrders: 'No orders yet.',
  toOrders: 'All orders',
  noShop: 'You have no shop yet. Ask an owner of a shop, or the operator of this server, to add you.',
}
