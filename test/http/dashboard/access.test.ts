import { describe, expect, test } from 'bun:test'
import type { DashboardAccess } from '../../../src/domain/user.ts'
import { createMerchant } from '../../../src/operations/merchants/create.ts'
import {
  browserOf,
  type DashboardRoute,
  dashboardRoutes,
  type Person,
  signInAs,
} from '../../support/dashboard.ts'
import { suite } from '../../support/suite.ts'

const { app, once } = suite()
once(async () => {
  const { id } = await createMerchant(app.context, { email: 'shop@example.com', name: 'Shop' })
  for (const role of ['viewer', 'staff', 'owner', 'operator'] as const)
    people[role] = await signInAs(app, role, id)
  const stranger = await createMerchant(app.context, { email: 'other@example.com', name: 'Other' })
  people.other = await signInAs(app, 'owner', stranger.id)
})

const people: Record<string, Person> = {}

const routes = () => dashboardRoutes(app)

const sorted: DashboardAccess[] = ['person', 'viewer', 'staff', 'owner', 'operator']

/** A path of a route with an ID that exists nowhere. */
const pathOf = ({ path }: DashboardRoute): string =>
  path.replace(/:\w+/g, '01999999-0000-7000-8000-000000000000')

const send = (person: Person, route: DashboardRoute) =>
  route.method === 'GET' ? person.get(pathOf(route)) : person.post(pathOf(route))

describe('who may open what', () => {
  test('every route says who may use it', async () => {
    const all = await routes()
    expect(all.length).toBeGreaterThan(5)
    expect(all.filter(({ access }) => access === undefined)).toEqual([])
  })

  test('a stranger is led to the page to sign in', async () => {
    const stranger = browserOf(app, '')
    for (const route of (await routes()).filter(({ access }) => access !== 'public')) {
      const answer = await send(stranger, route)
      expect([route.method, route.path, answer.status]).toEqual([route.method, route.path, 303])
      expect(answer.headers.get('location')).toStartWith('/dashboard/sign-in')
    }
  })

  for (const role of ['viewer', 'staff', 'owner', 'operator'] as const) {
    test(`${role}: is refused exactly what needs more`, async () => {
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
