import { expect, test } from 'bun:test'
import { rotateSecrets } from '../../../src/operations/merchants/rotate-secrets.ts'
import { certify } from '../../outbound/servers.ts'
import { startApp } from '../../support/app.ts'
import { startWithMail } from '../../support/app-with-receiver.ts'
import { PASSWORD, type Person, signInAs } from '../../support/dashboard.ts'
import { givenMerchant } from '../../support/given.ts'
import { mailsTo } from '../../support/read-mail.ts'
import { SmtpServer } from '../../support/smtp-server.ts'
import { suite } from '../../support/suite.ts'
import { until } from '../../support/until.ts'
import { rowsOf } from '../rows.ts'

const PATH = '/dashboard/server/mail'
const SECRET = 'pass/word:ü@1'
const tls = certify('localhost')

const portOf = (mail: SmtpServer): string => mail.host.split(':').at(-1)!

async function start(environment: Record<string, string> = {}) {
  const mail = await SmtpServer.start({ tls, secure: true })
  mail.password = SECRET
  const allowed = `localhost:${portOf(mail)}`
  const app = await startApp({ FLORIN_OUTBOUND_ALLOW: allowed, ...environment }, { ca: tls.cert })
  return {
    ...app,
    mail,
    async close() {
      await app.close()
      await mail.stop()
    },
  }
}

const { app, once, each } = suite({ start })
const operator = once(() => signInAs(app, 'operator', null))
const other = once(() => signInAs(app, 'operator', null))
let recorded = 0
each(async () => {
  app.change('DELETE FROM chosen_mail_servers')
  await app.context.upstreams.reload()
  app.mail.reactions = {}
  app.mail.received.length = 0
  recorded = (await audit()).length
})

const values = () => ({
  ...{ host: 'localhost', port: portOf(app.mail), security: 'tls' },
  ...{ userName: 'shop@mail.example', mailPassword: SECRET, sender: 'florin@mail.example' },
})
const save = (change: Record<string, string> = {}, by: Person = operator) =>
  by.upload(PATH, { ...values(), ...change })
const stored = () => rowsOf(app, 'SELECT * FROM chosen_mail_servers')
const audit = () => app.context.storage.read(tables => tables.audit.list(null, 1000))
/** The actions that were recorded in this test, newest first. */
const actions = async () => (await audit()).slice(0, -recorded).map(({ action }) => action)
const arrived = (to: string, words: string) =>
  until(() => mailsTo(app.mail, to).some(({ subject }) => subject.includes(words)), words, 10_000)

test('an operator enters a mail server, which sends mails from now on', async () => {
  expect((await operator.get(PATH)).text).toContain('The server sends no email')
  const { status, headers } = await save()
  expect([status, headers.get('location')]).toEqual([303, `${PATH}?done=saved`])
  const [trial] = app.mail.received
  expect(trial).toMatchObject({ to: [operator.email], isEncrypted: true })
  expect([trial!.user, trial!.from.includes('<florin@mail.example>')]).toEqual(['shop@mail.example', true])
  const { text } = await operator.get(PATH)
  expect(text).toContain(`localhost:${portOf(app.mail)}`)
  const shop = await givenMerchant(app)
  const owner = await signInAs(app, 'owner', shop.id)
  await owner.post('/dashboard/people', { email: 'new@people.example', role: 'staff' })
  await arrived('new@people.example', '')
  await arrived(other.email, 'The mail server was changed')
  expect(await actions()).toContain('mail_server.set')
  const everything = JSON.stringify([text, rowsOf(app, 'SELECT * FROM audit_log'), stored()])
  for (const part of [SECRET, encodeURIComponent(SECRET)]) expect(everything).not.toContain(part)
})

test.each([
  ['the password', { auth: '535 5.7.8 wrong' }, 'It refused access: check the key or the password.'],
  ['the address', { rcpt: '550 no such user' }, '550 no such user'],
  ['the connection', { greeting: 'close' }, 'The mail server did not take the test email.'],
] as const)('a server that refuses %s is not saved, and says why', async (_, reactions, said) => {
  app.mail.reactions = { ...reactions }
  const { status, text } = await save()
  expect([status, text.includes(said)]).toEqual([400, true])
  expect(text).toContain('value="florin@mail.example"')
  expect(text).not.toContain(SECRET)
  expect(stored()).toEqual([])
  expect(await actions()).not.toContain('mail_server.set')
})

test.each([
  ['host', { host: 'http://mail.example' }, 'Enter the name of a server'],
  ['port', { port: '70000' }, 'Enter a number from 1 to 65535.'],
  ['sender', { sender: 'nobody' }, 'Enter a valid email address.'],
  ['password', { mailPassword: '' }, 'Enter the password for this server and user.'],
  ['private network', { host: '10.0.0.1' }, 'This server is in a private network.'],
])('a wrong %s of a mail server is refused with a plain message', async (_, wrong, said) => {
  const { status, text } = await save(wrong)
  expect([status >= 400 && status < 500, text.includes(said)]).toEqual([true, true])
  expect([stored(), app.mail.received]).toEqual([[], []])
})

test('the stored password is kept for the same server and user, and sent to no other', async () => {
  await save()
  expect((await save({ mailPassword: '', sender: 'new@mail.example' })).status).toBe(303)
  expect(stored()).toMatchObject([{ sender: 'new@mail.example' }])
  const elsewhere = [{ host: 'mail.thief.example' }, { userName: 'thief' }, { security: 'starttls' }]
  for (const change of elsewhere) {
    const { status, text } = await save({ mailPassword: '', ...change })
    expect([status, text.includes('Enter the password for this server and user.')]).toEqual([400, true])
  }
  await rotateSecrets(app.context)
  await app.context.upstreams.reload()
  expect((await operator.post(`${PATH}/test`)).headers.get('location')).toBe(`${PATH}?done=tested`)
})

test('a form that was left open needs the password of the person, and keeps no secret in its page', async () => {
  app.time.now += 11 * 60_000
  const { status, text } = await save()
  expect([status, text.includes(SECRET), stored()]).toEqual([401, false, []])
  expect((await save({ proofPassword: PASSWORD })).status).toBe(303)
})

test('a removed mail server sends nothing more, and the other operators are notified', async () => {
  await save()
  for (let times = 0; times < 2; times++) await operator.post(`${PATH}/remove`)
  expect((await operator.get(PATH)).text).toContain('The server sends no email')
  await arrived(other.email, 'The mail server was removed')
  expect((await actions()).filter(action => action === 'mail_server.removed')).toHaveLength(1)
  expect((await operator.post(`${PATH}/test`)).status).toBe(400)
})

test('the other operators are notified of a new mail server by mail', async () => {
  await save()
  await operator.post('/dashboard/server', { email: 'third@people.example', merchantId: '', role: 'owner' })
  await arrived(other.email, 'A new operator was added')
  const letters = mailsTo(app.mail, other.email).filter(({ subject }) => subject.includes('A new operator'))
  expect(letters[0]!.text).toContain(`${operator.email} made third@people.example an operator`)
  const unconcerned = ['third@people.example', operator.email].flatMap(email => mailsTo(app.mail, email))
  expect(unconcerned.filter(({ subject }) => subject.includes('A new operator'))).toEqual([])
})

test('a mail server of the environment takes precedence, and a test shows whether it works', async () => {
  const own = await startWithMail()
  try {
    const person = await signInAs(own, 'operator', null)
    expect((await person.get(PATH)).text).toContain('FLORIN_SMTP_URL, in the settings of the server, decides')
    const { headers } = await person.post(`${PATH}/test`)
    expect([headers.get('location'), mailsTo(own.mail, person.email).length]).toEqual([
      `${PATH}?done=tested`,
      1,
    ])
    own.mail.reactions = { mail: '451 try later' }
    const refused = await person.post(`${PATH}/test`)
    expect([refused.status, refused.text.includes('451 try later')]).toEqual([400, true])
    expect((await person.upload(PATH, values())).status).toBe(409)
  } finally {
    await own.close()
  }
})
