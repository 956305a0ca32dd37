import { describe, expect, test } from 'bun:test'
import { listAudit } from '../../../src/operations/audit/read.ts'
import { listKeys } from '../../../src/operations/merchants/read.ts'
import { runInProcess } from '../../cli/in-process.ts'
import { PASSWORD, signInAs } from '../../support/dashboard.ts'
import { givenMerchant, givenProduct, givenShop } from '../../support/given.ts'
import { suite } from '../../support/suite.ts'

const PATH = '/dashboard/developers'
const DAY_MS = 24 * 3600_000

const { app, once } = suite()
const shop = once(() => givenShop(app))
const other = once(() => givenMerchant(app, 'Other shop'))
const owner = once(() => signInAs(app, 'owner', shop.id))

const keyIn = (text: string): string => /florin_(live|test)_[0-9A-Za-z]{48}/.exec(text)?.[0] ?? ''
const statusOf = async (key: string) => (await app.call('GET', '/v1/orders', { key })).status
const keys = () => listKeys(app.context, shop.id)
const idOf = (key: string): string => /^florin_live_(.{10})/.exec(key)?.[1] ?? ''
const newKey = { label: 'Till', mode: 'live', 'scope.api:read': 'on', expires: '30' }

describe('API keys', () => {
  test('are listed without their secret, and never those of another shop', async () => {
    const { status, text } = await owner.get(PATH)
    expect(status).toBe(200)
    expect(text).toContain(shop.liveKeyId)
    expect(text).not.toContain(other.liveKeyId)
    expect(text).not.toContain(shop.live)
    expect(text).toContain('$FLORIN_KEY')
    expect(text).toContain('href="/swagger"')
  })

  test('are created with a label, scopes and an expiry, and shown once', async () => {
    const made = await owner.post(`${PATH}/keys`, newKey)
    expect(made.status).toBe(200)
    expect(made.headers.get('cache-control')).toContain('no-store')
    const key = keyIn(made.text)
    expect(await statusOf(key)).toBe(200)
    const stored = (await keys()).find(({ id }) => id === idOf(key))!
    expect(stored).toMatchObject({ label: 'Till', mode: 'live', scopes: ['api:read'] })
    expect(stored.expiresAt).toBe(stored.createdAt + 30 * DAY_MS)
    expect((await owner.get(PATH)).text).not.toContain(key)
    const [entry] = await listAudit(app.context, shop.id, 1)
    expect(entry).toMatchObject({ actor: `user:${owner.userId}`, action: 'key.created' })
  })

  test('for tests change live data, which the form and the audit log state', async () => {
    expect((await owner.get(PATH)).text).toMatch(/class="problem"[^>]*>A test key can change live data/)
    const product = await givenProduct(app, shop)
    for (const [key, name] of [
      [shop.test, 'One'],
      [shop.live, 'Two'],
    ] as const) {
      const changed = await app.call('PATCH', `/v1/products/${product.id}`, { key, body: { name } })
      expect(changed.status).toBe(200)
    }
    const actors = [...(await owner.get('/dashboard/audit')).text.matchAll(/(?:Test )?API key \w+/g)].flat()
    const idIn = (key: string) => key.split('_')[2]!.slice(0, 10)
    expect(actors.slice(0, 2)).toEqual([`API key ${idIn(shop.live)}`, `Test API key ${idIn(shop.test)}`])
    const ran = await runInProcess(app.forCommands, 'audit', 'list', '--merchant', shop.id)
    expect(ran.stdout).toContain(`by key:${idIn(shop.test)} (test key)\n`)
    expect(ran.stdout).toContain(`by key:${idIn(shop.live)}\n`)
  })

  test('a refused form is shown again with the entered values and the error', async () => {
    const before = await keys()
    const cases: [form: Record<string, string>, text: string][] = [
      [{ ...newKey, label: '<b>'.padEnd(65, 'x') }, 'Enter at most 64 characters'],
      [{ label: 'Till', mode: 'live', expires: '' }, 'Choose at least one scope.'],
      [{ ...newKey, 'scope.root': 'on' }, 'Choose at least one scope.'],
      [{ ...newKey, mode: 'prod' }, '“Mode” has a value that Florin cannot use.'],
      [{ ...newKey, expires: '-1' }, '“Expires” has a value that Florin cannot use.'],
    ]
    for (const [form, text] of cases) {
      const answer = await owner.post(`${PATH}/keys`, form)
      expect([answer.status, answer.text.includes(text)]).toEqual([400, true])
      expect(answer.text).not.toContain('<b>')
    }
    expect(await keys()).toEqual(before)
  })

  test('are replaced, and the former one works until the overlap ends', async () => {
    const old = keyIn((await owner.post(`${PATH}/keys`, newKey)).text)
    const id = idOf(old)
    const rotated = await owner.post(`${PATH}/keys/${id}/rotate`, { overlap: '1d' })
    const next = keyIn(rotated.text)
    expect(rotated.text).toContain('The old key works until')
    expect([await statusOf(old), await statusOf(next)]).toEqual([200, 200])
    const again = await owner.post(`${PATH}/keys/${id}/rotate`, { overlap: '1d' })
    expect([again.status, keyIn(again.text)]).toEqual([409, ''])
    const wrong = await owner.post(`${PATH}/keys/${idOf(next)}/rotate`, { overlap: '99d' })
    expect(wrong.status).toBe(400)
    const last = await owner.post(`${PATH}/keys/${idOf(next)}/rotate`, { overlap: '0' })
    expect(last.text).toContain('The old key no longer works.')
    expect(await statusOf(next)).toBe(401)
  })

  test('are revoked at once', async () => {
    const key = keyIn((await owner.post(`${PATH}/keys`, newKey)).text)
    const revoked = await owner.post(`${PATH}/keys/${idOf(key)}/revoke`)
    expect([revoked.status, revoked.headers.get('location')]).toEqual([303, `${PATH}?revoked`])
    expect(await statusOf(key)).toBe(401)
    expect((await owner.get(`${PATH}?revoked`)).text).toContain('The key was revoked.')
  })

  test('of another shop cannot be replaced or revoked', async () => {
    for (const action of ['rotate', 'revoke']) {
      const answer = await owner.post(`${PATH}/keys/${other.liveKeyId}/${action}`, { overlap: '1d' })
      expect(answer.status).toBe(404)
    }
    expect(await statusOf(other.live)).toBe(200)
  })

  test('need the password again half an hour after signing in', async () => {
    const before = await keys()
    app.time.now += 31 * 60_000
    const forms: [path: string, form: Record<string, string>][] = [
      ['', newKey],
      [`/${shop.liveKeyId}/rotate`, { overlap: '1d' }],
      [`/${shop.liveKeyId}/revoke`, {}],
    ]
    for (const [path, form] of forms) {
      const asked = await owner.post(`${PATH}/keys${path}`, form)
      expect([path, asked.status]).toEqual([path, 401])
      expect(asked.text).toContain('proofPassword')
    }
    expect(await keys()).toEqual(before)
    const proven = await owner.post(`${PATH}/keys/${shop.liveKeyId}/revoke`, { proofPassword: PASSWORD })
    expect(proven.status).toBe(303)
    expect(await statusOf(shop.live)).toBe(401)
  })

  test('have a German page', async () => {
    const { text } = await owner.get(`${PATH}?lang=de`)
    expect(text).toContain('API-Schlüssel')
    expect(text).not.toContain('undefined')
  })
})
