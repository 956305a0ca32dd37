import { expect, test } from 'bun:test'
import { createMerchant } from '../../../src/operations/merchants/create.ts'
import { resetUser } from '../../../src/operations/people/create-user.ts'
import { restoreUser, suspendUser } from '../../../src/operations/people/suspend.ts'
import { codeAt } from '../../support/authenticator.ts'
import { browserOf, cookieOf, PASSWORD, type Person, signInAs } from '../../support/dashboard.ts'
import { suite } from '../../support/suite.ts'

const FACTOR = '/dashboard/account/second-factor'

const { app, once, each } = suite()
let merchantId = ''
once(async () => {
  merchantId = (await createMerchant(app.context, { email: 'shop@example.com', name: 'Shop' })).id
})
const person = each(() => signInAs(app, 'staff', merchantId))
let mails: { to: string; subject: string; text: string }[] = []
each(async () => {
  mails = []
  app.context.channels.mail = {
    name: 'mail',
    async send({ subject, text }, { email }) {
      mails.push({ to: email, subject, text })
      return null
    },
  }
})

interface Row {
  action: string
  actor: string
  merchantId: string | null
  before: string | null
  after: string | null
}

/** The entries of the audit log about how a person signs in, oldest first. */
const rowsOf = ({ userId }: Person): Row[] =>
  app
    .read()
    .query<Row, [string]>(
      `SELECT action, actor, merchant_id AS merchantId, before, after FROM audit_log
       WHERE subject = ? AND action NOT IN ('user.added', 'user.changed', 'login.started') ORDER BY at, rowid`,
    )
    .all(`user:${userId}`)

const mine = () =>
  rowsOf(person).map(({ actor, action, before, after }) => [
    actor === `user:${person.userId}` ? 'the person' : actor,
    action,
    before && JSON.parse(before),
    after && JSON.parse(after),
  ])

const password = () =>
  browserOf(app, '').post('/dashboard/sign-in', { email: person.email, password: PASSWORD })

async function switchOn(): Promise<string[]> {
  const { text } = await person.post(FACTOR)
  const secret = /(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(text)![0].replaceAll(' ', '')
  const code = codeAt(secret, Math.floor(app.time.now / 30_000))
  const page = await person.post(`${FACTOR}/confirm`, { code })
  return page.text.match(/[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}/g) ?? []
}

test('the audit log has no entry for the first password, and one for another', async () => {
  expect(mine()).toEqual([])
  await person.post('/dashboard/account/password', {
    password: 'another long password',
    proofPassword: PASSWORD,
  })
  await person.post('/dashboard/account/password', {
    password: 'short',
    proofPassword: 'another long password',
  })
  const { token } = await resetUser(app.context, person.email, { secondFactor: false })
  await browserOf(app, '').post(`/dashboard/link/${token}`, { password: PASSWORD })
  expect(mine()).toEqual([
    ['the person', 'password.changed', null, { by: 'password' }],
    ['cli', 'user.reset', null, { secondFactor: false }],
    ['the person', 'password.changed', null, { by: 'link' }],
  ])
  expect(rowsOf(person).map(row => row.merchantId)).toEqual(Array(3).fill(merchantId))
})

test('the audit log has the second factor, its recovery codes, and who switched it off', async () => {
  const codes = await switchOn()
  const half = browserOf(app, cookieOf(await password()))
  await half.post('/dashboard/sign-in/code', { code: codes[0]! })
  await person.post(`${FACTOR}/recovery-codes`)
  await person.post(`${FACTOR}/off`)
  await switchOn()
  await resetUser(app.context, person.email, { secondFactor: true })
  expect(mine()).toEqual([
    ['the person', 'second_factor.on', null, { kind: 'app' }],
    ['the person', 'recovery_code.used', { left: 10 }, { left: 9 }],
    ['the person', 'recovery_codes.renewed', null, { codes: 10 }],
    ['the person', 'second_factor.off', { kind: 'app' }, null],
    ['the person', 'second_factor.on', null, { kind: 'app' }],
    ['cli', 'second_factor.off', { kind: 'app' }, null],
    ['cli', 'user.reset', null, { secondFactor: true }],
  ])
})

test('the audit log has ended logins, and nothing if there were none', async () => {
  await person.post('/dashboard/account/logins/end-others')
  for (let n = 0; n < 3; n++) await password()
  const { text } = await person.get('/dashboard/account')
  const [id] = /name="id" value="([0-9a-f]{64})"/.exec(text)!.slice(1)
  await person.post('/dashboard/account/logins/end', { id: id! })
  await person.post('/dashboard/account/logins/end', { id: id! })
  await person.post('/dashboard/account/logins/end-others')
  expect(mine()).toEqual([
    ['the person', 'logins.ended', { logins: 4 }, { logins: 3 }],
    ['the person', 'logins.ended', { logins: 3 }, { logins: 1 }],
  ])
})

test('a suspended person is signed out, and signs in again only when restored', async () => {
  const codes = await switchOn()
  const half = browserOf(app, cookieOf(await password()))
  await suspendUser(app.context, person.email)
  await suspendUser(app.context, person.email)
  expect((await person.get('/dashboard')).status).toBe(303)
  expect((await half.post('/dashboard/sign-in/code', { code: codes[0]! })).status).toBe(303)
  const refused = await password()
  expect([refused.status, refused.text.includes('This account is suspended')]).toEqual([403, true])
  const wrong = await browserOf(app, '').post('/dashboard/sign-in', {
    email: person.email,
    password: 'wrong',
  })
  expect([wrong.status, wrong.text.includes('suspended')]).toEqual([401, false])
  const { token } = await resetUser(app.context, person.email, { secondFactor: false })
  const choose = () => browserOf(app, '').post(`/dashboard/link/${token}`, { password: PASSWORD })
  const link = await choose()
  expect([link.status, link.headers.get('set-cookie')]).toEqual([403, null])
  await restoreUser(app.context, person.email)
  await choose()
  expect((await password()).headers.get('location')).toStartWith('/dashboard/sign-in/code')
  expect(mine().filter(([, action]) => /suspended|restored/.test(action))).toEqual([
    ['cli', 'user.suspended', { suspended: false }, { suspended: true }],
    ['cli', 'user.restored', { suspended: true }, { suspended: false }],
  ])
})

test('the entries about an operator belong to no merchant', async () => {
  const operator = await signInAs(app, 'operator', null)
  await operator.post('/dashboard/account/password', {
    password: 'another long password',
    proofPassword: PASSWORD,
  })
  expect(rowsOf(operator)).toMatchObject([
    { action: 'user.operator', actor: 'cli', merchantId: null, after: '{"operator":true}' },
    { action: 'password.changed', actor: `user:${operator.userId}`, merchantId: null },
  ])
})

test('each change of how people sign in is mailed to them once', async () => {
  const subjects = () => mails.splice(0).map(({ to, subject }) => (to === person.email ? subject : to))
  const next = 'another long password'
  await person.post('/dashboard/account/password', { password: next, proofPassword: 'not my password' })
  expect(subjects()).toEqual([])
  await person.post('/dashboard/account/password', { password: next, proofPassword: PASSWORD })
  expect(mails[0]!.text).toContain(`The password of ${person.email} was changed on `)
  expect(subjects()).toEqual(['Your password was changed'])
  const codes = await switchOn()
  expect(subjects()).toEqual(['Two-step sign-in was switched on'])
  const half = await browserOf(app, '').post('/dashboard/sign-in', { email: person.email, password: next })
  await browserOf(app, cookieOf(half)).post('/dashboard/sign-in/code', { code: codes[0]! })
  expect(mails.map(({ text }) => text).join()).toContain('9 codes are left.')
  expect(subjects()).toContain('A recovery code was used to sign in')
  await person.post(`${FACTOR}/recovery-codes`)
  await person.post(`${FACTOR}/off`)
  expect(subjects()).toEqual(['Your recovery codes were replaced', 'Two-step sign-in was switched off'])
  await person.post(`${FACTOR}/off`)
  expect(subjects()).toEqual([])
  await switchOn()
  const { token } = await resetUser(app.context, person.email, { secondFactor: true })
  expect(mails.at(-1)!.text).toContain('two-step sign-in is off')
  expect(subjects()).toEqual(['Two-step sign-in was switched on', 'Your sign-in was reset'])
  await browserOf(app, '').post(`/dashboard/link/${token}`, { password: PASSWORD })
  expect(subjects()).toContain('Your password was changed')
  await suspendUser(app.context, person.email)
  await restoreUser(app.context, person.email)
  expect(subjects()).toEqual(['Your account was suspended', 'Your account can be used again'])
})
