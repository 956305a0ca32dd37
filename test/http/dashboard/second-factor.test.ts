import { describe, expect, test } from 'bun:test'
import { createMerchant } from '../../../src/operations/merchants/create.ts'
import { resetUser } from '../../../src/operations/people/create-user.ts'
import { codeAt } from '../../support/authenticator.ts'
import { browserOf, cookieOf, PASSWORD, type Person, signInAs } from '../../support/dashboard.ts'
import { suite } from '../../support/suite.ts'

const PATH = '/dashboard/account/second-factor'
const CODE_PATH = '/dashboard/sign-in/code'

const { app, once, each } = suite()
let merchantId = ''
once(async () => {
  merchantId = (await createMerchant(app.context, { email: 'shop@example.com', name: 'Shop' })).id
})
const person = each(() => signInAs(app, 'staff', merchantId))

const secretIn = (text: string): string => /(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(text)![0].replaceAll(' ', '')
const recoveryIn = (text: string): string[] => text.match(/[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}/g) ?? []
const codeNow = (secret: string, offset = 0) => codeAt(secret, Math.floor(app.time.now / 30_000) + offset)
const wrongCode = (secret: string) => (codeNow(secret) === '000000' ? '000001' : '000000')

/** Switches the second factor on. */
async function switchOn(): Promise<{ secret: string; recovery: string[] }> {
  const secret = secretIn((await person.post(PATH)).text)
  const { status, text } = await person.post(`${PATH}/confirm`, { code: codeNow(secret) })
  expect(status).toBe(200)
  return { secret, recovery: recoveryIn(text) }
}

const password = (given = PASSWORD, next = '/dashboard/orders') =>
  browserOf(app, '').post('/dashboard/sign-in', { email: person.email, password: given, next })

/** A browser in which the right password was entered, but not yet the second factor. */
const halfway = async () => browserOf(app, cookieOf(await password()))

const isSignedIn = async (browser: Person) => (await browser.get('/dashboard')).status === 200

describe('setting up a second factor', () => {
  test('a code of the app switches it on, and the recovery codes are shown once', async () => {
    const elsewhere = browserOf(app, cookieOf(await password()))
    expect(await isSignedIn(elsewhere)).toBe(true)
    const setup = await person.post(PATH)
    expect([setup.status, setup.text.includes('<svg')]).toEqual([200, true])
    const secret = secretIn(setup.text)
    expect((await person.get('/dashboard/account')).text).not.toContain(
      setup.text.match(/([A-Z2-7]{4} ){7}/)![0],
    )
    expect((await password()).headers.get('location')).toBe('/dashboard/orders')
    const wrong = await person.post(`${PATH}/confirm`, { code: wrongCode(secret) })
    expect([wrong.status, secretIn(wrong.text)]).toEqual([400, secret])
    expect((await password()).headers.get('location')).toBe('/dashboard/orders')
    const right = await person.post(`${PATH}/confirm`, { code: codeNow(secret) })
    expect([right.status, new Set(recoveryIn(right.text)).size]).toEqual([200, 10])
    expect(await isSignedIn(elsewhere)).toBe(false)
    expect(await isSignedIn(person)).toBe(true)
    const { text } = await person.get('/dashboard/account')
    expect(text).toContain('10 recovery codes')
    expect(recoveryIn(text)).toEqual([])
    expect((await person.post(PATH)).status).toBe(409)
    expect((await person.post(`${PATH}/confirm`, { code: codeNow(secret) })).status).toBe(409)
  })

  test('no step works without a recent proof of identity', async () => {
    await switchOn()
    app.time.now += 31 * 60_000
    for (const path of ['', '/confirm', '/recovery-codes', '/off']) {
      expect([path, (await person.post(PATH + path)).status]).toEqual([path, 401])
    }
    const proof = await person.post(`${PATH}/recovery-codes`, { proofPassword: PASSWORD })
    expect([proof.status, recoveryIn(proof.text).length]).toEqual([200, 10])
  })

  test('after it is switched off, the password is enough again', async () => {
    const { recovery } = await switchOn()
    const half = await halfway()
    expect((await person.post(`${PATH}/off`)).headers.get('location')).toBe(
      '/dashboard/account?done=secondFactor',
    )
    expect((await half.post(CODE_PATH, { code: recovery[0]! })).status).toBe(401)
    expect((await password()).headers.get('location')).toBe('/dashboard/orders')
    for (const path of ['/recovery-codes', '/confirm'])
      expect((await person.post(PATH + path)).status).toBe(409)
  })
})

describe('signing in with a second factor', () => {
  test('the password leads to a code, and the code to the requested page', async () => {
    const { secret } = await switchOn()
    expect((await password('not my password')).status).toBe(401)
    const answer = await password()
    expect(answer.headers.get('location')).toBe(`${CODE_PATH}?next=%2Fdashboard%2Forders`)
    expect(answer.headers.get('set-cookie')).toMatch(
      /^florin_code=[\w-]{43}; .*Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
    const half = browserOf(app, cookieOf(answer))
    expect(await isSignedIn(half)).toBe(false)
    const asLogin = browserOf(app, cookieOf(answer).replace('florin_code', 'florin_login'))
    expect(await isSignedIn(asLogin)).toBe(false)
    expect((await half.get(`${CODE_PATH}?next=/dashboard/orders`)).text).toContain(
      'value="/dashboard/orders"',
    )
    const wrong = await half.post(CODE_PATH, { code: wrongCode(secret) })
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null])
    app.time.now += 30_000
    const code = codeNow(secret)
    const right = await half.post(CODE_PATH, {
      code: ` ${code.slice(0, 3)} ${code.slice(3)}`,
      next: '//evil.example',
    })
    expect(right.headers.get('location')).toBe('/dashboard')
    expect(await isSignedIn(browserOf(app, cookieOf(right)))).toBe(true)
    const again = await half.post(CODE_PATH, { code: codeNow(secret, 1) })
    expect(again.headers.get('location')).toStartWith('/dashboard/sign-in?')
  })

  test('a code counts once, also the one that switched it on and one from before', async () => {
    const { secret } = await switchOn()
    const enter = async (code: string) => (await (await halfway()).post(CODE_PATH, { code })).status
    expect(await enter(codeNow(secret))).toBe(401)
    expect(await enter(codeNow(secret, -1))).toBe(401)
    expect(await enter(codeNow(secret, 1))).toBe(303)
    expect(await enter(codeNow(secret, 1))).toBe(401)
    app.time.now += 60_000
    expect(await enter(codeNow(secret, -1))).toBe(401)
    expect(await enter(codeNow(secret, 2))).toBe(401)
    const halves = await Promise.all([halfway(), halfway(), halfway()])
    const code = codeNow(secret)
    const answers = await Promise.all(halves.map(half => half.post(CODE_PATH, { code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401])
  })

  test('a recovery code works once, in upper or lower case, and only for its person', async () => {
    const { recovery } = await switchOn()
    const enter = async (code: string) => (await (await halfway()).post(CODE_PATH, { code })).status
    const [first, second, third] = recovery as [string, string, string]
    expect(await enter(first.toLowerCase().replaceAll('-', ' '))).toBe(303)
    expect(await enter(first)).toBe(401)
    expect((await person.get('/dashboard/account')).text).toContain('9 recovery codes')
    const renewed = recoveryIn((await person.post(`${PATH}/recovery-codes`)).text)
    expect(await enter(second)).toBe(401)
    expect(await enter(renewed[0]!)).toBe(303)
    Object.assign(person, await signInAs(app, 'staff', merchantId))
    await switchOn()
    expect(await enter(renewed[1]!)).toBe(401)
    expect(await enter(third)).toBe(401)
  })

  test('the half login ends after ten minutes, and with a new password', async () => {
    const { recovery } = await switchOn()
    const half = await halfway()
    app.time.now += 10 * 60_000
    expect((await half.get(CODE_PATH)).headers.get('location')).toStartWith('/dashboard/sign-in?')
    expect((await half.post(CODE_PATH, { code: recovery[0]! })).headers.get('set-cookie')).toBe(null)
    const second = await halfway()
    await person.post('/dashboard/account/password', {
      password: 'another long password',
      proofPassword: PASSWORD,
    })
    expect((await second.post(CODE_PATH, { code: recovery[0]! })).headers.get('set-cookie')).toBe(null)
    expect((await browserOf(app, '').get(CODE_PATH)).status).toBe(303)
  })

  test('codes cannot be guessed, with any number of half logins', async () => {
    const { secret, recovery } = await switchOn()
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) {
      statuses.push((await (await halfway()).post(CODE_PATH, { code: wrongCode(secret) })).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    expect((await (await halfway()).post(CODE_PATH, { code: recovery[0]! })).status).toBe(429)
  })
})

describe('links to set a password', () => {
  test('a link to reset the password keeps the second factor, unless it is reset too', async () => {
    const { recovery } = await switchOn()
    const redeem = async (secondFactor: boolean) => {
      const { token } = await resetUser(app.context, person.email, { secondFactor })
      return browserOf(app, '').post(`/dashboard/link/${token}`, { password: PASSWORD })
    }
    const half = await halfway()
    const kept = await redeem(false)
    expect(kept.headers.get('location')).toStartWith(CODE_PATH)
    expect((await half.post(CODE_PATH, { code: recovery[0]! })).headers.get('set-cookie')).toBe(null)
    const answer = await browserOf(app, cookieOf(kept)).post(CODE_PATH, { code: recovery[0]! })
    expect(await isSignedIn(browserOf(app, cookieOf(answer)))).toBe(true)
    const gone = await redeem(true)
    expect(gone.headers.get('location')).toBe('/dashboard')
    expect(await isSignedIn(browserOf(app, cookieOf(gone)))).toBe(true)
  })
})
