import { expect, test } from 'bun:test'
import { startWithMail } from '../../support/app-with-receiver.ts'
import { browserOf, cookieOf, PASSWORD, signInAs } from '../../support/dashboard.ts'
import { givenMerchant } from '../../support/given.ts'
import { mailsTo } from '../../support/read-mail.ts'
import { suite } from '../../support/suite.ts'

const PATH = '/dashboard/people'
const LINK = /\/dashboard\/link\/[\w-]{43}/

const { app, once, each } = suite({ start: startWithMail })
const mail = once(() => app.mail)
const shop = once(() => givenMerchant(app, 'GO TO https://evil.example/unlock'))
const owner = once(() => signInAs(app, 'owner', shop.id))
each(() => {
  mail.reactions = {}
})

const invite = (email: string, person = owner) => person.post(PATH, { email, role: 'staff' })

test('an owner never sees the link of an invited person, whose mail proves the address', async () => {
  expect((await owner.get(PATH)).text).toContain('Send the invitation</button>')
  const { status, text } = await invite('new@people.example')
  expect([status, LINK.test(text), text.includes('on its way to new@people.example')]).toEqual([
    200,
    false,
    true,
  ])
  const [letter, ...more] = mailsTo(mail, 'new@people.example')
  expect(more).toEqual([])
  expect(letter!.text).toContain(`${owner.email} invites you`)
  expect(`${letter!.subject} ${letter!.text}`).not.toContain('evil')
  const [path = ''] = LINK.exec(letter!.text)!
  const person = browserOf(app, cookieOf(await browserOf(app, '').post(path, { password: PASSWORD })))
  expect((await person.get('/dashboard')).text).toContain('Staff')
})

test('a stranger gets three invitations an hour, also to other spellings of the address', async () => {
  const answers = []
  for (const email of ['v@gmail.com', 'v+1@gmail.com', 'v+2@googlemail.com', 'v+3@gmail.com'])
    answers.push((await invite(email)).status)
  expect(answers).toEqual([200, 200, 200, 429])
  expect(mail.received.flatMap(({ to }) => to).filter(to => to.startsWith('v'))).toHaveLength(3)
  expect((await owner.get(PATH)).text).not.toContain('v+3@gmail.com')
})

test('an invitation that cannot be mailed is reported, and a new link can be mailed later', async () => {
  const email = 'late@people.example'
  mail.reactions = { rcpt: '550 no such user' }
  const failed = await invite(email)
  expect([failed.text.includes('could not be sent'), LINK.test(failed.text)]).toEqual([true, false])
  mail.reactions = {}
  const userId = /name="userId" value="([^"]+)"/.exec(
    failed.text.slice(failed.text.indexOf(`>${email}<`)),
  )![1]!
  const again = await owner.post(`${PATH}/link`, { userId })
  expect([again.status, LINK.test(again.text), mailsTo(mail, email).length]).toEqual([200, false, 1])
})

test('an operator sees the link of an invitation, which is mailed too', async () => {
  const operator = await signInAs(app, 'operator', null)
  await operator.post('/dashboard/shop', { merchantId: shop.id })
  const made = await invite('other@people.example', operator)
  const [letter] = mailsTo(mail, 'other@people.example')
  expect(LINK.exec(made.text)![0]).toBe(LINK.exec(letter!.text)![0])
  expect(made.text).toContain('on its way to other@people.example')
})
