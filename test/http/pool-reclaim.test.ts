import { expect, test } from 'bun:test'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import { listNotifications } from '../../src/operations/notices/list.ts'
import { reclaimPool } from '../../src/operations/payments/reclaim-pool.ts'
import { check, givenMerchant, givenOrder, givenProduct, simulate, statusOf } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { suite } from '../support/suite.ts'
import { DAY_MS, incomingPaymentsOf, LOCK_MS, openOnly, outage, sendCoins } from './payments.ts'
import { data } from './request.ts'

/** A merchant whose Bitcoin payments go to a pool of three addresses. */
const { app, each, ownApp } = suite({ isFresh: true })
each(() => app.jobs.settle())
const shop = each(() => givenMerchant(app))
each(() => fillPool(app.context, shop.id, 'btc', pool))

const pool = [
  'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
  '16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb',
]

async function opened() {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  return { id: orderUUID as string, attempt: await openOnly(app, orderUUID, 'btc') }
}

const reclaim = () => reclaimPool(app.context, shop.id, 'btc')

test('addresses that were not paid until 30 days after their watch can be used again', async () => {
  const [unpaid, paid, late] = [await opened(), await opened(), await opened()]
  await simulate(app, paid.id, 'paid')
  await check(app, paid.id)
  await app.advance(LOCK_MS + 7 * DAY_MS)
  await app.advance(20 * DAY_MS)
  await sendCoins(app, late.attempt, 1000n)
  await app.advance(9 * DAY_MS)
  expect(await reclaim()).toEqual({ reclaimed: 0, kept: 0, free: 0 })
  await app.advance(2 * DAY_MS)

  await outage(app, 'chain', true)
  expect(await reclaim()).toEqual({ reclaimed: 0, kept: 2, free: 0 })
  await outage(app, 'chain', false)
  expect(await reclaim()).toEqual({ reclaimed: 1, kept: 1, free: 1 })
  // Reclaiming also found the payment that arrived after the watch.
  expect(incomingPaymentsOf(app, late.id)).toHaveLength(1)
  expect(await reclaim()).toEqual({ reclaimed: 0, kept: 0, free: 1 })

  const next = await opened()
  expect(next.attempt.address).toBe(unpaid.attempt.address)
  await simulate(app, next.id, 'paid')
  expect((await check(app, next.id)).status).toBe('PAID')
  // The payment belongs to the new order only, even if the page of the old one is open.
  expect((await check(app, unpaid.id)).status).toBe('EXPIRED')
  expect(incomingPaymentsOf(app, unpaid.id)).toEqual([])
  expect((await statusOf(app, next.id)).status).toBe('PAID')
})

const notices = async () =>
  (await listNotifications(app.context, shop.id))
    .filter(({ kind }) => kind === 'pool_low')
    .map(said)
    .reverse()

test('the merchant is notified when an empty pool has addresses again', async () => {
  for (const _ of pool) await opened()
  const empty = 'No addresses are left in the address list of Bitcoin. Add more with florin wallet pool.'
  expect(await notices()).toEqual([empty])
  await fillPool(app.context, shop.id, 'btc', pool)
  expect(await notices()).toEqual([empty])
  await fillPool(app.context, shop.id, 'btc', ['1JqDybm2nWTENrHvMyafbSXXtTk5Uv5QAn'])
  const again =
    'The address list of Bitcoin has addresses again: 1 is left. Add more with florin wallet pool.'
  expect(await notices()).toEqual([empty, again])
  await opened()
  await app.advance(LOCK_MS + 8 * DAY_MS)
  await app.advance(31 * DAY_MS)
  expect(await reclaim()).toMatchObject({ reclaimed: 4, free: 4 })
  expect((await notices()).slice(2)).toEqual([
    empty,
    'The address list of Bitcoin has addresses again: 4 are left. Add more with florin wallet pool.',
  ])
})

test('the address of an order that was deleted after its retention can be used again', async () => {
  await ownApp({ FLORIN_RETENTION: 'abandoned=10d' })
  const { id } = await givenProduct(app, shop, { methodKeys: ['crypto'] })
  const body = { customer: { email: 'sam@example.com' }, paymentMethodKey: 'crypto' }
  const { orderUUID } = await data(app, 'POST', `/v1/checkout/products/${id}/orders`, { body }, 201)
  await openOnly(app, orderUUID, 'btc')
  await app.advance(LOCK_MS)
  for (let days = 0; days < 20; days++) await app.advance(DAY_MS)
  expect((await app.call('GET', `/pay/${orderUUID}`)).status).toBe(404)
  expect(await reclaim()).toEqual({ reclaimed: 0, kept: 0, free: 2 })
  await app.advance(25 * DAY_MS)
  expect(await reclaim()).toEqual({ reclaimed: 1, kept: 0, free: 3 })
})
