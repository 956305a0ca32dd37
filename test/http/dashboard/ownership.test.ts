import { describe, expect, test } from 'bun:test'
import { type DashboardRoute, dashboardRoutes, proving } from '../../support/dashboard.ts'
import { type FullShop, givenFullShop, pathsOf, startFullApp } from '../../support/full-shop.ts'
import { suite } from '../../support/suite.ts'

const { app, once } = suite({ start: startFullApp })
const own = once(() => givenFullShop(app))
const other = once(() => givenFullShop(app))
once(() => app.jobs.settle())
// Some forms ask for the password again if it was entered too long ago.
once(() =>
  proving(own.owner)
    .post('/dashboard/settings/crypto', { offered: 'yes' })
    .then(() => {}),
)

/** Routes with these parameters name nothing of a merchant, or only operators may use them. */
const shared = /:(?:network|chain|token|shop)\b/

/** Routes with the ID of a row. Forms that end something come last, so that the others find their row. */
async function routes(): Promise<DashboardRoute[]> {
  const found = await dashboardRoutes(app)
  const all = found.filter(({ path }) => path.includes(':') && !shared.test(path))
  const ends = ({ path }: DashboardRoute) => /(?:rotate|revoke|remove|delete|erase)$/.test(path)
  return [...all.filter(route => !ends(route)), ...all.filter(ends)]
}

/** Values for the fields of all forms. */
const values = (shop: FullShop): Record<string, string> => ({
  ...shop.inForms,
  amount: '1.00',
  currency: 'EUR',
  email: 'ann@buyer.example',
  'event.order.paid': 'on',
  name: 'Name',
  note: 'A note',
  overlap: '0',
  page: '',
  reason: 'A reason',
  status: '',
  text: 'A note',
  token: crypto.randomUUID(),
})

function formOf(shop: FullShop, { fields }: DashboardRoute): Record<string, string> {
  const entries = Object.entries(values(shop))
  return Object.fromEntries(entries.filter(([name]) => fields === null || fields.includes(name)))
}

function send(by: FullShop, of: FullShop, route: DashboardRoute) {
  const [path = ''] = pathsOf(route.path, of.rowsOf(of.owner))
  if (route.method === 'GET') return by.owner.get(path)
  const form = formOf(of, route)
  return route.isUpload ? by.owner.upload(path, form) : by.owner.post(path, form)
}

/** Every row of every table. */
function everything(): Record<string, unknown[]> {
  const database = app.read()
  const tables = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
  return Object.fromEntries(
    tables.map(({ name }) => [name, database.query(`SELECT * FROM "${name}"`).all() as unknown[]]),
  )
}

describe('rows of another shop', () => {
  test('are not found, and nothing changes', async () => {
    expect((await routes()).length).toBeGreaterThan(15)
    // The time when a login was last seen changes once a minute.
    await own.owner.get('/dashboard')
    const before = everything()
    expect(before.orders!.length).toBe(14)
    for (const route of await routes()) {
      const { status, text } = await send(own, other, route)
      expect([route.method, route.path, status]).toEqual([route.method, route.path, 404])
      for (const secret of ['REFUNDED-1', 'ann@buyer.example', other.shop.liveKeyId]) {
        expect([route.path, text.includes(secret)]).toEqual([route.path, false])
      }
    }
    expect(everything()).toEqual(before)
  })

  test('are not found when a form of one’s own row names them', async () => {
    const before = everything()
    const [order] = own.rowsOf(own.owner)['orders/:order'] ?? []
    const { payment, event } = other.inForms
    const { userId } = other.staff
    const forms: [string, Record<string, string | undefined>, number][] = [
      [`orders/${order}/accept`, { payment, reason: 'A reason' }, 404],
      [`orders/${order}/resend`, { event }, 404],
      ['products/archive', { [`product.${productOf(other)}`]: 'yes', do: 'archive' }, 404],
      ['people/role', { userId, role: 'viewer' }, 404],
      ['people/remove', { userId }, 404],
      ['people/link', { userId }, 404],
      // Ending a login that has already ended is not an error.
      ['account/logins/end', { id: loginOf(userId) }, 303],
      ['shop', { merchantId: other.shop.id }, 404],
    ]
    for (const [path, form, expected] of forms) {
      expect([path, Object.values(form).every(value => value?.length)]).toEqual([path, true])
      const { status } = await own.owner.post(`/dashboard/${path}`, form as Record<string, string>)
      expect([path, status]).toEqual([path, expected])
    }
    expect(everything()).toEqual(before)
  })

  test('are found by their owner, with the same forms', async () => {
    for (const route of await routes()) {
      const { status } = await send(other, other, route)
      const isFound = status !== 400 && status !== 404 && status < 500
      expect([route.method, route.path, status, isFound]).toEqual([route.method, route.path, status, true])
    }
  })
})

const productOf = (shop: FullShop) => shop.rowsOf(shop.owner)['products/:product']?.[0]

const loginOf = (userId: string) =>
  app.read().query<{ id: string }, [string]>('SELECT id FROM logins WHERE user_id = ?').get(userId)?.id
