import { expect, test } from 'bun:test'
import type { SecondFactorPolicy } from '../../../src/domain/user.ts'
import { changeMerchant } from '../../../src/operations/merchants/change.ts'
import { createUser } from '../../../src/operations/people/create-user.ts'
import { startApp } from '../../support/app.ts'
import { codeAt } from '../../support/authenticator.ts'
import { browserOf, dashboardRoutes, type Person, signInAs } from '../../support/dashboard.ts'
import { givenOrder, givenShop } from '../../support/given.ts'
import { suite } from '../../support/suite.ts'

const ACCOUNT = '/dashboard/account'
const SET_UP = `${ACCOUNT}#second-factor`
const REQUIRED = 'Set up two-step sign-in below'

const { app, once, each } = suite({
  start: () => startApp({ FLORIN_OPERATOR_SECOND_FACTOR: 'required' }),
})
const strict = once(() => givenShop(app))
const lax = once(() => givenShop(app))
once(() => changeMerchant(app.context, strict.id, { secondFactor: 'required' }))
const staff = each(() => signInAs(app, 'staff', strict.id))
const owner = each(() => signInAs(app, 'owner', strict.id))
const operator = each(() => signInAs(app, 'operator', null))

const leadsTo = async (person: Person, path: string) => (await person.get(path)).headers.get('location')
const secretIn = (text: string): string => /(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(text)![0].replaceAll(' ', '')

async function setUp(person: Person): Promise<void> {
  const secret = secretIn((await person.post(`${ACCOUNT}/second-factor`)).text)
  const code = codeAt(secret, Math.floor(app.time.now / 30_000))
  expect((await person.post(`${ACCOUNT}/second-factor/confirm`, { code })).status).toBe(200)
}

test('a person without a required second factor is redirected from every page and form to its set-up', async () => {
  const routes = (await dashboardRoutes(app)).filter(({ access }) => access !== 'public')
  expect(routes.length).toBeGreaterThan(100)
  for (const { method, path, access } of routes.filter(one => one.access !== 'person')) {
    const at = path.replace(/:\w+/g, strict.id)
    const { status, headers } = await (method === 'GET' ? owner.get(at) : owner.post(at))
    expect([method, path, access, status, headers.get('location')]).toEqual([
      method,
      path,
      access,
      303,
      SET_UP,
    ])
  }
  // These routes only show and change what belongs to the person, and which shop the browser shows.
  const own = routes.filter(({ access }) => access === 'person').map(({ path }) => path)
  expect(own.filter(path => !path.startsWith(ACCOUNT)).sort()).toEqual([
    '/dashboard',
    '/dashboard/shop',
    '/dashboard/sign-out',
  ])
  expect(await leadsTo(owner, '/dashboard')).toBe(SET_UP)
})

test('the API refuses the login of such a person too', async () => {
  const { orderUUID } = await givenOrder(app, strict)
  const cancel = () =>
    app.call('POST', `/v1/orders/${orderUUID}/cancel`, {
      headers: { cookie: staff.cookie, origin: 'http://localhost', host: 'localhost' },
      body: {},
    })
  expect((await cancel()).json.error.code).toBe('forbidden')
  await setUp(staff)
  expect((await cancel()).status).toBe(200)
})

test('the page for the set-up has no menu; after the set-up, every page is available', async () => {
  for (const person of [staff, owner, operator]) {
    const before = await person.get(ACCOUNT)
    expect(before.text).toContain(REQUIRED)
    expect(before.text).not.toContain('href="/dashboard/orders"')
    await setUp(person)
    const after = await person.get(ACCOUNT)
    expect(after.text).not.toContain(REQUIRED)
    expect(after.text).toContain('href="/dashboard/orders"')
    expect((await person.get('/dashboard/orders')).status).toBe(200)
  }
})

test('a passkey counts even if it is requested after the password', async () => {
  await app.context.storage.write(async tables => {
    const none = { userId: staff.userId, secret: null, lastStep: 0 }
    await tables.secondFactors.put({ ...none, confirmedAt: app.time.now })
  })
  expect((await staff.get('/dashboard/orders')).status).toBe(200)
})

test('a shop that does not require a second factor redirects no one, and the same person can open it', async () => {
  const both = await signInAs(app, 'staff', lax.id)
  expect((await both.get('/dashboard/orders')).status).toBe(200)
  const known = { email: both.email, role: 'staff', keepPassword: true }
  await createUser(app.context, { ...known, merchantId: strict.id })
  const choose = (shop: { id: string }) => both.post('/dashboard/shop', { merchantId: shop.id })
  await choose(strict)
  expect(await leadsTo(both, '/dashboard/orders')).toBe(SET_UP)
  await choose(lax)
  expect((await both.get('/dashboard/orders')).status).toBe(200)
})

test('operators need a second factor where the server or the shop requires one', async () => {
  const asked = async (setting: SecondFactorPolicy, rule: SecondFactorPolicy) => {
    const other = await startApp({ FLORIN_OPERATOR_SECOND_FACTOR: setting })
    const shop = await givenShop(other)
    await changeMerchant(other.context, shop.id, { secondFactor: rule })
    const person = await signInAs(other, 'operator', null)
    const { status } = await person.get('/dashboard/server')
    await other.close()
    return status === 303
  }
  expect(await asked('optional', 'optional')).toBe(false)
  expect(await asked('optional', 'required')).toBe(true)
  expect(await asked('required', 'optional')).toBe(true)
})

test('an owner who requires a second factor in the settings has to set one up at once', async () => {
  const boss = await signInAs(app, 'owner', lax.id)
  const page = await boss.get('/dashboard/settings')
  expect(page.text).toContain('<select id="secondFactor" name="secondFactor"')
  const saved = await boss.upload('/dashboard/settings', { secondFactor: 'required' })
  expect([saved.status, await leadsTo(boss, '/dashboard/settings')]).toEqual([303, SET_UP])
  await setUp(boss)
  await boss.upload('/dashboard/settings', { secondFactor: 'optional' })
  expect((await browserOf(app, boss.cookie).get('/dashboard/audit')).text).toContain('Required for everybody')
})
