import { expect, test } from 'bun:test'
import { listNotifications } from '../../../src/operations/notices/list.ts'
import { PASSWORD, type Person, signInAs } from '../../support/dashboard.ts'
import { givenProduct, givenShop } from '../../support/given.ts'
import { said } from '../../support/notifications.ts'
import { suite } from '../../support/suite.ts'

const { app, once, each } = suite()
const shop = once(() => givenShop(app))
const ann = once(() => signInAs(app, 'owner', shop.id))
const ben = once(() => signInAs(app, 'owner', shop.id))
const staff = each(() => signInAs(app, 'staff', shop.id))
const overviewOf = async (person: Person) => (await person.get('/dashboard')).text
const kinds = ['people_changed', 'price_changed', 'new_login']
const newest = async () =>
  said((await listNotifications(app.context, shop.id)).find(({ kind }) => kinds.includes(kind))!)

test('a role change is shown to the other owners with the name of its author, and to no one else', async () => {
  await ann.post('/dashboard/people/role', { userId: staff.userId, role: 'owner' })
  await ann.post('/dashboard/people/role', { userId: staff.userId, role: 'staff' })
  expect(await newest()).toContain(
    `The role of ${staff.email} was changed from Owner to Staff by ${ann.email}`,
  )
  const texts = await Promise.all([ann, ben, staff].map(overviewOf))
  expect(texts.map(text => text.includes(`was changed from Owner to Staff by ${ann.email}`))).toEqual([
    false,
    true,
    false,
  ])
})

test('the overview shows the other owners that an owner was added or removed', async () => {
  await ann.post('/dashboard/people', { email: 'zoe@people.example', role: 'owner' })
  expect(await newest()).toContain(`zoe@people.example was added to the shop as Owner by ${ann.email}`)
  await ann.post('/dashboard/people/remove', { userId: staff.userId })
  expect(await newest()).toContain(`${staff.email} was removed from the shop by ${ann.email}`)
})

test('the overview shows a price change by a person to the other owners, and none by an API key', async () => {
  const product = await givenProduct(app, shop, { amount: '24.00', name: 'Tea' })
  const body = { orderTemplate: { amount: '23.00', currency: 'USD', paymentMethodsKeys: ['*'] } }
  const patched = await app.call('PATCH', `/v1/products/${product.id}`, { key: shop.live, body })
  expect(patched.status).toBe(200)
  expect(await overviewOf(ben)).not.toContain('The price of')
  const form = await ann.get(`/dashboard/products/${product.id}`)
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form.text)?.[1] ?? ''
  const fields = {
    ...{ name: 'Tea', description: 'Loose', amount: '0.01', currency: 'USD', active: 'yes' },
    ...{ updatedAt: value('updatedAt'), version: value('version'), shownShop: shop.id },
  }
  const saved = await ann.upload(`/dashboard/products/${product.id}`, fields)
  expect(saved.status).toBe(303)
  expect(await overviewOf(ben)).toContain(`from 23.00 USD to 0.01 USD by ${ann.email}`)
  expect(await overviewOf(ann)).not.toContain('from 23.00 USD')
})

test('a sign-in in a new browser is on the overview of the person and of owners, without mail', async () => {
  const form = { email: staff.email, password: PASSWORD }
  await app.call('POST', '/dashboard/sign-in', {
    form,
    headers: { origin: 'http://localhost', host: 'localhost', 'user-agent': 'Opera/9 (Windows NT 10.0)' },
  })
  const viewer = await signInAs(app, 'viewer', shop.id)
  const texts = await Promise.all([ann, staff, viewer].map(overviewOf))
  expect(texts.map(text => text.includes(`${staff.email} signed in with a browser`))).toEqual([
    true,
    true,
    false,
  ])
})
