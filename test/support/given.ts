import type { Product } from '../../src/domain/product.ts'
import { createKey } from '../../src/operations/keys/manage.ts'
import { createMerchant } from '../../src/operations/merchants/create.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import type { App } from './app.ts'

export const EVM_WALLET = '0x1111111111111111111111111111111111111111'
export const OTHER_EVM_WALLET = '0x2222222222222222222222222222222222222222'
export const BTC_WALLET = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

let merchants = 0

/** Creates a merchant with a live key, a test key and nothing else. */
export async function givenMerchant(app: App, name = 'Corner Coffee', feePercent = '0') {
  const merchant = await createMerchant(app.context, {
    email: `shop${++merchants}@shop.example`,
    name,
    feePercent,
  })
  const live = await createKey(app.context, { merchantId: merchant.id, mode: 'live' })
  const test = await createKey(app.context, { merchantId: merchant.id, mode: 'test' })
  return { ...merchant, live: live.text, test: test.text, liveKeyId: live.key.id }
}

export type Shop = Awaited<ReturnType<typeof givenMerchant>>

/** Creates a merchant with an EVM and a Bitcoin wallet. */
export async function givenShop(app: App, feePercent = '0'): Promise<Shop> {
  const shop = await givenMerchant(app, 'Corner Coffee', feePercent)
  const cryptoWallets = { evm: EVM_WALLET, btc: BTC_WALLET }
  const answer = await app.call('PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets } })
  if (answer.status !== 200) throw new Error(answer.text)
  return shop
}

export const orderBody = (change: object = {}) => ({
  amount: '25.00',
  currency: 'USD',
  paymentMethodsKeys: ['*'],
  customer: { email: 'buyer@example.com', fullName: 'Sam Buyer' },
  ...change,
})

/** Creates an order and returns the API's response. */
export async function givenOrder(app: App, shop: Shop, change: object = {}) {
  const answer = await app.call('POST', '/v1/orders', { key: shop.live, body: orderBody(change) })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.json.data
}

/** Marks an order as paid in cash. */
export const paidInCash = (app: App, { id: merchantId }: { id: string }, orderId: string) =>
  forceOrder(app.context, { merchantId, orderId, by: 'Ann', reason: 'paid in cash' })

export const simulate = (app: App, orderUUID: string, outcome: string) =>
  app.call('POST', '/sandbox/simulate', { body: { orderUUID, outcome } })

/** Opens a crypto payment and returns its status as JSON. */
export async function openCrypto(app: App, orderUUID: string, asset: string) {
  const opened = await app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset } })
  if (opened.status !== 303) throw new Error(opened.text)
  return statusOf(app, orderUUID)
}

export async function statusOf(app: App, orderUUID: string) {
  const answer = await app.call('GET', `/pay/${orderUUID}/status`, {
    headers: { accept: 'application/json' },
  })
  return answer.json.data
}

/** Presses "check now" after the shortest time since the last check. */
export async function check(app: App, orderUUID: string) {
  app.time.now += 6000
  await app.call('POST', `/pay/${orderUUID}/check`)
  return statusOf(app, orderUUID)
}

/** Inserts a product directly into the database. */
export async function givenProduct(app: App, shop: Shop, change: Partial<Product> = {}): Promise<Product> {
  const now = app.time.now
  const product: Product = {
    id: app.context.ids.uuid(),
    merchantId: shop.id,
    name: 'House blend',
    description: 'A bag of 250 g, whole bean',
    imageUrl: null,
    imageId: null,
    imageDisplaySize: 320,
    active: true,
    allowPriceOverride: false,
    amount: '12.50',
    currency: 'USD',
    methodKeys: ['*'],
    taxClass: 'standard',
    metadata: {},
    createdAt: now,
    updatedAt: now,
    ...change,
  }
  await app.context.storage.write(tables => tables.products.insert(product))
  return product
}
