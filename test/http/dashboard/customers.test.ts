import { expect, test } from 'bun:test'
import { signInAs } from '../../support/dashboard.ts'
import { check, givenOrder, givenShop, openCrypto, simulate } from '../../support/given.ts'
import { suite } from '../../support/suite.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))
const owner = once(() => signInAs(app, 'owner', shop.id))
const viewer = once(() => signInAs(app, 'viewer', shop.id))
const stranger = once(async () => signInAs(app, 'owner', (await givenShop(app)).id))

const order = (email: string, change: object = {}) =>
  givenOrder(app, shop, { customer: { email }, ...change })

const emailsIn = (text: string): string[] =>
  [...text.matchAll(/href="\/dashboard\/customers\/[0-9a-f-]{36}" dir="auto">([^<]+)</g)].map(
    match => match[1]!,
  )

test('customers are listed with their payments, by address, page by page', async () => {
  const { orderUUID, customerId } = await order('ann@buyer.example', { amount: '80.00' })
  await openCrypto(app, orderUUID, 'polygon/usdc')
  await simulate(app, orderUUID, 'paid')
  await check(app, orderUUID)
  const refund = { amount: '5.00', reason: 'returned' }
  const headers = { 'idempotency-key': 'refund-of-ann' }
  await app.call('POST', `/v1/orders/${orderUUID}/refunds`, { key: shop.live, body: refund, headers })
  await order('ann@buyer.example', {
    amount: '7.00',
    customer: { email: 'ann@buyer.example', fullName: 'آن' },
  })
  for (let index = 10; index < 40; index++) await order(`ben${index}@buyer.example`)
  const page = await viewer.get('/dashboard/customers')
  const emails = emailsIn(page.text)
  expect(emails).toEqual([
    'ann@buyer.example',
    ...Array.from({ length: 24 }, (_, index) => `ben${index + 10}@buyer.example`),
  ])
  expect(page.text).toContain('$80.00')
  expect(page.text).toMatch(/<td data-name="Name" dir="auto">آن<[/]td>/)
  const named = await viewer.get('/dashboard/customers?q=آن')
  expect(named.text).toContain(`href="/dashboard/orders?q=${encodeURIComponent('آن')}"`)
  expect(page.text).toContain('($5.00 refunded)')
  const next = /href="([^"]+)" rel="next"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
  const second = await viewer.get(next)
  expect(emailsIn(second.text)).toEqual(
    Array.from({ length: 6 }, (_, index) => `ben${index + 34}@buyer.example`),
  )
  const previous = /href="([^"]+)" rel="prev"/.exec(second.text)![1]!.replaceAll('&amp;', '&')
  expect(emailsIn((await viewer.get(previous)).text)).toEqual(emails)
  expect(emailsIn((await viewer.get('/dashboard/customers?q=BEN2')).text)).toHaveLength(10)
  expect(emailsIn((await stranger.get('/dashboard/customers')).text)).toEqual([])
  const one = await viewer.get(`/dashboard/customers/${customerId}`)
  expect(one.text).toContain(`/dashboard/orders/${orderUUID}`)
  expect(one.text).not.toContain('/block"')
  expect((await stranger.get(`/dashboard/customers/${customerId}`)).status).toBe(404)
  const theirs = `/dashboard/orders?customer=${customerId}`
  expect((await viewer.get(theirs)).text).toContain('Customer: ann@buyer.example')
  expect((await stranger.get(theirs)).text).not.toContain('ann@buyer.example')
})

test('an owner blocks a customer and ends the block', async () => {
  const { customerId } = await order('cleo@buyer.example')
  const path = `/dashboard/customers/${customerId}`
  const blocked = await owner.post(`${path}/block`)
  expect([blocked.status, blocked.headers.get('location')]).toEqual([303, `${path}?done=blocked`])
  const body = { amount: '1.00', currency: 'USD', paymentMethodsKeys: ['*'] }
  const refused = await app.call('POST', '/v1/orders', {
    key: shop.live,
    body: { ...body, customer: { email: 'cleo@buyer.example' } },
  })
  expect(refused.json.code ?? refused.json.error?.code).toBe('customer_blocked')
  expect(emailsIn((await viewer.get('/dashboard/customers?blocked=yes')).text)).toEqual([
    'cleo@buyer.example',
  ])
  expect((await stranger.post(`${path}/unblock`)).status).toBe(404)
  expect((await owner.post(`${path}/unblock`)).status).toBe(303)
  expect(emailsIn((await viewer.get('/dashboard/customers?blocked=yes')).text)).toEqual([])
})

test('buyers without an address cannot be blocked or erased together', async () => {
  const form = { amount: '5', currency: 'USD', description: '', email: '', fullName: '', externalId: '' }
  const rest = { token: 'without-address', expiry: '1d' }
  const created = await owner.post('/dashboard/orders/new', { ...form, ...rest })
  const page = await owner.get(created.headers.get('location')!)
  const path = /\/dashboard\/customers\/[0-9a-f-]{36}/.exec(page.text)![0]
  const { text } = await owner.get(path)
  expect(text).toContain('No email address')
  expect(text).not.toMatch(/(block|erase)"/)
  expect((await owner.post(`${path}/block`)).status).toBe(409)
  const email = 'unknown@customer.invalid'
  expect((await owner.post(`${path}/erase`, { email })).status).toBe(409)
})

test('an owner erases a customer by entering the address', async () => {
  const { customerId, orderUUID } = await order('dan@buyer.example')
  await owner.post(`/dashboard/orders/${orderUUID}/notes`, { text: 'Ask dan@buyer.example again.' })
  await owner.post('/dashboard/orders/views', { name: 'Dan', query: 'q=dan@buyer.example' })
  const path = `/dashboard/customers/${customerId}`
  const wrong = await owner.post(`${path}/erase`, { email: 'ann@buyer.example' })
  expect([wrong.status, wrong.text.includes('aria-invalid')]).toEqual([400, true])
  const done = await owner.post(`${path}/erase`, { email: 'DAN@buyer.example' })
  expect([done.status, done.headers.get('location')]).toEqual([303, `${path}?done=erased`])
  const page = await owner.get(`${path}?done=erased`)
  expect(page.text).toContain('@erased.invalid')
  expect(page.text).not.toContain('/erase"')
  for (const url of [`/dashboard/orders/${orderUUID}`, '/dashboard/orders']) {
    expect((await owner.get(url)).text).not.toMatch(/dan(@|%40)buyer/)
  }
})
