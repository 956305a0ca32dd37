import { expect, test } from 'bun:test'
import { changeWallet } from '../../../src/operations/addresses/wallet.ts'
import { createMerchant } from '../../../src/operations/merchants/create.ts'
import { listMerchants } from '../../../src/operations/merchants/read.ts'
import { createFirstLink } from '../../../src/operations/people/links.ts'
import { listProducts } from '../../../src/operations/products/read.ts'
import { startWithReceiver } from '../../support/app-with-receiver.ts'
import { browserOf, cookieOf, PASSWORD, type Person, signInAs } from '../../support/dashboard.ts'
import { EVM_WALLET } from '../../support/given.ts'
import { pngOf } from '../../support/make-png.ts'
import { suite } from '../../support/suite.ts'

const { app, each } = suite({ start: startWithReceiver, isFresh: true })
const operator = each(async () => {
  const token = await createFirstLink(app.context)
  expect((await browserOf(app, '').get(`/dashboard/link/${token}`)).text).toContain('Step 1 of 6')
  const form = { email: 'me@shop.example', password: PASSWORD }
  return browserOf(app, cookieOf(await browserOf(app, '').post(`/dashboard/link/${token}`, form)))
})

const local = { currency: 'EUR', timeZone: 'Europe/Vienna', language: 'de' }
const shop = { name: 'Corner Coffee', email: 'shop@example.com', color: '#14614a', ...local }
const merchants = () => listMerchants(app.context)
const step = (name: string) => `/dashboard/setup/${name}`
const placeOf = async (answer: Promise<{ headers: Headers }>) => (await answer).headers.get('location')
/** The link of the overview's main button. */
const nextOf = async (person: Person): Promise<string | undefined> =>
  /<a class="button" href="([^"]+)">Continue with step/.exec((await person.get('/dashboard')).text)?.[1]
/** The chosen options in the form of a shop. */
const chosenIn = (text: string) =>
  Object.fromEntries(
    Object.keys(local).map(name => {
      const [, list = ''] = text.split(`<select id="${name}"`)
      const [, value, label] = /<option(?: value="([^"]+)")? selected>([^<]+)/.exec(list) ?? []
      return [name, value ?? label]
    }),
  )
const pay = async () => {
  const [merchant] = await merchants()
  await changeWallet(app.context, merchant!.id, { cryptoWallets: { evm: EVM_WALLET } })
  return merchant!
}

test('the operator of a new server creates a shop with its branding, and continues with the wallets', async () => {
  expect(await placeOf(operator.get('/dashboard'))).toBe('/dashboard/setup')
  const early = await operator.get('/dashboard/orders')
  expect([early.status, early.text.includes('This page needs a shop. Create one first')]).toEqual([400, true])
  const first = await operator.get('/dashboard/setup')
  for (const part of ['Step 2 of 6', 'value="me@shop.example"', 'USD – US Dollar'])
    expect(first.text).toContain(part)
  expect(chosenIn(first.text)).toEqual({ currency: 'USD', timeZone: 'America/New_York', language: 'en' })
  const german = await operator.get('/dashboard/setup?lang=de')
  expect(chosenIn(german.text)).toEqual({ currency: 'EUR', timeZone: 'Europe/Berlin', language: 'de' })
  for (const [change, field] of [
    [{ name: ' ' }, 'name'],
    [{ email: 'nobody' }, 'email'],
    [{ file: pngOf(8, 8) }, 'file'],
    [{ timeZone: 'Europe/Atlantis' }, 'timeZone'],
  ] as const) {
    const refused = await operator.upload('/dashboard/setup', { ...shop, color: '#aa3300', ...change })
    expect([refused.status, refused.text.includes(`id="${field}-problem"`)]).toEqual([400, true])
    expect(refused.text).toContain('value="#aa3300"')
    expect(refused.text).not.toContain('data-guess')
  }
  expect(await merchants()).toEqual([])
  const created = operator.upload('/dashboard/setup', { ...shop, color: '#AA3300', file: pngOf(64, 64) })
  expect(await placeOf(created)).toBe(step('payouts'))
  const again = await operator.upload('/dashboard/setup', shop)
  expect([again.status, again.text.includes('already uses this email address')]).toEqual([409, true])
  expect(await merchants()).toMatchObject([
    { ...local, name: 'Corner Coffee', color: '#aa3300', logo: { width: 64 } },
  ])
  const { text } = await operator.get('/dashboard')
  for (const part of ['Set up your shop', '2 of 6', 'Continue with step 3 of 6', 'No orders yet'])
    expect(text).toContain(part)
})

test('the set-up continues where it was left, back and forth, and skipped steps are found again', async () => {
  await operator.upload('/dashboard/setup', shop)
  expect(await nextOf(operator)).toBe(step('payouts'))
  const wallets = await operator.get(step('payouts'))
  for (const part of ['Step 3 of 6', `href="${step('shop')}"`, '/dashboard/payouts/evm?from=setup'])
    expect(wallets.text).toContain(part)
  const skip = (name: string, next: string) => operator.post(step('skip'), { step: name, next })
  expect(await placeOf(skip('payouts', step('webhook')))).toBe(step('webhook'))
  expect(await nextOf(operator)).toBe(step('webhook'))
  expect((await operator.get(step('webhook'))).text).toContain('I have no website of my own')
  expect(await placeOf(skip('webhook', 'https://evil.example/'))).toBe('/dashboard')
  for (const name of ['product', 'payment']) await skip(name, '/dashboard')
  expect(await nextOf(operator)).toBeUndefined()
  const { text } = await operator.get('/dashboard')
  expect(text).toContain('4 steps of the setup were skipped')
  expect(await placeOf(operator.post(step('resume'), { step: 'webhook' }))).toBe(step('webhook'))
  expect((await operator.get('/dashboard')).text).toContain('Continue with step 4 of 6')
  for (const form of [{ step: 'all' }, { step: 'account' }])
    expect((await operator.post(step('skip'), form)).status).toBe(400)
  // The settings of the look can be changed by going back.
  const changed = operator.upload(step('shop'), { ...shop, name: 'Corner Tea', color: '#000000' })
  expect(await placeOf(changed)).toBe(step('webhook'))
  expect(await merchants()).toMatchObject([{ name: 'Corner Tea', color: '#000000', email: shop.email }])
  expect((await operator.upload(step('shop'), { ...shop, currency: 'XAU' })).status).toBe(400)
})

test('the owner of a shop that the command line created is asked once for its region, and keeps the answers', async () => {
  const made = await createMerchant(app.context, { name: 'Café', email: 'cafe@shop.example' })
  const owner = await signInAs(app, 'owner', made.id)
  const headers = { cookie: owner.cookie, 'accept-language': 'de-AT, en;q=0.5' }
  const shown = async () => (await app.call('GET', step('shop'), { headers })).text
  expect(chosenIn(await shown())).toEqual(local)
  expect(await shown()).toContain('data-guess')
  const version = /name="version" value="(\d+)"/.exec(await shown())?.[1] ?? ''
  const chosen = { currency: 'ISK', timeZone: 'UTC', language: 'en' }
  await owner.upload(step('shop'), { name: 'Café', version, ...chosen })
  expect(chosenIn(await shown())).toEqual(chosen)
  expect(await shown()).not.toContain('data-guess')
})

test('the steps of the set-up are for the owners of one shop', async () => {
  await operator.upload('/dashboard/setup', shop)
  await operator.upload('/dashboard/setup', { ...shop, name: 'Other', email: 'other@example.com' })
  const [first] = await merchants()
  const owner = await signInAs(app, 'owner', first!.id)
  const viewer = await signInAs(app, 'viewer', first!.id)
  await owner.post(step('skip'), { step: 'payouts' })
  expect(await nextOf(owner)).toBe(step('webhook'))
  expect(await nextOf(operator)).toBe(step('payouts'))
  expect((await viewer.get('/dashboard')).text).not.toContain('Set up your shop')
  expect((await owner.get('/dashboard/setup')).status).toBe(403)
  expect((await owner.upload('/dashboard/setup', { ...shop, email: 'mine@example.com' })).status).toBe(403)
  expect((await merchants()).length).toBe(2)
})

test('the page of wallets links back to the set-up that led there', async () => {
  await operator.upload('/dashboard/setup', shop)
  const path = '/dashboard/payouts/evm'
  const wrong = await operator.post(`${path}/check`, { text: 'nonsense', from: 'setup' })
  expect(wrong.text).toContain('name="from" value="setup"')
  const check = await operator.post(`${path}/check`, { text: EVM_WALLET, from: 'setup' })
  const draft = /name="draft" value="([0-9a-f]+)"/.exec(check.text)?.[1] ?? ''
  expect(check.text).toContain('/dashboard/payouts/evm?from=setup')
  const unchecked = await operator.post(`${path}/save`, { draft, from: 'setup' })
  expect(unchecked.text).toContain('name="from" value="setup"')
  const saved = operator.post(`${path}/save`, { draft, compared: 'yes', from: 'setup' })
  expect(await placeOf(saved)).toBe(`${step('payouts')}?saved`)
  const { text } = await operator.get(`${step('payouts')}?saved`)
  expect(text).toContain('Customers can pay with ')
  expect(text).toContain(`<a class="button" href="${step('webhook')}">Continue`)
})

test('the set-up saves a webhook with a test event, which can be sent again', async () => {
  await operator.upload('/dashboard/setup', shop)
  const wrong = await operator.post(step('webhook'), { url: 'http://10.0.0.1/hook' })
  expect([wrong.status, wrong.text.includes('id="url-problem"')]).toEqual([400, true])
  const saved = await operator.post(step('webhook'), { url: app.receiver.url })
  for (const part of ['signing secret', 'accepted the test event', app.receiver.url])
    expect(saved.text).toContain(part)
  expect(app.receiver.received.map(({ json }) => json.type)).toEqual(['webhook.test'])
  await operator.post(`${step('webhook')}/test`)
  expect(app.receiver.received).toHaveLength(2)
  expect((await operator.get(step('webhook'))).text).not.toContain('Copy it now')
})

test('the first product or payment link is made once, in the currency of the shop', async () => {
  await operator.upload('/dashboard/setup', shop)
  const form = { kind: 'link', what: 'Invoice 17', amount: '12,50', currency: 'eur' }
  const token = app.context.ids.uuid()
  const page = await operator.get(step('product'))
  expect(page.text).toMatch(/<option value="EUR" selected>/)
  const early = await operator.post(step('product'), { ...form, token })
  expect([early.status, early.text.includes('needs a wallet')]).toEqual([422, true])
  const merchant = await pay()
  for (const [change, field] of [
    [{ what: ' ' }, 'what'],
    [{ amount: '0' }, 'amount'],
    [{ kind: 'product', currency: 'XAU' }, 'currency'],
  ] as const) {
    const refused = await operator.post(step('product'), { ...form, token, ...change })
    expect([field, refused.text.includes(`id="${field}-problem"`)]).toEqual([field, true])
  }
  for (let times = 0; times < 2; times++)
    expect(await placeOf(operator.post(step('product'), { ...form, token }))).toBe(step('product'))
  const link = await operator.get(step('product'))
  for (const part of ['Invoice 17', '/pay/', '<svg', 'Continue']) expect(link.text).toContain(part)
  expect((await operator.get('/dashboard/orders')).text.match(/12\.50/g)).toHaveLength(1)
  const product = { ...form, kind: 'product', what: 'Blend', token: app.context.ids.uuid() }
  await operator.post(step('product'), product)
  const { items } = await listProducts(app.context, merchant.id, 9, null)
  expect(items.map(({ product: made }) => [made.name, made.amount, made.allowPriceOverride])).toEqual([
    ['Blend', '12.50', false],
  ])
  expect((await operator.get(step('product'))).text).toContain(`/checkout/${items[0]!.product.id}`)
})

test('in the sandbox a button creates an order and pays it, which does not count as a first sale', async () => {
  await operator.upload('/dashboard/setup', shop)
  const early = await operator.post(step('payment'))
  expect([early.status, early.text.includes('Nobody can pay yet')]).toEqual([422, true])
  await pay()
  expect(await placeOf(operator.post(step('payment')))).toBe(step('payment'))
  const page = await operator.get(step('payment'))
  for (const part of ['Paid: €1.00', 'Go to your shop', '/dashboard/orders/'])
    expect(page.text).toContain(part)
  const { text } = await operator.get('/dashboard')
  for (const part of ['4 of 6', 'Continue with step 4 of 6', '€1.00']) expect(text).toContain(part)
  expect((await operator.get(`${step('payment')}/part`)).text).not.toContain('hx-get')
})

test('the branding of a shop that another person changed meanwhile is not overwritten', async () => {
  await operator.upload('/dashboard/setup', shop)
  const [merchant] = await merchants()
  const other = await signInAs(app, 'owner', merchant!.id)
  const versionOf = (text: string) => /name="version" value="(\d+)"/.exec(text)?.[1] ?? ''
  const version = versionOf((await operator.get(step('shop'))).text)
  app.time.now += 60_000
  const theirs = { ...shop, name: 'Theirs', version }
  expect(await placeOf(other.upload(step('shop'), theirs))).toStartWith('/dashboard')
  const mine = { ...shop, name: 'Mine', version }
  const refused = await operator.upload(step('shop'), mine)
  expect([refused.status, (await merchants())[0]!.name]).toEqual([409, 'Theirs'])
  for (const part of [`changed by ${other.email} on `, 'value="Mine"']) expect(refused.text).toContain(part)
  expect(refused.text).not.toContain('role="alert"><p></p>')
  await operator.upload(step('shop'), { ...mine, version: versionOf(refused.text) })
  expect((await merchants())[0]!.name).toBe('Mine')
})
