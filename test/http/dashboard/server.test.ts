import { expect, test } from 'bun:test'
import { createMerchant } from '../../../src/operations/merchants/create.ts'
import { browserOf, cookieOf, PASSWORD, type Person, signInAs } from '../../support/dashboard.ts'
import { htmlFaults } from '../../support/html-faults.ts'
import { suite } from '../../support/suite.ts'
import { changeRows } from '../rows.ts'

const PATH = '/dashboard/server'
const LINK = /http:\/\/localhost(\/dashboard\/link\/[\w-]{43})/

const { app, once } = suite()
let merchantId = ''
once(async () => {
  merchantId = (await createMerchant(app.context, { email: 'shop@example.com', name: 'Corner <Coffee>' })).id
  await createMerchant(app.context, { email: 'other@example.com', name: 'Other' })
})
const operator = once(() => signInAs(app, 'operator', null))

const isSignedIn = async (person: Person) => (await person.get('/dashboard')).status === 200
const signIn = ({ email }: Person) =>
  browserOf(app, '').post('/dashboard/sign-in', { email, password: PASSWORD })

test('the server’s page of people shows all of them, and finds them by address', async () => {
  const person = await signInAs(app, 'staff', merchantId)
  const { text } = await operator.get(PATH)
  for (const part of ['Corner &lt;Coffee&gt;', person.email, operator.email]) expect(text).toContain(part)
  const found = await operator.get(`${PATH}?q=${person.email.toUpperCase()}`)
  const people = /<section class="card" id="people">.*?<\/section>/s.exec(found.text)![0]
  expect([people.includes(person.email), people.includes(operator.email)]).toEqual([true, false])
  expect((await operator.get(`${PATH}?q=nobody`)).text).toContain('Nobody has such an address')
  for (const language of ['en', 'de']) {
    const page = await operator.get(`${PATH}?lang=${language}`)
    expect(htmlFaults(page.text, PATH, language, () => true)).toEqual([])
  }
})

test('the menu of an operator who has chosen no shop has the page of people, and no pages of a shop', async () => {
  const person = await signInAs(app, 'operator', null)
  changeRows(app, 'UPDATE logins SET merchant_id = NULL WHERE user_id = ?', person.userId)
  const { text } = await person.get('/dashboard/account')
  const menu = /<nav class="menu".*?<\/nav>/s.exec(text)![0]
  const links = [...menu.matchAll(/href="([^"]+)"/g)].map(([, path]) => path)
  expect(links).toEqual(['/dashboard', '/dashboard/endpoints', '/dashboard/server', '/dashboard/account'])
  const staff = await signInAs(app, 'staff', merchantId)
  expect((await staff.get('/dashboard/account')).text).not.toContain('href="/dashboard/server"')
})

test('the server’s page of people refers an owner to the operator, and the shop’s refers staff to an owner', async () => {
  const [owner, staff] = [await signInAs(app, 'owner', merchantId), await signInAs(app, 'staff', merchantId)]
  const refused = await owner.get(PATH)
  expect([refused.status, refused.text.includes('Only the operator of this server')]).toEqual([403, true])
  const people = await staff.get('/dashboard/people')
  expect([people.status, people.text.includes('Ask an owner of the shop')]).toEqual([403, true])
})

test('the page of people has 50 people, and a link to the next ones', async () => {
  const total = 120
  await app.context.storage.write(async tables => {
    for (let n = 0; n < total; n++) {
      const times = { createdAt: app.time.now, updatedAt: app.time.now }
      const user = { isOperator: false, passwordHash: null, language: null, suspendedAt: null, ...times }
      await tables.users.insert({ id: crypto.randomUUID(), email: `many-${n}@many.example`, ...user })
    }
  })
  const seen = new Set<string>()
  let path: string | null = `${PATH}?q=many.example`
  let pages = 0
  for (; path !== null && pages < 5; pages++) {
    const { text } = await operator.get(path)
    expect(text.length).toBeLessThan(120_000)
    for (const [email] of text.matchAll(/many-\d+@many\.example/g)) seen.add(email)
    // The links to other languages also contain `start`.
    path = /href="(\/dashboard\/server\?q=[^"]*start=\d+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null
  }
  expect([pages, seen.size]).toEqual([3, total])
})

test('an operator suspends and restores a person', async () => {
  const person = await signInAs(app, 'owner', merchantId)
  const suspended = await operator.post(`${PATH}/suspend`, { userId: person.userId })
  expect(suspended.headers.get('location')).toBe(`${PATH}?done=suspended`)
  expect(await isSignedIn(person)).toBe(false)
  expect((await signIn(person)).status).toBe(403)
  await operator.post(`${PATH}/restore`, { userId: person.userId })
  expect((await signIn(person)).status).toBe(303)
})

test('an operator makes a link for a new password, and resets a second factor', async () => {
  const person = await signInAs(app, 'owner', merchantId)
  await app.context.storage.write(tables =>
    tables.secondFactors.put({ userId: person.userId, secret: 'ABCD', confirmedAt: 1, lastStep: 0 }),
  )
  const redeem = async (action: string) => {
    const { text } = await operator.post(`${PATH}/${action}`, { userId: person.userId })
    const [, path = ''] = LINK.exec(text)!
    return browserOf(app, '').post(path, { password: PASSWORD })
  }
  expect((await redeem('link')).headers.get('location')).toStartWith('/dashboard/sign-in/code')
  expect(await isSignedIn(person)).toBe(false)
  const answer = await redeem('reset')
  expect(answer.headers.get('location')).toBe('/dashboard')
  expect(await isSignedIn(browserOf(app, cookieOf(answer)))).toBe(true)
})

test('an operator makes links to set a password, for people of a shop and for operators', async () => {
  const invite = (form: object) =>
    operator.post(PATH, { email: ' New@shop.example ', merchantId, role: 'staff', ...form })
  const { text } = await invite({})
  const [, path = ''] = LINK.exec(text)!
  const newcomer = browserOf(app, cookieOf(await browserOf(app, '').post(path, { password: PASSWORD })))
  expect((await newcomer.get('/dashboard')).text).toContain('Staff')
  expect((await newcomer.get(PATH)).status).toBe(403)
  const again = await invite({ merchantId: '', keepPassword: 'yes' })
  expect([again.status, LINK.test(again.text)]).toEqual([200, false])
  expect((await newcomer.get(PATH)).text).toContain('user.operator')
  expect((await invite({ email: 'no address' })).status).toBe(400)
  expect((await invite({ merchantId: crypto.randomUUID() })).status).toBe(404)
  expect((await invite({ role: 'king' })).status).toBe(400)
})

test('a person whose password an owner may know becomes an operator, or joins a shop, with a new link only', async () => {
  const owner = await signInAs(app, 'owner', merchantId)
  const other = await createMerchant(app.context, { email: 'third@example.com', name: 'Third' })
  await operator.post('/dashboard/shop', { merchantId: other.id })
  const role = 'owner'
  for (const [path, rest] of [
    [PATH, { merchantId: '', role }],
    [PATH, { merchantId: other.id, role }],
    ['/dashboard/people', { role }],
  ] as const) {
    const email = `boss${Math.random()}@company.example`
    const [, first = ''] = LINK.exec((await owner.post('/dashboard/people', { email, role: 'viewer' })).text)!
    const attacker = browserOf(app, cookieOf(await browserOf(app, '').post(first, { password: PASSWORD })))
    const { text } = await operator.post(path, { email, ...rest })
    expect([path, text.includes('somebody else may have made')]).toEqual([path, true])
    expect(await isSignedIn(attacker)).toBe(false)
    expect((await signIn({ ...attacker, email })).status).toBe(401)
    const [, link = ''] = LINK.exec(text)!
    const password = 'a password of the boss'
    expect((await browserOf(app, '').post(link, { password })).headers.get('location')).toBe('/dashboard')
    // A person who has the rights already keeps the password.
    expect(LINK.test((await operator.post(path, { email, ...rest })).text)).toBe(false)
  }
})

test('operators cannot change their own account there, nor without a recent proof', async () => {
  for (const action of ['suspend', 'link', 'reset']) {
    const answer = await operator.post(`${PATH}/${action}`, { userId: operator.userId })
    expect([action, answer.status, answer.text.includes('your own account')]).toEqual([action, 409, true])
  }
  expect(await isSignedIn(operator)).toBe(true)
  const unknown = { userId: crypto.randomUUID() }
  for (const action of ['suspend', 'restore', 'link', 'reset'])
    expect([action, (await operator.post(`${PATH}/${action}`, unknown)).status]).toEqual([action, 404])
  app.time.now += 31 * 60_000
  for (const action of ['', '/suspend', '/restore', '/link', '/reset'])
    expect([action, (await operator.post(PATH + action, unknown)).status]).toEqual([action, 401])
})
