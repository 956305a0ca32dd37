import { expect, test } from 'bun:test'
import { listAudit } from '../../../src/operations/audit/read.ts'
import { changeMerchant } from '../../../src/operations/merchants/change.ts'
import { listProducts } from '../../../src/operations/products/read.ts'
import type { Answer } from '../../support/app.ts'
import { type Person, signInAs, type UploadFields } from '../../support/dashboard.ts'
import { givenProduct, givenShop } from '../../support/given.ts'
import { pngOf } from '../../support/make-png.ts'
import { suite } from '../../support/suite.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))
const other = once(() => givenShop(app))
once(() => changeMerchant(app.context, shop.id, { staffPrices: true }))
const staff = once(() => signInAs(app, 'staff', shop.id))
const viewer = once(() => signInAs(app, 'viewer', shop.id))
const stranger = once(() => signInAs(app, 'owner', other.id))

const PATH = '/dashboard/products'

const upload = (person: Person, path: string, form: UploadFields) => person.upload(path, form)

const fields = (change: UploadFields = {}): UploadFields => ({
  token: app.context.ids.uuid(),
  name: 'House blend',
  description: '',
  amount: '18,50',
  currency: 'eur',
  ...change,
})

const all = async (of = shop) => (await listProducts(app.context, of.id, 100, null)).items
const stored = async (id: string, of = shop) =>
  (await all(of)).find(({ product }) => product.id === id)!.product

const namesIn = (text: string): string[] =>
  [...text.matchAll(/<a href="\/dashboard\/products\/[0-9a-f-]{36}" dir="auto">([^<]+)</g)].map(
    one => one[1]!,
  )

test('staff create a product only once, with a fixed price by default', async () => {
  const form = fields({ name: 'Blend <1>', method: ['crypto'], file: pngOf(800, 800) })
  const path = `${PATH}/${form.token}`
  for (let times = 0; times < 2; times++) {
    const created = await upload(staff, `${PATH}/new`, form)
    expect([created.status, created.headers.get('location')]).toEqual([303, `${path}?done=created`])
  }
  expect((await upload(staff, `${PATH}/new`, { ...form, amount: '1,00' })).status).toBe(409)
  expect(await all()).toHaveLength(1)
  const product = await stored(String(form.token))
  expect(product).toMatchObject({
    merchantId: shop.id,
    name: 'Blend <1>',
    amount: '18.50',
    currency: 'EUR',
    methodKeys: ['crypto'],
    allowPriceOverride: false,
    imageId: expect.any(String),
  })
  const page = await viewer.get(path)
  expect(page.text).toContain(`/checkout/${product.id}`)
  expect(page.text).toContain('&lt;a href=')
  expect(page.text).toContain('Buy Blend &amp;lt;1&amp;gt;')
  expect(page.text).toContain('<svg')
  expect(page.text).not.toContain('enctype')
  expect((await stranger.get(path)).status).toBe(404)
  const [entry] = await listAudit(app.context, shop.id, 9)
  expect(entry).toMatchObject({ actor: `user:${staff.userId}` })
})

test('a refused product is shown again with the entered values, and nothing is stored', async () => {
  const before = await all()
  const cases: [string, UploadFields][] = [
    ['name', { name: ' ' }],
    ['amount', { amount: '0' }],
    ['amount', { amount: '18.505' }],
    ['currency', { currency: 'XYZ' }],
    ['file', { file: pngOf(640, 480) }],
    ['file', { file: new TextEncoder().encode('<svg onload=alert(1)>') }],
    ['file', { file: new Uint8Array(400_000) }],
    ['file', { file: new Uint8Array(6 * 1024 * 1024) }],
  ]
  for (const [field, change] of cases) {
    const answer = await upload(staff, `${PATH}/new`, fields({ description: 'kept &', ...change }))
    expect([field, answer.status]).toEqual([field, 400])
    expect(answer.text).toContain('value="kept &amp;"')
    expect(answer.text).toContain(`id="${field}-problem"`)
  }
  expect((await upload(staff, `${PATH}/new`, fields({ token: 'x' }))).status).toBe(400)
  const large = await upload(staff, `${PATH}/new`, fields({ file: new Uint8Array(33 * 1024 * 1024) }))
  expect(large.status).toBe(413)
  expect(await all()).toEqual(before)
  for (const person of [viewer, stranger]) {
    const answer = await upload(person, `${PATH}/new`, fields())
    expect(answer.status).toBe(person === viewer ? 403 : 303)
  }
  expect(await all()).toEqual(before)
})

test('staff can change prices only if an owner allows it, and owners always can', async () => {
  const mine = await givenShop(app)
  const { id } = await givenProduct(app, mine)
  const path = `${PATH}/${id}`
  const [owner, helper] = [await signInAs(app, 'owner', mine.id), await signInAs(app, 'staff', mine.id)]
  const same = fields({ name: 'Same price', amount: '12,50', currency: 'USD' })
  const changes = [
    { amount: '0.01' },
    { currency: 'JPY', amount: '12' },
    { currency: 'EUR' },
    { allowPriceOverride: 'yes' },
    { taxClass: 'zero' },
  ]
  const page = await helper.get(path)
  expect(page.text).toMatch(/<input type="hidden" name="amount" value="12.50">/)
  expect(page.text).toContain('Only an owner may change the price')
  for (const change of changes) {
    const refused = await upload(helper, path, { ...same, ...change })
    expect([refused.status, refused.text.includes('Only an owner may change the price')]).toEqual([403, true])
    expect(await stored(id, mine)).toMatchObject({
      name: 'House blend',
      amount: '12.50',
      currency: 'USD',
      allowPriceOverride: false,
      taxClass: 'standard',
    })
  }
  for (const currency of ['', 'x', '<b>']) {
    const refused = await upload(helper, path, { ...same, currency, amount: '0.01' })
    const isStored =
      /<bdi>\$12.50<.bdi>/.test(refused.text) && refused.text.includes('name="currency" value="USD"')
    expect([currency, refused.status, isStored]).toEqual([currency, 400, true])
  }
  expect((await upload(helper, path, same)).status).toBe(303)
  expect((await upload(owner, path, { ...same, amount: '10.00' })).status).toBe(303)
  const allow = (staffPrices: string) => owner.upload('/dashboard/settings', { staffPrices })
  expect((await helper.upload('/dashboard/settings', { staffPrices: 'yes' })).status).toBe(403)
  expect((await allow('yes')).status).toBe(303)
  expect((await helper.get(path)).text).not.toContain('Only an owner may change the price')
  expect((await upload(helper, path, { ...same, amount: '9.00' })).status).toBe(303)
  expect(await stored(id, mine)).toMatchObject({ amount: '9.00' })
  expect((await allow('no')).status).toBe(303)
  expect((await upload(helper, path, { ...same, amount: '8.00' })).status).toBe(403)
})

test('staff change a product; settings that are not in the form stay, and another shop cannot change it', async () => {
  const { id } = await givenProduct(app, shop, { metadata: { sku: 7 }, imageUrl: 'https://a.example/b.png' })
  const path = `${PATH}/${id}`
  const page = await staff.get(path)
  expect(page.text).toContain('value="12.50"')
  const change = fields({ name: 'Decaf', amount: '9', currency: 'USD', allowPriceOverride: 'yes' })
  expect((await upload(viewer, path, change)).status).toBe(403)
  expect((await upload(stranger, path, change)).status).toBe(404)
  expect((await stored(id)).name).toBe('House blend')
  const saved = await upload(staff, path, change)
  expect([saved.status, saved.headers.get('location')]).toEqual([303, `${path}?done=saved`])
  expect(await stored(id)).toMatchObject({
    name: 'Decaf',
    amount: '9.00',
    description: null,
    allowPriceOverride: true,
    methodKeys: ['*'],
    metadata: { sku: 7 },
    imageUrl: 'https://a.example/b.png',
  })
  const wrong = await upload(staff, path, { ...change, amount: 'nine' })
  expect([wrong.status, wrong.text.includes('value="nine"')]).toEqual([400, true])
  await upload(staff, path, { ...change, removeImage: 'yes' })
  expect(await stored(id)).toMatchObject({ imageUrl: null, imageId: null })
  // The token of a product of another shop does not change it.
  const foreign = await givenProduct(app, other)
  expect((await upload(staff, `${PATH}/new`, fields({ token: foreign.id }))).status).toBe(403)
  expect((await all(other))[0]!.product).toEqual(foreign)
})

test('a page allows images of the servers that it shows, and of no other', async () => {
  const sources = (page: Answer) => /img-src ([^;]*)/.exec(page.headers.get('content-security-policy')!)?.[1]
  const own = "'self' data: blob:"
  const imageUrl = 'https://cdn.example:8443/b.png?a;b'
  const { id } = await givenProduct(app, shop, { name: 'Far away', imageUrl })
  expect(sources(await staff.get(`${PATH}/${id}`))).toBe(`${own} https://cdn.example:8443`)
  expect(sources(await staff.get(`${PATH}?q=Far+away`))).toBe(`${own} https://cdn.example:8443`)
  for (const path of [`${PATH}?q=nothing`, `${PATH}/new`, '/dashboard', '/dashboard/nope']) {
    expect([path, sources(await staff.get(path))]).toEqual([path, own])
  }
})

test('products are searched, archived and restored, several at once', async () => {
  const [one, two] = [
    await givenProduct(app, shop, { name: 'Mug & saucer', updatedAt: app.time.now + 5 }),
    await givenProduct(app, shop, { name: 'Big MUG', updatedAt: app.time.now + 6 }),
  ]
  const foreign = await givenProduct(app, other, { name: 'Mug of another shop' })
  const order = { paymentMethodKey: 'crypto', customer: { email: 'a@b.example', fullName: 'Ann' } }
  await app.call('POST', `/v1/checkout-products/${one.id}/orders`, { body: order })
  const search = `${PATH}?q=mug`
  const found = await viewer.get(search)
  expect(namesIn(found.text)).toEqual(['Big MUG', 'Mug &amp; saucer'])
  expect(found.text).not.toContain('type="checkbox"')
  expect((await staff.get(search)).text).toContain('aria-label="Choose Big MUG"')
  const both = { [`product.${one.id}`]: 'yes', [`product.${two.id}`]: 'yes' }
  expect((await viewer.post(`${PATH}/archive`, { ...both, do: 'archive' })).status).toBe(403)
  const mixed = await staff.post(`${PATH}/archive`, { ...both, [`product.${foreign.id}`]: 'yes' })
  expect(mixed.status).toBe(404)
  expect((await stored(one.id)).active).toBe(true)
  const done = await staff.post(`${PATH}/archive`, { ...both, do: 'archive' })
  expect([done.status, done.headers.get('location')]).toEqual([303, `${PATH}?done=archived`])
  expect(namesIn((await viewer.get(search)).text)).toEqual([])
  expect(namesIn((await viewer.get(`${search}&state=archived`)).text)).toHaveLength(2)
  expect((await app.call('GET', `/checkout/${one.id}`)).status).toBe(404)
  await staff.post(`${PATH}/archive`, { ...both, do: 'restore' })
  expect((await stored(two.id)).active).toBe(true)
  expect((await staff.post(`${PATH}/archive`, { do: 'archive' })).status).toBe(303)
  expect((await stored(two.id)).active).toBe(true)
})

test('a long list is read page by page', async () => {
  for (let index = 0; index < 26; index++) {
    await givenProduct(app, other, { name: `Item ${index}`, updatedAt: app.time.now + 100 + index })
  }
  const first = await stranger.get(`${PATH}?q=item&lang=de`)
  expect(first.text).toContain('Produkte')
  expect(namesIn(first.text)).toHaveLength(25)
  expect(first.text.length).toBeLessThan(60 * 1024)
  const older = /<a href="([^"]+)">Ältere</.exec(first.text)![1]!.replaceAll('&amp;', '&')
  expect(namesIn((await stranger.get(older)).text)).toEqual(['Item 0'])
})

test('a product that another person changed meanwhile is not overwritten', async () => {
  const { id } = await givenProduct(app, shop)
  const colleague = await signInAs(app, 'staff', shop.id)
  const versionOf = (text: string) => /name="version" value="(\d+)"/.exec(text)?.[1] ?? ''
  const path = `${PATH}/${id}`
  const version = versionOf((await staff.get(path)).text)
  const mine = fields({ name: 'Mine', amount: '11.00', version })
  expect((await upload(colleague, path, fields({ name: 'Theirs', version }))).status).toBe(303)
  const refused = await upload(staff, path, mine)
  expect(refused.status).toBe(409)
  for (const part of [
    `changed by ${colleague.email} on `,
    'value="Mine"',
    `<a href="${path}" target="_blank">`,
  ])
    expect(refused.text).toContain(part)
  expect((await stored(id)).name).toBe('Theirs')
  // The decision counts once the page has shown the newer version.
  const now = versionOf(refused.text)
  expect(now).not.toBe(version)
  expect((await upload(staff, path, { ...mine, version: now })).status).toBe(303)
  expect(await stored(id)).toMatchObject({ name: 'Mine', amount: '11.00' })
})

test('the button for other websites has the color of the shop and legible text', async () => {
  const { id } = await givenProduct(app, shop)
  const button = async () => (await staff.get(`${PATH}/${id}`)).text
  expect(await button()).toContain('background:#14614a;color:#ffffff')
  await changeMerchant(app.context, shop.id, { color: '#ffcc00' })
  expect(await button()).toContain('background:#ffcc00;color:#000000')
})
