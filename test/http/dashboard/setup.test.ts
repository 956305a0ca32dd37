import { afterEach, beforeEach, expect, test } from 'bun:test'
import { listMerchants } from '../../../src/operations/merchants/read.ts'
import { changeWallet } from '../../../src/operations/merchants/wallet.ts'
import { createFirstLink } from '../../../src/operations/people/links.ts'
import { type App, startApp } from '../../support/app.ts'
import { browserOf, cookieOf, PASSWORD, type Person, signInAs } from '../../support/dashboard.ts'
import { EVM_WALLET } from '../../support/given.ts'

let app: App
let operator: Person

beforeEach(async () => {
  app = await startApp()
  const token = await createFirstLink(app.context)
  const form = { email: 'me@shop.example', password: PASSWORD }
  operator = browserOf(app, cookieOf(await browserOf(app, '').post(`/dashboard/link/${token}`, form)))
})
afterEach(() => app.close())

const shop = { name: 'Corner Coffee', email: 'shop@example.com' }
const merchants = () => listMerchants(app.context)

test('the operator of a new server is led to create a shop, and then sees what to do next', async () => {
  expect((await operator.get('/dashboard')).headers.get('location')).toBe('/dashboard/setup')
  expect((await operator.get('/dashboard/setup')).text).toContain('value="me@shop.example"')
  const refused = await operator.post('/dashboard/setup', { name: ' ', email: shop.email })
  expect([refused.status, refused.text.includes('aria-invalid')]).toEqual([400, true])
  expect(await merchants()).toEqual([])
  expect((await operator.post('/dashboard/setup', shop)).headers.get('location')).toBe('/dashboard')
  const again = await operator.post('/dashboard/setup', shop)
  expect([again.status, again.text.includes('already uses this email address')]).toEqual([409, true])
  expect((await merchants()).map(({ name }) => name)).toEqual(['Corner Coffee'])
  const { text } = await operator.get('/dashboard')
  for (const part of ['Set up your shop', '0 of 5', '/dashboard/payouts', 'No orders yet'])
    expect(text).toContain(part)
})

test('a step is left out and taken up again, only for this shop and by its owner', async () => {
  await operator.post('/dashboard/setup', shop)
  await operator.post('/dashboard/setup', { name: 'Other', email: 'other@example.com' })
  const [first] = await merchants()
  const owner = await signInAs(app, 'owner', first!.id)
  const viewer = await signInAs(app, 'viewer', first!.id)
  await owner.post('/dashboard/setup/skip', { step: 'webhook' })
  expect((await owner.get('/dashboard')).text).toContain('1 of 5')
  expect((await operator.get('/dashboard')).text).toContain('0 of 5')
  expect((await viewer.get('/dashboard')).text).not.toContain('Set up your shop')
  await owner.post('/dashboard/setup/resume', { step: 'webhook' })
  expect((await owner.get('/dashboard')).text).toContain('0 of 5')
  expect((await owner.post('/dashboard/setup/skip', { step: 'all' })).status).toBe(400)
  for (const step of ['shop', 'payouts', 'webhook', 'product', 'payment']) {
    await owner.post('/dashboard/setup/skip', { step })
  }
  expect((await owner.get('/dashboard')).text).not.toContain('Set up your shop')
})

test('in the sandbox a button creates an order and pays it', async () => {
  await operator.post('/dashboard/setup', shop)
  const [merchant] = await merchants()
  expect((await operator.post('/dashboard/setup/payment')).headers.get('location')).toBe('/dashboard/payouts')
  await changeWallet(app.context, merchant!.id, { cryptoWallets: { evm: EVM_WALLET } })
  const paid = await operator.post('/dashboard/setup/payment')
  const page = await operator.get(paid.headers.get('location') ?? '')
  expect([page.status, page.text.includes('Paid')]).toEqual([200, true])
  const { text } = await operator.get('/dashboard')
  expect(text).toContain('2 of 5')
  expect(text).toContain('1.00 USD')
})

test('nobody but an operator creates a shop', async () => {
  await operator.post('/dashboard/setup', shop)
  const [merchant] = await merchants()
  const owner = await signInAs(app, 'owner', merchant!.id)
  expect((await owner.get('/dashboard/setup')).status).toBe(403)
  expect((await owner.post('/dashboard/setup', { name: 'Mine', email: 'mine@example.com' })).status).toBe(403)
  expect((await merchants()).length).toBe(1)
})
