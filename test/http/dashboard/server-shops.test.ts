import { expect, test } from 'bun:test'
import { browserOf, cookieOf, PASSWORD, type Person, signInAs } from '../../support/dashboard.ts'
import { givenOrder, givenShop, type Shop } from '../../support/given.ts'
import { suite } from '../../support/suite.ts'

const PATH = '/dashboard/server/shops'
const LINK = /http:\/\/localhost(\/dashboard\/link\/[\w-]{43})/

const { app, once } = suite()
const operator = once(() => signInAs(app, 'operator', null))
const shop: Shop = once(() => givenShop(app))

const entered = (more: object = {}) => ({
  token: app.context.ids.uuid(),
  name: 'Second <Shop>',
  email: `shop-${crypto.randomUUID()}@shop.example`,
  owner: '',
  feePercent: '2,5',
  currency: 'EUR',
  ...more,
})
const merchants = () => app.context.storage.read(tables => tables.merchants.list())
const merchantOf = (id: string) => app.context.storage.read(tables => tables.merchants.find(id))
const noticesOf = (id: string) => app.context.storage.read(tables => tables.notifications.list(id, 20))
const auditOf = (id: string) => app.context.storage.read(tables => tables.audit.list(id, 20))
const versionIn = (text: string) => /name="version" value="(\d+)"/.exec(text)![1]!
const edit = async (by: Person, id: string, form: Record<string, string>) => {
  const { text } = await by.get(`${PATH}/${id}`)
  return by.post(`${PATH}/${id}`, {
    ...{ name: 'Shop', feePercent: '1', tolerance: '0.5', version: versionIn(text) },
    ...form,
  })
}

test('the operator’s page lists each shop with its fee, open orders and sales, and the newest notice', async () => {
  await givenOrder(app, shop)
  const before = (await operator.get(PATH)).text
  expect(before).toContain('1 open order')
  expect(before).toContain('Nothing paid')
  const order = await givenOrder(app, shop, { amount: '30.00', currency: 'EUR' })
  const owner = await signInAs(app, 'owner', shop.id)
  await owner.post(`/dashboard/orders/${order.orderUUID}/force`, { reason: 'paid in cash' })
  await edit(operator, shop.id, { feePercent: '3.25' })
  const { text } = await operator.get(PATH)
  for (const part of ['€30.00', 'Fee 3.25%', 'The fee of the operator was changed'])
    expect(text).toContain(part)
  expect((await operator.get(`${PATH}?lang=de`)).text).toContain('Gebühr 3,25 %')
})

test('an operator opens a shop, whose first owner gets a link', async () => {
  const form = entered({ owner: 'Owner@new.example' })
  const { status, text } = await operator.post(PATH, form)
  expect(status).toBe(200)
  expect(await merchantOf(form.token)).toMatchObject({
    ...{ name: 'Second <Shop>', email: form.email, feePercent: '2.5', currency: 'EUR' },
  })
  const [, path = ''] = LINK.exec(text)!
  const owner = browserOf(app, cookieOf(await browserOf(app, '').post(path, { password: PASSWORD })))
  expect((await owner.get('/dashboard/settings')).text).toContain('Second &lt;Shop&gt;')
  expect((await owner.get(PATH)).status).toBe(403)
  const [created] = (await auditOf(form.token)).filter(({ action }) => action === 'merchant.created')
  expect(created?.actor).toBe(`user:${operator.userId}`)
})

test('the same form sent twice, also at once, opens one shop', async () => {
  const form = entered()
  const before = (await merchants()).length
  const answers = await Promise.all([operator.post(PATH, form), operator.post(PATH, form)])
  const location = `${PATH}/${form.token}?done=created`
  for (const { status, headers } of answers)
    expect([status, headers.get('location')]).toEqual([303, location])
  expect((await merchants()).length).toBe(before + 1)
  expect((await operator.get(location)).text).toContain('The shop is open.')
})

test.each([
  ['email', { email: 'no address' }, 'Enter a valid email address.'],
  ['owner', { owner: 'no address' }, 'Enter a valid email address, or leave it empty.'],
  ['fee', { feePercent: '95' }, 'Enter a percentage from 0 to 89.9999'],
  ['name', { name: ' ' }, 'Enter a name of at most 128 characters.'],
  ['currency', { currency: 'XXX' }, 'Orders cannot be priced in this currency'],
  ['ID', { token: '01999999-0000-4000-8000-000000000000' }, ''],
])('a wrong %s opens no shop, and the form keeps the entered values', async (_, wrong, said) => {
  const before = (await merchants()).length
  const { status, text } = await operator.post(PATH, entered(wrong))
  expect([status, text.includes(said)]).toEqual([400, true])
  if (said !== '') expect(text).toContain('Second &lt;Shop&gt;')
  expect((await merchants()).length).toBe(before)
})

test('an address that another shop uses is refused with a plain message', async () => {
  const [first] = await merchants()
  const { status, text } = await operator.post(PATH, entered({ email: first!.email.toUpperCase() }))
  expect([status, text.includes('Another shop of this server already uses this email address')]).toEqual([
    409,
    true,
  ])
})

test('an owner who has an account keeps the password only if the operator says that it is theirs', async () => {
  const owner = await signInAs(app, 'owner', shop.id)
  const open = (more: object) => operator.post(PATH, entered({ owner: owner.email, ...more }))
  expect(LINK.test((await open({ keepPassword: 'yes' })).text)).toBe(false)
  expect((await owner.get('/dashboard')).status).toBe(200)
  expect(LINK.test((await open({})).text)).toBe(true)
  expect((await owner.get('/dashboard')).status).toBe(303)
})

test('buyers and the API are refused while a shop is suspended, and its owners are notified', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  const page = () => app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
  const api = () => app.call('GET', '/v1/products', { key: shop.live })
  expect([(await page()).status, (await api()).status]).toEqual([200, 200])
  const suspended = await operator.post(`${PATH}/${shop.id}/suspend`)
  expect(suspended.headers.get('location')).toBe(`${PATH}/${shop.id}?done=suspended`)
  await operator.post(`${PATH}/${shop.id}/suspend`)
  const closed = await page()
  expect([closed.status, (await api()).json.error.code]).toEqual([404, 'merchant_suspended'])
  expect(closed.text).toContain('This shop isn’t accepting payments right now')
  expect((await operator.get(`${PATH}/${shop.id}?done=suspended`)).text).toContain('This shop is suspended')
  await operator.post(`${PATH}/${shop.id}/resume`)
  expect([(await page()).status, (await api()).status]).toEqual([200, 200])
  const shopNotices = (await noticesOf(shop.id)).filter(({ kind }) => kind === 'shop_changed')
  expect(shopNotices.slice(0, 2).map(({ facts }) => facts)).toMatchObject([
    { about: 'shop_resumed', by: `user:${operator.userId}`, person: operator.email },
    { about: 'shop_suspended', person: operator.email },
  ])
  const actions = (await auditOf(shop.id)).map(({ action }) => action)
  expect(actions.filter(action => action === 'merchant.suspended')).toHaveLength(1)
})

test('a change to a shop that another operator has changed meanwhile is refused, and names that operator', async () => {
  const other = await signInAs(app, 'operator', null)
  const version = versionIn((await operator.get(`${PATH}/${shop.id}`)).text)
  await edit(other, shop.id, { tolerance: '1,5' })
  const { status, text } = await edit(operator, shop.id, { tolerance: '4', version })
  expect([status, text.includes(other.email)]).toEqual([409, true])
  expect((await merchantOf(shop.id))!.tolerance).toBe('1.5')
  const wrong = await edit(operator, shop.id, { tolerance: '6' })
  expect([wrong.status, wrong.text.includes('from 0 to 5')]).toEqual([400, true])
})
