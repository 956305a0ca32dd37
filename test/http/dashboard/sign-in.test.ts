import { expect, test } from 'bun:test'
import { requestState } from '../../../src/http/request-state.ts'
import { createMerchant } from '../../../src/operations/merchants/create.ts'
import { createUser, resetUser } from '../../../src/operations/people/create-user.ts'
import { createFirstLink } from '../../../src/operations/people/links.ts'
import { insertLink } from '../../../src/operations/people/steps/link.ts'
import { type App, startApp } from '../../support/app.ts'
import { browserOf, cookieOf, PASSWORD, signInAs } from '../../support/dashboard.ts'
import { suite } from '../../support/suite.ts'

const { app } = suite()
let merchantId = ''

test('the first link creates an operator, once, and only while there are no users', async () => {
  const token = await createFirstLink(app.context)
  const stranger = browserOf(app, '')
  const isNew = async () =>
    (await stranger.get('/dashboard/sign-in')).headers.get('location') === '/dashboard/welcome'
  expect(await isNew()).toBe(true)
  const page = await stranger.get(`/dashboard/link/${token}`)
  expect(page.status).toBe(200)
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  const weak = await stranger.post(`/dashboard/link/${token}`, {
    email: 'me@shop.example',
    password: 'short',
  })
  expect(weak.status).toBe(400)
  expect(weak.text).toContain('aria-invalid')
  const done = await stranger.post(`/dashboard/link/${token}`, {
    email: 'me@shop.example',
    password: PASSWORD,
  })
  expect([done.status, done.headers.get('location')]).toEqual([303, '/dashboard'])
  const home = await browserOf(app, cookieOf(done)).get('/dashboard/account')
  expect(home.text).toContain('me@shop.example')
  expect((await stranger.get(`/dashboard/link/${token}`)).status).toBe(404)
  expect([await createFirstLink(app.context), await isNew()]).toEqual([null, false])
  merchantId = (await createMerchant(app.context, { email: 'shop@example.com', name: 'Shop' })).id
})

test('a link to set a password is refused after three days, and a new one replaces it', async () => {
  const first = await createUser(app.context, { email: 'slow@shop.example', merchantId })
  const second = await createUser(app.context, { email: 'slow@shop.example', merchantId })
  const stranger = browserOf(app, '')
  expect((await stranger.get(`/dashboard/link/${first.token}`)).status).toBe(404)
  expect((await stranger.get(`/dashboard/link/${second.token}`)).status).toBe(200)
  app.time.now += 72 * 3600_000 - 1
  expect((await stranger.get(`/dashboard/link/${second.token}`)).status).toBe(200)
  app.time.now += 1
  expect((await stranger.get(`/dashboard/link/${second.token}`)).status).toBe(404)
})

test('a wrong password and an unknown address get the same answer', async () => {
  const person = await signInAs(app, 'owner', merchantId)
  const stranger = browserOf(app, '')
  const attempt = (email: string, password: string) =>
    stranger.post('/dashboard/sign-in', { email, password })
  const wrong = await attempt(person.email, 'not the password')
  const unknown = await attempt('nobody@shop.example', 'not the password')
  expect([wrong.status, unknown.status]).toEqual([401, 401])
  expect(unknown.text.replace('nobody@shop.example', '')).toBe(wrong.text.replace(person.email, ''))
  const right = await attempt(person.email.toUpperCase(), PASSWORD)
  expect([right.status, right.headers.get('location')]).toEqual([303, '/dashboard'])
  const cookie = (name: string) =>
    new RegExp(`^${name}=[\\w-]{43}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax$`)
  expect(right.headers.getSetCookie()).toEqual([
    expect.stringMatching(cookie('florin_login')),
    expect.stringMatching(cookie('florin_browser')),
  ])
})

test('a link and the account page refuse common passwords, and the name of the shop', async () => {
  const shop = await createMerchant(app.context, { email: 'tea@shop.example', name: 'Zimmermanns Teeladen' })
  const person = await signInAs(app, 'owner', shop.id)
  const { token } = await resetUser(app.context, person.email, { secondFactor: false })
  const signedIn = await signInAs(app, 'owner', shop.id)
  for (const password of [
    ...['Password1!', '1234567890', 'teeladen-2026', 'Zimmermanns-Teeladen', 'florin2026!!'],
  ]) {
    const byLink = await browserOf(app, '').post(`/dashboard/link/${token}`, { password })
    const change = { password, proofPassword: PASSWORD }
    const byForm = await signedIn.post('/dashboard/account/password', change)
    for (const { status, text } of [byLink, byForm])
      expect([password, status, text.includes('Common passwords')]).toEqual([password, 400, true])
  }
})

test('a password that is replaced while it is checked does not sign in', async () => {
  const person = await signInAs(app, 'owner', merchantId)
  const { passwords } = app.context
  const { verify } = passwords
  passwords.verify = async (...given) => {
    const isRight = await verify(...given)
    const { token } = await resetUser(app.context, person.email, { secondFactor: false })
    await browserOf(app, '').post(`/dashboard/link/${token}`, { password: `another ${PASSWORD}` })
    return isRight
  }
  const stranger = browserOf(app, '')
  const answer = await stranger
    .post('/dashboard/sign-in', { email: person.email, password: PASSWORD })
    .finally(() => {
      passwords.verify = verify
    })
  expect([answer.status, cookieOf(answer)]).toEqual([401, ''])
})

test('after a reset, only the link can sign in, until a new password is chosen', async () => {
  const person = await signInAs(app, 'owner', merchantId)
  const signIn = (password: string) =>
    browserOf(app, '').post('/dashboard/sign-in', { email: person.email, password })
  const chosen = `another ${PASSWORD}`
  const { token } = await resetUser(app.context, person.email, { secondFactor: false })
  expect((await signIn(PASSWORD)).status).toBe(401)
  expect((await browserOf(app, '').post(`/dashboard/link/${token}`, { password: chosen })).status).toBe(303)
  expect((await signIn(chosen)).status).toBe(303)
})

test('an unused link to set a password expires together with the password that it was to replace', async () => {
  const person = await signInAs(app, 'owner', merchantId)
  const { user, token } = await createUser(app.context, { email: 'new@shop.example', merchantId })
  const first = browserOf(app, '')
  expect((await first.post(`/dashboard/link/${token}`, { password: PASSWORD })).status).toBe(303)
  expect(user.email).not.toBe(person.email)
  const stale = await app.context.storage.write(tables =>
    insertLink(app.context, tables, 'password', user.id),
  )
  const signedIn = await browserOf(app, '').post('/dashboard/sign-in', {
    email: user.email,
    password: PASSWORD,
  })
  const changed = browserOf(app, cookieOf(signedIn))
  const answer = await changed.post('/dashboard/account/password', {
    password: `another ${PASSWORD}`,
    proofPassword: PASSWORD,
  })
  expect(answer.status).toBe(303)
  const late = await browserOf(app, '').post(`/dashboard/link/${stale}`, {
    password: `a thief's ${PASSWORD}`,
  })
  expect(late.status).toBe(404)
})

test('a browser whose login ends meanwhile does not replace the password', async () => {
  const person = await signInAs(app, 'owner', merchantId)
  const { passwords } = app.context
  const { hash } = passwords
  passwords.hash = async password => {
    passwords.hash = hash
    const { token } = await resetUser(app.context, person.email, { secondFactor: false })
    await browserOf(app, '').post(`/dashboard/link/${token}`, { password: `another ${PASSWORD}` })
    return hash(password)
  }
  await person.post('/dashboard/account/password', {
    password: `the thief's ${PASSWORD}`,
    proofPassword: PASSWORD,
  })
  const signIn = (password: string) =>
    browserOf(app, '').post('/dashboard/sign-in', { email: person.email, password })
  expect((await signIn(`the thief's ${PASSWORD}`)).status).toBe(401)
  expect((await signIn(`another ${PASSWORD}`)).status).toBe(303)
})

test('a form that is sent slowly counts only if the login has not ended meanwhile', async () => {
  const person = await signInAs(app, 'owner', merchantId)
  const email = 'friend-of-a-thief@shop.example'
  const source = {
    async pull(form: ReadableStreamDefaultController) {
      await resetUser(app.context, person.email, { secondFactor: true })
      form.enqueue(new TextEncoder().encode(`${new URLSearchParams({ email, role: 'owner' })}`))
      form.close()
    },
  }
  const body = new ReadableStream(source, { highWaterMark: 0 })
  const headers = {
    cookie: person.cookie,
    origin: 'http://localhost',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const request = new Request('http://localhost/dashboard/people', { method: 'POST', body, headers })
  const answer = await app.florin.http.handle(request)
  expect(answer.status).not.toBe(500)
  expect(await app.context.storage.read(tables => tables.users.findByEmail(email))).toBeNull()
})

test('signing in redirects to the requested page, and never to another site', async () => {
  const person = await signInAs(app, 'viewer', merchantId)
  const stranger = browserOf(app, '')
  const signIn = (next: string) =>
    stranger.post('/dashboard/sign-in', { email: person.email, password: PASSWORD, next })
  expect((await stranger.get('/dashboard?done=x')).headers.get('location')).toBe(
    '/dashboard/sign-in?next=%2Fdashboard%3Fdone%3Dx',
  )
  expect((await signIn('/dashboard?done=x')).headers.get('location')).toBe('/dashboard?done=x')
  for (const next of [
    ...['//evil.example', 'https://evil.example', '/dashboard.evil.example', '/dashboard/../pay', '/\\evil'],
  ]) {
    const location = (await signIn(next)).headers.get('location') ?? ''
    expect(new URL(location, 'http://localhost').host).toBe('localhost')
  }
})

test('a login ends when it is not used for 12 hours, after 30 days, and by signing out', async () => {
  const idle = await signInAs(app, 'viewer', merchantId)
  app.time.now += 12 * 3600_000
  expect((await idle.get('/dashboard')).status).toBe(303)
  const busy = await signInAs(app, 'viewer', merchantId)
  for (let hours = 0; hours < 30 * 24 - 11; hours += 11) {
    expect((await busy.get('/dashboard')).status).toBe(200)
    app.time.now += 11 * 3600_000
  }
  app.time.now += 11 * 3600_000
  expect((await busy.get('/dashboard')).status).toBe(303)
  const leaving = await signInAs(app, 'viewer', merchantId)
  const out = await leaving.post('/dashboard/sign-out')
  expect(out.headers.get('set-cookie')).toContain('florin_login=; ')
  expect(out.headers.get('clear-site-data')).toBe('"cache"')
  expect((await leaving.get('/dashboard')).status).toBe(303)
})

/** The address that the account page shows after signing in through a trusted proxy. */
async function addressBehindProxy({ florin }: App, email: string): Promise<string | undefined> {
  const request = new Request('http://localhost/dashboard/sign-in', {
    method: 'POST',
    body: new URLSearchParams({ email, password: PASSWORD }),
    headers: { origin: 'https://shop.example', 'x-forwarded-for': '198.51.100.1, ::ffff:203.0.113.7' },
  })
  requestState(request).peer = () => '10.0.0.1'
  const answer = await florin.http.handle(request)
  const headers = { cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0]! }
  const page = await florin.http.handle(new Request('http://localhost/dashboard/account', { headers }))
  return /class="code">([0-9a-f.:]+)<\/td>/.exec(await page.text())?.[1]
}

test('over HTTPS the cookie is bound to the host, and the address is that of the client, not of a proxy', async () => {
  const secure = await startApp({
    FLORIN_DASHBOARD_URL: 'https://shop.example',
    FLORIN_TRUSTED_PROXIES: '10.0.0.0/8',
  })
  try {
    const { id } = await createMerchant(secure.context, { email: 'shop@example.com', name: 'Shop' })
    const person = await signInAs(secure, 'owner', id)
    expect(person.cookie).toStartWith('__Host-florin_login=')
    expect((await person.get('/dashboard')).status).toBe(200)
    expect(await addressBehindProxy(secure, person.email)).toBe('203.0.113.7')
    const tossed = browserOf(secure, person.cookie.replace('__Host-', ''))
    expect((await tossed.get('/dashboard')).status).toBe(303)
  } finally {
    await secure.close()
  }
})

test('no one can sign in over HTTP from another machine, by password or by a link', async () => {
  const at = (host: string, path: string, form?: Record<string, string>) =>
    app.florin.http
      .handle(
        new Request(`http://${host}${path}`, {
          headers: { accept: 'text/html', host, origin: `http://${host}` },
          ...(form && { method: 'POST', body: new URLSearchParams(form) }),
        }),
      )
      .then(async answer => ({ answer, text: await answer.text() }))
  const person = await signInAs(app, 'owner', merchantId)
  const { token } = await resetUser(app.context, person.email, { secondFactor: false })
  const link = `/dashboard/link/${token}`
  for (const path of ['/dashboard/sign-in', link]) {
    expect((await at('localhost', path)).text).toContain('name="password"')
    const elsewhere = await at('shop.example', path)
    expect(elsewhere.text).not.toContain('name="password"')
    expect(elsewhere.text).toContain('only over HTTPS')
    const { answer, text } = await at('shop.example', path, { email: person.email, password: PASSWORD })
    expect([path, answer.status, answer.headers.get('set-cookie')]).toEqual([path, 400, null])
    expect(text).toContain('only over HTTPS')
  }
  expect((await at('127.0.0.1', link, { password: PASSWORD })).answer.status).toBe(303)
})

test('signing in again ends the login that the browser had', async () => {
  const first = await signInAs(app, 'staff', merchantId)
  const elsewhere = await signInAs(app, 'staff', merchantId)
  const signedIn = await first.post('/dashboard/sign-in', { email: elsewhere.email, password: PASSWORD })
  expect((await browserOf(app, cookieOf(signedIn)).get('/dashboard')).status).toBe(200)
  expect((await first.get('/dashboard')).status).toBe(303)
  expect((await elsewhere.get('/dashboard')).status).toBe(200)
})

test('a refused sign-in says in a header when to try again', async () => {
  const limited = await startApp({ FLORIN_PUBLIC_RATE_LIMIT: '60' })
  try {
    const stranger = browserOf(limited, '')
    const attempt = () => stranger.post('/dashboard/sign-in', { email: 'me@shop.example', password: 'wrong' })
    for (let times = 0; times < 10; times++) expect((await attempt()).headers.get('retry-after')).toBeNull()
    const refused = await attempt()
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  } finally {
    await limited.close()
  }
})

test.each([
  ['http://localhost/dashboard/orders/new?correct=1', '/dashboard/orders/new?correct=1'],
  ['http://localhost/pay/1', '/dashboard'],
  ['https://evil.example//evil.example/', '/dashboard'],
  ['', '/dashboard'],
])('after a form of %s was sent while signed out, signing in redirects to %s', async (referer, next) => {
  const headers = { accept: 'text/html', origin: 'http://localhost', host: 'localhost', referer }
  const { status, headers: sent } = await app.call('POST', '/dashboard/orders/new', { form: {}, headers })
  expect([status, sent.get('location')]).toEqual([303, `/dashboard/sign-in?next=${encodeURIComponent(next)}`])
})
