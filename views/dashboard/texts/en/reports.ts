/** Sales by day, week and month. */
export const reports = {
  title: 'Reports',
  presets: 'Period',
  preset: {
    today: 'Today',
    '7d': 'Last 7 days',
    '30d': 'Last 30 days',
    month: 'This month',
    'last-month': 'Last month',
    year: 'This year',
  },
  from: 'First day',
  to: 'Last day',
  show: 'Show',
  by: 'Rows',
  length: { day: 'By day', week: 'By week', month: 'By month' },
  currency: 'Currency',
  range: (days: string, timeZone: string) => `${days}. Days begin at midnight in ${timeZone}.`,
  wrongRange: 'Choose a first and a last day, at most ten years apart and with at most 400 rows.',
  wrongCurrency: 'There is no such currency.',
  none: 'There are no orders yet. Reports show them as soon as there are.',
  empty: 'Nothing happened in this period.',
  summary: 'Summary',
  gross: 'Sales',
  fees: 'Operator’s fees',
  refunds: 'Refunds',
  net: 'Net',
  orders: 'Orders',
  paid: 'Payments',
  conversion: 'Paid orders',
  forced: 'Marked as paid by hand',
  cancelled: 'Cancelled orders',
  conversionOf: (paid: string, orders: string, percent: string) => `${paid} of ${orders} (${percent})`,
  notes: {
    fees:
      'The operator of this server sets the operator’s fees for each shop, and gets them. Fees ' +
      'of networks and payment providers are not part of them: they are taken out before the money ' +
      'arrives.',
    conversion:
      'Orders count on the day they were created, and paid orders are those of them that have been ' +
      'paid since. Payments, sales and fees count on the day of the payment, and refunds on the day ' +
      'they were recorded.',
    forced: 'Orders that were marked as paid by hand are not part of the sales.',
  },
  chart: 'Sales and refunds',
  chartText: (most: string, period: string) =>
    `Bars show sales above the line and refunds below it. The highest sales are ${most}, ${period}. ` +
    'The table below has every figure.',
  barText: (period: string, sales: string, refunds: string) =>
    `${period}: sales ${sales}, refunds ${refunds}`,
  period: 'Period',
  total: 'Total',
  periods: 'By period',
  leftOut: 'Periods in which nothing happened are left out.',
  methods: 'By payment method',
  method: 'Method',
  crypto: 'Crypto',
  assets: 'By coin or currency',
  asset: 'Coin or currency',
  currencies: 'By currency',
  downloads: 'Downloads',
  csv: 'This report (CSV)',
  export: 'Every payment, fee and refund, for your accounts (CSV)',
}
