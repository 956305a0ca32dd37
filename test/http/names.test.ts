import { expect, test } from 'bun:test'
import { Refusal } from '../../src/domain/errors.ts'
import { createKey } from '../../src/operations/keys/manage.ts'
import { createMerchant } from '../../src/operations/merchants/create.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { type Person, signInAs } from '../support/dashboard.ts'
import { givenOrder, givenProduct, givenShop, orderBody } from '../support/given.ts'
import { PasskeyDevice } from '../support/passkey-device.ts'
import { suite } from '../support/suite.ts'
import { rowsOf } from './rows.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))
const owner: Person = once(() => signInAs(app, 'owner', shop.id))
const product = once(() => givenProduct(app, shop))
const order = once(() => givenOrder(app, shop))

/** A line break, a terminal control sequence, and a character that turns the direction of text. */
const names = ['A\nb', 'A\r\nBcc: all@victim.example', 'A\u2028b', 'A\x1b[2Jb', 'A\u202egpj.b', 'A\u2066b']

/** A name with a direction mark, which names in Arabic and Hebrew need. */
const PLAIN = 'Ana \u200fدانا'
const ONE_LINE = /^[\x20-\x7e\u200f\p{L}]*$/u

type Enter = (name: string) => Promise<unknown>

const api = (method: string, path: string, body: object) => app.call(method, path, { key: shop.live, body })
const orderTemplate = { amount: '9.00', currency: 'USD', paymentMethodsKeys: ['*'] }
const token = () => crypto.randomUUID()
const price = { amount: '9.00', currency: 'USD', description: '' }

/** Columns of names for which bad values are refused, and each way to enter them. */
const refused: Record<string, Enter[]> = {
  'merchants.name': [
    name => createMerchant(app.context, { email: 'other@shop.example', name }),
    name => owner.upload('/dashboard/settings', { name, supportEmail: '', returnUrl: '' }),
  ],
  'keys.label': [
    label => createKey(app.context, { merchantId: shop.id, mode: 'live', scopes: ['api:read'], label }),
    label => owner.post('/dashboard/developers/keys', { label, mode: 'live', 'scope.api:read': 'on' }),
  ],
  'products.name': [
    name => api('POST', '/v1/products', { name, orderTemplate }),
    name => api('PATCH', `/v1/products/${product.id}`, { name }),
    name => api('POST', '/v1/products/bulk', { items: [{ name, orderTemplate }] }),
    name => owner.upload('/dashboard/products/new', { ...price, name, token: token() }),
  ],
  'saved_views.name': [name => owner.post('/dashboard/orders/views', { name, query: 'status=PAID' })],
  'orders.forced_by': [
    by =>
      forceOrder(app.context, { merchantId: shop.id, orderId: order.orderUUID, by, reason: 'paid in cash' }),
  ],
  'unmatched_payments.decided_by': [
    by => acceptUnmatched(app.context, shop.id, [token()], { by, reason: null }),
  ],
}

const unescaped = (text: string): string => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

async function addPasskey(name: string) {
  const path = '/dashboard/account/passkeys'
  const { text } = await owner.post(`${path}/new`)
  const options = JSON.parse(unescaped(/data-options="([^"]*)"/.exec(text)![1]!))
  return owner.post(path, { name, answer: new PasskeyDevice().create(options, 'http://localhost') })
}

/** Columns of names that are made one line: no person could correct them, or a sale would be lost. */
const cleaned: Record<string, Enter[]> = {
  'orders.customer_full_name': [
    fullName => api('POST', '/v1/orders', orderBody({ customer: { email: 'a@buyer.example', fullName } })),
    fullName =>
      app.call('POST', `/v1/checkout/products/${product.id}/orders`, {
        body: { customer: { email: 'a@buyer.example', fullName }, paymentMethodKey: 'crypto' },
      }),
    fullName =>
      app.call('POST', `/checkout/${product.id}`, {
        form: { email: 'a@buyer.example', fullName, paymentMethodKey: 'crypto', token: token() },
      }),
    fullName =>
      owner.post('/dashboard/orders/new', {
        ...{ ...price, email: '', externalId: '', expiry: '1d', token: token(), fullName },
      }),
  ],
  'passkeys.name': [addPasskey],
}

/** Columns with the same endings whose values people do not enter. */
const others: Record<string, string> = {
  'attempts.method_name': 'of a payment provider',
  'chosen_mail_servers.user_name': 'of another server',
  'chosen_rate_sources.name': 'one of a list',
  'keys.replaced_by': 'an ID',
  'orders.cancelled_by': 'an actor',
  'orders.created_by': 'an actor',
  'orders.product_name': 'a copy of products.name',
  'person_channels.name': 'one of a list',
  'refunds.created_by': 'an actor',
  'reversals.created_by': 'an actor',
  'skipped_payments.decided_by': 'an actor',
}

async function isRefused(enter: Enter, name: string): Promise<boolean> {
  try {
    const answer = (await enter(name)) as { status?: number }
    return answer.status === 400
  } catch (error) {
    return error instanceof Refusal && /one line/.test(error.message)
  }
}

const NAME = /(^|_)(name|label|by)$/

test('every column with a name is in one of the lists', () => {
  const columns = rowsOf(
    app,
    `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t, pragma_table_info(t.name) c
     WHERE t.type = 'table' AND t.name <> 'migrations'`,
  )
  const found = columns.filter(row => NAME.test(String(row.column))).map(row => `${row.table}.${row.column}`)
  const listed = [refused, cleaned, others].flatMap(list => Object.keys(list))
  expect(found.toSorted()).toEqual(listed.toSorted())
})

test.each(Object.entries(refused))(
  '%s is refused if it is not one line in one direction',
  async (_, ways) => {
    for (const [at, enter] of ways.entries()) {
      for (const name of names) expect([at, name, await isRefused(enter, name)]).toEqual([at, name, true])
      expect([at, await isRefused(enter, PLAIN)]).toEqual([at, false])
    }
  },
)

test.each(Object.entries(cleaned))('%s is stored as one line in one direction', async (column, ways) => {
  const [table, field] = column.split('.')
  const stored = () => rowsOf(app, `SELECT ${field} AS name FROM ${table}`).map(row => String(row.name))
  for (const [at, enter] of ways.entries()) {
    for (const name of [...names, PLAIN]) {
      const before = stored().length
      await enter(name)
      expect([at, name, stored().length]).toEqual([at, name, before + 1])
    }
  }
  expect(stored().filter(name => !ONE_LINE.test(name))).toEqual([])
  expect(stored()).toContain(PLAIN)
})
