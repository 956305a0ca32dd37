import { expect, test } from 'bun:test'
import { changeMerchant } from '../../../src/operations/merchants/change.ts'
import { signInAs } from '../../support/dashboard.ts'
import { check, givenShop, openCrypto, simulate } from '../../support/given.ts'
import { suite } from '../../support/suite.ts'
import { getOrder } from '../payments.ts'

const PATH = '/dashboard/counter'

const { app, once } = suite()
const shop = once(async () => {
  const made = await givenShop(app)
  await changeMerchant(app.context, made.id, { currency: 'EUR' })
  return made
})
const staff = once(() => signInAs(app, 'staff', shop.id))
const viewer = once(() => signInAs(app, 'viewer', shop.id))
const stranger = once(async () => signInAs(app, 'owner', (await givenShop(app)).id))

const sell = async (change: object = {}) => {
  const token = app.context.ids.uuid()
  const answer = await staff.post(PATH, { amount: '4,50', description: '2 Espresso', token, ...change })
  return { answer, id: /counter\/([0-9a-f-]{36})$/.exec(answer.headers.get('location') ?? '')?.[1] ?? '' }
}

test('staff enter an amount, show its code, and see that it was paid', async () => {
  const empty = await staff.get(PATH)
  for (const part of ['Amount in EUR', 'Nothing has been paid today.']) expect(empty.text).toContain(part)
  expect((await viewer.get(PATH)).status).toBe(403)
  const way = `<a class="button quiet" href="${PATH}">Counter</a>`
  expect((await staff.get('/dashboard')).text).toContain(way)
  expect((await viewer.get('/dashboard')).text).not.toContain(PATH)
  const token = app.context.ids.uuid()
  const { id } = await sell({ token })
  expect((await sell({ token })).id).toBe(id)
  expect(await getOrder(app, shop, id)).toMatchObject({
    amount: '4.50',
    currency: 'EUR',
    description: '2 Espresso',
  })
  const waiting = await staff.get(`${PATH}/${id}`)
  for (const part of ['€4.50', '2 Espresso', '<svg', 'Waiting for the payment', 'hx-get'])
    expect(waiting.text).toContain(part)
  expect((await stranger.get(`${PATH}/${id}`)).status).toBe(404)
  expect((await stranger.post(`${PATH}/${id}/stop`)).status).toBe(404)
  await openCrypto(app, id, 'polygon/usdc')
  await simulate(app, id, 'underpaid')
  await check(app, id)
  expect((await staff.get(`${PATH}/${id}/part`)).text).toMatch(/A part has arrived[.] €[0-9.]+ is missing/)
  await simulate(app, id, 'paid')
  await check(app, id)
  const paid = await staff.get(`${PATH}/${id}/part`)
  expect(paid.text).toMatch(/Paid <time/)
  for (const part of ['hx-get', '<svg', '/stop']) expect(paid.text).not.toContain(part)
  expect((await staff.get(PATH)).text).toContain('Today: €4.50 by one sale')
  expect((await staff.get(`${PATH}?lang=de`)).text).toContain('4,50\u00a0€ aus einem Verkauf')
})

test('a cancelled sale can no longer be paid, whether or not the customer chose a coin', async () => {
  const { id: untouched } = await sell()
  const { id: begun } = await sell()
  await openCrypto(app, begun, 'polygon/usdc')
  for (const id of [untouched, begun]) {
    expect((await staff.post(`${PATH}/${id}/stop`)).headers.get('location')).toBe(`${PATH}/${id}`)
    expect((await staff.get(`${PATH}/${id}`)).text).toContain('This sale is over, and was not paid.')
    expect((await app.call('POST', `/pay/${id}/crypto`, { form: { asset: 'btc' } })).status).not.toBe(303)
  }
  expect((await getOrder(app, shop, untouched)).status).toBe('CANCELLED')
  expect((await getOrder(app, shop, begun)).status).toBe('EXPIRED')
})

test('an amount that is not valid is refused, and shown again', async () => {
  for (const [change, field] of [
    [{ amount: 'much' }, 'amount'],
    [{ amount: '0' }, 'amount'],
    [{ description: 'x'.repeat(513) }, 'description'],
  ] as const) {
    const { answer } = await sell(change)
    expect([answer.status, answer.text.includes(`id="${field}-problem"`)]).toEqual([400, true])
  }
})
