import { describe, expect, test } from 'bun:test'
import { proving, signInAs } from '../support/dashboard.ts'
import { givenOrder, givenProduct, givenShop, paidInCash } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { givenPaid, tryRefund } from './refunding.ts'
import { rowOf } from './rows.ts'

const { app, each } = suite({ isFresh: true })
const shop = each(() => givenShop(app))
const owner = each(async () => proving(await signInAs(app, 'owner', shop.id)))

const PATH = '/dashboard/settings/tax'
const settings = {
  ...{ charged: 'yes', country: 'DE', vatId: 'DE 136 695 976', prices: 'included', exemption: '' },
  ...{ sells: 'services', reverseCharge: 'yes', rates: 'DE 19 7\nFR 20,0%\n' },
}

async function changeTax(change: object = {}) {
  const { status, headers, text } = await owner.post(PATH, { ...settings, ...change })
  expect([status, headers.get('location')], text.slice(0, 200)).toEqual([303, `${PATH}?saved`])
}

const taxOf = (id: string) => {
  const { amount, tax, created_by } = rowOf(
    app,
    'SELECT amount, tax, created_by FROM orders WHERE id = ?',
    id,
  )
  return { amount, tax: JSON.parse(String(tax)), createdBy: created_by }
}

const text = async (path: string) => (await app.call('GET', path, { headers: { accept: 'text/html' } })).text

describe('the tax settings of a shop', () => {
  test('are stored, shown again, and audited', async () => {
    await changeTax()
    const page = (await owner.get(PATH)).text
    expect(page).toContain('value="DE136695976"')
    expect(page).toContain('DE 19 7\nFR 20</textarea>')
    const row = rowOf(app, "SELECT after FROM audit_log WHERE action = 'merchant.changed'")
    expect(JSON.parse(String(row.after)).tax).toMatchObject({ country: 'DE', reverseCharge: true })
    await owner.post(PATH, { ...settings, charged: 'no' })
    expect(rowOf(app, 'SELECT tax FROM merchants WHERE id = ?', shop.id).tax).toBe(null)
  })

  test.each<[what: string, change: object, says: string]>([
    ['a number with wrong check digits', { vatId: 'DE136695977' }, 'Enter the number of this country'],
    ['reverse charge without a number', { vatId: '' }, 'Reverse charge needs one'],
    ['no rate of its country', { rates: 'FR 20' }, 'The country of the shop must be among them'],
    ['a line without a rate', { rates: 'DE 19\nFR' }, 'one country and its rates on each line'],
    ['a rate of 100 and more', { rates: 'DE 119' }, 'one country and its rates on each line'],
    ['no country', { country: '' }, 'Choose a country'],
  ])('are refused: %s', async (_, change, says) => {
    const { status, text } = await owner.post(PATH, { ...settings, ...change })
    expect([status, text.includes(says)]).toEqual([400, true])
    expect(rowOf(app, 'SELECT tax FROM merchants WHERE id = ?', shop.id).tax).toBe(null)
  })
})

describe('an order', () => {
  test('from the API has a final amount, which contains the tax', async () => {
    await changeTax({ prices: 'added' })
    const { orderUUID } = await givenOrder(app, shop, { amount: '119.00' })
    const { amount, tax, createdBy } = taxOf(orderUUID)
    expect([amount, tax.lines, createdBy]).toEqual([
      '119.00',
      [{ category: 'S', rate: 1900, net: '100.00', tax: '19.00' }],
      null,
    ])
    expect(await text(`/pay/${orderUUID}`)).toContain('Includes $19.00 tax (19%)')
    await paidInCash(app, shop, orderUUID)
    const receipt = await text(`/pay/${orderUUID}/receipt`)
    expect(receipt).toContain('Includes $19.00 tax (19%)')
    expect(receipt).toContain('DE136695976')
    expect((await owner.get(`/dashboard/orders/${orderUUID}`)).text).toContain('$19.00 (19%) of the amount')
  })

  test('of a shop whose rate is zero has the reason on its page, or says that none is charged', async () => {
    for (const [exemption, said] of [
      ['Small business, § 19 UStG', 'Small business, § 19 UStG'],
      ['', 'No tax is charged.'],
    ] as const) {
      await changeTax({ rates: 'DE 0', exemption })
      const { orderUUID } = await givenOrder(app, shop, { amount: '119.00' })
      expect(await text(`/pay/${orderUUID}`)).toContain(said)
    }
  })

  test('has its tax in the API, but not in its event', async () => {
    await changeTax()
    const order = await givenOrder(app, shop, { amount: '119.00' })
    const lines = [{ category: 'S', rate: '19', net: '100.00', tax: '19.00' }]
    expect(order.tax).toEqual({ country: null, vatId: null, lines })
    await paidInCash(app, shop, order.orderUUID)
    const { json } = await app.call('GET', `/v1/orders/${order.orderUUID}`, { key: shop.live })
    expect(json.data.tax.lines).toEqual(lines)
    const { body } = rowOf(app, "SELECT body FROM events WHERE type = 'order.paid'")
    expect(JSON.parse(String(body))).not.toContainKey('tax')
    await owner.post(PATH, { ...settings, charged: 'no' })
    expect(await givenOrder(app, shop)).not.toContainKey('tax')
  })

  test('without tax settings mentions no tax', async () => {
    const { orderUUID } = await givenOrder(app, shop)
    expect(rowOf(app, 'SELECT tax FROM orders').tax).toBe(null)
    expect(await text(`/pay/${orderUUID}`)).not.toContain('tax')
    expect((await owner.get('/dashboard/orders/new')).text).not.toContain('name="vatId"')
  })

  test.each([
    ['DE', '', '119.00', 'S'],
    ['FR', '', '120.00', 'S'],
    ['FR', 'FR 40 303 265 045', '100.00', 'AE'],
    ['US', '', '100.00', 'O'],
  ])('from a form has the tax of %s %s', async (country, vatId, amount, category) => {
    await changeTax({ prices: 'added' })
    const page = (await owner.get('/dashboard/orders/new')).text
    expect(page).toContain('<option value="FR">France</option>')
    const token = /name="token" value="([^"]*)"/.exec(page)![1]!
    const price = {
      amount: '100',
      currency: 'USD',
      description: 'Tea',
      email: '',
      fullName: '',
      externalId: '',
    }
    const { headers } = await owner.post('/dashboard/orders/new', {
      ...price,
      token,
      expiry: '7d',
      country,
      vatId,
    })
    const id = /orders\/([0-9a-f-]{36})/.exec(headers.get('location') ?? '')![1]!
    const order = taxOf(id)
    expect([order.amount, order.tax.country, order.tax.lines[0].category]).toEqual([
      amount,
      country,
      category,
    ])
    expect(order.createdBy).toBe(`user:${owner.userId}`)
  })
})

describe('the report of taxes', () => {
  const REPORT = '/dashboard/reports/tax'
  const days = 'from=2026-03-01&to=2026-03-31&currency=USD'
  const sell = async (amount: string) => {
    const { orderUUID } = await givenOrder(app, shop, { amount })
    await paidInCash(app, shop, orderUUID)
  }

  test('adds up net and tax by country and rate, less refunds', async () => {
    await sell('10.00')
    await changeTax()
    await sell('119.00')
    const { orderUUID } = await givenPaid(app, shop, { amount: '238.00' })
    await tryRefund(app, shop, orderUUID, { amount: '119.00' })
    await changeTax({ rates: 'DE 0' })
    await sell('20.00')
    const page = (await owner.get(`${REPORT}?${days}`)).text
    const rows = page.match(/<tr>.*?<\/tr>/gs)!.map(row => row.replace(/<[^>]+>/g, '|').replace(/\|+/g, '|'))
    expect(rows.slice(1)).toEqual([
      '|Germany|19%|$200.00|$38.00|$238.00|',
      '|Germany|No tax (rate 0)|$20.00|$0.00|$20.00|',
      '|Total|$220.00|$38.00|$258.00|',
    ])
    expect(page).toContain('Sales of $10.00 are not in this table')
    const { text, headers } = await owner.get(`${REPORT}.csv?${days}`)
    expect(headers.get('content-disposition')).toContain('"tax-2026-03-01-2026-03-31.csv"')
    expect(text.split('\r\n')).toEqual([
      ...['country,category,rate,net,tax,gross,currency', 'DE,S,19,200.00,38.00,238.00,USD'],
      ...['DE,Z,0,20.00,0.00,20.00,USD', ''],
    ])
    expect((await owner.get(`/dashboard/reports?${days}`)).text).toContain(`href="${REPORT}?from=`)
  })

  test('shows that nothing was sold, and refuses invalid days', async () => {
    expect((await owner.get(`${REPORT}?${days}`)).text).toContain('Nothing with tax was sold in these days.')
    expect((await owner.get(`${REPORT}?from=2026-03-02&to=2026-03-01`)).status).toBe(400)
  })
})

describe('the page of a product', () => {
  test('asks for the country, and adds its tax', async () => {
    await changeTax({ prices: 'added' })
    const { id } = await givenProduct(app, shop, { amount: '100.00', taxClass: 'reduced' })
    const page = await text(`/checkout/${id}`)
    expect(page).toContain('The tax of your country is added to the price.')
    const form = { email: 'b@buyer.example', fullName: '', paymentMethodKey: 'crypto' }
    const send = (more: Record<string, string>) =>
      app.call('POST', `/checkout/${id}`, { form: { ...form, ...more }, headers: { accept: 'text/html' } })
    expect((await send({})).text).toContain('Choose your country.')
    const wrong = await send({ country: 'FR', vatId: 'FR1' })
    expect([wrong.status, wrong.text.includes('Check the VAT number')]).toEqual([400, true])
    expect(wrong.text).toContain('<option value="FR" selected>')
    const { status, headers } = await send({ country: 'DE', vatId: '' })
    expect(status).toBe(303)
    expect(taxOf(headers.get('location')!.slice(5))).toMatchObject({
      amount: '107.00',
      tax: { country: 'DE', lines: [{ category: 'S', rate: 700, net: '100.00', tax: '7.00' }] },
    })
  })

  test('has an API that takes no order without the tax', async () => {
    await changeTax({ prices: 'added' })
    const { id } = await givenProduct(app, shop, { amount: '100.00' })
    const body = { customer: { email: 'b@buyer.example' }, paymentMethodKey: 'crypto' }
    const { json } = await app.call('POST', `/v1/checkout/products/${id}/orders`, { body })
    expect(taxOf(json.data.orderUUID).amount).toBe('119.00')
  })
})
