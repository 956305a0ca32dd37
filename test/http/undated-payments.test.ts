import { expect, test } from 'bun:test'
import type { DetectedPayment } from '../../src/networks/port.ts'
import { check, givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { givenCoinShop, MINUTE_MS, openOnly } from './payments.ts'
import { data } from './request.ts'
import { rowsOf } from './rows.ts'

const { app, each } = suite()
const shop = each(() => givenCoinShop(app))
each(async () => {
  await priceIs('1')
  await app.advance(20 * MINUTE_MS)
})

async function priceIs(rate: string): Promise<void> {
  await data(app, 'POST', '/sandbox/rates', { body: { assetId: 'solana/usdt', currency: 'USD', rate } })
  await app.advance(2 * MINUTE_MS)
}

/** Opens a payment, and has each scan report another coin of the chain, in a block without a time. */
async function opened(): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop)
  const attempt = await openOnly(app, orderUUID, 'solana/usdc')
  await app.advance(15 * MINUTE_MS)
  const { networks } = app.context
  const [of, network] = [networks.of, networks.of('solana')!]
  const payment = (final: boolean): DetectedPayment => ({
    txId: `signature ${orderUUID}`,
    txIndex: '0',
    assetId: 'solana/usdt',
    amountAtomic: 25_000_000n,
    confirmations: 1,
    final,
    height: 1000,
    txIn: null,
    paidAt: app.time.now,
    isUndated: true,
    evidence: {},
  })
  let isFinal = false
  networks.of = chain =>
    chain !== 'solana'
      ? of(chain)
      : {
          ...network,
          scan: async watches =>
            watches.map(({ attemptId }) => ({
              attemptId,
              detectedPayments: attemptId === attempt.id ? [payment(isFinal)] : [],
              completeFrom: 0,
              cursor: { height: 2000 },
            })),
        }
  finish = () => {
    isFinal = true
    return check(app, orderUUID)
  }
  return orderUUID
}

let finish: () => Promise<{ status: string }>
const verdictsOf = (id: string) => rowsOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', id)

test('another coin in a block without a time counts at its value at the first scan, if that is lower', async () => {
  const id = await opened()
  await priceIs('0.8')
  await check(app, id)
  await app.advance(15 * MINUTE_MS)
  await priceIs('2')
  expect((await finish()).status).toBe('UNPAID')
  expect((await app.call('GET', `/pay/${id}`)).text).toContain('$5.00 left')
})

test('another coin in a block without a time counts at its value at the opening, if that is lower', async () => {
  const id = await opened()
  await priceIs('2')
  await check(app, id)
  expect((await finish()).status).toBe('PAID')
  expect(verdictsOf(id)).toEqual([{ verdict: 'exact' }])
})
