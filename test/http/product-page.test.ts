import { expect, spyOn, test } from 'bun:test'
import { blockCustomer } from '../../src/operations/customers/block.ts'
import { type Answer, startApp } from '../support/app.ts'
import { givenOrder, givenProduct, givenShop } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { getOrder, outage } from './payments.ts'
import { snapshotOf } from './rows.ts'

const { app, once, each } = suite()
once(() => app.jobs.settle())
const shop = each(() => givenShop(app))

const html = { accept: 'text/html' }
const open = (id: string) => app.call('GET', `/checkout/${id}`, { headers: html })
const post = (id: string, form: Record<string, string>) =>
  app.call('POST', `/checkout/${id}`, { form, headers: html })

const entered = (change: Record<string, string> = {}) => ({
  email: 'buyer@example.com',
  fullName: 'Sam Buyer',
  paymentMethodKey: 'crypto',
  ...change,
})

/** The error messages beside the fields, by field. */
const problemsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<p class="field-error" id="(\w+)-error">([^<]*)</g)].map(match => [
      match[1],
      match[2],
    ]),
  )

const wrong: [why: string, change: Record<string, string>, field: string][] = [
  ['no email address', { email: '' }, 'email'],
  ['an invalid email address', { email: 'sam@' }, 'email'],
  ['a name that is too long', { fullName: 'x'.repeat(129) }, 'fullName'],
  ['no method', { paymentMethodKey: '' }, 'paymentMethodKey'],
  ['an unknown method', { paymentMethodKey: '*' }, 'paymentMethodKey'],
  ['a method that is not offered', { paymentMethodKey: 'banxa' }, 'paymentMethodKey'],
  [
    'a price that the method does not accept',
    { paymentMethodKey: 'moonpay', amount: '1', currency: 'USD' },
    'paymentMethodKey',
  ],
  ['no amount', { amount: '' }, 'amount'],
  ['an amount of zero', { amount: '0' }, 'amount'],
  ['an amount in words', { amount: 'ten' }, 'amount'],
  ['an amount with too many decimals', { amount: '5.001' }, 'amount'],
  ['an unknown currency', { currency: 'XXX' }, 'currency'],
]

test.each(wrong)(
  'the error for %s is shown beside its field, and the input is kept',
  async (_, change, field) => {
    const { id } = await givenProduct(app, shop, {
      allowPriceOverride: true,
      methodKeys: ['crypto', 'moonpay'],
    })
    const before = snapshotOf(app)
    const answer = await post(id, entered({ amount: '5.00', currency: 'EUR', ...change }))
    expect([answer.status, Object.keys(problemsOf(answer.text))]).toEqual([400, [field]])
    expect(answer.text).toContain(`aria-describedby="${field}-error"`)
    if (field !== 'fullName') expect(answer.text).toContain('value="Sam Buyer"')
    expect(snapshotOf(app)).toEqual(before)
  },
)

test('an empty form marks all required fields', async () => {
  const { id } = await givenProduct(app, shop, { allowPriceOverride: true })
  const { status, text } = await post(id, {})
  expect([status, Object.keys(problemsOf(text)).sort()]).toEqual([
    400,
    ['amount', 'currency', 'email', 'paymentMethodKey'],
  ])
})

test('the page of an archived product says that the shop no longer sells it', async () => {
  const { id } = await givenProduct(app, shop, { active: false })
  const { name } = await app.context.storage.read(async tables => (await tables.merchants.find(shop.id))!)
  for (const answer of [await open(id), await post(id, entered())]) {
    expect([answer.status, answer.headers.get('content-type')]).toEqual([410, 'text/html; charset=utf-8'])
    expect(answer.text).toContain(`${name} no longer sells this.`)
    expect(answer.text).not.toContain('Check the link')
  }
  const german = await app.call('GET', `/checkout/${id}?lang=de`, { headers: { accept: 'text/html' } })
  expect(german.text).toContain(`${name} verkauft das nicht mehr.`)
  const script = await app.call('GET', `/checkout/${id}`, { headers: { accept: 'application/json' } })
  expect([script.status, script.json.error.code]).toEqual([404, 'not_found'])
})

test('an unknown product has no page', async () => {
  const answer = await open(shop.id)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(answer.text).toContain('There is no such product.')
})

test('a refused form says so in the title and links to the first wrong field', async () => {
  const { id } = await givenProduct(app, shop, { allowPriceOverride: true })
  const focused = (text: string) => text.match(/<(?:input|select)[^>]*autofocus[^>]*>/g) ?? []
  const fresh = (await open(id)).text
  expect([focused(fresh), fresh.includes('<title>Error')]).toEqual([[], false])
  for (const [change, field] of [
    [{}, 'name="amount"'],
    [{ amount: '5.00', currency: 'E', paymentMethodKey: '' }, 'name="currency"'],
    [{ amount: '5.00', currency: 'USD', email: 'x' }, 'name="email"'],
    [{ amount: '5.00', currency: 'USD', email: 'sam@example.com' }, 'name="paymentMethodKey"'],
  ] as const) {
    const { text } = await post(id, change)
    expect(text).toContain('<title>Error: ')
    expect(focused(text)).toEqual([expect.stringContaining(field)])
  }
})

test('the currency of the product is preselected, and the entered one in a refused form', async () => {
  const { id } = await givenProduct(app, shop, { allowPriceOverride: true })
  const chosen = (text: string) => {
    const options = [...text.matchAll(/<option value="([A-Z]{3})"( selected)?>/g)]
    return (options.find(([, , selected]) => selected) ?? options[0])?.[1]
  }
  expect(chosen((await open(id)).text)).toBe('USD')
  for (const currency of ['EUR', 'USD', 'JPY'])
    expect(chosen((await post(id, { amount: '5', currency, email: 'x' })).text)).toBe(currency)
})

test('the currencies of an open price have names, with the product’s and the buyer’s first', async () => {
  const { id } = await givenProduct(app, shop, { allowPriceOverride: true })
  const labels = async (accepted: string) => {
    const headers = { accept: 'text/html', 'accept-language': accepted }
    const { text } = await app.call('GET', `/checkout/${id}`, { headers })
    return [...text.matchAll(/<option value="([A-Z]{3})"[^>]*>([^<]+)</g)].map(([, , label]) => label)
  }
  expect((await labels('en-IN')).slice(0, 3)).toEqual([
    'USD – US Dollar',
    'INR – Indian Rupee',
    'AED – United Arab Emirates Dirham',
  ])
  const austrian = await labels('de-AT')
  expect(austrian.slice(0, 2)).toEqual(['USD – US-Dollar', 'EUR – Euro'])
  expect((await labels('fr-MC'))[1]).toBe('EUR – euro')
  expect((await labels('de-LI'))[1]).toBe('CHF – Schweizer Franken')
  expect(new Set(austrian).size).toBe(austrian.length)
  expect((await labels('en')).slice(0, 2)).toEqual(['USD – US Dollar', 'AED – United Arab Emirates Dirham'])
})

test('a method for one currency names it where the buyer chooses the currency', async () => {
  const subOfUpi = async (change: object) => {
    const { id } = await givenProduct(app, shop, { currency: 'INR', amount: '2500.00', ...change })
    const { text } = await open(id)
    return /value="upi"(?:(?!<[/]label>)[\s\S])*?<span class="sub">([^<]*)</.exec(text)?.[1]
  }
  const fixed = await subOfUpi({})
  expect(await subOfUpi({ allowPriceOverride: true })).toBe(fixed === undefined ? 'INR' : `${fixed} · INR`)
})

test('a description keeps its lines, and a name in the other direction keeps its place', async () => {
  const { id } = await givenProduct(app, shop, { name: 'قهوة', description: 'One\nTwo' })
  const { text } = await open(id)
  expect(text).toContain('<h1><bdi>قهوة</bdi></h1>')
  expect(text).toContain('One\nTwo')
  const css = (await app.call('GET', /href="([^"]+[.]css)"/.exec(text)![1]!)).text
  expect(css).toMatch(/[.]product [.]what\s*{[^}]*white-space:\s*pre-line/)
})

test('input is always shown as text', async () => {
  const { id } = await givenProduct(app, shop, { name: '<b>"Blend"</b>' })
  const { text } = await post(id, entered({ email: '"><script>alert(1)</script>' }))
  expect(text).not.toContain('<script>alert')
  expect(text).not.toContain('<b>')
})

test('a form cannot change a fixed price', async () => {
  const { id } = await givenProduct(app, shop)
  expect((await open(id)).text).not.toContain('name="amount"')
  const { status, headers } = await post(id, entered({ amount: '0.01', currency: 'USD' }))
  expect(status).toBe(303)
  const order = await getOrder(app, shop, headers.get('location')!.split('/').at(-1)!)
  expect(order.amount).toBe('12.50')
})

const made: [method: string, page: RegExp][] = [
  ['crypto', /^\/pay\/[0-9a-f-]{36}$/],
  ['moonpay', /^\/pay\/[0-9a-f-]{36}$/],
]

test.each(made)('a buyer of a product continues to pay by %s', async (paymentMethodKey, page) => {
  const { id } = await givenProduct(app, shop, { allowPriceOverride: true })
  const answer = await post(id, entered({ paymentMethodKey, amount: ' 70 ', currency: 'EUR' }))
  expect([answer.status, answer.text]).toEqual([303, ''])
  const location = answer.headers.get('location')!
  expect(location).toMatch(page)
  expect(await getOrder(app, shop, location.split('/').at(-1)!)).toMatchObject({
    amount: '70.00',
    currency: 'EUR',
    source: 'web',
    paymentMethodsKeys: [paymentMethodKey],
  })
})

const keysOf = ({ text }: Answer) =>
  [...text.matchAll(/name="paymentMethodKey" value="([^"]+)"/g)].map(match => match[1])

test('the page offers the methods of the product, and shows if there are none', async () => {
  const methodKeys = ['moonpay', 'crypto']
  const one = await givenProduct(app, shop, { methodKeys, amount: '25.00' })
  expect(keysOf(await open(one.id))).toEqual(methodKeys)
  const none = await givenProduct(app, shop, { methodKeys: ['nosuchmethod'] })
  expect((await open(none.id)).text).toContain('No payment method is available right now')
  const small = await givenProduct(app, shop, { methodKeys, amount: '1.00' })
  expect(keysOf(await open(small.id))).toEqual(['crypto'])
  const own = await givenProduct(app, shop, { methodKeys, amount: '1.00', allowPriceOverride: true })
  expect(keysOf(await open(own.id))).toEqual(methodKeys)
  await outage(app, 'rates', true)
  app.time.now += 10 * 60_000
  const crypto = await givenProduct(app, shop, { methodKeys: ['crypto'] })
  expect((await open(crypto.id)).text).toContain('No payment method is available right now')
  await outage(app, 'rates', false)
})

test('only the product’s image may be loaded from another server', async () => {
  const { id } = await givenProduct(app, shop, { imageUrl: 'https://cdn.shop.example/a.jpg?x=1&y=2' })
  const { text, headers } = await open(id)
  expect(text).toContain('src="https://cdn.shop.example/a.jpg?x=1&amp;y=2" alt="House blend" width="320"')
  expect(headers.get('content-security-policy')).toContain("img-src 'self' data: https://cdn.shop.example;")
  const plain = await givenProduct(app, shop)
  expect((await open(plain.id)).headers.get('content-security-policy')).toContain("img-src 'self' data:;")
})

test.each([
  ['5.00', 'JPY', /Enter an amount in JPY .*such as 2500, without decimals\./],
  ['$5', 'EUR', /Enter an amount in EUR .*in digits, such as 25\.00\./],
  ['1,000', 'USD', /such as 25\.00\./],
  ['1.0001', 'KWD', /such as 25\.000\./],
])('the error for %s %s has an example in that currency', async (amount, currency, message) => {
  const { id } = await givenProduct(app, shop, { allowPriceOverride: true })
  const { text } = await post(id, entered({ amount, currency }))
  expect(problemsOf(text)).toEqual({ amount: expect.stringMatching(message) })
})

test.each([['12,50'], ['١٢٫٥٠'], ['۱۲٫۵۰'], ['१२.५०'], ['１２．５０']])(
  'an amount is accepted as buyers write it: %s',
  async amount => {
    const { id } = await givenProduct(app, shop, { allowPriceOverride: true })
    const { status, headers } = await post(id, entered({ amount, currency: 'EUR' }))
    expect(status).toBe(303)
    const order = await getOrder(app, shop, headers.get('location')!.split('/').at(-1)!)
    expect(order).toMatchObject({ amount: '12.50', currency: 'EUR' })
  },
)

test('a buyer who sends the form too often keeps the input and sees when to try again', async () => {
  const limited = await startApp({ FLORIN_PUBLIC_RATE_LIMIT: '1' })
  try {
    const { id } = await givenProduct(limited, await givenShop(limited))
    const send = () => limited.call('POST', `/checkout/${id}`, { form: entered(), headers: html })
    expect((await send()).status).toBe(303)
    const { status, headers, text } = await send()
    expect([status, Number(headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect(text).toContain('value="buyer@example.com"')
    expect(text).toContain(`Please try again in ${headers.get('retry-after')} seconds.`)
    expect(text).toContain('Continue to payment')
  } finally {
    await limited.close()
  }
})

test('errors of a checkout page name no states, fields or other terms of the API', async () => {
  const order = await givenOrder(app, shop)
  await app.call('POST', `/v1/orders/${order.orderUUID}/cancel`, { key: shop.live, body: {} })
  const options = { form: { asset: 'btc' }, headers: html }
  const closed = await app.call('POST', `/pay/${order.orderUUID}/crypto`, options)
  expect(closed.status).toBe(409)
  expect(closed.text).toContain('This order was cancelled.')
  expect(closed.text).not.toContain('CANCELLED')
  for (const path of ['/pay/nonsense', '/no/such/page', '/no']) {
    const { text } = await app.call('GET', path, { headers: html })
    expect(text).not.toMatch(/uuid|route|orderUUID|validation/i)
  }
})

test('the page does not say that an email address is blocked', async () => {
  const { id } = await givenProduct(app, shop)
  await blockCustomer(app.context, shop.id, 'nasty@example.com', true)
  const { status, text } = await post(id, entered({ email: 'nasty@example.com' }))
  expect(status).toBe(400)
  expect(text).toContain('The shop can’t accept this order right now.')
  expect(text).not.toMatch(/blocked|this email/)
})

test('the compressed page of a product is shared, and changes with everything that it shows', async () => {
  const { id } = await givenProduct(app, shop)
  const { id: other } = await givenProduct(app, await givenShop(app))
  const get = async (product: string, headers: Record<string, string> = {}) => {
    const packed = await app.florin.http.handle(
      new Request(`http://localhost/checkout/${product}`, {
        headers: { ...html, 'accept-encoding': 'zstd', ...headers },
      }),
    )
    return Bun.zstdDecompressSync(await packed.bytes()).toString()
  }
  const visits: [product: string, headers: Record<string, string>][] = [
    [id, {}],
    [id, { 'accept-language': 'de' }],
    [id, { cookie: 'florin_choice=crypto' }],
    [other, {}],
  ]
  const plain = (product: string, headers: Record<string, string>) =>
    app.call('GET', `/checkout/${product}`, { headers: { ...html, ...headers } })
  const compress = spyOn(Bun, 'zstdCompressSync')
  try {
    for (const round of [1, 2]) {
      for (const [product, headers] of visits) {
        expect(await get(product, headers)).toBe((await plain(product, headers)).text)
      }
      expect([round, compress.mock.calls.length]).toEqual([round, visits.length])
    }
    const body = { name: 'Another blend' }
    await app.call('PATCH', `/v1/products/${id}`, { key: shop.live, body })
    expect(await get(id)).toContain('Another blend')
    expect(compress.mock.calls.length).toBe(visits.length + 1)
  } finally {
    compress.mockRestore()
  }
})
