import { expect, test } from 'bun:test'
import { statusOf } from '../support/given.ts'
import { openPayments } from '../support/open-payments.ts'

const EVERY_MS = 7_300

test('payments that were opened at different times are checked by the same requests', async () => {
  const { app, traffic } = await openPayments(60, EVERY_MS)
  traffic.requests = 0
  for (let step = 0; step < 80; step++) await app.advance(EVERY_MS)
  // Each minute at most one group, whose scan takes up to seven requests.
  expect(traffic.requests).toBeGreaterThan(0)
  expect(traffic.requests).toBeLessThanOrEqual(70)
  await app.close()
})

test('pages that are open on one chain share a scan, and a payment is found all the same', async () => {
  const { app, orders, traffic, chain } = await openPayments(20, 10)
  const visitAll = async (): Promise<void> => {
    for (const { orderUUID } of orders) {
      app.time.now += 250
      await app.call('GET', `/pay/${orderUUID}/status`, { headers: { 'hx-request': 'true' } })
    }
  }
  await visitAll()
  traffic.requests = 0
  for (let round = 0; round < 12; round++) await visitAll()
  // One minute: a scan each 5 seconds, of up to seven requests.
  expect(traffic.requests).toBeGreaterThan(0)
  expect(traffic.requests).toBeLessThanOrEqual(12 * 7)
  const [first] = orders
  chain.add({ to: first!.address.toLowerCase(), asset: 'polygon/usdc', amount: first!.due, kind: 'payment' })
  app.time.now += 6000
  for (let round = 0; round < 3; round++) await visitAll()
  expect((await statusOf(app, first!.orderUUID)).status).toBe('PAID')
  await app.close()
})
