import { expect, test } from 'bun:test'
import { statusOf } from '../support/given.ts'
import { openPayments } from '../support/open-payments.ts'
import { until } from '../support/until.ts'
import { data } from './request.ts'

const EVERY_MS = 7_300

test('payments that were opened at different times are checked by the same requests', async () => {
  const { app, traffic } = await openPayments(60, EVERY_MS)
  traffic.requests = 0
  for (let step = 0; step < 80; step++) await app.advance(EVERY_MS)
  // At most one group a minute, whose scan takes up to seven requests.
  expect(traffic.requests).toBeGreaterThan(0)
  expect(traffic.requests).toBeLessThanOrEqual(70)
  await app.close()
})

test('pages that are open on one chain share a scan, and a payment is still found', async () => {
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
  // One minute has a scan every 5 seconds, of up to seven requests.
  expect(traffic.requests).toBeGreaterThan(0)
  expect(traffic.requests).toBeLessThanOrEqual(12 * 7)
  const [first] = orders
  chain.add({ to: first!.address.toLowerCase(), asset: 'polygon/usdc', amount: first!.due, kind: 'payment' })
  app.time.now += 6000
  for (let round = 0; round < 3; round++) await visitAll()
  expect((await statusOf(app, first!.orderUUID)).status).toBe('PAID')
  await app.close()
})

test('the page of a payment that confirms slowly reads the chain less and less often', async () => {
  const { app, orders, traffic, chain } = await openPayments(1, 10, { finalityLag: 3000 })
  const [{ orderUUID, address, due }] = orders as [(typeof orders)[number]]
  // Background jobs also scan the chain, at times of their own.
  await app.jobs.stop()
  const scansIn = async (minutes: number): Promise<number> => {
    let scans = 0
    for (let asked = 0; asked < minutes * 12; asked++) {
      app.time.now += 5000
      const before = traffic.requests
      await app.call('GET', `/pay/${orderUUID}/status`, { headers: { 'hx-request': 'true' } })
      if (traffic.requests > before) scans += 1
    }
    return scans
  }
  expect(await scansIn(2)).toBe(24)
  chain.add({ to: address.toLowerCase(), asset: 'polygon/usdc', amount: due, kind: 'payment' })
  const first = await scansIn(10)
  expect(first).toBeGreaterThan(10)
  expect(first).toBeLessThan(50)
  const rest = await scansIn(60)
  expect(rest).toBeGreaterThan(50)
  expect(rest).toBeLessThan(70)
  expect((await statusOf(app, orderUUID)).status).toBe('UNPAID')
  await scansIn(35)
  expect((await statusOf(app, orderUUID)).status).toBe('PAID')
  await app.close()
})

test('a stranger who requests many checks at once costs few requests, and hides no payment', async () => {
  const { app, shop, orders, traffic, chain } = await openPayments(60, 10)
  const [bought] = orders as [(typeof orders)[number]]
  chain.add({
    to: bought.address.toLowerCase(),
    asset: 'polygon/usdc',
    amount: bought.due,
    kind: 'payment',
  })
  traffic.requests = 0
  for (let round = 0; round < 4; round++) {
    app.time.now += 5000
    const flood = orders
      .slice(1)
      .flatMap(({ orderUUID }) => [
        app.call('GET', `/pay/${orderUUID}/status`),
        app.call('POST', `/pay/${orderUUID}/check`),
      ])
    await Promise.all([...flood, app.call('GET', `/pay/${bought.orderUUID}/status`)])
  }
  // In each of the four rounds: ten scans of their own and one that is shared, of up to seven requests.
  expect(traffic.requests).toBeLessThanOrEqual(4 * 11 * 7)
  // A page does not wait long for a scan, so the last one may still be running.
  const status = async () =>
    (await data(app, 'GET', `/v1/orders/${bought.orderUUID}`, { key: shop.live })).status
  await until(async () => (await status()) === 'PAID', 'the payment', 20_000)
  await app.close()
})

test('a check that cannot run at once is reported as such, and is done by the next scan', async () => {
  const { app, shop, orders, chain } = await openPayments(14, 10)
  await app.jobs.stop()
  type Order = (typeof orders)[number]
  const [{ orderUUID, address, due }, ...others] = orders as [Order, ...Order[]]
  chain.add({ to: address.toLowerCase(), asset: 'polygon/usdc', amount: due, kind: 'payment' })
  app.time.now += 60_000
  const demand = (id: string, headers = {}) => app.call('POST', `/pay/${id}/check`, { headers })
  for (const other of others) await demand(other.orderUUID)
  const refused = await demand(orderUUID)
  expect([refused.status, refused.json?.error.code]).toEqual([429, 'rate_limited'])
  expect(refused.headers.get('retry-after')).toBe('5')
  const page = await demand(orderUUID, { accept: 'text/html' })
  const asked = `later-${Math.floor(app.time.now / 1000)}`
  expect([page.status, page.headers.get('location')]).toEqual([303, `/pay/${orderUUID}?checked=${asked}`])
  const headers = { accept: 'text/html', 'hx-request': 'true' }
  const part = await app.call('POST', `/pay/${orderUUID}/check`, { headers })
  for (const { text } of [part, await app.call('GET', String(page.headers.get('location')), { headers })])
    expect(text).toContain('We’ll check yours in a few seconds.')
  app.time.now += 5001
  const status = async () => (await data(app, 'GET', `/v1/orders/${orderUUID}`, { key: shop.live })).status
  await until(async () => (await status()) === 'PAID', 'the payment', 20_000)
  const after = await app.call('GET', `/pay/${others.at(-1)!.orderUUID}?checked=${asked}`, { headers })
  expect([after.text.includes('in a few seconds'), after.text.includes('Checked at')]).toEqual([false, true])
  await app.close()
})

test('a check is answered before a browser gives up, however long the chain takes', async () => {
  const { app, shop, orders, chain, traffic } = await openPayments(2, 10)
  await app.jobs.stop()
  type Order = (typeof orders)[number]
  const [{ orderUUID, address, due }, other] = orders as [Order, Order]
  chain.add({ to: address.toLowerCase(), asset: 'polygon/usdc', amount: due, kind: 'payment' })
  app.time.now += 60_000
  traffic.delayMs = 4000
  const since = performance.now()
  const [script, page] = await Promise.all([
    app.call('POST', `/pay/${orderUUID}/check`),
    app.call('POST', `/pay/${other.orderUUID}/check`, { headers: { accept: 'text/html' } }),
  ])
  expect(performance.now() - since).toBeLessThan(15_000)
  expect([script.status, script.headers.get('retry-after')]).toEqual([429, '5'])
  expect(page.status).toBe(303)
  expect(page.headers.get('location')).toMatch(new RegExp(`^/pay/${other.orderUUID}[?]checked=later-`))
  traffic.delayMs = 0
  const status = async () => (await data(app, 'GET', `/v1/orders/${orderUUID}`, { key: shop.live })).status
  await until(async () => (await status()) === 'PAID', 'the payment', 20_000)
  await app.close()
}, 60_000)
