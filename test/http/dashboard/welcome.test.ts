import { expect, test } from 'bun:test'
import { requestState } from '../../../src/http/request-state.ts'
import { createFirstLink } from '../../../src/operations/people/links.ts'
import { startApp } from '../../support/app.ts'
import { browserOf, cookieOf, PASSWORD } from '../../support/dashboard.ts'
import { suite } from '../../support/suite.ts'

const PATH = '/dashboard/welcome'

const behindProxy = { FLORIN_TRUSTED_PROXIES: '10.0.0.0/8' }
const { app } = suite({ isFresh: true, start: environment => startApp({ ...behindProxy, ...environment }) })

const stranger = () => browserOf(app, '')
const newCode = async () => (await createFirstLink(app.context)) ?? ''
const given = (code: string, change: object = {}) => ({
  ...{ code, email: 'me@shop.example', password: PASSWORD },
  ...change,
})
const users = () => app.context.storage.read(tables => tables.users.list())

test('the first page of a new server asks for the code, and then leads to the new shop', async () => {
  const code = await newCode()
  let path = '/'
  for (let hops = 0; path !== PATH && hops < 5; hops++)
    path = (await app.call('GET', path, { headers: { accept: 'text/html' } })).headers.get('location') ?? ''
  expect(path).toBe(PATH)
  const asked = await stranger().get(PATH)
  expect([asked.status, asked.text.includes(code), asked.headers.get('referrer-policy')]).toEqual([
    ...[200, false, 'no-referrer'],
  ])
  const entered = await stranger().post(PATH, given(code))
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/dashboard'])
  const shop = await browserOf(app, cookieOf(entered)).get('/dashboard')
  expect(shop.headers.get('location')).toBe('/dashboard/setup')
  expect(await users()).toEqual([expect.objectContaining({ email: 'me@shop.example', isOperator: true })])
  for (const later of ['/dashboard/sign-in', PATH]) {
    const page = await stranger().get(later)
    expect(page.headers.get('location') ?? page.status).toBe(later === PATH ? '/dashboard/sign-in' : 200)
  }
  expect((await stranger().post(PATH, given(code))).headers.get('location')).toBe('/dashboard/sign-in')
})

test.each([
  ['in lower case', (code: string) => code.toLowerCase()],
  ['without hyphens', (code: string) => code.replaceAll('-', '')],
  ['with spaces', (code: string) => ` ${code.replaceAll('-', ' ')}\t`],
  ['with letters for digits', (code: string) => code.replaceAll('0', 'o').replaceAll('1', 'l')],
])('the code for the first user is accepted %s', async (_, typed) => {
  const code = await newCode()
  expect((await stranger().post(PATH, given(typed(code)))).status).toBe(303)
})

test('a code that is wrong, replaced or too old creates no user, and the form keeps the entered values', async () => {
  const former = await newCode()
  const code = await newCode()
  for (const wrong of [
    former,
    'nonsense',
    `${code}0`,
    code.replace(/^./, one => (one === 'A' ? 'B' : 'A')),
  ]) {
    const answer = await stranger().post(PATH, given(wrong))
    expect([wrong, answer.status, answer.text.includes('me@shop.example')]).toEqual([wrong, 401, true])
    expect(answer.text).toContain('This is not the code of this server')
  }
  const weak = await stranger().post(PATH, given(code, { password: 'short' }))
  expect([weak.status, weak.text.includes('aria-invalid'), weak.text.includes(code)]).toEqual([
    400,
    true,
    true,
  ])
  expect(weak.text).not.toContain('value="short"')
  app.time.now += 72 * 3600_000
  expect((await stranger().post(PATH, given(code))).status).toBe(401)
  expect(await users()).toEqual([])
})

test('two browsers with the same code for the first user make one user', async () => {
  const code = await newCode()
  const emails = ['one@shop.example', 'two@shop.example', 'three@shop.example']
  const answers = await Promise.all(emails.map(email => stranger().post(PATH, given(code, { email }))))
  const paths = answers.map(({ headers }) => headers.get('location')).toSorted()
  expect(paths).toEqual(['/dashboard', '/dashboard/sign-in', '/dashboard/sign-in'])
  const [user, ...others] = await users()
  const winner = answers.findIndex(({ headers }) => headers.get('location') === '/dashboard')
  expect([user?.email, others]).toEqual([emails[winner], []])
})

/** Sends the form as a browser of another machine, or asks for the page. */
function from(address: string, form?: Record<string, string>, host = 'localhost') {
  const request = new Request(`http://${host}${PATH}`, {
    headers: { accept: 'text/html', host, origin: `http://${host}`, 'x-forwarded-for': address },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  requestState(request).peer = () => '10.0.0.1'
  return app.florin.http.handle(request)
}

test('a flood of wrong codes for the first user is slowed down, and locks no one out', async () => {
  const code = await newCode()
  const statuses: number[] = []
  for (let i = 0; i < 12; i++) statuses.push((await from('203.0.113.9', given('7K4Q-2M9X-8RTN-4WHP'))).status)
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
  expect((await from('203.0.113.9', given(code))).status).toBe(429)
  expect((await from('198.51.100.7', given(code))).status).toBe(303)
})

test('over HTTP from another machine, the first page requests and accepts no code', async () => {
  const at = (form?: Record<string, string>) => from('203.0.113.9', form, 'pay.shop.example')
  expect(await (await at()).text()).not.toContain('name="code"')
  expect([(await at(given(await newCode()))).status, await users()]).toEqual([400, []])
})
