import { expect, test } from 'bun:test'
import { suspendUser } from '../../../src/operations/people/suspend.ts'
import { startWithMail } from '../../support/app-with-receiver.ts'
import { codeAt } from '../../support/authenticator.ts'
import { browserOf, cookieOf, PASSWORD, signInAs } from '../../support/dashboard.ts'
import { givenMerchant } from '../../support/given.ts'
import { mailsTo } from '../../support/read-mail.ts'
import { suite } from '../../support/suite.ts'
import { until } from '../../support/until.ts'

const PATH = '/dashboard/sign-in/forgotten'
const FACTOR = '/dashboard/account/second-factor'
const LINK = /\/dashboard\/link\/[\w-]{43}/
const NEW = 'another horse, another battery'

const { app, once } = suite({ start: startWithMail })
const mail = once(() => app.mail)
const shop = once(() => givenMerchant(app))
const stranger = once(() => browserOf(app, ''))

const lettersTo = (email: string) =>
  mailsTo(mail, email).filter(({ subject }) => subject.endsWith('Choose a new password'))

/** Asks for a link, and waits for its mail. */
async function linkTo(email: string, spelled = email): Promise<string> {
  const before = lettersTo(email).length
  expect((await stranger.post(PATH, { email: spelled })).status).toBe(200)
  await until(() => lettersTo(email).length > before, 'the mail', 3000)
  return LINK.exec(lettersTo(email).at(-1)!.text)![0]
}

test('a person who forgot the password chooses a new one, which signs out every browser', async () => {
  const person = await signInAs(app, 'owner', shop.id)
  expect((await stranger.get('/dashboard/sign-in')).text).toContain(`href="${PATH}"`)
  const first = await linkTo(person.email)
  const second = await linkTo(person.email, person.email.toUpperCase())
  // Until a link is used, nothing has changed.
  expect((await person.get('/dashboard/account')).status).toBe(200)
  const done = await stranger.post(first, { password: NEW })
  expect([done.status, done.headers.get('location')]).toEqual([303, '/dashboard'])
  expect((await person.get('/dashboard/account')).headers.get('location')).toContain('/dashboard/sign-in')
  for (const path of [first, second]) expect((await stranger.get(path)).status).toBe(404)
  await until(
    () => mailsTo(mail, person.email).some(({ subject }) => subject.endsWith('Your password was changed')),
    'the mail',
    3000,
  )
  const signIn = (password: string) => stranger.post('/dashboard/sign-in', { email: person.email, password })
  expect([(await signIn(PASSWORD)).status, (await signIn(NEW)).status]).toEqual([401, 303])
})

test('a reset for an unknown address gets the same answer and the same limits as for a known one', async () => {
  const person = await signInAs(app, 'staff', shop.id)
  const ask = async (email: string) => {
    const { status, text } = await stranger.post(PATH, { email })
    return [status, text.replaceAll(email, '')]
  }
  for (let at = 0; at < 4; at++) {
    const [known, unknown] = [await ask(person.email), await ask('nobody@people.example')]
    expect(known).toEqual(unknown)
    expect(known[0]).toBe(at < 3 ? 200 : 429)
  }
  await until(() => lettersTo(person.email).length === 3, 'three mails', 3000)
  expect(mailsTo(mail, 'nobody@people.example')).toEqual([])
  expect((await stranger.post(PATH, { email: 'no address' })).status).toBe(400)
})

test('a link requires the second step, is valid for an hour, and leaves an invitation valid', async () => {
  const person = await signInAs(app, 'owner', shop.id)
  const secret = /(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec((await person.post(FACTOR)).text)![0]
  const code = codeAt(secret.replaceAll(' ', ''), Math.floor(app.time.now / 30_000))
  expect((await person.post(`${FACTOR}/confirm`, { code })).status).toBe(200)
  const done = await stranger.post(await linkTo(person.email), { password: NEW })
  expect(done.headers.get('location')).toContain('/dashboard/sign-in/code')
  expect(cookieOf(done)).toStartWith('florin_code=')

  const owner = await signInAs(app, 'owner', shop.id)
  await owner.post('/dashboard/people', { email: 'late@people.example', role: 'staff' })
  const invitation = LINK.exec(mailsTo(mail, 'late@people.example')[0]!.text)![0]
  const reset = await linkTo('late@people.example')
  app.time.now += 3600_000
  expect([(await stranger.get(reset)).status, (await stranger.get(invitation)).status]).toEqual([404, 200])
})

test('a suspended person gets no link to reset the password', async () => {
  const person = await signInAs(app, 'owner', shop.id)
  await suspendUser(app.context, person.email)
  await stranger.post(PATH, { email: person.email })
  await linkTo((await signInAs(app, 'owner', shop.id)).email)
  expect(lettersTo(person.email)).toEqual([])
})
