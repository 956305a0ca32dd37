import { expect, test } from 'bun:test'
import { listAudit } from '../../../src/operations/audit/read.ts'
import { listMembers } from '../../../src/operations/people/members.ts'
import { listProducts } from '../../../src/operations/products/read.ts'
import { signInAs, type UploadFields } from '../../support/dashboard.ts'
import { BTC_WALLET, givenShop } from '../../support/given.ts'
import { suite } from '../../support/suite.ts'
import { getOrder } from '../payments.ts'
import { givenPaid } from '../refunding.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))
const other = once(() => givenShop(app))
const owner = once(() => signInAs(app, 'owner', shop.id))
const operator = once(() => signInAs(app, 'operator', null))

/** The hidden fields of the form with this action. */
function hiddenIn(text: string, action: string): Record<string, string> {
  const form = text.split('<form ').find(part => part.includes(`action="${action}"`)) ?? ''
  const inputs = form.split('</form>')[0]!.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  return Object.fromEntries([...inputs].map(([, name, value]) => [name!, value!]))
}

const choose = (id: string) => operator.post('/dashboard/shop', { merchantId: id })
const namesOf = async (id: string): Promise<string[]> =>
  (await listProducts(app.context, id, 100, null)).items.map(({ product }) => product.name)

/** The message for a person who goes back to a form that was sent, changes it, and sends it again. */
const SENT = 'This form was sent before'

test('the form of a new product that is sent again with other values does not replace the first', async () => {
  const path = '/dashboard/products/new'
  const hidden = hiddenIn((await owner.get(path)).text, path)
  const send = (change: UploadFields, given = hidden) =>
    owner.upload(path, {
      ...given,
      name: 'Blend',
      description: '',
      amount: '18.50',
      currency: 'EUR',
      ...change,
    })
  for (let times = 0; times < 2; times++) expect((await send({})).status).toBe(303)
  const again = await send({ name: 'Decaf', amount: '9.00' })
  expect([again.status, again.text.includes(SENT)]).toEqual([409, true])
  expect(again.text).toContain('value="Decaf"')
  expect(await namesOf(shop.id)).toEqual(['Blend'])
  const fresh = hiddenIn(again.text, path)
  expect(fresh.token).not.toBe(hidden.token)
  expect((await send({ name: 'Decaf', amount: '9.00' }, fresh)).status).toBe(303)
  expect((await namesOf(shop.id)).toSorted()).toEqual(['Blend', 'Decaf'])
  // Each product has one entry in the audit log, however often its form was sent.
  const created = (await listAudit(app.context, shop.id, 1000)).filter(
    ({ action }) => action === 'product.created',
  )
  expect(created.map(({ after }) => after?.name).toSorted()).toEqual(['Blend', 'Decaf'])
})

test('the setup form of the first product does not replace the product when it is sent again', async () => {
  const path = '/dashboard/setup/product'
  const third = await givenShop(app)
  const newcomer = await signInAs(app, 'owner', third.id)
  const forms = [(await newcomer.get(path)).text, (await newcomer.get(path)).text]
  for (const kind of ['product', 'link']) {
    const hidden = hiddenIn(forms.pop()!, path)
    const form = { kind, what: `First ${kind}`, amount: '5', currency: 'USD' }
    expect((await newcomer.post(path, { ...hidden, ...form })).status).toBe(303)
    const second = { ...form, what: `Second ${kind}` }
    const again = await newcomer.post(path, { ...hidden, ...second })
    expect([kind, again.status, again.text.includes(SENT)]).toEqual([kind, 409, true])
    expect((await newcomer.post(path, { ...hiddenIn(again.text, path), ...second })).status).toBe(303)
  }
  expect((await namesOf(third.id)).toSorted()).toEqual(['First product', 'Second product'])
})

test('a new order and a refund say that their form was sent, and can be sent as a new one', async () => {
  const path = '/dashboard/orders/new'
  const order = { description: '', email: '', fullName: '', externalId: '', expiry: '7d', currency: 'USD' }
  const hidden = hiddenIn((await owner.get(path)).text, path)
  const send = (amount: string, given = hidden) => owner.post(path, { ...given, ...order, amount })
  const first = await send('25')
  const again = await send('30')
  expect([again.status, again.text.includes(SENT)]).toEqual([409, true])
  const second = await send('30', hiddenIn(again.text, path))
  expect(second.status).toBe(303)
  expect(second.headers.get('location')).not.toBe(first.headers.get('location'))

  const { orderUUID: id } = await givenPaid(app, shop, { amount: '25.00' })
  const action = `/dashboard/orders/${id}/refund`
  const token = hiddenIn((await owner.get(`/dashboard/orders/${id}`)).text, action)
  const refund = (amount: string, given = token) =>
    owner.post(action, { ...given, amount, reason: 'returned' })
  expect((await refund('10')).status).toBe(303)
  const more = await refund('5')
  expect([more.status, more.text.includes(SENT)]).toEqual([409, true])
  expect((await refund('5', hiddenIn(more.text, action))).status).toBe(303)
  expect((await getOrder(app, shop, id)).refundedAmount).toBe('15.00')
})

test('a form that was opened for one shop changes nothing in the shop that was chosen since', async () => {
  await choose(shop.id)
  const forms: [string, string, Record<string, string>][] = [
    ['/dashboard/people', '/dashboard/people', { email: 'partner@shop.example', role: 'owner' }],
    ['/dashboard/webhook', '/dashboard/webhook', { url: 'https://hooks.example/florin' }],
    ['/dashboard/payouts/btc', '/dashboard/payouts/btc/remove', { what: 'address' }],
    ['/dashboard/payouts/btc', '/dashboard/payouts/btc/check', { text: BTC_WALLET }],
    ['/dashboard/developers', '/dashboard/developers/keys', { label: 'Mine', mode: 'live', expires: '' }],
  ]
  const opened: [string, Record<string, string>][] = []
  for (const [page, action, fields] of forms) {
    const { text } = await operator.get(page)
    opened.push([action, { ...hiddenIn(text, action), ...fields }])
  }
  const product = '/dashboard/products/new'
  const hidden = hiddenIn((await operator.get(product)).text, product)
  await choose(other.id)
  for (const [action, fields] of opened) {
    const answer = await operator.post(action, fields)
    expect([action, answer.status, answer.text.includes('You chose another shop')]).toEqual([
      action,
      409,
      true,
    ])
  }
  const upload = await operator.upload(product, { ...hidden, name: 'Tea', amount: '5', currency: 'USD' })
  expect(upload.status).toBe(409)
  expect([await namesOf(other.id), await listMembers(app.context, other.id)]).toEqual([[], []])
  const wallet = await app.call('GET', '/v1/wallet', { key: other.live })
  expect(wallet.json.data.cryptoWallets.btc).toBe(BTC_WALLET)

  await choose(shop.id)
  const [action, fields] = opened[0]!
  expect((await operator.post(action, fields)).status).toBe(200)
  expect((await listMembers(app.context, shop.id)).map(({ email }) => email)).toContain(
    'partner@shop.example',
  )
})

test('a form that is repeated with the password is refused, too, if another shop was chosen meanwhile', async () => {
  await choose(shop.id)
  const path = '/dashboard/people'
  const hidden = hiddenIn((await operator.get(path)).text, path)
  app.time.now += 2 * 3600_000
  const asked = await operator.post(path, { ...hidden, email: 'second@shop.example', role: 'owner' })
  const again = hiddenIn(asked.text, path)
  expect(again).toMatchObject({ email: 'second@shop.example' })
  await choose(other.id)
  const answer = await operator.post(path, { ...again, proofPassword: 'correct horse battery' })
  expect([answer.status, answer.text.includes('You chose another shop')]).toEqual([409, true])
})
