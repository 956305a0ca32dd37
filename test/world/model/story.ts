import { createHmac } from 'node:crypto'
import type { CallFact, Fact, Json, OrderSaying, Saying, ShopFact, StatusSaying } from '../facts.ts'
import { Model } from './model.ts'

/**
 * Small runs for the tests of the model: a shop's order of 25 dollars that is paid in USDC, with variations.
 */

const START = Date.parse('2026-03-01T10:00:00.000Z')
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const time = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString()

export const ORDER = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
const MERCHANTS = ['01981f5c-0a11-7b52-8c3d-4e5f60718293', '01981f5c-0a11-7b52-8c3d-4e5f60718294']
const SECRET = 'secret'
const usdc = {
  id: 'polygon/usdc',
  chain: 'polygon',
  ticker: 'usdc',
  decimals: 6,
  quoteDecimals: 6,
  contract: '0x1',
}
const eth = { ...usdc, id: 'polygon/pol', ticker: 'pol', decimals: 18, quoteDecimals: 8, contract: null }

type Line = Fact | Saying
/** A fact or saying without its time and step. */
type New = Record<string, unknown>

/** A fact or saying at some minutes after the start. */
export const at = (minutes: number, line: New): Line =>
  ({ at: START + minutes * MINUTE, step: Math.floor(minutes), ...line }) as unknown as Line

export const shop = (number: number, more: Partial<ShopFact> = {}): New => ({
  ...{ fact: 'shop', shop: number, id: MERCHANTS[number], name: 'Corner', email: 'owner@shop.example' },
  ...{ feePercent: '2.5', tolerance: '0.5', late: 'settle', wallets: {} },
  webhook: {
    url: `https://shop-${number}.example`,
    secret: SECRET,
    eventTypes: ['order.paid'],
    previous: null,
  },
  ...more,
})

export const beginning = (shopMore: Partial<ShopFact> = {}): Line[] => [
  at(0, {
    ...{ fact: 'server', assets: [usdc, eth], lockMs: 30 * MINUTE, graceMs: HOUR, orderExpiryMs: DAY },
    chains: [
      {
        id: 'polygon',
        family: 'evm',
        blockMs: 2000,
        finalDepth: 30,
        startsAt: START,
        firstHeight: 1,
        endpoints: 1,
      },
    ],
    ...{ providerMinReceived: '0.85', quorumAbove: null, crossTenths: { USD: 10n } },
  }),
  at(0, shop(0, shopMore)),
  at(0, shop(1)),
  at(0, { fact: 'price', ticker: 'usdc', micros: 1_000_000n }),
  at(0, { fact: 'price', ticker: 'pol', micros: 500_000n }),
]

export const orderJson = (more: Json = {}): Json => ({
  ...{
    merchantId: MERCHANTS[0],
    orderUUID: ORDER,
    transactionRef: null,
    externalId: 'cart-1',
    amount: '25.00',
  },
  ...{ currency: 'USD', status: 'UNPAID', customerId: 'c', customerEmail: 'buyer@example.com' },
  ...{ customerFullName: '', feePercent: '2.5', platformFeeAmount: '0.63', netAmount: '24.37' },
  ...{ feeCollectionStatus: 'ACCOUNTED_NOT_COLLECTED', paymentMethodsKeys: ['crypto'], metadata: {} },
  ...{ checkoutUrl: `https://pay.example/pay/${ORDER}`, expiresAt: time(1 + 24 * 60) },
  ...{ createdAt: time(1), updatedAt: time(1), source: 'api' },
  provisioningStatus:
    { PAID: 'SETTLED', EXPIRED: 'EXPIRED', CANCELLED: 'ABANDONED' }[more.status as string] ?? 'READY',
  ...more,
})

export const paidJson = (more: Json = {}): Json =>
  orderJson({
    ...{ status: 'PAID', paidAt: time(10), paidTransactionUUID: 't-1', updatedAt: time(10) },
    ...{ receivedAmount: '25', receivedCurrency: 'polygon/usdc' },
    ...more,
  })

export const call = (minutes: number, more: Partial<CallFact>): Line =>
  at(minutes, {
    ...{
      fact: 'call',
      by: { shop: 0, key: 'live' },
      method: 'POST',
      path: '/v1/orders',
      idempotencyKey: null,
    },
    ...{ body: {}, status: 201, answer: null, together: null },
    ...more,
  })

export const created = (more: Partial<CallFact> = {}, json: Json = {}): Line =>
  call(1, {
    body: {
      ...{ amount: '25', currency: 'USD', externalId: 'cart-1', paymentMethodsKeys: ['crypto'] },
      customer: { email: 'buyer@example.com' },
    },
    answer: { success: true, data: orderJson(json) },
    ...more,
  })

export const statusJson = (more: Json = {}): Json => ({
  ...{ orderUUID: ORDER, status: 'UNPAID', credited: '0.00', settledCredit: '0.00' },
  left: { amount: '25.00', currency: 'USD' },
  attempt: {
    ...{ assetId: 'polygon/usdc', address: '0xaddress', amount: '25', isLocked: true, lockedUntil: time(32) },
  },
  attempts: [],
  ...more,
})

export const opened = (minutes = 2, attempt: Json = {}, more: Json = {}): Line => {
  const shown = statusJson(more)
  const locked = { lockedUntil: time(minutes + 30) }
  return at(minutes, {
    ...{ fact: 'opened', order: ORDER, asset: 'polygon/usdc', status: 303, isNew: true },
    shown: { ...shown, attempt: { ...shown.attempt, ...locked, ...attempt } },
  })
}

/** A transfer, and the block that contains it. */
export const sent = (minutes: number, amount: bigint, more: New = {}): Line[] => {
  const transfer = (more.transfer as number | undefined) ?? 1
  return [
    at(minutes, {
      ...{
        fact: 'transfer',
        transfer,
        tx: transfer,
        txId: `d${transfer}`,
        chain: 'polygon',
        asset: 'polygon/usdc',
      },
      ...{
        to: '0xaddress',
        amount,
        order: ORDER,
        kind: 'payment',
        replaces: null,
        seenAt: Infinity,
        hiddenUntil: 0,
      },
      ...more,
    }),
    at(minutes, { fact: 'mined', transfer, block: { height: 1, time: START + minutes * MINUTE } }),
  ]
}

export const said = (minutes: number, json: Json, more: Partial<OrderSaying> = {}): Line =>
  at(minutes, { says: 'order', shop: 0, order: ORDER, json, ...more })

export const statusSaid = (minutes: number, json: Json, more: Partial<StatusSaying> = {}): Line =>
  at(minutes, { says: 'status', order: ORDER, json, ...more })

export const eventJson = (more: Json = {}): Json => ({
  ...{ id: 'e-1', type: 'order.paid', createdAt: time(10), orderUUID: ORDER, transactionUUID: 't-1' },
  ...{ transactionRef: null, status: 'PAID', amount: '25.00', currency: 'USD', metadata: {} },
  ...{ customerEmail: 'buyer@example.com', externalId: 'cart-1', paidAt: time(10) },
  ...more,
})

export const delivered = (minutes: number, json: Json = eventJson(), more: Json = {}): Line => {
  const body = JSON.stringify(json)
  const timestamp = `${Math.floor((START + minutes * MINUTE) / 1000)}`
  const signature = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('base64url')
  return at(minutes, {
    ...{ says: 'delivery', shop: 0, url: 'https://shop-0.example', body, answered: 200 },
    ...more,
    headers: {
      ...{
        'x-service-event-id': json.id,
        'x-service-timestamp': timestamp,
        'x-service-signature': signature,
      },
      'x-service-settlement': 'exact',
      ...more.headers,
    },
  })
}

const isFact = (line: Line): line is Fact => 'fact' in line

/** The problems that the model finds in a run. `end` is the minute of the final checks. */
export function problemsOf(lines: readonly Line[], end = 30 * 24 * 60): string[] {
  const model = new Model()
  const found: string[] = []
  for (const [index, line] of lines.entries()) {
    if (isFact(line)) model.note(line)
    else model.hear(line)
    if (lines[index + 1]?.step !== line.step) found.push(...model.judge(line.at))
  }
  return [...found, ...model.judgeEnd(START + end * MINUTE)]
}
