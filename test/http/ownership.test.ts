import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openApiDocument } from '../../src/boot/openapi.ts'
import { revokeKey } from '../../src/operations/keys/manage.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { listUnmatched, resolveUnmatched } from '../../src/operations/payments/unmatched.ts'
import { check, givenOrder, givenShop, openCrypto, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { type Document, operationsOf } from './openapi.ts'
import { openProvider, startGatewayApp } from './paygate.ts'
import { productBody } from './products.ts'
import { freshKey, givenPaid } from './refunding.ts'

const { app, once } = suite({ start: () => startGatewayApp() })
const shop = once(() => givenShop(app))
const other = once(() => givenShop(app))

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

test('a merchant who forces the order of another merchant causes no request to a provider', async () => {
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

describe('an endpoint of the API with an ID in its path', async () => {
  const endpoints = operationsOf((await openApiDocument()) as Document).filter(
    ({ path, operation }) => path.includes('{') && operation.security.length > 0,
  )
  // Deletions come last: a deleted row cannot be read afterwards.
  endpoints.sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
  /** IDs of the shop, by the name of the parameter. A new kind of ID needs an entry here. */
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    const key = shop.live
    await app.call('PUT', '/v1/webhook', { key, body: { url: 'https://shop.example/hook' } })
    const further = await app.call('POST', '/v1/webhooks', {
      key,
      body: { url: 'https://shop.example/other' },
    })
    ids.endpointId = further.json.data.endpointId
    const { orderUUID } = await givenPaid(app, shop)
    const [transaction] = (await app.call('GET', '/v1/transactions', { key })).json.data.items
    const [event] = (await app.call('GET', '/v1/events', { key })).json.data.items
    const product = (await app.call('POST', '/v1/products', { key, body: productBody() })).json.data
    Object.assign(ids, { orderUUID, transactionId: transaction.transactionId, id: event.id })
    ids.productUUID = product.productUUID
  })

  test.each(endpoints.map(one => [`${one.method} ${one.path}`, one] as const))(
    '%s answers another merchant as if the ID did not exist',
    async (_, { method, path, operation }) => {
      const body = operation.requestBody?.content['application/json'].example
      const headers = { 'idempotency-key': freshKey() }
      const ask = async (key: string, idOf: (name: string) => string) => {
        const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name))
        const { status, json } = await app.call(method, target, { key, headers, ...(body ? { body } : {}) })
        return { status, error: json.error && { ...json.error, requestId: null } }
      }
      const own = (name: string) => ids[name] ?? `no ID is given for ${name}`
      const foreign = await ask(other.live, own)
      const unknown = await ask(other.live, () => crypto.randomUUID())
      expect([foreign.status, foreign]).toEqual([404, unknown])
      expect((await ask(shop.live, own)).status).not.toBe(404)
    },
  )
})

test('only the command line may find the merchant of an ID', async () => {
  const root = join(import.meta.dir, '../..')
  const files = [...new Bun.Glob('src/**/*.ts').scanSync({ cwd: root })]
  const texts = await Promise.all(files.map(file => Bun.file(join(root, file)).text()))
  const asking = files.filter((_, at) => /\bmerchantOf(Key|Unmatched)\b/.test(texts[at] ?? ''))
  const foreign = asking.filter(file => !/^src\/(cli\/|operations\/merchants\/find\.ts$)/.test(file))
  expect([asking.length > 1, foreign]).toEqual([true, []])
})
