import { expect, test } from 'bun:test'
import { requestState } from '../../../src/http/request-state.ts'
import { listAudit } from '../../../src/operations/audit/read.ts'
import { createMerchant } from '../../../src/operations/merchants/create.ts'
import { listNotifications } from '../../../src/operations/notices/list.ts'
import { startApp } from '../../support/app.ts'
import { PASSWORD, type Person, signInAs } from '../../support/dashboard.ts'
import { rest, restart, suite } from '../../support/suite.ts'

const { app, once, each } = suite({
  start: given => startApp({ ...given, FLORIN_TRUSTED_PROXIES: '10.0.0.0/8' }),
})
let merchantId = ''
let mails: { to: string; subject: string; text: string }[] = []
const keepMails = () => {
  app.context.channels.mail = {
    name: 'mail',
    async send({ subject, text }, { email }) {
      if (subject.startsWith('Many failed')) mails.push({ to: email, subject, text })
      return null
    },
  }
}
once(async () => {
  merchantId = (await createMerchant(app.context, { email: 'shop@example.com', name: 'Shop' })).id
  keepMails()
})
each(async () => {
  mails = []
})
const person = each(() => signInAs(app, 'staff', merchantId))

const WRONG = 'not the password'
const PASSKEYS = '/dashboard/sign-in/passkey-options'

/** Sends the sign-in form from this address, by default in an unknown browser. */
async function signIn(address: string, password: string, { email = person.email, cookie = '' } = {}) {
  const request = new Request('http://localhost/dashboard/sign-in', {
    method: 'POST',
    body: new URLSearchParams({ email, password }),
    headers: { accept: 'text/html', origin: 'http://localhost', 'x-forwarded-for': address, cookie },
  })
  requestState(request).peer = () => '10.0.0.1'
  const answer = await app.florin.http.handle(request)
  return { status: answer.status, wait: Number(answer.headers.get('retry-after')), answer }
}

/** The cookie that a browser keeps after a sign-in. */
const browserCookie = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0]!)
    .find(cookie => cookie.startsWith('florin_browser='))!

const statuses = async (count: number, addressOf: (index: number) => string, email?: string) => {
  const found: number[] = []
  for (let index = 0; index < count; index++)
    found.push((await signIn(addressOf(index), WRONG, { ...(email && { email }) })).status)
  return found
}
const network = (index: number) => `203.0.${index}.1`

test('a stranger who guesses a password slows down no one else', async () => {
  const known = browserCookie((await signIn('198.51.100.1', PASSWORD)).answer)
  expect(await statuses(60, () => '203.0.113.5')).toEqual([...Array(10).fill(401), ...Array(50).fill(429)])
  const refused = await signIn('203.0.113.99', PASSWORD)
  expect([refused.status, refused.wait]).toEqual([429, 60])
  expect((await signIn('192.0.2.1', PASSWORD)).status).toBe(303)
  expect((await signIn('203.0.113.5', PASSWORD, { cookie: known })).status).toBe(303)
  app.time.now += 60_000
  expect((await signIn('203.0.113.5', WRONG)).status).toBe(401)
  expect((await signIn('203.0.113.5', WRONG)).status).toBe(429)
  app.time.now += 3600_000
  expect((await signIn('203.0.113.5', PASSWORD)).status).toBe(303)
})

test('addresses in one IPv6 network, however they are written, share one limit', async () => {
  const spellings = ['2001:db8::1', '2001:db8:0:0::2', '2001:0db8:0:1::3', '2001:DB8:0:ffff:1:2:3:4']
  expect(await statuses(11, index => spellings[index % 4]!)).toEqual([...Array(10).fill(401), 429])
  expect((await signIn('2001:db8:1::1', WRONG)).status).toBe(401)
})

test('strangers in many networks slow down unknown browsers, but never lock anyone out', async () => {
  const known = browserCookie((await signIn('198.51.100.1', PASSWORD)).answer)
  expect(await statuses(61, network)).toEqual([...Array(60).fill(401), 429])
  const unknown = await signIn('192.0.2.1', PASSWORD)
  expect([unknown.status, unknown.wait]).toEqual([429, 10])
  expect((await signIn(network(0), PASSWORD, { cookie: known })).status).toBe(303)
  app.time.now += 10_000
  expect((await signIn('192.0.2.1', PASSWORD)).status).toBe(303)
})

test('a browser is known for the people who signed in there, and is slowed down alone', async () => {
  const known = browserCookie((await signIn('198.51.100.1', PASSWORD)).answer)
  const other = await signInAs(app, 'viewer', merchantId)
  await statuses(10, () => '203.0.113.5', other.email)
  const asOther = { email: other.email, cookie: known }
  expect((await signIn('203.0.113.5', PASSWORD, asOther)).status).toBe(429)
  for (let times = 0; times < 10; times++)
    expect((await signIn('192.0.2.1', WRONG, { cookie: known })).status).toBe(401)
  expect((await signIn('192.0.2.1', PASSWORD, { cookie: known })).status).toBe(429)
  expect((await signIn('192.0.2.1', PASSWORD)).status).toBe(303)
  app.time.now += 30 * 24 * 3600_000 + 1
  await statuses(10, () => '203.0.113.5')
  expect((await signIn('203.0.113.5', PASSWORD, { cookie: known })).status).toBe(429)
})

test('many guesses of a password at once do not exceed the limit, and count after a restart too', async () => {
  const all = await Promise.all(Array.from({ length: 15 }, () => signIn('203.0.113.5', WRONG)))
  expect(all.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(401), ...Array(5).fill(429)])
  const { email } = person
  await restart(app, { FLORIN_TRUSTED_PROXIES: '10.0.0.0/8' })
  keepMails()
  expect((await signIn('203.0.113.5', PASSWORD, { email })).status).toBe(429)
  expect((await signIn('192.0.2.1', PASSWORD, { email })).status).toBe(303)
})

test('a try that ends in an error of the server is not counted as a wrong password', async () => {
  const { passwords } = app.context
  const { verify } = passwords
  passwords.verify = () => Promise.reject(new Error('out of memory'))
  const failed = await statuses(10, () => '203.0.113.6').finally(() => {
    passwords.verify = verify
  })
  expect(failed).toEqual(Array(10).fill(500))
  expect((await signIn('203.0.113.6', PASSWORD)).status).toBe(303)
})

test('after ten wrong passwords, an attack is reported to the person, the shop and the operators, once a day', async () => {
  const operator: Person = await signInAs(app, 'operator', null)
  const reports = async () =>
    (await listNotifications(app.context, merchantId)).filter(({ kind }) => kind === 'login_attacked').length
  const before = await reports()
  await statuses(9, network)
  expect([mails, await reports()]).toEqual([[], before])
  await statuses(20, index => network(index + 9))
  expect(mails.map(({ to }) => to)).toEqual(expect.arrayContaining([person.email, operator.email]))
  expect(mails.filter(({ to }) => to === person.email).length).toBe(1)
  expect(mails[0]!.text).toContain(`10 wrong passwords for ${person.email}`)
  expect(mails[0]!.text).toContain(network(9))
  expect(await reports()).toBe(before + 1)
  const [entry] = (await listAudit(app.context, merchantId, 50)).filter(
    ({ action }) => action === 'login.attacked',
  )
  expect(entry).toMatchObject({
    actor: 'user:unknown',
    subject: `user:${person.userId}`,
    after: { wrongPasswords: 10, address: network(9) },
  })
  mails = []
  app.time.now += 2 * 3600_000
  await statuses(12, network)
  await statuses(12, network, 'nobody@people.example')
  expect([mails, await reports()]).toEqual([[], before + 1])
  app.time.now += 24 * 3600_000
  await statuses(12, network)
  expect(mails.map(({ to }) => to)).toContain(person.email)
})

test('an operator whose password is guessed gets one mail about it, and so does each other operator', async () => {
  const [attacked, other] = [await signInAs(app, 'operator', null), await signInAs(app, 'operator', null)]
  await statuses(12, network, attacked.email)
  for (const { email } of [attacked, other])
    expect(mails.filter(({ to }) => to === email)).toMatchObject([
      { text: expect.stringContaining(attacked.email) },
    ])
})

test('the log names the account and the address of each wrong password, and those that wait are only counted', async () => {
  app.logged.length = 0
  await statuses(12, () => '203.0.113.5')
  await signIn('203.0.113.6', WRONG, { email: 'nobody@people.example' })
  const lines = app.logged.filter(({ sentence }) => sentence.startsWith('sign_in.'))
  const fields = {
    by: 'password',
    address: '203.0.113.5',
    userId: person.userId,
    requestId: expect.any(String),
  }
  expect(lines).toEqual([
    ...Array(10).fill({ sentence: 'sign_in.failed', fields }),
    { sentence: 'sign_in.failed', fields: { ...fields, address: '203.0.113.6', userId: null } },
  ])
  expect(JSON.stringify(lines)).not.toContain(WRONG)
})

test('the log and the audit log record who signed in, and from which address', async () => {
  app.logged.length = 0
  await signIn('192.0.2.1', PASSWORD)
  const line = app.logged.find(({ sentence }) => sentence === 'sign_in.succeeded')
  expect(line?.fields).toMatchObject({ userId: person.userId, address: '192.0.2.1' })
  const [entry] = await listAudit(app.context, merchantId, 1)
  expect(entry).toMatchObject({
    actor: `user:${person.userId}`,
    action: 'login.started',
    subject: `user:${person.userId}`,
    after: { address: '192.0.2.1' },
  })
})

test('a person who is refused for their role or a form’s origin is logged once a minute, with a count', async () => {
  const lines = async () => {
    // The log is written after the answer.
    await rest(app)
    return app.logged.splice(0).filter(({ sentence }) => sentence === 'access.refused')
  }
  const stranger = () =>
    app.call('POST', '/dashboard/sign-in', { form: {}, headers: { origin: 'https://a.example' } })
  await lines()
  for (let times = 0; times < 5; times++) expect((await person.get('/dashboard/people')).status).toBe(403)
  const fields = { userId: person.userId, reason: 'role', route: '/dashboard/people', count: 1 }
  expect((await lines()).map(line => line.fields)).toEqual([expect.objectContaining(fields)])
  app.time.now += 60_000
  expect((await stranger()).status).toBe(403)
  const later = { userId: null, reason: 'other_site', route: '/dashboard/sign-in', count: 5 }
  expect((await lines()).map(line => line.fields)).toEqual([expect.objectContaining(later)])
})

test('requests above the limit are counted in one line of the log a minute', async () => {
  const limited = await startApp({ FLORIN_PUBLIC_RATE_LIMIT: '60' })
  try {
    const request = () =>
      limited.call('POST', PASSKEYS, {
        headers: { origin: 'http://localhost', host: 'localhost' },
      })
    for (let times = 0; times < 50; times++) await request()
    await rest(limited)
    limited.time.now += 60_000
    for (let times = 0; times < 30; times++) await request()
    await rest(limited)
    const lines = limited.logged.filter(({ sentence }) => sentence === 'request.refused')
    expect(lines.map(({ fields }) => (fields as { count: number }).count)).toEqual([1, 30])
    const requests = limited.logged.filter(
      ({ sentence, fields }) => sentence === 'request' && 'route' in fields && fields.route === PASSKEYS,
    )
    expect(requests.length).toBe(40)
  } finally {
    await limited.close()
  }
})
