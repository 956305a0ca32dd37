import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { revokeKey } from '../../src/operations/merchants/keys.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { listUnmatched, resolveUnmatched } from '../../src/operations/payments/unmatched.ts'
import { check, givenOrder, givenShop, openCrypto, type Shop, simulate } from '../support/given.ts'
import { type GatewayApp, openProvider, startGatewayApp } from './paygate.ts'

let app: GatewayApp
let shop: Shop
let other: Shop

beforeAll(async () => {
  app = await startGatewayApp()
  shop = await givenShop(app)
  other = await givenShop(app)
})
afterAll(() => app.close())

const refusalOf = (work: Promise<unknown>) => work.then(String, error => error.code ?? String(error))
const isKeyInForce = async () => (await app.call('GET', '/v1/wallet', { key: shop.live })).status === 200

test('a merchant cannot revoke the key of another', async () => {
  expect(await refusalOf(revokeKey(app.context, other.id, shop.liveKeyId))).toBe('not_found')
  expect(await refusalOf(revokeKey(app.context, shop.id, 'nosuchkeyx'))).toBe('not_found')
  expect(await isKeyInForce()).toBe(true)
  const test = await revokeKey(app.context, shop.id, shop.test.slice('florin_test_'.length).slice(0, 10))
  expect([test.merchantId, typeof test.revokedAt]).toEqual([shop.id, 'number'])
})

test('a merchant cannot resolve an unmatched payment of another', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await openCrypto(app, orderUUID, 'btc')
  await simulate(app, orderUUID, 'wrong_asset')
  await check(app, orderUUID)
  const status = async () => (await listUnmatched(app.context, shop.id)).map(({ payment }) => payment.status)
  const [row] = await listUnmatched(app.context, shop.id)
  const { id } = row!.payment
  expect(await refusalOf(resolveUnmatched(app.context, other.id, id))).toBe('not_found')
  expect(await status()).toEqual(['open'])
  await resolveUnmatched(app.context, shop.id, id)
  expect(await status()).toEqual(['resolved'])
})

test('a merchant that forces the order of another makes no provider be asked about it', async () => {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['stripe'] })
  await openProvider(app, orderUUID)
  const asked: string[] = []
  app.wire.hold = path => {
    asked.push(path)
    return undefined
  }
  const forcing = { orderId: orderUUID, by: 'Ann', reason: 'paid in cash' }
  expect(await refusalOf(forceOrder(app.context, { merchantId: other.id, ...forcing }))).toBe('not_found')
  expect(asked).toEqual([])
  await forceOrder(app.context, { merchantId: shop.id, ...forcing })
  expect(asked.length).toBe(1)
})

test('whose an id is, only the command line may ask', async () => {
  const root = join(import.meta.dir, '../..')
  const files = [...new Bun.Glob('src/**/*.ts').scanSync({ cwd: root })]
  const texts = await Promise.all(files.map(file => Bun.file(join(root, file)).text()))
  const asking = files.filter((_, at) => /\bmerchantOf(Key|Unmatched)\b/.test(texts[at] ?? ''))
  const foreign = asking.filter(file => !/^src\/(cli\/|operations\/merchants\/find\.ts$)/.test(file))
  expect([asking.length > 1, foreign]).toEqual([true, []])
})
