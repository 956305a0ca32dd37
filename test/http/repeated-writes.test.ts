import { expect, test } from 'bun:test'
import { LostRace } from '../../src/domain/errors.ts'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import { previewAccount, setUpSource, stopSource } from '../../src/operations/addresses/set-up-source.ts'
import { allocateAddress } from '../../src/operations/addresses/steps/allocate.ts'
import { blockCustomer } from '../../src/operations/customers/block.ts'
import { createKey, revokeKey } from '../../src/operations/keys/manage.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { chooseEvents } from '../../src/operations/webhooks/change.ts'
import type { Storage } from '../../src/storage/port.ts'
import { type App, startApp } from '../support/app.ts'
import { BTC_WALLET, check, givenMerchant, givenOrder, openCrypto, simulate } from '../support/given.ts'
import { DAY_MS, rest, wallets } from './payments.ts'
import { givenPaid, refundOf } from './refunding.ts'
import { data } from './request.ts'

/** Undoes every write once and runs it again, like an engine that finds a conflict only at the commit. */
const repeating = (storage: Storage): Storage => ({
  ...storage,
  write(work) {
    let isFirst = true
    return storage.write(async tables => {
      const value = await work(tables)
      if (!isFirst) return value
      isFirst = false
      throw new LostRace()
    })
  },
})

const POOL = [wallets.btc, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2']
const XPUB =
  'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5'

/** Uses something of everything that writes. */
async function live(app: App): Promise<void> {
  const shop = await givenMerchant(app, 'Corner Coffee', '1')
  const key = { key: shop.live }
  await data(app, 'PUT', '/v1/wallet', {
    ...key,
    body: { cryptoWallets: { evm: wallets.evm, btc: BTC_WALLET } },
  })
  await data(app, 'PUT', '/v1/webhook', { ...key, body: { url: 'https://shop.example/hook' } })
  await chooseEvents(app.context, shop.id, ['order.paid', 'payment.created', 'payment.paid'])
  await fillPool(app.context, shop.id, 'btc', POOL)
  const orderTemplate = { amount: '9.00', currency: 'USD', paymentMethodsKeys: ['*'] }
  const product = await data(
    app,
    'POST',
    '/v1/products',
    { ...key, body: { name: 'Blend', orderTemplate } },
    201,
  )
  await data(app, 'PATCH', `/v1/products/${product.productUUID}`, { ...key, body: { name: 'House blend' } })
  await givenOrder(app, shop, { productUUID: product.productUUID, amount: undefined, currency: undefined })
  const body = {
    amount: '5.00',
    currency: 'USD',
    paymentMethodsKeys: ['*'],
    customer: { email: 'b@b.example' },
  }
  const headers = { 'idempotency-key': 'only-once' }
  const first = await data(app, 'POST', '/v1/orders', { ...key, body, headers }, 201)
  const second = await data(app, 'POST', '/v1/orders', { ...key, body, headers })
  expect(second.orderUUID).toBe(first.orderUUID)
  await openCrypto(app, first.orderUUID, 'btc')
  await simulate(app, first.orderUUID, 'underpaid')
  await check(app, first.orderUUID)
  await setUpSource(app.context, await previewAccount(app.context, shop.id, 'btc', XPUB, null))
  const asset = app.context.networks.asset('btc')!
  const offer = {
    asset,
    payoutAddress: null,
    dueAtomic: 1n,
    rate: { value: '1', currency: 'USD', sources: [], at: 0 },
    routes: [],
  }
  for (const kind of ['pool', 'xpub'] as const) {
    await allocateAddress(app.context, shop.id, app.context.ids.uuid(), offer, kind)
  }
  const paid = await givenPaid(app, shop)
  await refundOf(app, shop, paid.orderUUID, { amount: '3.00' })
  const cancelled = await givenOrder(app, shop)
  await data(app, 'POST', `/v1/orders/${cancelled.orderUUID}/cancel`, { ...key, body: {} })
  const forced = await givenOrder(app, shop)
  await forceOrder(app.context, { merchantId: shop.id, orderId: forced.orderUUID, by: 'Ann', reason: 'cash' })
  const provided = await givenOrder(app, shop, { paymentMethodsKeys: ['stripe'] })
  await app.call('GET', `/payment/process/${provided.orderUUID}`)
  await simulate(app, provided.orderUUID, 'paid')
  await blockCustomer(app.context, shop.id, 'bad@b.example', true)
  await stopSource(app.context, shop.id, 'btc', 'xpub')
  const extra = await createKey(app.context, { merchantId: shop.id, mode: 'test' })
  await revokeKey(app.context, shop.id, extra.key.id)
  await rest(app)
  await app.advance(3 * DAY_MS)
  await rest(app)
}

/** The content of every table, without random values. */
function contentOf(app: App): Record<string, unknown> {
  const database = app.read()
  const all = (sql: string) => database.query(sql).values()
  const names = all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").flat().map(String)
  const counts = names.map(name => [name, all(`SELECT count(*) FROM ${name}`).flat()[0]])
  return {
    ...Object.fromEntries(counts),
    orders: all('SELECT status, refund_status, net_amount FROM orders ORDER BY created_at, id').sort(),
    attempts: all('SELECT asset_id, state, confirmed_atomic FROM attempts').sort(),
    sums: all(
      'SELECT minutes, starts_at, pending, gross, net, refunded, cancelled, forced FROM statistics ORDER BY 1, 2',
    ),
    pool: all('SELECT position, attempt_id IS NULL FROM source_addresses ORDER BY network, position'),
    next: all('SELECT next_index, active FROM address_sources ORDER BY network'),
    tries: all('SELECT status, json_array_length(tries) FROM deliveries').sort(),
  }
}

async function lived(change: (storage: Storage) => Storage): Promise<Record<string, unknown>> {
  const app = await startApp()
  try {
    app.context.storage = change(app.context.storage)
    await live(app)
    expect(app.audit()).toEqual([])
    return contentOf(app)
  } finally {
    await app.close()
  }
}

test('writes that are all undone and run again leave the same rows as writes that run once', async () => {
  const once = await lived(storage => storage)
  const again = await lived(repeating)
  expect(again).toEqual(once)
  expect(once).toMatchObject({
    refunds: 1,
    transactions: 2,
    unmatched_payments: 1,
    source_addresses: 3,
    notifications: 15,
    audit_log: 15,
  })
  expect(once).toMatchObject({ idempotency_keys: 2, products: 1, incoming_payments: 3 })
})
