import { describe, expect, test } from 'bun:test'
import type { DashboardAccess } from '../../../src/domain/user.ts'
import { createMerchant } from '../../../src/operations/merchants/create.ts'
import {
  browserOf,
  type DashboardRoute,
  dashboardRoutes,
  PASSWORD,
  type Person,
  signInAs,
} from '../../support/dashboard.ts'
import { suite } from '../../support/suite.ts'
import { words } from '../../support/words.ts'

const { app, once } = suite()
once(async () => {
  const { id } = await createMerchant(app.context, { email: 'shop@example.com', name: 'Shop' })
  for (const role of ['viewer', 'staff', 'owner', 'operator'] as const)
    people[role] = await signInAs(app, role, id)
  const stranger = await createMerchant(app.context, { email: 'other@example.com', name: 'Other' })
  people.other = await signInAs(app, 'owner', stranger.id)
})

const people: Record<string, Person> = {}

/** Forms that do not ask for the password: their changes can be undone, or are not worth stealing. */
const unproven = words(`
  sign-in sign-in/code sign-in/passkey sign-in/passkey-options sign-in/code/passkey
  sign-in/code/passkey-options sign-in/forgotten sign-out link/:token welcome shop
  account/language account/logins/end account/logins/end-others account/passkeys/options
  account/passkeys/rename
  setup setup/shop setup/product setup/skip setup/resume setup/payment setup/payment/check setup/webhook/test
  products/new products/archive products/:product orders/new orders/views orders/views/:view/delete
  orders/:order/cancel orders/:order/cancel-invoice orders/:order/check orders/:order/end orders/:order/invoice
  orders/:order/mail orders/:order/notes orders/:order/refund-price orders/:order/resend
  counter counter/:order/check counter/:order/stop
  customers/:customer/block customers/:customer/unblock
  unmatched/:payment/resolve webhook/events webhook/test
  test-orders/delete webhooks/:webhook/events webhooks/:webhook/test webhooks/:webhook/failed deliveries/:id/redeliver deliveries/failed
  server/check server/mail/test endpoints/:chain/test endpoints/rates/test notices/:id notices/:id/code notices/:id/code/again
  notices/:id/remove notices/:id/test payouts/:network/check payouts/:network/pool/check
  payouts/sweep/reminder payouts/sweep/sent
  cards/try cards/test cards/mollie/try cards/mollie/test cards/paypal/try cards/paypal/test
`)

const routes = () => dashboardRoutes(app)

const sorted: DashboardAccess[] = ['person', 'viewer', 'staff', 'owner', 'operator']

/** A path of a route with an ID that exists nowhere. */
const pathOf = ({ path }: DashboardRoute): string =>
  path.replace(/:\w+/g, '01999999-0000-7000-8000-000000000000')

const send = (person: Person, route: DashboardRoute) =>
  route.method === 'GET' ? person.get(pathOf(route)) : person.post(pathOf(route))

describe('access to the dashboard', () => {
  test('every route has an access rule', async () => {
    const all = await routes()
    expect(all.length).toBeGreaterThan(5)
    expect(all.filter(({ access }) => access === undefined)).toEqual([])
  })

  test('a stranger is redirected to the sign-in page', async () => {
    const stranger = browserOf(app, '')
    for (const route of (await routes()).filter(({ access }) => access !== 'public')) {
      const answer = await send(stranger, route)
      expect([route.method, route.path, answer.status]).toEqual([route.method, route.path, 303])
      expect(answer.headers.get('location')).toStartWith('/dashboard/sign-in')
    }
  })

  for (const role of ['viewer', 'staff', 'owner', 'operator'] as const) {
    test(`${role}: is refused exactly the routes of higher roles`, async () => {
      for (const route of await routes()) {
        if (route.access === 'public' || route.path === '/dashboard/sign-out') continue
        const answer = await send(people[role]!, route)
        const isRefused = answer.status === 403
        const mayNot = sorted.indexOf(route.access!) > sorted.indexOf(role)
        expect([route.method, route.path, isRefused]).toEqual([route.method, route.path, mayNot])
        expect(answer.status).toBeLessThan(500)
      }
    })
  }

  test('a form of another site, or without an origin, is refused before anything else', async () => {
    const cookie = people.owner!.cookie
    const others: Record<string, string>[] = [
      {},
      { origin: 'https://evil.example' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'http://localhost', 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
    ]
    for (const route of (await routes()).filter(({ method }) => method !== 'GET')) {
      for (const headers of others) {
        const answer = await app.call(route.method, pathOf(route), {
          form: {},
          headers: { accept: 'text/html', cookie, host: 'localhost', ...headers },
        })
        expect([route.path, headers, answer.status]).toEqual([route.path, headers, 403])
      }
    }
  })
})

describe('proof of identity', () => {
  const MINUTE_MS = 60_000
  const forms = async () => (await routes()).filter(({ method }) => method !== 'GET')
  const asks = async (route: DashboardRoute, form = {}) => {
    const send = route.isUpload ? people.operator!.upload : people.operator!.post
    const { status, text } = await send(pathOf(route), form)
    return status === 401 && text.includes('name="proofPassword"')
  }
  const signIn = async () => {
    people.operator = await signInAs(app, 'operator', null)
    const [shop] = await app.context.storage.read(tables => tables.merchants.list())
    await people.operator.post('/dashboard/shop', { merchantId: shop!.id })
  }
  /** The value of `provenUntil` in the forms of a page that is opened now. */
  const stampNow = async () =>
    /name="provenUntil" value="([^"]+)"/.exec((await people.operator!.get('/dashboard/account')).text)?.[1]

  test('is required by every form whose change is worth stealing', async () => {
    const found = (await forms()).filter(({ proof }) => proof === undefined)
    expect(found.map(({ path }) => path.replace('/dashboard/', '')).toSorted()).toEqual(unproven.toSorted())
  })

  test('counts for ten minutes, and for ten more in a form that was opened meanwhile', async () => {
    await signIn()
    const all = (await forms()).filter(({ proof }) => proof === 'recently')
    const asking = async (form = {}) => {
      const found: string[] = []
      for (const route of all) if (await asks(route, form)) found.push(route.path)
      return found
    }
    const [none, every] = [[], all.map(({ path }) => path)]
    app.time.now += 10 * MINUTE_MS - 1
    expect(await asking()).toEqual(none)
    const provenUntil = await stampNow()
    app.time.now += 1
    expect([await asking(), await stampNow()]).toEqual([every, undefined])
    app.time.now += 10 * MINUTE_MS - 2
    expect(await asking({ provenUntil })).toEqual(none)
    app.time.now += 1
    expect(await asking({ provenUntil })).toEqual(every)
  })

  test('cannot be replaced with a stamp that is invented, changed, or of another login', async () => {
    await signIn()
    const own = await stampNow()
    const [until = '', mac = ''] = own!.split('.')
    await signIn()
    app.time.now += 10 * MINUTE_MS
    const later = String(Number(until) + MINUTE_MS)
    const [route] = (await forms()).filter(({ proof }) => proof === 'recently')
    for (const provenUntil of [
      own,
      `${later}.${mac}`,
      `${until}.`,
      `${until}.${mac}x`,
      'Infinity.x',
      '.',
      'x',
    ])
      expect([provenUntil, await asks(route!, { provenUntil })]).toEqual([provenUntil, true])
  })

  test('of the password itself is always required, and a wrong one changes nothing', async () => {
    await signIn()
    const now = (await forms()).filter(({ proof }) => proof === 'now')
    const paths = ['/dashboard/account/password', '/dashboard/server/backups/download']
    expect(now.map(({ path }) => path).toSorted()).toEqual(paths)
    const ofPassword = now.find(({ path }) => path === paths[0])!
    const password = 'another long password'
    const provenUntil = await stampNow()
    const wrong = 'not my password'
    for (const form of [{}, { provenUntil }, { proofPassword: '' }, { proofPassword: wrong }])
      expect([form, await asks(ofPassword, { password, ...form })]).toEqual([form, true])
    expect(
      (await people.operator!.post(pathOf(ofPassword), { password, proofPassword: PASSWORD })).status,
    ).toBe(303)
  })
})
