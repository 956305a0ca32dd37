import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { type App, startApp } from '../support/app.ts'
import { check, givenOrder, type Shop } from '../support/given.ts'
import { getOrder, givenCoinShop, HOUR_MS, openOnly, rest, sendCoins } from './payments.ts'
import { rowOf } from './rows.ts'

let app: App
let shop: Shop
let orderUUID: string

beforeEach(async () => {
  app = await startApp()
  shop = await givenCoinShop(app)
})
afterEach(async () => {
  await rest(app)
  await app.close()
})

/** Pays a part of 0.1 ETH, three hours after the order was opened. */
async function payLate(percent: bigint) {
  orderUUID = (await givenOrder(app, shop, { amount: '300.00' })).orderUUID
  const attempt = await openOnly(app, orderUUID, 'ethereum/eth')
  await app.advance(3 * HOUR_MS)
  await sendCoins(app, attempt, (10n ** 17n * percent) / 100n)
  app.time.now += 10_000
  await check(app, orderUUID)
}

function alter(...statements: string[]): void {
  for (const statement of statements) app.change(statement)
}

describe('the auditor of the tests finds an order', () => {
  test.each([
    [
      'whose late payments do not cover it',
      `UPDATE settlements SET evidence = replace(evidence, '"value":"300.00"', '"value":"90.00"')`,
    ],
    ['that was valued at a rate of no time', "UPDATE rates SET value = '1234'"],
  ])('%s', async (_, statement) => {
    await payLate(100n)
    expect((await getOrder(app, shop, orderUUID)).status).toBe('PAID')
    expect(app.audit()).toEqual([])
    alter('DROP TRIGGER settlements_erase', statement)
    expect(app.audit()).toEqual([expect.stringContaining(`order ${orderUUID}`)])
  })

  test('that was paid by an accepted payment without a decision in the audit log', async () => {
    await payLate(50n)
    const { id } = rowOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ?', orderUUID)
    await acceptUnmatched(app.context, shop.id, [String(id)], { by: 'Sam', reason: null })
    expect((await getOrder(app, shop, orderUUID)).status).toBe('PAID')
    expect(app.audit()).toEqual([])
    alter('DROP TRIGGER audit_log_no_delete', "DELETE FROM audit_log WHERE action = 'unmatched.accepted'")
    expect(app.audit()).toEqual([expect.stringContaining(`order ${orderUUID} was accepted`)])
  })
})
