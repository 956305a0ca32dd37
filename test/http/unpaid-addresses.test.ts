import { expect, test } from 'bun:test'
import { HDKey } from '@scure/bip32'
import type { OwnAttempt } from '../../src/domain/attempt.ts'
import { previewAccount, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { listNotifications } from '../../src/operations/notices/list.ts'
import { startApp } from '../support/app.ts'
import { check, givenMerchant, givenOrder, givenProduct, simulate } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { suite } from '../support/suite.ts'
import { LOCK_MS } from './payments.ts'
import { rowsOf } from './rows.ts'

const MAX = 20

const { app, each, ownApp } = suite({
  start: environment => startApp({ FLORIN_UNPAID_ADDRESSES: String(MAX), ...environment }),
  isFresh: true,
})
each(() => app.jobs.settle())
/** A merchant whose Bitcoin payments go to the addresses of one account. */
const shop = each(async () => {
  const { id, ...merchant } = await givenMerchant(app)
  const key = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/84'/0'/0'").publicExtendedKey
  await setUpSource(app.context, await previewAccount(app.context, id, 'btc', key, null))
  return { id, ...merchant }
})

const order = async (): Promise<string> =>
  (await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })).orderUUID
const open = (id: string) => app.call('POST', `/pay/${id}/crypto`, { form: { asset: 'btc' } })

/** Opens payments of orders from the API, and returns the orders. */
async function openMany(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    ids.push(await order())
    expect((await open(ids.at(-1)!)).status).toBe(303)
  }
  return ids
}

/** Creates an order on the public page of a product, and opens its payment. */
async function openPublic() {
  const product = await givenProduct(app, shop, { methodKeys: ['crypto'] })
  const answer = await app.call('POST', `/v1/checkout/products/${product.id}/orders`, {
    body: { customer: { email: 'buyer@example.com' }, paymentMethodKey: 'crypto' },
  })
  expect(answer.status).toBe(201)
  return open(answer.json.data.orderUUID)
}

const notices = async () =>
  (await listNotifications(app.context, shop.id)).filter(({ kind }) => kind === 'gap_limit_low').map(said)

test('an account allocates no more addresses after too many unpaid ones in a row', async () => {
  const ids = await openMany(MAX)
  const next = await order()
  const refused = await open(next)
  expect([refused.status, refused.json.error.code]).toEqual([422, 'method_not_offered'])
  expect((await app.call('GET', `/pay/${next}`)).text).not.toContain('value="btc"')
  // An open payment stays open, also after its lock.
  expect((await open(ids[0]!)).status).toBe(303)
  await app.advance(LOCK_MS)
  expect((await open(next)).status).toBe(422)
  // A payment ends the run of unpaid addresses: only later addresses count.
  await simulate(app, ids[9]!, 'late')
  await check(app, ids[9]!)
  expect((await open(next)).status).toBe(303)
  await openMany(9)
  expect((await open(await order())).status).toBe(422)
})

test('orders of public pages are refused an address before orders of the API', async () => {
  await openMany(MAX * 0.75 - 1)
  expect((await openPublic()).status).toBe(303)
  expect((await openPublic()).status).toBe(422)
  expect((await open(await order())).status).toBe(303)
})

test('the merchant is notified of the gap limit that the wallet needs, but rarely', async () => {
  await openMany(14)
  expect(await notices()).toEqual([])
  await openMany(1)
  const first =
    /^Your wallet may not .*: the last 15 addresses of Bitcoin were never paid\. Set its gap limit \(.*\) to at least (\d+)/
  expect(await notices()).toEqual([expect.stringMatching(first)])
  expect(Number(first.exec((await notices())[0]!)![1])).toBeGreaterThanOrEqual(45)
  await openMany(5)
  expect(await notices()).toEqual([
    expect.stringContaining('Customers get no more addresses until one of these is paid'),
    expect.stringMatching(first),
  ])
})

test('the merchant is notified when a payment ends the run of unpaid addresses', async () => {
  const ids = await openMany(MAX)
  const before = (await notices()).length
  // Ten unpaid addresses follow it. Any wallet looks that far ahead.
  await simulate(app, ids[9]!, 'paid')
  await check(app, ids[9]!)
  const [over, ...others] = await notices()
  expect(over).toBe(
    'New addresses of Bitcoin are paid again: one was paid after 9 that were not. If your wallet does not show ' +
      'this payment, set its gap limit to at least 20.',
  )
  expect(others).toHaveLength(before)
  await simulate(app, ids[12]!, 'paid')
  await check(app, ids[12]!)
  expect(await notices()).toHaveLength(before + 1)
})

test('a payment does not end a run of unpaid addresses that continues after it', async () => {
  const ids = await openMany(MAX)
  const before = (await notices()).length
  await simulate(app, ids[1]!, 'paid')
  await check(app, ids[1]!)
  expect(await notices()).toHaveLength(before)
})

test('once half of a run of unpaid addresses is used, a client opens two payments a minute', async () => {
  await ownApp({ FLORIN_SANDBOX: 'public', FLORIN_PUBLIC_RATE_LIMIT: '60' })
  await openMany(MAX / 2)
  app.time.now += 60_000
  await openMany(2)
  const refused = await open(await order())
  expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited'])
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
})

/** Adds open payments to the first one, up to this number. */
async function waitFor(first: string, from: number, to: number): Promise<void> {
  const [attempt] = await app.context.storage.read(tables => tables.attempts.listOf(first))
  await app.context.storage.write(async tables => {
    for (let i = from; i < to; i++) {
      const more = { id: app.context.ids.uuid(), address: `${first} ${i}`, addressSource: null }
      await tables.attempts.insert({ ...(attempt as OwnAttempt), ...more })
    }
  })
}

test('a merchant has a limited number of unpaid open payments', async () => {
  const [id] = await openMany(1)
  await waitFor(id!, 1, 1500)
  const publicOne = await openPublic()
  expect([publicOne.status, publicOne.json.error.code]).toEqual([429, 'rate_limited'])
  expect((await open(await order())).status).toBe(303)
  await waitFor(id!, 1501, 2000)
  const refused = await open(await order())
  expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited'])
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(rowsOf(app, 'SELECT 1 FROM source_addresses')).toHaveLength(2)
  app.time.now += LOCK_MS
  expect((await open(await order())).status).toBe(303)
})

test('once 1,000 payments of a merchant are open, a client opens two more a minute', async () => {
  await ownApp({ FLORIN_SANDBOX: 'public', FLORIN_PUBLIC_RATE_LIMIT: '60', FLORIN_UNPAID_ADDRESSES: '200' })
  const [id] = await openMany(1)
  await waitFor(id!, 1, 1000)
  app.time.now += 60_000
  await openMany(2)
  expect((await open(await order())).status).toBe(429)
})
