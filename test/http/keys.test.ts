import { describe, expect, test } from 'bun:test'
import { createKey, revokeKey, rotateKey } from '../../src/operations/keys/manage.ts'
import { listKeys } from '../../src/operations/merchants/read.ts'
import { EVM_WALLET, givenMerchant } from '../support/given.ts'
import { suite } from '../support/suite.ts'

const DAY_MS = 24 * 3600_000
const { app, each } = suite()
const shop = each(() => givenMerchant(app))

const create = async (change: object) =>
  (await createKey(app.context, { merchantId: shop.id, mode: 'live', ...change })).text
const codeOf = async (method: string, path: string, key: string, body?: object) => {
  const { status, json } = await app.call(method, path, { key, ...(body && { body }) })
  return status === 200 ? 200 : json.error.code
}

/** The time when the live key was last used, once it is written. */
async function lastUse(): Promise<number | null> {
  await app.context.storage.write(async () => {})
  const keys = await listKeys(app.context, shop.id)
  return keys.find(({ id }) => id === shop.liveKeyId)!.lastUsedAt
}

test('a key is refused from the moment it expires', async () => {
  const key = await create({ expiresInDays: 2 })
  app.time.now += 2 * DAY_MS - 1
  expect(await codeOf('GET', '/v1/orders', key)).toBe(200)
  app.time.now += 1
  expect(await codeOf('GET', '/v1/orders', key)).toBe('invalid_api_key')
  expect(await codeOf('GET', '/v1/orders', shop.live)).toBe(200)
})

test('only a key with the scope wallet:write can change the payout wallets', async () => {
  const body = { cryptoWallets: { evm: EVM_WALLET } }
  const refund = await create({ scopes: ['orders:manage', 'api:read'] })
  expect(await codeOf('PUT', '/v1/wallet', refund, body)).toBe('insufficient_scope')
  expect(await codeOf('PUT', '/v1/wallet', await create({ scopes: ['wallet:write'] }), body)).toBe(200)
  expect(await codeOf('PUT', '/v1/wallet', await create({}), body)).toBe(200)
})

test('the time of a key’s last use is written at most once a minute', async () => {
  expect(await lastUse()).toBe(null)
  const use = () => app.call('GET', '/v1/orders', { key: shop.live })
  await use()
  const first = app.time.now
  expect(await lastUse()).toBe(first)
  app.time.now += 59_999
  await use()
  expect(await lastUse()).toBe(first)
  app.time.now += 1
  await Promise.all([use(), use(), use()])
  expect(await lastUse()).toBe(first + 60_000)
})

test('a wrong key is not recorded as used', async () => {
  await app.call('GET', '/v1/orders', { key: `${shop.live.slice(0, -1)}!` })
  expect(await lastUse()).toBe(null)
})

test('a request succeeds although its use of the key cannot be written', async () => {
  const { storage } = app.context
  app.context.storage = { ...storage, write: () => Promise.reject(new Error('disk full')) }
  const answer = await app.call('GET', '/v1/orders', { key: shop.live })
  app.context.storage = storage
  expect(answer.status).toBe(200)
  const warnings = app.logged.filter(({ sentence }) => sentence === 'key.use.not_recorded')
  expect(warnings.map(({ fields }) => fields)).toEqual([{ keyId: shop.liveKeyId, error: 'Error: disk full' }])
})

test('the request log names the key, also when the key lacks the scope, and never its secret', async () => {
  const { key, text } = await createKey(app.context, {
    merchantId: shop.id,
    mode: 'live',
    scopes: ['api:read'],
  })
  app.logged.length = 0
  await app.call('GET', '/v1/orders', { key: text })
  await app.call('PUT', '/v1/wallet', { key: text, body: {} })
  await app.call('GET', '/v1/orders')
  const requestsLogged = () => app.logged.filter(({ sentence }) => sentence === 'request')
  // A request is logged after its response.
  for (let tries = 0; requestsLogged().length < 3 && tries < 6000; tries++) await Bun.sleep(5)
  expect(requestsLogged().map(({ fields }) => (fields as { keyId?: string }).keyId)).toEqual([
    key.id,
    key.id,
    undefined,
  ])
  expect(JSON.stringify(app.logged)).not.toContain(text.slice(22, 54))
})

describe('a key that is rotated', () => {
  const given = (change: object = {}) =>
    createKey(app.context, { merchantId: shop.id, mode: 'live', label: 'Till', ...change })
  const rotate = (id: string, overlapMs: number, merchantId = shop.id) =>
    rotateKey(app.context, merchantId, id, overlapMs)

  test('works until the overlap ends, beside the new one', async () => {
    const old = await given({ scopes: ['api:read'] })
    const { key, text, former } = await rotate(old.key.id, DAY_MS)
    expect(key).toMatchObject({ mode: 'live', label: 'Till', scopes: ['api:read'], expiresAt: null })
    expect(former).toMatchObject({ replacedBy: key.id, expiresAt: app.time.now + DAY_MS })
    app.time.now += DAY_MS - 1
    expect(await codeOf('GET', '/v1/orders', old.text)).toBe(200)
    app.time.now += 1
    expect(await codeOf('GET', '/v1/orders', old.text)).toBe('invalid_api_key')
    expect(await codeOf('GET', '/v1/orders', text)).toBe(200)
  })

  test('never works longer than before, and its successor lives as long as it did', async () => {
    const old = await given({ expiresInDays: 10 })
    app.time.now += 9 * DAY_MS
    const { key, former } = await rotate(old.key.id, 7 * DAY_MS)
    expect(former.expiresAt).toBe(old.key.expiresAt)
    expect(key.expiresAt).toBe(app.time.now + 10 * DAY_MS)
  })

  test('is refused at once without an overlap', async () => {
    const old = await given()
    await rotate(old.key.id, 0)
    expect(await codeOf('GET', '/v1/orders', old.text)).toBe('invalid_api_key')
  })

  test('is rotated once, even if that is requested twice', async () => {
    const old = await given()
    const twice = await Promise.allSettled([rotate(old.key.id, DAY_MS), rotate(old.key.id, DAY_MS)])
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await listKeys(app.context, shop.id)).toHaveLength(4)
  })

  test('must be usable, and of the merchant', async () => {
    const [revoked, expired, foreign] = [await given(), await given({ expiresInDays: 1 }), await given()]
    await revokeKey(app.context, shop.id, revoked.key.id)
    app.time.now += DAY_MS
    const other = await givenMerchant(app)
    const before = await listKeys(app.context, shop.id)
    await expect(rotate(revoked.key.id, DAY_MS)).rejects.toThrow('revoked')
    await expect(rotate(expired.key.id, DAY_MS)).rejects.toThrow('expired')
    await expect(rotate(foreign.key.id, DAY_MS, other.id)).rejects.toThrow('No key has this ID.')
    for (const overlap of [-1, 31 * DAY_MS, 1.5, Number.NaN]) {
      await expect(rotate(foreign.key.id, overlap)).rejects.toThrow('overlap')
    }
    expect(await listKeys(app.context, shop.id)).toEqual(before)
  })
})
