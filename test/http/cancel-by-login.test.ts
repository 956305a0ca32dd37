import { expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { type Person, signInAs } from '../support/dashboard.ts'
import { givenOrder, givenShop } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { data, MARKER, refused } from './request.ts'

const { app, once } = suite()
let order = ''
const shop = once(() => givenShop(app))
const staff = once(() => signInAs(app, 'staff', shop.id))
once(async () => {
  order = (await givenOrder(app, shop)).orderUUID
})

const path = () => `/v1/orders/${order}/cancel`
const own = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin', host: 'localhost' }
const as = (person: Person, headers: Record<string, string> = own, body: unknown = {}) => ({
  headers: { ...headers, cookie: person.cookie },
  body: body as object,
})
const forbidden = { status: 403, code: 'forbidden' }

test('a cancellation from another or unknown site is refused before the body is read', async () => {
  for (const headers of [
    {},
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', host: 'localhost' },
    { ...own, 'sec-fetch-site': 'same-site' },
  ]) {
    await refused(app, forbidden, 'POST', path(), as(staff, headers, { reason: [MARKER] }))
  }
})

test('a viewer, another shop, and a login that has ended may not cancel an order', async () => {
  const viewer = await signInAs(app, 'viewer', shop.id)
  await refused(app, forbidden, 'POST', path(), as(viewer, own, { reason: [MARKER] }))
  const other = await givenShop(app)
  const stranger = await signInAs(app, 'owner', other.id)
  await refused(app, { status: 404, code: 'not_found' }, 'POST', path(), as(stranger))
  const gone = await signInAs(app, 'owner', shop.id)
  await gone.post('/dashboard/sign-out')
  const ended = { status: 401, code: 'unauthorized' }
  await refused(app, ended, 'POST', path(), as(gone, own, { reason: [MARKER] }))
})

test('a login of a suspended shop may not cancel an order', async () => {
  const closed = await givenShop(app)
  const { orderUUID } = await givenOrder(app, closed)
  const owner = await signInAs(app, 'owner', closed.id)
  await changeMerchant(app.context, closed.id, { status: 'suspended' })
  const suspended = { status: 403, code: 'merchant_suspended' }
  await refused(app, suspended, 'POST', `/v1/orders/${orderUUID}/cancel`, as(owner))
})

test('a login opens no other route of the API, and is ignored beside a key', async () => {
  const nobody = { status: 401, code: 'unauthorized' }
  await refused(app, nobody, 'GET', `/v1/orders/${order}`, { headers: { ...own, cookie: staff.cookie } })
  const invalid = { status: 401, code: 'invalid_api_key' }
  await refused(app, invalid, 'POST', path(), { ...as(staff), key: `${shop.live}x` })
})

test('a bad body of a cancellation is refused only after the sender is known', async () => {
  const bad = { status: 400, code: 'validation_error', path: 'reason' }
  await refused(app, bad, 'POST', path(), as(staff, own, { reason: [MARKER] }))
})

test('staff cancels an order, which names the person', async () => {
  const answer = await data(app, 'POST', path(), as(staff, own, { reason: 'no longer wanted' }))
  expect(answer.order).toMatchObject({
    status: 'CANCELLED',
    cancelledBy: `user:${staff.userId}`,
    cancelReason: 'no longer wanted',
  })
  await refused(app, { status: 409, code: 'order_not_cancellable' }, 'POST', path(), as(staff))
})
