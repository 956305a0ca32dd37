import { expect, test } from 'bun:test'
import { getOrder, HOUR_MS } from '../http/payments.ts'
import {
  givenStripeShop,
  openSession,
  payOnPage,
  type StripeApp,
  startStripeApp,
  status,
} from '../http/stripes.ts'
import { OWN_URL } from '../support/app.ts'
import { givenOrder, type Shop } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { runInProcess } from './in-process.ts'

const { app, once } = suite<StripeApp>({ start: startStripeApp })
const shop: Shop = once(() => givenStripeShop(app))

async function send(orderUUID: string, key: string, ...args: string[]) {
  const environment = { FLORIN_DATA_DIR: app.dataDir, FLORIN_SANDBOX: 'true', FLORIN_CHECKOUT_URL: OWN_URL }
  const line = ['--order', orderUUID, '--key', key, '--reason', 'one bag', ...args]
  const { exitCode, stdout, stderr } = await runInProcess(environment, 'refund', 'send', ...line)
  return { exitCode, said: stdout + stderr }
}

async function givenPaid(): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop, { currency: 'EUR', paymentMethodsKeys: ['stripe'] })
  await payOnPage(app, await openSession(app, orderUUID))
  expect((await getOrder(app, shop, orderUUID)).status).toBe('PAID')
  return orderUUID
}

/** A command uses the clock of this machine, which is ahead of the server's. */
async function catchUp() {
  app.time.now = Date.now() + HOUR_MS
  await app.jobs.settle()
}

test('refund send pays back once through the provider, however often it is repeated', async () => {
  const orderUUID = await givenPaid()
  const asked = await send(orderUUID.toUpperCase(), 'first', '--amount', '4')
  expect(asked).toEqual({
    exitCode: 0,
    said: expect.stringContaining('4.00 EUR: The provider has not answered.'),
  })
  await catchUp()
  for (let time = 0; time < 2; time++) {
    const sent = await send(orderUUID, 'first', '--amount', '4')
    expect(sent).toEqual({ exitCode: 0, said: expect.stringContaining('4.00 EUR: The refund was sent') })
  }
  expect(await getOrder(app, shop, orderUUID)).toMatchObject({ refundedAmount: '4.00', refundCount: '1' })
  expect(await send(orderUUID, 'first', '--amount', '5')).toMatchObject({ exitCode: 1 })
})

test('refund send without an amount pays everything back, and fails if the provider refuses', async () => {
  const orderUUID = await givenPaid()
  app.wire.faults.push(['POST refunds', status(400, { error: { type: 'invalid_request_error' } })])
  await send(orderUUID, 'refused')
  await catchUp()
  const refused = await send(orderUUID, 'refused')
  expect(refused).toEqual({ exitCode: 1, said: expect.stringContaining('25.00 EUR: The provider refused') })
  expect((await getOrder(app, shop, orderUUID)).refundedAmount).toBeUndefined()
})
