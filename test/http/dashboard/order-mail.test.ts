import { expect, test } from 'bun:test'
import { startWithMail } from '../../support/app-with-receiver.ts'
import { signInAs } from '../../support/dashboard.ts'
import { check, givenOrder, givenShop, openCrypto, paidInCash, simulate } from '../../support/given.ts'
import { mailsTo } from '../../support/read-mail.ts'
import { suite } from '../../support/suite.ts'

const { app, once, each } = suite({ start: startWithMail })
const mail = once(() => app.mail)
const shop = once(() => givenShop(app))
const staff = once(() => signInAs(app, 'staff', shop.id))
const viewer = once(() => signInAs(app, 'viewer', shop.id))
each(() => {
  mail.reactions = {}
})

let buyers = 0
async function given(change: object = {}) {
  const email = `buyer-${++buyers}@people.example`
  const { orderUUID } = await givenOrder(app, shop, { customer: { email, fullName: 'Sam' }, ...change })
  return { email, path: `/dashboard/orders/${orderUUID}`, id: orderUUID }
}

test('the link, and after the payment the receipt, is shown, and mailed as often as the limit allows', async () => {
  const { email, path, id } = await given()
  const open = await staff.get(path)
  expect(open.text).toContain(`Send the link to ${email}`)
  expect(open.text).toContain(`href="mailto:${email}?subject=`)
  expect((await staff.post(`${path}/mail`)).headers.get('location')).toBe(`${path}?done=mailed`)
  expect(mailsTo(mail, email).at(-1)!.text).toContain(`/pay/${id}`)
  await paidInCash(app, shop, id)
  const paid = await staff.get(path)
  expect(paid.text).toContain(`Send the receipt to ${email}`)
  expect(paid.text).toContain(`/pay/${id}/receipt"`)
  expect((await viewer.get(path)).text).not.toContain('Send the receipt to')
  const statuses = []
  for (let sent = 0; sent < 5; sent++) statuses.push((await staff.post(`${path}/mail`)).status)
  expect(statuses).toEqual([303, 303, 303, 303, 429])
  expect(mailsTo(mail, email)).toHaveLength(5)
  expect(new Set(mailsTo(mail, email).map(({ messageId }) => messageId)).size).toBe(5)
})

test('an email that is not accepted is reported, and an order that is over has nothing to send', async () => {
  const { path } = await given()
  mail.reactions = { rcpt: '550 no such user' }
  const failed = await staff.post(`${path}/mail`)
  expect([failed.status, failed.text.includes('The email could not be sent')]).toEqual([409, true])
  await staff.post(`${path}/cancel`, { reason: '' })
  expect((await staff.get(path)).text).not.toContain('Send the link to')
  expect((await staff.post(`${path}/mail`)).status).toBe(409)
})

test.each(['cancelled', 'ended'])('a mistyped unpaid order is replaced, and %s', async how => {
  const { email, path, id } = await given({ amount: '250.00', description: 'Table 4' })
  if (how === 'ended') await openCrypto(app, id, 'polygon/usdc')
  expect((await staff.get(path)).text).toContain(`/dashboard/orders/new?correct=${id}`)
  const form = (await staff.get(`/dashboard/orders/new?correct=${id}`)).text
  expect(form).toContain('value="250.00"')
  expect(form).toContain(`value="${email}"`)
  const values = { amount: '25.00', currency: 'USD', description: 'Table 4', email, fullName: 'Sam' }
  const body = { ...values, externalId: '', expiry: '7d', token: `token-${how}`, correct: id }
  for (let sent = 0; sent < 2; sent++) {
    const done = await staff.post('/dashboard/orders/new', body)
    expect([done.status, done.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/done=corrected$/),
    ])
  }
  const { status } = await app.context.storage.read(async tables => (await tables.orders.find(id))!.order)
  expect(status).toBe(how === 'ended' ? 'EXPIRED' : 'CANCELLED')
})

const paidMeanwhile: Record<string, (id: string) => Promise<unknown>> = {
  paid: id => paidInCash(app, shop, id),
  async 'paid in part'(id) {
    await openCrypto(app, id, 'polygon/usdc')
    await simulate(app, id, 'underpaid')
    expect((await check(app, id)).credited).toBe('12.50')
    const form = (await staff.get(`/dashboard/orders/new?correct=${id}`)).text
    expect(form).not.toContain('The former order ends')
  },
}

test.each(Object.entries(paidMeanwhile))(
  'an order that was %s meanwhile is not replaced, and the new one is cancelled',
  async (how, pay) => {
    const { id } = await given()
    await pay(id)
    const values = { amount: '3.00', currency: 'USD', description: '', email: '', fullName: '' }
    const body = {
      ...values,
      externalId: `second-${how.length}`,
      expiry: '7d',
      token: `token-late-${how.length}`,
      correct: id,
    }
    expect((await staff.post('/dashboard/orders/new', body)).status).toBe(409)
    const [other] = await app.context.storage.read(tables =>
      tables.orders.list({ merchantId: shop.id, externalId: `second-${how.length}` }, 1, null),
    )
    expect(other!.order.status).toBe('CANCELLED')
  },
)

test('the link is in the language of the buyer, and not sent past the end of the order', async () => {
  const expiresAt = app.time.now + 3600_000
  const { email, path, id } = await given({ expiresAt: new Date(expiresAt).toISOString() })
  const [form, headers] = [{ asset: 'polygon/usdc' }, { 'accept-language': 'fr' }]
  expect((await app.call('POST', `/pay/${id}/crypto`, { form, headers })).status).toBe(303)
  expect((await staff.post(`${path}/mail`)).status).toBe(303)
  expect(mailsTo(mail, email).at(-1)!.text).toContain(`/pay/${id}?lang=fr`)
  app.time.now = expiresAt
  expect((await staff.get(path)).text).not.toContain('Send the link to')
  expect((await staff.post(`${path}/mail`)).status).toBe(409)
  expect(mailsTo(mail, email)).toHaveLength(1)
})
