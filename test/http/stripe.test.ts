import { describe, expect, test } from 'bun:test'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkSecrets, readSecretsState, secretsOf } from '../../src/boot/secrets.ts'
import { secretsFile } from '../../src/cli/doctor/files.ts'
import { NO_EMAIL } from '../../src/domain/customer.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { connectAccount } from '../../src/operations/merchants/connect-account.ts'
import { rotateSecrets } from '../../src/operations/merchants/rotate-secrets.ts'
import { endOrder } from '../../src/operations/orders/end.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { disconnectAccount } from '../../src/operations/payments/disconnect-account.ts'
import { signInAs } from '../support/dashboard.ts'
import { check, givenOrder, openCrypto, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import {
  attemptsOf,
  eventTypesOf,
  getOrder,
  HOUR_MS,
  incomingPaymentsOf,
  MINUTE_MS,
  openOnly,
  sendCoins,
  wallets,
} from './payments.ts'
import { data, refused } from './request.ts'
import { rowOf, rowsOf } from './rows.ts'
import {
  crash,
  givenStripeShop,
  openSession,
  payOnPage,
  type StripeApp,
  startStripeApp,
  status,
} from './stripes.ts'

const { app, each, ownApp } = suite<StripeApp>({ start: startStripeApp })
const shop = each(() => givenStripeShop(app))
const card = { amount: '25.00', currency: 'EUR', paymentMethodsKeys: ['stripe'] }
const order = async (change: object = {}): Promise<string> =>
  (await givenOrder(app, shop, { ...card, ...change })).orderUUID
const read = (orderUUID: string) => getOrder(app, shop, orderUUID)

test('an order is paid by card on the page of the shop’s own account', async () => {
  const orderUUID = await order()
  const page = await app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
  expect(page.text).toContain('Continue to Stripe')
  const session = await openSession(app, orderUUID)
  expect((await app.call('GET', `/sandbox/stripe/pay/${session}`)).text).toContain('25.00 EUR')
  expect(await openSession(app, orderUUID)).toBe(session)
  const paid = await payOnPage(app, session)
  expect([paid.status, paid.headers.get('location')]).toEqual([
    303,
    `http://localhost/pay/${orderUUID}/return`,
  ])
  const account = `acct_${shop.id.replaceAll('-', '').slice(-12)}`
  expect(await read(orderUUID)).toMatchObject({
    ...{ status: 'PAID', receivedAmount: '25.00', receivedCurrency: 'EUR', providerPayoutAddress: account },
    transactionRef: expect.stringMatching(/^pi_/),
  })
  expect(eventTypesOf(app, orderUUID)).toEqual(['order.paid'])
})

test.each([
  ['their address', 'buyer@example.com', 'buyer@example.com'],
  ['no address', NO_EMAIL, null],
])('the page of Stripe gets %s of buyers, who cannot change it there', async (_, email, expected) => {
  let form = new URLSearchParams()
  app.wire.faults.push([
    'POST checkout/sessions',
    ({ init }, pass) => {
      form = new URLSearchParams(String(init.body))
      return pass()
    },
  ])
  await openSession(app, await order({ customer: { email } }))
  expect([form.get('mode'), form.get('customer_email')]).toEqual(['payment', expected])
})

test('nobody can pay on the card page of a suspended shop', async () => {
  await ownApp()
  const session = await openSession(app, await order())
  await changeMerchant(app.context, shop.id, { status: 'suspended' })
  await app.advance(20 * MINUTE_MS)
  expect((await payOnPage(app, session)).status).toBe(410)
})

test('the return of the buyer replaces a lost webhook', async () => {
  await ownApp()
  const orderUUID = await order()
  const session = await openSession(app, orderUUID)
  app.wire.hasLostWebhooks = true
  await payOnPage(app, session)
  expect((await read(orderUUID)).status).toBe('UNPAID')
  const back = await app.call('GET', `/pay/${orderUUID}/return`)
  expect([back.status, back.headers.get('location')]).toEqual([303, `/pay/${orderUUID}`])
  expect((await read(orderUUID)).status).toBe('PAID')
})

test('keys are encrypted, and without the secrets file only cards stop working', async () => {
  await ownApp()
  const orderUUID = await order()
  const { credentials } = rowOf(
    app,
    'SELECT credentials FROM provider_accounts WHERE merchant_id = ?',
    shop.id,
  )
  expect(String(credentials)).not.toMatch(/rk_test|whsec|acct_/)
  rmSync(join(app.dataDir, 'secrets.key'))
  await crash(app)
  const expected = { status: 422, code: 'method_not_offered' }
  await refused(app, expected, 'GET', `/payment/process/${orderUUID}?method=stripe`)
  const key = `rk_test_${shop.id.replaceAll('-', '').slice(-12)}_2`
  await connectAccount(app.context, { merchantId: shop.id, providerId: 'stripe', key, webhookSecret: null })
  await payOnPage(app, await openSession(app, orderUUID))
  expect((await read(orderUUID)).status).toBe('PAID')
})

describe('a new key for stored credentials', () => {
  const keyFile = () => join(app.dataDir, 'secrets.key')
  const stop = () => {
    throw new Error('killed')
  }

  test('is made while the server runs, which continues to use the account', async () => {
    await ownApp()
    const orderUUID = await order()
    const session = await openSession(app, orderUUID)
    const command = { ...app.context, secrets: secretsOf(keyFile()) }
    expect(await rotateSecrets(command)).toEqual({ rotated: 1, unreadable: 0 })
    await payOnPage(app, session)
    expect((await read(orderUUID)).status).toBe('PAID')
    expect(rowsOf(app, "SELECT subject FROM audit_log WHERE action = 'secrets.rotated'")).toHaveLength(1)
  })

  test.each([
    ['before the accounts are encrypted again', 'seal'],
    ['before the former key is dropped', 'dropFormerKeys'],
  ] as const)('that was interrupted %s loses nothing, and is completed', async (_, step) => {
    await ownApp()
    const orderUUID = await order()
    const secrets = { ...secretsOf(keyFile()), [step]: stop }
    await expect(rotateSecrets({ ...app.context, secrets })).rejects.toThrow('killed')
    await crash(app)
    const session = await openSession(app, orderUUID)
    expect(await rotateSecrets(app.context)).toEqual({ rotated: 1, unreadable: 0 })
    expect(readFileSync(keyFile(), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
    await crash(app)
    await payOnPage(app, session)
    expect((await read(orderUUID)).status).toBe('PAID')
  })

  test('is not made if the present key decrypts nothing, and a server with such a key does not start', async () => {
    await ownApp()
    writeFileSync(keyFile(), `${'0'.repeat(64)}\n`)
    const command = { ...app.context, secrets: secretsOf(keyFile()) }
    await expect(rotateSecrets(command)).rejects.toThrow('opens none')
    expect(readFileSync(keyFile(), 'utf8')).toBe(`${'0'.repeat(64)}\n`)
    const start = checkSecrets(app.context.storage, command.secrets, keyFile())
    await expect(start).rejects.toThrow('does not open the stored credentials')
  })
})

test('doctor reports whether the key file exists, is the right one, and can be read by others', async () => {
  await ownApp()
  const file = join(app.dataDir, 'secrets.key')
  const found = async (): Promise<string[]> => {
    const secrets = await readSecretsState(app.context.storage, secretsOf(file))
    const settings = { dataDir: app.dataDir, secretsFile: '' }
    return secretsFile({ settings, rows: { secrets } }).map(({ message }) => message)
  }
  expect(await found()).toEqual([
    `${file} opens one account with payment providers. No backup contains it: keep a copy elsewhere.`,
  ])
  secretsOf(file).addKey()
  expect(await found()).toEqual(['A change of the key was interrupted. The former key still opens.'])
  await rotateSecrets(app.context)
  chmodSync(file, 0o604)
  expect(await found()).toEqual([`${file} can be read by everyone.`])
  rmSync(file)
  const lost = '1 of 1 accounts with payment providers cannot be used: there is no key in'
  expect(await found()).toEqual([`${lost} ${file}.`])
})

describe('a buyer never pays twice:', () => {
  const forcing = { by: 'Ann', reason: 'paid in cash' }
  const ends: [how: string, end: (orderUUID: string) => Promise<unknown>][] = [
    ['its order expires, although Stripe keeps it for half an hour', () => app.advance(11 * MINUTE_MS)],
    ['the shop ends its order', id => endOrder(app.context, shop.id, id)],
    [
      'the shop marks its order as paid',
      id => forceOrder(app.context, { ...forcing, merchantId: shop.id, orderId: id }),
    ],
  ]

  test.each(ends)('the session is closed when %s', async (_, end) => {
    await ownApp()
    const orderUUID = await order({ expiresAt: new Date(app.time.now + 10 * MINUTE_MS).toISOString() })
    const session = await openSession(app, orderUUID)
    await end(orderUUID)
    await app.jobs.settle()
    expect((await read(orderUUID)).status).not.toBe('UNPAID')
    expect((await payOnPage(app, session)).status).toBe(410)
  })

  test('the session is closed at once when a coin pays the order', async () => {
    await ownApp()
    await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: wallets } })
    const orderUUID = await order({ paymentMethodsKeys: ['stripe', 'crypto'] })
    const session = await openSession(app, orderUUID)
    await openCrypto(app, orderUUID, 'polygon/usdc')
    await simulate(app, orderUUID, 'paid')
    expect((await check(app, orderUUID)).status).toBe('PAID')
    await app.jobs.settle()
    expect((await payOnPage(app, session)).status).toBe(410)
  })

  test('the session for the whole order is closed before one for the rest is opened', async () => {
    await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: wallets } })
    const orderUUID = await order({ paymentMethodsKeys: ['stripe', 'crypto'] })
    const session = await openSession(app, orderUUID)
    const coins = await openOnly(app, orderUUID, 'btc')
    await sendCoins(app, coins, BigInt(String(coins.due_atomic)) / 2n)
    await check(app, orderUUID)
    const rest = await openSession(app, orderUUID)
    expect(await openSession(app, orderUUID)).toBe(rest)
    expect((await payOnPage(app, session)).status).toBe(410)
    await payOnPage(app, rest)
    expect((await read(orderUUID)).status).toBe('PAID')
  })

  test('a session that ended before its order is replaced by a new one', async () => {
    await ownApp()
    const orderUUID = await order({ expiresAt: new Date(app.time.now + 72 * HOUR_MS).toISOString() })
    const session = await openSession(app, orderUUID)
    await app.advance(24 * HOUR_MS)
    expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'expired' }])
    expect((await read(orderUUID)).status).toBe('UNPAID')
    const second = await openSession(app, orderUUID)
    expect(second).not.toBe(session)
    await payOnPage(app, second)
    expect((await read(orderUUID)).status).toBe('PAID')
  })

  test('a debit in progress asks for nothing more, and pays when it arrives', async () => {
    await ownApp()
    const orderUUID = await order()
    const session = await openSession(app, orderUUID)
    await payOnPage(app, session, { by: 'debit' })
    expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'confirming' }])
    const again = await app.call('GET', `/payment/process/${orderUUID}?method=stripe`)
    expect([again.text, again.headers.get('location')]).toEqual(['', `/pay/${orderUUID}`])
    await app.advance(48 * HOUR_MS)
    expect((await read(orderUUID)).status).toBe('UNPAID')
    await payOnPage(app, session, { by: 'arrive' })
    expect(await read(orderUUID)).toMatchObject({ status: 'PAID', receivedAmount: '25.00' })
    expect(incomingPaymentsOf(app, orderUUID)).toHaveLength(1)
  })

  test('a debit that arrives weeks later pays, although its webhook is lost', async () => {
    await ownApp()
    const orderUUID = await order()
    const session = await openSession(app, orderUUID)
    await payOnPage(app, session, { by: 'debit' })
    app.wire.hasLostWebhooks = true
    await app.advance(20 * 24 * HOUR_MS)
    await payOnPage(app, session, { by: 'arrive' })
    await app.advance(2 * HOUR_MS)
    expect(await read(orderUUID)).toMatchObject({ status: 'PAID', receivedAmount: '25.00' })
  })

  test('a debit that the bank returns pays nothing', async () => {
    await ownApp()
    const orderUUID = await order({ paymentMethodsKeys: ['stripe', 'crypto'] })
    const session = await openSession(app, orderUUID)
    await payOnPage(app, session, { by: 'debit' })
    await payOnPage(app, session, { by: 'return' })
    expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'failed' }])
    expect((await read(orderUUID)).status).toBe('UNPAID')
    const second = await openSession(app, orderUUID)
    await payOnPage(app, second)
    expect((await read(orderUUID)).status).toBe('PAID')
    await app.advance(10 * MINUTE_MS)
    expect(eventTypesOf(app, orderUUID).filter(type => type === 'order.paid')).toHaveLength(1)
  })
})

test('an account that was removed offers no cards, and its open pages are closed', async () => {
  const orderUUID = await order()
  const session = await openSession(app, orderUUID)
  expect(await disconnectAccount(app.context, shop.id, 'stripe')).toEqual({ closed: 1, open: [] })
  expect((await payOnPage(app, session)).status).toBe(410)
  const actions = rowsOf(app, 'SELECT action FROM audit_log WHERE merchant_id = ? ORDER BY rowid', shop.id)
  expect(actions.slice(-2)).toEqual([
    { action: 'provider_account.set' },
    { action: 'provider_account.removed' },
  ])
  const expected = { status: 422, code: 'method_not_offered' }
  await refused(app, expected, 'GET', `/payment/process/${orderUUID}?method=stripe`)
})

test('a payment whose webhook was lost pays its order before its account is removed', async () => {
  const orderUUID = await order()
  app.wire.hasLostWebhooks = true
  await payOnPage(app, await openSession(app, orderUUID))
  app.wire.hasLostWebhooks = false
  expect((await read(orderUUID)).status).toBe('UNPAID')
  await disconnectAccount(app.context, shop.id, 'stripe')
  expect((await read(orderUUID)).status).toBe('PAID')
})

test('an open page that cannot be closed is named when its account is removed', async () => {
  await ownApp()
  const orderUUID = await order()
  await openSession(app, orderUUID)
  app.wire.faults.push(['POST checkout/sessions/ID/expire', status(500)])
  const owner = await signInAs(app, 'owner', shop.id)
  const removed = await owner.post('/dashboard/cards/remove', {})
  expect(removed.text).toContain(`href="/dashboard/orders/${orderUUID}"`)
  expect((await owner.get('/dashboard/cards')).text).toContain('No account with Stripe is connected')
})

test('all open pages are named when the provider is away while its account is removed', async () => {
  await ownApp()
  const orders: string[] = []
  // Eight pages are closed at a time.
  for (let made = 0; made < 9; made++) {
    orders.push(await order())
    await openSession(app, orders.at(-1) ?? '')
    if (made > 0) app.wire.faults.push(['POST checkout/sessions/ID/expire', status(500)])
  }
  const { closed, open } = await disconnectAccount(app.context, shop.id, 'stripe')
  expect([closed, open.toSorted()]).toEqual([0, orders.toSorted()])
})

describe('an account at Stripe', () => {
  const connect = (key: string, webhookSecret: string | null = null) =>
    connectAccount(app.context, { merchantId: shop.id, providerId: 'stripe', key, webhookSecret })

  test.each([
    ['sk_live_corner_1', 'live_key'],
    ['pk_test_corner_1', 'publishable_key'],
    ['corner', 'not_a_key'],
    ['rk_test_corner_revoked', 'key_refused'],
    ['rk_test_corner_1', 'other_account'],
  ])('is not connected with the key %s: %s', async (key, problem) => {
    await expect(connect(key)).rejects.toMatchObject({ reason: { kind: 'account', problem } })
  })

  test('gets a webhook, or works without one if its key may not create webhooks', async () => {
    const name = shop.id.replaceAll('-', '').slice(-12)
    expect(await connect(`rk_test_${name}_2`)).toMatchObject({
      webhook: 'made',
      id: `acct_${name}`,
      mode: 'test',
    })
    expect(await connect(`rk_test_${name}_nowebhooks`)).toMatchObject({ webhook: 'missing' })
    expect(await connect(`rk_test_${name}_nowebhooks`, 'whsec_12345678')).toMatchObject({
      webhook: 'entered',
    })
  })

  test('is tested and saved on the page for cards', async () => {
    const owner = await signInAs(app, 'owner', shop.id)
    const name = shop.id.replaceAll('-', '').slice(-12)
    const tried = await owner.post('/dashboard/cards/try', { key: `rk_test_${name}_3` })
    expect(tried.text).toContain(`acct_${name}`)
    expect(tried.text).not.toContain('rk_test_')
    const draft = /name="draft" value="([^"]+)"/.exec(tried.text)?.[1] ?? ''
    const saved = await owner.post('/dashboard/cards/save', { draft })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/dashboard/cards?done=saved'])
    app.wire.faults.push(['GET account', status(503)])
    const away = await owner.post('/dashboard/cards/try', { key: `rk_test_${name}_3` })
    expect([away.status, away.text.includes('The provider does not answer')]).toEqual([502, true])
    const refusedKey = await owner.post('/dashboard/cards/try', { key: 'sk_live_corner_1' })
    expect([refusedKey.status, refusedKey.text.includes('This is a sandbox')]).toEqual([400, true])
  })
})
