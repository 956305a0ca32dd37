import { expect, test } from 'bun:test'
import { createMerchant } from '../../../src/operations/merchants/create.ts'
import { resetUser } from '../../../src/operations/people/create-user.ts'
import { browserOf, PASSWORD, signInAs } from '../../support/dashboard.ts'
import { suite } from '../../support/suite.ts'

const { app, once, each } = suite()
let merchantId = ''
let mails: { to: string; text: string }[] = []
once(async () => {
  merchantId = (await createMerchant(app.context, { email: 'shop@example.com', name: 'Shop' })).id
  app.context.channels.mail = {
    name: 'mail',
    send(message, { email }) {
      if (!message.subject.startsWith('New login')) return Promise.resolve(null)
      mails.push({ to: email, text: message.text })
      return send()
    },
  }
})
each(async () => {
  send = async () => null
  mails = []
})
const person = each(() => signInAs(app, 'staff', merchantId))

let send: () => Promise<string | null>

const firefox = (version: number) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`

const signIn = async (userAgent: string, password = PASSWORD) => {
  const headers = { origin: 'http://localhost', host: 'localhost', 'user-agent': userAgent }
  const form = { email: person.email, password }
  return (await app.call('POST', '/dashboard/sign-in', { form, headers })).status
}
const DAY = 24 * 3600_000

test('a first password sends no mail; a new browser does, once, and again after 30 days', async () => {
  expect(mails).toEqual([])
  expect(await signIn(firefox(140))).toBe(303)
  expect(mails.map(({ to }) => to)).toEqual([person.email])
  expect(mails[0]!.text).toContain('Firefox on Windows')
  expect(mails[0]!.text).toContain('/dashboard/account')
  await signIn(firefox(141))
  expect(mails.length).toBe(1)
  app.time.now += 29 * DAY
  await signIn(firefox(142))
  expect(mails.length).toBe(1)
  app.time.now += 31 * DAY
  await signIn(firefox(143))
  expect(mails.length).toBe(2)
})

test('a wrong password sends no mail, and the mail about a login does not repeat a header', async () => {
  expect(await signIn('Visit https://evil.example', 'not my password')).toBe(401)
  expect(mails).toEqual([])
  expect(await signIn('Visit https://evil.example')).toBe(303)
  expect(mails[0]!.text).not.toContain('evil')
  expect(mails[0]!.text).toContain('Unknown browser')
})

test('a new browser that resets a password with a link causes a mail about its login', async () => {
  const { token } = await resetUser(app.context, person.email, { secondFactor: false })
  const headers = { origin: 'http://localhost', host: 'localhost', 'user-agent': firefox(140) }
  await app.call('POST', `/dashboard/link/${token}`, { form: { password: PASSWORD }, headers })
  expect(mails.length).toBe(1)
})

test('a mail about a login that fails or hangs does not prevent the sign-in', async () => {
  send = async () => 'no such host'
  expect(await signIn(firefox(140))).toBe(303)
  send = () => new Promise(() => {})
  expect(await signIn('Opera')).toBe(303)
  expect(mails.length).toBe(2)
  expect(JSON.stringify(app.logged)).toContain('login.mail.failed')
  expect((await browserOf(app, person.cookie).get('/dashboard/account')).status).toBe(200)
})
