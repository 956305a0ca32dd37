const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

/** Age of the demo's shop. */
export const DEMO_PAST_MS = 42 * DAY_MS

/** A sale of the demo's past, and its outcome. */
export interface DemoSale {
  /** time since the shop opened */
  afterMs: number
  buyer: { email: string; fullName: string }
  item: string
  amount: string
  currency: string
  /** provider or coin that the buyer chose */
  way: string
  /** `left`: nothing chosen; `not paid`: chosen only; the others are outcomes of the sandbox */
  outcome: 'paid' | 'overpaid' | 'underpaid' | 'not paid' | 'left' | 'cancelled'
  note?: string | undefined
  refund?: { reason: string; amount?: string } | undefined
}

const buyers = [
  'Ada Okafor',
  'Jonas Weber',
  'Mei Tanaka',
  'Lucía Fernández',
  'Sam Buyer',
  'Amira Haddad',
  'Piotr Nowak',
  'Grace Kim',
  'Tom Baker',
  'Inês Costa',
  'Noah Smith',
].map(fullName => {
  const ascii = fullName.normalize('NFD').replace(/\p{M}/gu, '')
  return { fullName, email: `${ascii.toLowerCase().replace(' ', '.')}@example.com` }
})

/** Products, each with a provider that takes such a small amount. */
const items = [
  ['House blend, 1 kg', '24.00', 'moonpay'],
  ['Espresso, 500 g', '14.50', 'revolut'],
  ['Gift box with two mugs', '48.00', 'moonpay'],
  ['Ethiopia Guji, 250 g', '11.90', 'particle'],
  ['Subscription for three months', '63.00', 'mercuryo'],
  ['Paper filters, 100', '6.50', 'particle'],
  ['Hand grinder', '129.00', 'moonpay'],
] as const

const currencies = ['USD', 'USD', 'EUR', 'USD', 'GBP', 'USD', 'EUR'] as const

const ways = [
  'card',
  'btc',
  'polygon/usdc',
  'card',
  'ethereum/usdc',
  'ltc',
  'card',
  'solana/usdc',
  'trc20/usdt',
  'doge',
  'card',
] as const

/** The coins of the sales that are paid in a rare coin, by the number of the sale. */
const rareWays: Record<number, string> = {
  6: 'bitcoincash',
  15: 'xmr',
  22: 'bitcoincash',
  33: 'xmr',
  40: 'bitcoincash',
  50: 'bitcoincash',
  57: 'xmr',
}

/** The outcomes of sales, by the number of the sale. All other sales are paid. */
const outcomes: Record<number, DemoSale['outcome']> = {
  4: 'left',
  9: 'not paid',
  12: 'underpaid',
  17: 'left',
  21: 'cancelled',
  25: 'overpaid',
  28: 'left',
  34: 'not paid',
  38: 'underpaid',
  41: 'left',
  47: 'cancelled',
  50: 'not paid',
  55: 'left',
}

const notes: Record<number, string> = {
  2: 'Asked for a gift card with the parcel.',
  13: 'Ground for a moka pot, not whole bean.',
  25: 'Paid twice by mistake. Wrote to them about the rest.',
  36: 'Picks it up at the counter on Saturday.',
  52: 'Parcel came back: the house number was missing. Sent again.',
}

const refunds: Record<number, DemoSale['refund']> = {
  7: { reason: 'Arrived late' },
  19: { reason: 'One mug was broken', amount: '5.00' },
  31: { reason: 'Changed their mind' },
  44: { reason: 'The price was reduced the day after', amount: '2.50' },
}

const COUNT = 60

/**
 * The day on which a sale happens, counted from the shop's opening. The shop sells a little more each week.
 */
const dayOf = (number: number): number => Math.floor(42 * (number / COUNT) ** 0.8)

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T

/** The sales of six weeks, always the same ones. */
export const demoSales: readonly DemoSale[] = Array.from({ length: COUNT }, (_, number) => {
  const [item, amount, provider] = pick(items, number * 5 + Math.floor(number / 7))
  const way = rareWays[number] ?? pick(ways, number * 3 + Math.floor(number / 11))
  return {
    afterMs: dayOf(number) * DAY_MS + ((number * 5) % 11) * HOUR_MS + ((number * 17) % 60) * 60_000,
    buyer: pick(buyers, number * 7 + Math.floor(number / 9)),
    item,
    amount,
    currency: pick(currencies, number * 3),
    way: way === 'card' ? provider : way,
    outcome: outcomes[number] ?? 'paid',
    note: notes[number],
    refund: refunds[number],
  }
}).sort((a, b) => a.afterMs - b.afterMs)
