import { expect, spyOn, test } from 'bun:test'
import { givenOrder, givenShop, openCrypto, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))

/** The number of database reads of one request. */
async function readsOf(request: () => Promise<unknown>): Promise<number> {
  // The job loop also reads when its next job is due, so due jobs run before.
  await app.jobs.settle()
  const read = spyOn(app.florin.context.storage, 'read')
  try {
    await request()
    return read.mock.calls.length
  } finally {
    read.mockRestore()
  }
}

test('the status of an order is read once while no payment is due for a check', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  expect(await readsOf(() => statusOf(app, orderUUID))).toBe(1)
  await openCrypto(app, orderUUID, 'ethereum/usdc')
  await statusOf(app, orderUUID)
  expect(await readsOf(() => statusOf(app, orderUUID))).toBe(1)
  app.time.now += 60_000
  expect(await readsOf(() => statusOf(app, orderUUID))).toBeGreaterThan(1)
})

test('a poll without news reads only what the status needs, and draws nothing', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await openCrypto(app, orderUUID, 'ethereum/usdc')
  const headers = { accept: 'text/html', 'hx-request': 'true' }
  const { text } = await app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
  const url = /hx-get="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&')
  const poll = async () => expect((await app.call('GET', url, { headers })).status).toBe(204)
  expect(await readsOf(poll)).toBeGreaterThan(1)
  expect(await readsOf(poll)).toBe(1)
})
