/** The first page after signing in. */
export const overview = {
  title: 'Overview',
  setup: 'Set up your shop',
  progress: (done: number, all: number) => `${done} of ${all} steps done.`,
  goOn: (number: number, all: number) => `Continue with step ${number} of ${all}`,
  skippedSteps: (count: number) =>
    count === 1 ? '1 step of the setup was skipped' : `${count} steps of the setup were skipped`,
  states: { open: 'Open', done: 'Done', skipped: 'Skipped' },
  skip: 'Skip for now',
  resume: 'Do it now',
  steps: {
    account: { title: 'Your login', text: '', action: '' },
    shop: {
      title: 'Your shop',
      text: 'Its name, its logo and color, and the currency of your prices.',
      action: 'Describe your shop',
    },
    payouts: {
      title: 'Wallets',
      text: 'Enter the addresses of your own wallets. Florin never holds your money or your private keys.',
      action: 'Enter wallets',
    },
    webhook: {
      title: 'Notify your website',
      text: 'For websites that take orders. Skip this if you only hand out payment links.',
      action: 'Set up the webhook',
    },
    product: {
      title: 'First product or payment link',
      text:
        'A product has a page of its own, where customers order and pay. A payment link is for one ' +
        'customer.',
      action: 'Create one',
    },
    payment: {
      title: 'First payment',
      text: 'See how a customer pays, before the first customer does.',
      action: 'Try it',
    },
  },
  attention: 'Needs your attention',
  nothing: 'Nothing at the moment.',
  unmatched: (count: number) =>
    count === 1
      ? '1 payment needs review: it did not complete its order.'
      : `${count} payments need review: they did not complete their orders.`,
  webhookFailing: (since: string) => `Your website has not accepted events since ${since}.`,
  webhookDisabled: 'The webhook is disabled, because nothing could be delivered to your website for 5 days.',
  givenUp: (count: number) =>
    count === 1
      ? '1 event could not be delivered to your website.'
      : `${count} events could not be delivered to your website.`,
  latest: 'Latest notifications',
  toOrder: 'Open the order',
  toPage: 'Open the page',
  sales: 'Last 30 days',
  salesIn: (currency: string) => `Sales in ${currency}`,
  afterAll: 'After fees and refunds',
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
