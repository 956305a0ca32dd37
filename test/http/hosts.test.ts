import { afterAll, expect, test } from 'bun:test'
import { startApp } from '../support/app.ts'
import { givenShop } from '../support/given.ts'

const app = await startApp({
  FLORIN_CHECKOUT_URL: 'https://pay.example',
  FLORIN_DASHBOARD_URL: 'https://team.example:8443',
})
const shop = await givenShop(app)
const routes = await app.florin.http.routes()
afterAll(app.close)

const ask = (host: string, path: string, method = 'GET') =>
  app.florin.http.handle(
    new Request(`http://${host}${path}`, {
      method,
      headers: { accept: 'text/html', 'x-api-key': shop.live },
    }),
  )
const statusAt = async (host: string, path: string): Promise<number> => (await ask(host, path)).status

test('no route of the dashboard answers at another host', async () => {
  const found = routes.filter(({ path }) => path.startsWith('/dashboard'))
  expect(found.length).toBeGreaterThan(100)
  for (const { method, path } of found) {
    for (const host of ['pay.example', 'PAY.example:443', 'rebound.example', 'x.team.example']) {
      const answer = await ask(host, path, method)
      expect([host, method, path, answer.status]).toEqual([host, method, path, 404])
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
  }
})

test('the dashboard answers at its own host on any port, and on this machine', async () => {
  for (const host of ['team.example', 'TEAM.example', 'team.example:8443', 'localhost', '127.0.0.1:3000']) {
    expect([host, await statusAt(host, '/dashboard/welcome')]).toEqual([host, 200])
    expect([host, (await ask(host, '/dashboard')).headers.get('location')]).toEqual([
      host,
      '/dashboard/sign-in?next=%2Fdashboard',
    ])
  }
})

/** Routes that programs and every page need. All other routes are pages of buyers. */
const everywhere =
  /^\/(?:v1|assets|images|callback|swagger|sandbox|healthz|readyz|florin\.js|llms\.txt|favicon\.ico|\.well-known)(?:\/|$)/

test('no page of buyers answers at the host of the dashboard, which leads from its root to the dashboard', async () => {
  const found = routes.filter(({ path }) => !path.startsWith('/dashboard') && !everywhere.test(path))
  expect(found.length).toBeGreaterThan(8)
  for (const { method, path } of found.filter(({ path }) => path !== '/')) {
    const { status } = await ask('team.example', path, method)
    expect([method, path, status]).toEqual([method, path, 404])
  }
  const root = await ask('team.example:8443', '/')
  expect([root.status, root.headers.get('location')]).toEqual([303, '/dashboard'])
  expect(await statusAt('pay.example', '/')).toBe(200)
})

test.each(['pay.example', 'team.example', '10.0.0.7'])('programs are answered at %s', async host => {
  for (const path of ['/healthz', '/readyz', '/v1/orders', '/swagger', '/favicon.ico']) {
    expect([path, await statusAt(host, path)]).toEqual([path, 200])
  }
})

test('where the dashboard and the checkout have one host, both answer at any host', async () => {
  const one = await startApp({ FLORIN_CHECKOUT_URL: 'https://pay.example' })
  for (const [path, status] of [
    ['/dashboard/welcome', 200],
    // A new server redirects from its root to its setup.
    ['/', 303],
  ] as const) {
    const request = new Request(`http://other.example${path}`, { headers: { accept: 'text/html' } })
    expect((await one.florin.http.handle(request)).status).toBe(status)
  }
  await one.close()
})

test('the dashboard asks for HTTPS by its own address', async () => {
  const mixed = await startApp({ FLORIN_DASHBOARD_URL: 'https://team.example' })
  const at = async (path: string) => {
    const answer = await mixed.florin.http.handle(new Request(`http://team.example${path}`))
    return answer.headers.get('strict-transport-security')
  }
  expect([await at('/dashboard/sign-in'), await at('/healthz')]).toEqual(['max-age=31536000', null])
  await mixed.close()
})
