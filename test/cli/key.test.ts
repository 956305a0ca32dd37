import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endProcesses, FLORIN, newFolder, type RunningProcess, startProcess } from '../support/process.ts'
import { words } from '../support/words.ts'
import { florinHere } from './in-process.ts'

const NOBODY = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
const SCOPES = words(`
  orders:create orders:manage products:read products:write api:read webhooks:write wallet:write
`)
const dataDir = newFolder()
const florin = florinHere(dataDir)

let server: RunningProcess
let shop: string
let other: string

beforeAll(async () => {
  server = await startProcess(FLORIN, ['serve'], { FLORIN_DATA_DIR: dataDir })
  shop = (await florin.merchant('shop@shop.example')).merchantId
  other = (await florin.merchant('other@shop.example')).merchantId
})
afterAll(endProcesses)

const create = (merchantId: string, mode: string, ...scopes: string[]) => [
  'key',
  'create',
  ...['--merchant', merchantId, '--mode', mode],
  ...scopes.flatMap(list => ['--scopes', list]),
]
const statusOf = async (key: string, path = '/v1/orders', method = 'GET', body?: object) => {
  const answer = await server.call(method, path, { key, ...(body && { body }) })
  return answer.status === 200 ? 200 : answer.json.error.code
}

describe('key create is refused', () => {
  test('for an unknown merchant, mode or scope', () =>
    florin.refuses([
      ['an unknown merchant', create(NOBODY, 'live'), /[Nn]o merchant/],
      ['an unknown scope', create(shop, 'live', 'orders:create,orders:delete'), /scope/],
      ['an expiry of no days', [...create(shop, 'live'), '--expires', '0'], /expires/],
      ['an expiry that is not a number', [...create(shop, 'live'), '--expires', 'soon'], /expires/],
      ['a label of two lines', [...create(shop, 'live'), '--label', 'a\nb'], /label.*one line/],
      ['an empty label', [...create(shop, 'live'), '--label', ' '], /label/],
      ['an empty list of scopes', create(shop, 'live', ''), /scope/],
      ['list: an unknown merchant', ['key', 'list', '--merchant', NOBODY], /[Nn]o merchant/],
      ['revoke: an unknown key', ['key', 'revoke', 'AAAAAAAAAA'], /[Nn]o key/],
      ['revoke: a whole key', ['key', 'revoke', `florin_live_${'A'.repeat(48)}`], /key/],
    ]))

  test('for a mode other than live and test', async () => {
    const { exitCode, stdout, stderr } = await florin.run(...create(shop, 'prod'))
    expect(exitCode).toBeOneOf([1, 2])
    expect(stdout).toBe('')
    expect(stderr).toMatch(/mode/)
  })
})

describe('a key', () => {
  test('is printed with the documented fields, and has every scope by default', async () => {
    for (const mode of ['live', 'test']) {
      const made = await florin.json(...create(shop, mode))
      expect(made).toEqual({ keyId: expect.any(String), key: expect.any(String), mode, scopes: SCOPES })
      expect(made.key).toStartWith(`florin_${mode}_${made.keyId}`)
    }
  })

  test('has a label, an expiry and a last use, which key list shows', async () => {
    const { merchantId } = await florin.merchant('labels@shop.example')
    const made = await florin.json(
      ...create(merchantId, 'live'),
      '--label',
      'Refund script',
      '--expires',
      '30',
    )
    const plain = await florin.json(...create(merchantId, 'live'))
    expect(await statusOf(made.key)).toBe(200)
    const list = async () => (await florin.json('key', 'list', '--merchant', merchantId)).items
    // The use of a key is stored after the response.
    let [first, second] = await list()
    for (let tries = 0; tries < 100 && first.lastUsedAt === null; tries++) {
      await Bun.sleep(50)
      ;[first, second] = await list()
    }
    expect(first).toMatchObject({ keyId: made.keyId, label: 'Refund script', lastUsedAt: expect.any(String) })
    expect(Date.parse(first.expiresAt) - Date.parse(first.createdAt)).toBe(30 * 24 * 3600_000)
    const none = { label: null, lastUsedAt: null, expiresAt: null }
    expect(second).toMatchObject({ keyId: plain.keyId, ...none })
    const { stdout } = await florin.run('key', 'list', '--merchant', merchantId)
    expect(stdout).toContain('Refund script')
  })

  test('works at once in a running server, only for its scopes and its merchant', async () => {
    const { key, scopes } = await florin.json(...create(shop, 'live', 'api:read, products:read'))
    expect(scopes.toSorted()).toEqual(['api:read', 'products:read'])
    expect(await statusOf(key)).toBe(200)
    const order = {
      amount: '1.00',
      currency: 'USD',
      paymentMethodsKeys: ['*'],
      customer: { email: 'b@shop.example' },
    }
    expect(await statusOf(key, '/v1/orders', 'POST', order)).toBe('insufficient_scope')
    const test = await florin.json(...create(shop, 'test'))
    expect(await statusOf(test.key, '/v1/orders', 'POST', order)).toBe('live_key_required')
  })

  test('is shown once: no list shows it, and no file in the data directory contains its secret', async () => {
    const { key, keyId } = await florin.json(...create(other, 'live'))
    const [listed] = (await florin.json('key', 'list', '--merchant', other)).items
    expect(listed).toMatchObject({ keyId, mode: 'live', scopes: SCOPES })
    const secret = key.slice(`florin_live_${keyId}`.length)
    const { stdout } = await florin.run('key', 'list', '--merchant', other)
    expect(stdout).toContain(keyId)
    expect(stdout + JSON.stringify(listed)).not.toContain(secret.slice(0, 32))
    expect(await statusOf(key)).toBe(200)
    const files = readdirSync(dataDir).map(name => readFileSync(join(dataDir, name), 'latin1'))
    expect(files.some(text => text.includes(keyId))).toBe(true)
    for (const text of files) expect(text.includes(secret.slice(0, 32)) || text.includes(key)).toBe(false)
    expect(server.stderr()).not.toContain(secret.slice(0, 32))
  })

  test('is printed with a note that it is shown once', async () => {
    const { stdout, exitCode } = await florin.run(...create(shop, 'live'))
    expect(exitCode).toBe(0)
    expect(await statusOf(stdout.match(/florin_live_[0-9A-Za-z]{48}/)![0])).toBe(200)
    expect(stdout).toMatch(/cannot be shown again/)
  })

  test('for tests is printed with a warning that it changes live data, unless it can only read', async () => {
    const line = ['key', 'create', '--merchant', shop, '--mode']
    const warning = /changes live data: .* record refunds, change products, redeliver events/
    expect((await florin.run(...line, 'test')).stdout).toMatch(warning)
    expect((await florin.run(...line, 'test', '--scopes', 'products:write')).stdout).toMatch(
      /changes live data: it can change products\. .*--scopes api:read,products:read/,
    )
    const reading = await florin.run(...line, 'test', '--scopes', 'api:read,products:read')
    expect([reading.exitCode, reading.stdout.includes('live data')]).toEqual([0, false])
    expect((await florin.run(...line, 'live')).stdout).not.toContain('live data')
  })

  test('is replaced by one with the same label and scopes, and works until the overlap ends', async () => {
    const { merchantId } = await florin.merchant('rotation@shop.example')
    const made = await florin.json(...create(merchantId, 'live', 'api:read'), '--label', 'Till')
    const next = await florin.json('key', 'rotate', made.keyId)
    const former = { keyId: made.keyId }
    expect(next).toMatchObject({ mode: 'live', scopes: ['api:read'], former })
    const overlap = Date.parse(next.former.expiresAt) - Date.now()
    expect(overlap).toBeWithin(23 * 3600_000, 24 * 3600_000)
    expect([await statusOf(made.key), await statusOf(next.key)]).toEqual([200, 200])
    const { items } = await florin.json('key', 'list', '--merchant', merchantId)
    expect(items).toMatchObject([
      { keyId: made.keyId, label: 'Till', expiresAt: next.former.expiresAt, replacedBy: next.keyId },
      { keyId: next.keyId, label: 'Till', expiresAt: null, replacedBy: null },
    ])
    const { exitCode, stdout } = await florin.run('key', 'rotate', next.keyId, '--overlap', '0')
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('no longer works')])
    expect(await statusOf(next.key)).toBe('invalid_api_key')
    const stateOf = async () => {
      const list = await florin.run('key', 'list', '--merchant', merchantId)
      return new RegExp(`${next.keyId}.* (active|expired|revoked) `).exec(list.stdout)?.[1]
    }
    expect(await stateOf()).toBe('expired')
    await florin.run('key', 'revoke', next.keyId)
    expect(await stateOf()).toBe('revoked')
    await florin.refuses([
      ['a key that was replaced', ['key', 'rotate', made.keyId], /already replaced by/],
      ['an overlap that is too long', ['key', 'rotate', made.keyId, '--overlap', '31d'], /overlap/],
    ])
  })

  test('that is revoked is refused permanently, and other keys still work', async () => {
    const gone = await florin.json(...create(shop, 'live'))
    const stays = await florin.json(...create(shop, 'live'))
    expect(await statusOf(gone.key)).toBe(200)
    await florin.json('key', 'revoke', gone.keyId)
    expect(await statusOf(gone.key)).toBe('invalid_api_key')
    expect(await statusOf(stays.key)).toBe(200)
    const { items: listed } = await florin.json('key', 'list', '--merchant', shop)
    const revokedAt = (keyId: string) =>
      listed.find((key: { keyId: string }) => key.keyId === keyId).revokedAt
    expect([typeof revokedAt(gone.keyId), revokedAt(stays.keyId)]).toEqual(['string', null])
    const again = await florin.run('key', 'revoke', gone.keyId)
    expect(again.exitCode).toBe(0)
    const { items: unchanged } = await florin.json('key', 'list', '--merchant', shop)
    const unused = (keys: { lastUsedAt: unknown }[]) => keys.map(key => ({ ...key, lastUsedAt: null }))
    expect(unused(unchanged)).toEqual(unused(listed))
  })
})
