import type { DashboardAccess } from '../../src/domain/user.ts'
import { type App, startApp } from './app.ts'

const PRODUCTS = 'Create products, change what they say, and archive them'

/** This task has no route of its own, because it depends on a setting of the shop. */
const priceRow = ['Change the price of a product', 'no', 'if an owner allows it', 'yes', 'yes']

/** Tasks of people, and the routes of the dashboard that each needs. */
const deeds: [what: string, routes: string[]][] = [
  [
    'Read orders, customers and reports, and download them',
    [
      ...['GET /dashboard/orders', 'GET /dashboard/orders/:order', 'GET /dashboard/orders/export.csv'],
      ...['GET /dashboard/customers', 'GET /dashboard/reports', 'GET /dashboard/reports/export.csv'],
    ],
  ],
  ['See unmatched payments, and where money goes', ['GET /dashboard/unmatched', 'GET /dashboard/payouts']],
  [
    'Save views, and choose what to be notified of',
    ['POST /dashboard/orders/views', 'POST /dashboard/notices'],
  ],
  [
    'Create, cancel and end orders, check for payments, write notes',
    [
      ...['POST /dashboard/orders/new', 'POST /dashboard/orders/:order/cancel'],
      ...['POST /dashboard/orders/:order/end', 'POST /dashboard/orders/:order/check'],
      'POST /dashboard/orders/:order/notes',
    ],
  ],
  [
    'See deliveries, and send events again',
    [
      'GET /dashboard/deliveries',
      'POST /dashboard/deliveries/:id/redeliver',
      'POST /dashboard/orders/:order/resend',
    ],
  ],
  [
    PRODUCTS,
    ['POST /dashboard/products/new', 'POST /dashboard/products/:product', 'POST /dashboard/products/archive'],
  ],
  ['Mark an unmatched payment as resolved', ['POST /dashboard/unmatched/:payment/resolve']],
  [
    'Accept a payment, record a refund, mark an order as paid',
    [
      ...['POST /dashboard/unmatched/:payment/accept', 'POST /dashboard/orders/:order/accept'],
      ...['POST /dashboard/orders/:order/refund', 'POST /dashboard/orders/:order/force'],
    ],
  ],
  [
    'Block and erase customers',
    ['POST /dashboard/customers/:customer/block', 'POST /dashboard/customers/:customer/erase'],
  ],
  [
    'Change where money goes',
    [
      'POST /dashboard/payouts/:network/save',
      'POST /dashboard/payouts/:network/remove',
      'POST /dashboard/payouts/:network/pool/save',
    ],
  ],
  [
    'Change API keys and the webhook, and read the audit log',
    ['POST /dashboard/developers/keys', 'POST /dashboard/webhook', 'GET /dashboard/audit'],
  ],
  ['Change the settings of the shop', ['POST /dashboard/settings']],
  [
    'Invite and remove people, and change their roles',
    ['POST /dashboard/people', 'POST /dashboard/people/role', 'POST /dashboard/people/remove'],
  ],
  [
    'Choose endpoints and exchange rates',
    ['GET /dashboard/endpoints', 'POST /dashboard/endpoints/:chain', 'POST /dashboard/endpoints/rates'],
  ],
  ['Create a shop', ['POST /dashboard/setup', 'POST /dashboard/server/shops']],
  [
    'Change the fee of a shop, suspend it and resume it',
    [
      'POST /dashboard/server/shops/:shop',
      'POST /dashboard/server/shops/:shop/suspend',
      'POST /dashboard/server/shops/:shop/resume',
    ],
  ],
  ['Enter the mail server', ['POST /dashboard/server/mail', 'POST /dashboard/server/mail/remove']],
  [
    'Make, try and download backups, check the installation, and read its figures',
    [
      ...['GET /dashboard/server/backups', 'POST /dashboard/server/backups'],
      ...['POST /dashboard/server/backups/download', 'POST /dashboard/server/check'],
      'GET /dashboard/server/figures',
    ],
  ],
  [
    'See all shops and people of the server, suspend people, and reset how they sign in',
    ['GET /dashboard/server', 'POST /dashboard/server/suspend', 'POST /dashboard/server/reset'],
  ],
]

const columns: DashboardAccess[] = ['viewer', 'staff', 'owner', 'operator']

interface Route {
  method: string
  path: string
  hooks?: { detail?: { access?: DashboardAccess } }
}

const accessOf = async ({ florin }: App): Promise<Map<string, DashboardAccess | undefined>> =>
  new Map(
    ((await florin.http.routes()) as Route[]).map(({ method, path, hooks }) => [
      `${method} ${path}`,
      hooks?.detail?.access,
    ]),
  )

/** The tasks that each role may do, according to the router. The routes of one row need the same role. */
export async function rolesRows(): Promise<string[][]> {
  const app = await startApp()
  try {
    const access = await accessOf(app)
    const rows = deeds.map(([what, routes]) => {
      const needed = new Set(routes.map(route => access.get(route)))
      const [least] = needed
      if (least === undefined || needed.size > 1)
        throw new Error(`"${what}" needs ${routes.map(route => `${route}: ${access.get(route)}`).join(', ')}`)
      return [what, ...columns.map(role => (columns.indexOf(role) >= columns.indexOf(least) ? 'yes' : 'no'))]
    })
    const at = deeds.findIndex(([what]) => what === PRODUCTS)
    return rows.toSpliced(at + 1, 0, priceRow)
  } finally {
    await app.close()
  }
}
