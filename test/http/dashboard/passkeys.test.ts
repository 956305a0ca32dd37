import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { listAudit } from '../../../src/operations/audit/read.ts'
import { createMerchant } from '../../../src/operations/merchants/create.ts'
import { resetUser } from '../../../src/operations/people/create-user.ts'
import { startApp } from '../../support/app.ts'
import { browserOf, cookieOf, PASSWORD, type Person, signInAs } from '../../support/dashboard.ts'
import { PasskeyDevice } from '../../support/passkey-device.ts'
import { suite } from '../../support/suite.ts'
import { words } from '../../support/words.ts'

const ORIGIN = 'http://localhost'
const PATH = '/dashboard/account/passkeys'
const SIGN_IN = '/dashboard/sign-in/passkey'
const CODE = '/dashboard/sign-in/code'

const { app, once, each } = suite()
let merchantId = ''
let mails: string[] = []
once(async () => {
  merchantId = (await createMerchant(app.context, { email: 'shop@example.com', name: 'Shop' })).id
  app.context.channels.mail = {
    name: 'mail',
    send: async ({ subject }) => {
      mails.push(subject)
      return null
    },
  }
})
let person: Person
each(async () => {
  person = await signInAs(app, 'staff', merchantId)
  mails = []
})

const unescaped = (text: string): string => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** The options that the page to add a passkey passes to the browser. */
async function creationOptions(who = person) {
  const { status, text } = await who.post(`${PATH}/new`)
  expect(status).toBe(200)
  return JSON.parse(unescaped(/data-options="([^"]*)"/.exec(text)![1]!))
}

const add = async (
  device: PasskeyDevice,
  forged: Parameters<PasskeyDevice['create']>[2] = {},
  who = person,
) => who.post(PATH, { name: 'My phone', answer: device.create(await creationOptions(who), ORIGIN, forged) })

/** A device with a passkey of the person. */
async function givenDevice(options = {}): Promise<PasskeyDevice> {
  const device = new PasskeyDevice(options)
  expect((await add(device)).headers.get('location')).toBe('/dashboard/account?done=passkeyAdded')
  mails = []
  return device
}

const stranger = () => browserOf(app, '')

const signingOptions = async (who = stranger(), path = `${SIGN_IN}-options`) => {
  const { status, text } = await who.post(path)
  expect(status).toBe(200)
  return JSON.parse(text)
}

type Forged = Parameters<PasskeyDevice['use']>[2]

const signIn = async (device: PasskeyDevice, forged: Forged = {}) =>
  stranger().post(SIGN_IN, {
    answer: device.use(await signingOptions(), ORIGIN, forged),
    next: '/dashboard/orders',
  })

const isSignedIn = async (answer: Awaited<ReturnType<typeof signIn>>): Promise<boolean> =>
  (await browserOf(app, cookieOf(answer)).get('/dashboard')).status === 200

const challengesIn = (): string[] =>
  app
    .read()
    .query<{ id: string }, []>('SELECT id FROM passkey_challenges')
    .all()
    .map(({ id }) => id)

const actions = async () =>
  (await listAudit(app.context, merchantId, 100))
    .filter(({ subject }) => subject === `user:${person.userId}`)
    .map(({ action, actor }) => `${action} ${actor === `user:${person.userId}` ? 'by the person' : actor}`)

describe('adding a passkey', () => {
  test('asks for one that verifies the person, and names the existing ones', async () => {
    const first = await givenDevice()
    const options = await creationOptions()
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { id: Buffer.from(person.userId).toString('base64url'), name: person.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [{ id: first.id, transports: ['internal'] }],
    })
    const { text } = await person.get('/dashboard/account')
    expect(text).toContain('My phone')
    expect(await actions()).toContain('passkey.added by the person')
    await person.post(PATH, { name: 'Key', answer: new PasskeyDevice().create(options, ORIGIN) })
    expect(mails).toEqual(['A passkey was added to your account'])
  })

  test('needs a recent proof, which a passkey also gives, and a name', async () => {
    const device = await givenDevice()
    app.time.now += 31 * 60_000
    for (const path of ['/new', '', '/remove']) {
      expect([path, (await person.post(PATH + path, { name: 'x', answer: 'y', id: 'z' })).status]).toEqual([
        path,
        401,
      ])
    }
    const options = () => signingOptions(person, `${PATH}/options`)
    const other = new PasskeyDevice()
    other.userHandle = device.userHandle
    const wrong = await person.post(`${PATH}/new`, { proofPasskey: other.use(await options(), ORIGIN) })
    expect([wrong.status, wrong.text.includes('could not be used')]).toEqual([401, true])
    const page = await person.post(`${PATH}/new`, { proofPasskey: device.use(await options(), ORIGIN) })
    expect(page.status).toBe(200)
    const unnamed = await person.post(PATH, {
      name: ' ',
      answer: other.create(await creationOptions(), ORIGIN),
    })
    expect([unnamed.status, unnamed.text.includes('aria-invalid')]).toEqual([400, true])
  })

  test.each([
    ['the origin of another page', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:3000' }],
    ['another host', { host: 'evil.example' }],
    ['a challenge that was never made', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['no verified person', { isVerified: false }],
    ['a signature instead of a key', { type: 'webauthn.get' }],
  ])('refuses %s', async (_, forged) => {
    const answer = await add(new PasskeyDevice(), forged)
    expect([answer.status, answer.text.includes('could not be used')]).toEqual([401, true])
    expect((await person.get('/dashboard/account')).text).not.toContain('My phone')
    expect(mails).toEqual([])
  })

  test('accepts the statement of a device that signs for itself, if the signature is right', async () => {
    const device = new PasskeyDevice()
    const wrong = await add(new PasskeyDevice(), { attestedBy: device })
    expect(wrong.status).toBe(401)
    expect((await add(device, { attestedBy: device })).status).toBe(303)
    expect(await isSignedIn(await signIn(device))).toBe(true)
  })

  test('refuses the certificate of a maker, because it names hosts that the server would have to contact', async () => {
    const device = new PasskeyDevice()
    const certificate = Buffer.from('MIIBIjANBgkq', 'base64')
    expect((await add(device, { attestedBy: device, certificate })).status).toBe(401)
    expect((await add(device, { attestedBy: device })).status).toBe(303)
  })

  test('accepts an answer once, in time, and only from the person who was asked', async () => {
    const options = await creationOptions()
    const answer = new PasskeyDevice().create(options, ORIGIN)
    const other = await signInAs(app, 'staff', merchantId)
    expect((await other.post(PATH, { name: 'Stolen', answer })).status).toBe(401)
    expect((await person.post(PATH, { name: 'Used up', answer })).status).toBe(401)
    const late = new PasskeyDevice().create(await creationOptions(), ORIGIN)
    app.time.now += 5 * 60_000
    expect((await person.post(PATH, { name: 'Late', answer: late })).status).toBe(401)
    const device = await givenDevice()
    const taken = device.create(await creationOptions(other), ORIGIN)
    expect((await other.post(PATH, { name: 'The same', answer: taken })).status).toBe(401)
    for (const text of ['', '{}', 'null', '[]', '{"id":5}', 'x'.repeat(9000)]) {
      expect((await person.post(PATH, { name: 'x', answer: text })).status).toBe(401)
    }
  })

  test('stops at 20, and removes only what belongs to the person', async () => {
    for (let n = 0; n < 20; n++) await givenDevice()
    const full = await person.post(`${PATH}/new`)
    expect([full.status, full.text.includes('You have 20 passkeys')]).toEqual([409, true])
    const [id] = /name="id" value="([\w-]{43})"/.exec(full.text)!.slice(1)
    const other = await signInAs(app, 'owner', merchantId)
    await other.post(`${PATH}/remove`, { id: id! })
    expect((await person.post(`${PATH}/new`)).status).toBe(409)
    const gone = await person.post(`${PATH}/remove`, { id: id! })
    expect(gone.headers.get('location')).toBe('/dashboard/account?done=passkeyRemoved')
    expect((await person.post(`${PATH}/new`)).status).toBe(200)
    expect(await actions()).toContain('passkey.removed by the person')
  })
})

describe('signing in with a passkey', () => {
  test('asks everyone for the same, and redirects to the requested page', async () => {
    const device = await givenDevice()
    const { challenge, ...options } = await signingOptions()
    expect(challenge).toMatch(/^[\w-]{43}$/)
    expect(options).toEqual({
      rpId: 'localhost',
      allowCredentials: [],
      userVerification: 'required',
      timeout: 300_000,
    })
    const answer = await signIn(device)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/orders'])
    expect(answer.headers.get('set-cookie')).toMatch(/^florin_login=[\w-]{43}; /)
    expect(await isSignedIn(answer)).toBe(true)
    expect(challengesIn()).toContain(createHash('sha256').update(challenge).digest('hex'))
  })

  test('accepts a device without a counter again and again', async () => {
    const device = await givenDevice({ counts: false })
    for (let times = 0; times < 2; times++) expect(await isSignedIn(await signIn(device))).toBe(true)
  })

  test('refuses every wrong answer with the same message', async () => {
    const device = await givenDevice()
    const mine = person
    person = await signInAs(app, 'owner', merchantId)
    const foreign = await givenDevice()
    person = mine
    const forgeries: Record<string, Forged> = {
      'the origin of another page': { origin: 'https://evil.example' },
      'another host': { host: 'evil.example' },
      'a challenge that was never made': { challenge: Buffer.alloc(32, 7).toString('base64url') },
      'no verified person': { isVerified: false },
      'a new key instead of a signature': { type: 'webauthn.create' },
      'the signature of another passkey': { signedBy: foreign },
      'a passkey of somebody else under this ID': { id: foreign.id },
      'an unknown passkey': { id: Buffer.alloc(32).toString('base64url') },
      'somebody else': { userHandle: foreign.userHandle },
    }
    const texts = new Set<string>()
    for (const [what, forged] of Object.entries(forgeries)) {
      const answer = await signIn(device, forged)
      expect([what, answer.status, answer.headers.get('set-cookie')]).toEqual([what, 401, null])
      texts.add(answer.text)
    }
    expect(texts.size).toBe(1)
    expect(await isSignedIn(await signIn(device))).toBe(true)
  })

  test('accepts an answer once, and a wrong one also uses up its challenge', async () => {
    const device = await givenDevice()
    const options = await signingOptions()
    const answer = device.use(options, ORIGIN)
    const answers = await Promise.all([1, 2, 3].map(() => stranger().post(SIGN_IN, { answer })))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401])
    const again = await signingOptions()
    expect(
      (await stranger().post(SIGN_IN, { answer: device.use(again, ORIGIN, { isVerified: false }) })).status,
    ).toBe(401)
    expect((await stranger().post(SIGN_IN, { answer: device.use(again, ORIGIN) })).status).toBe(401)
    const late = await signingOptions()
    app.time.now += 5 * 60_000
    expect((await stranger().post(SIGN_IN, { answer: device.use(late, ORIGIN) })).status).toBe(401)
  })

  test('refuses a device that counts backwards, and notifies the person', async () => {
    const device = await givenDevice()
    device.signCount = 10
    expect(await isSignedIn(await signIn(device))).toBe(true)
    mails = []
    for (const signCount of [11, 5, 0]) {
      const answer = await signIn(device, { signCount })
      expect([signCount, answer.status, answer.headers.get('set-cookie')]).toEqual([signCount, 401, null])
      expect(answer.text).toContain('may have been copied')
    }
    expect(mails).toEqual(Array(3).fill('A passkey of yours may have been copied'))
    expect((await actions()).slice(0, 3)).toEqual(Array(3).fill('passkey.copied by the person'))
  })

  test('refuses a passkey that was removed, or whose user was reset', async () => {
    const device = await givenDevice()
    expect(await isSignedIn(await signIn(device))).toBe(true)
    await resetUser(app.context, person.email, { secondFactor: false })
    const answer = await signIn(device)
    expect(await isSignedIn(answer)).toBe(true)
    person = { ...browserOf(app, cookieOf(answer), person.userId, person.email) }
    await person.post(`${PATH}/remove`, { id: device.id })
    expect((await signIn(device)).status).toBe(401)
    const second = await givenDevice()
    await resetUser(app.context, person.email, { secondFactor: true })
    expect((await signIn(second)).status).toBe(401)
    expect(await actions()).toContain('passkey.removed cli')
  })

  test('strangers cannot fill the database, nor keep the person from signing in', async () => {
    const device = await givenDevice()
    const forged: Forged = { signedBy: new PasskeyDevice() }
    const statuses: number[] = []
    for (let n = 0; n < 61; n++) statuses.push((await signIn(device, forged)).status)
    expect(statuses).toEqual(Array(61).fill(401))
    app.time.now += 6 * 60_000
    await signingOptions()
    expect(challengesIn().length).toBe(1)
    expect((await signIn(device)).status).toBe(303)
  })
})

describe('the second factor', () => {
  const halfway = async () =>
    browserOf(
      app,
      cookieOf(await stranger().post('/dashboard/sign-in', { email: person.email, password: PASSWORD })),
    )

  test('can be passkeys alone: then the password is not enough', async () => {
    expect((await person.post('/dashboard/account/second-factor/passkeys')).status).toBe(409)
    const device = await givenDevice()
    const { status, text } = await person.post('/dashboard/account/second-factor/passkeys')
    const codes = text.match(/[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}/g) ?? []
    expect([status, codes.length]).toEqual([200, 10])
    expect((await person.post('/dashboard/account/second-factor')).status).toBe(409)
    const half = await halfway()
    expect((await half.get(CODE)).text).toContain('Use your passkey')
    const options = await signingOptions(half, `${CODE}/passkey-options`)
    expect(options.allowCredentials).toEqual([
      { type: 'public-key', id: device.id, transports: ['internal'] },
    ])
    const answer = await half.post(`${CODE}/passkey`, { answer: device.use(options, ORIGIN) })
    expect(await isSignedIn(answer)).toBe(true)
    expect((await half.get(CODE)).status).toBe(303)
    expect((await (await halfway()).post(CODE, { code: codes[0]! })).status).toBe(303)
    const last = await person.post(`${PATH}/remove`, { id: device.id })
    expect([last.status, last.text.includes('Your two-step sign-in needs a passkey')]).toEqual([409, true])
    await person.post('/dashboard/account/second-factor/off')
    expect((await person.post(`${PATH}/remove`, { id: device.id })).status).toBe(303)
  })

  test('after the password of one person, the passkey of another is refused', async () => {
    const mine = await givenDevice()
    await person.post('/dashboard/account/second-factor/passkeys')
    const half = await halfway()
    person = await signInAs(app, 'owner', merchantId)
    const theirs = await givenDevice()
    for (const device of [theirs, mine]) {
      const options = await signingOptions(
        device === theirs ? stranger() : half,
        device === theirs ? `${SIGN_IN}-options` : `${CODE}/passkey-options`,
      )
      const { status } = await half.post(`${CODE}/passkey`, { answer: device.use(options, ORIGIN) })
      expect(status).toBe(device === theirs ? 401 : 303)
    }
    expect((await stranger().post(`${CODE}/passkey`, { answer: 'x' })).headers.get('location')).toStartWith(
      '/dashboard/sign-in?',
    )
  })
})

test('where browsers cannot make passkeys, the pages say so and the server refuses', async () => {
  for (const url of words('http://127.0.0.1:8080 https://203.0.113.9 http://shop.example https://[::1]')) {
    const other = await startApp({ FLORIN_DASHBOARD_URL: url })
    try {
      const { id } = await createMerchant(other.context, { email: 'shop@example.com', name: 'Shop' })
      const owner = await signInAs(other, 'owner', id)
      const { text } = await owner.get('/dashboard/account')
      expect([url, text.includes(`Passkeys do not work at ${url}`)]).toEqual([url, true])
      expect((await owner.post(`${PATH}/new`)).status).toBe(409)
      expect((await browserOf(other, '').post(`${SIGN_IN}-options`)).status).toBe(409)
      expect((await browserOf(other, '').get('/dashboard/sign-in')).text).not.toContain('passkey')
    } finally {
      await other.close()
    }
  }
})

test('a person renames a passkey, to a name that can be shown', async () => {
  await givenDevice()
  const page = await person.get('/dashboard/account')
  const id = /name="id" value="([\w-]{16,})"/.exec(page.text)![1]!
  const rename = (name: string, who = person) => who.post(`${PATH}/rename`, { id, name })
  expect((await rename(' Work laptop ')).headers.get('location')).toBe(
    '/dashboard/account?done=passkeyRenamed',
  )
  expect((await person.get('/dashboard/account')).text).toContain('<span dir="auto">Work laptop</span>')
  const refused = await rename('x'.repeat(61))
  expect([refused.status, refused.text.includes('Enter a name of 1 to 60 characters.')]).toEqual([400, true])
  const other = await signInAs(app, 'owner', merchantId)
  expect((await rename('Mine', other)).status).toBe(404)
  expect((await person.get('/dashboard/account')).text).toContain('<span dir="auto">Work laptop</span>')
  expect(await actions()).toContain('passkey.renamed by the person')
})
