import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { audit } from '../support/auditor.ts'
import { orderBody } from '../support/given.ts'
import { endProcesses, FLORIN, newFolder, type RunningProcess, startProcess } from '../support/process.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { atRest, EVM_WALLET } from './commands.ts'
import { florinHere } from './in-process.ts'

const NOBODY = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
const dataDir = newFolder()
const florin = florinHere(dataDir)
const receiver = startReceiver()

let server: RunningProcess
let shop: string
let other: string
let live: string
let secret: string

beforeAll(async () => {
  server = await startProcess(FLORIN, ['serve'], {
    FLORIN_DATA_DIR: dataDir,
    FLORIN_SANDBOX: 'true',
    FLORIN_OUTBOUND_ALLOW: receiver.host,
  })
  shop = (await florin.merchant('shop@shop.example')).merchantId
  other = (await florin.merchant('other@shop.example')).merchantId
  live = (await florin.json('key', 'create', '--merchant', shop, '--mode', 'live')).key
  await server.call('PUT', '/v1/wallet', { key: live, body: { cryptoWallets: { evm: EVM_WALLET } } })
  const webhook = await server.call('PUT', '/v1/webhook', { key: live, body: { url: receiver.url } })
  secret = webhook.json.data.signingSecret
})
afterAll(async () => {
  receiver.stop()
  await endProcesses()
})

const order = async (change: object = {}) =>
  (await server.call('POST', '/v1/orders', { key: live, body: orderBody(change) })).json.data
const force = (id: string, by = 'Ann', reason = 'paid in cash', merchant = shop) => [
  ...['order', 'force', '--merchant', merchant, '--order', id, '--by', by, '--reason', reason],
]
const customer = (verb: string, email: string, merchant = shop) => [
  ...['customer', verb, '--merchant', merchant, '--email', email],
]
const read = async (id: string) => (await server.call('GET', `/v1/orders/${id}`, { key: live })).json.data

const WAIT_MS = 20_000

describe('order force is refused', () => {
  test('while a payment is being confirmed, unless --anyway is given', async () => {
    const confirming = (await order()).orderUUID
    await server.call('POST', `/pay/${confirming}/crypto`, { form: { asset: 'ethereum/eth' } })
    await server.call('POST', '/sandbox/simulate', { body: { orderUUID: confirming, outcome: 'pending' } })
    await server.call('POST', `/pay/${confirming}/check`)
    await florin.refuses([['no --anyway', force(confirming), /being confirmed.*--anyway/]])
    expect((await read(confirming)).status).toBe('UNPAID')
    await florin.json(...force(confirming), '--anyway')
    expect((await read(confirming)).status).toBe('PAID')
  })

  test('for an order of another merchant, without a reason, and for an order that is not UNPAID', async () => {
    const open = (await order()).orderUUID
    const cancelled = (await order()).orderUUID
    await server.call('POST', `/v1/orders/${cancelled}/cancel`, { key: live, body: {} })
    const forced = (await order()).orderUUID
    await florin.json(...force(forced))
    const paid = (await order()).orderUUID
    await server.call('POST', `/pay/${paid}/crypto`, { form: { asset: 'ethereum/eth' } })
    await server.call('POST', '/sandbox/simulate', { body: { orderUUID: paid, outcome: 'paid' } })
    await server.call('POST', '/sandbox/clock', { body: { advanceSeconds: 601 } })
    expect((await read(paid)).status).toBe('PAID')
    const expired = await order({ expiresAt: new Date(Date.now() + 1200_000).toISOString() })
    await server.call('POST', '/sandbox/clock', { body: { advanceSeconds: 1200 } })
    expect((await read(expired.orderUUID)).status).toBe('EXPIRED')
    await until(() => received(forced).length > 0 && received(paid).length > 0, 'a delivery', WAIT_MS)
    await atRest(dataDir)
    await florin.refuses([
      ['an unknown order', force(NOBODY), /[Nn]o order/],
      ['an invalid order ID', force('1234'), /no order|UUID/i],
      ['another merchant’s order', force(open, 'Ann', 'paid in cash', other), /[Nn]o order/],
      ['an unknown merchant', force(open, 'Ann', 'paid in cash', NOBODY), /[Nn]o merchant/],
      ['a reason of 2 characters', force(open, 'Ann', 'ok'), /reason/],
      ['a reason of 501 characters', force(open, 'Ann', 'x'.repeat(501)), /reason/],
      ['an empty name', force(open, '  '), /by/],
      ['CANCELLED', force(cancelled), /CANCELLED/],
      ['PAID by force', force(forced), /PAID/],
      ['PAID by settlement', force(paid), /PAID/],
      ['EXPIRED', force(expired.orderUUID), /EXPIRED/],
    ])
    expect((await read(open)).status).toBe('UNPAID')
  })
})

const received = (id: string) =>
  receiver.received.filter(({ json }) => json.type === 'order.paid' && json.orderUUID === id)

describe('order end', () => {
  const end = (id: string) => ['order', 'end', id]

  test('is refused for an order that is not unpaid, and for an unknown one', async () => {
    const cancelled = (await order()).orderUUID
    await server.call('POST', `/v1/orders/${cancelled}/cancel`, { key: live, body: {} })
    const forced = (await order()).orderUUID
    await florin.json(...force(forced))
    await until(() => received(forced).length > 0, 'a delivery', WAIT_MS)
    await atRest(dataDir)
    await florin.refuses([
      ['an unknown order', end(NOBODY), /No order has this ID/],
      ['an invalid order ID', end('1234'), /No order has this ID/],
      ['CANCELLED', end(cancelled), /Only an unpaid order can be ended. This one is CANCELLED./],
      ['PAID by force', end(forced), /This one is PAID/],
    ])
  })

  test('expires an unpaid order now, and a second time changes nothing', async () => {
    const { orderUUID } = await order()
    await server.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'ethereum/eth' } })
    const ended = await florin.json(...end(orderUUID.toUpperCase()))
    expect(ended).toMatchObject({ orderUUID, status: 'EXPIRED', provisioningStatus: 'EXPIRED' })
    expect(Date.parse(ended.expiresAt)).toBeLessThan(Date.parse(ended.createdAt) + 86_400_000)
    const { checkoutUrl: _, ...shown } = await read(orderUUID)
    expect(ended).toMatchObject(shown)
    expect(await florin.json(...end(orderUUID))).toEqual(ended)
    expect((await florin.run(...end(orderUUID))).stdout).toBe(`Order ${orderUUID} (25.00 USD) is EXPIRED\n`)
    const { audit: changes } = await florin.json('order', 'show', orderUUID)
    expect(changes).toMatchObject([{ action: 'order.ended', actor: 'cli', after: { status: 'EXPIRED' } }])
  })
})

describe('a forced order', () => {
  test('is PAID without a transaction, and printed as the API shows it', async () => {
    const before = await order({ externalId: 'CASH-1', metadata: { table: 7 } })
    const forced = await florin.json(...force(before.orderUUID, 'Ann', 'paid in cash'))
    expect(forced).toMatchObject({
      orderUUID: before.orderUUID,
      status: 'PAID',
      provisioningStatus: 'SETTLED',
      forced: true,
      forcedBy: 'Ann',
      forceReason: 'paid in cash',
      forcedProviderStatus: expect.any(String),
      transactionRef: null,
      externalId: 'CASH-1',
      amount: '25.00',
    })
    expect(forced.forcedAt).toBe(forced.paidAt)
    expect(forced).not.toHaveProperty('paidTransactionUUID')
    const { checkoutUrl: _, ...read1 } = await read(before.orderUUID)
    expect(forced).toMatchObject(read1)
  })

  test('is delivered to the merchant by a running server', async () => {
    const { orderUUID } = await order({ externalId: 'CASH-2' })
    await florin.json(...force(orderUUID))
    await until(() => received(orderUUID).length > 0, 'a delivery', WAIT_MS)
    const [event, ...more] = received(orderUUID)
    expect(more).toEqual([])
    expect(event!.json).toMatchObject({ orderUUID, status: 'PAID', amount: '25.00', externalId: 'CASH-2' })
    expect(event!.json).not.toHaveProperty('transactionUUID')
    expect(event!.json).not.toHaveProperty('transactionRef')
    expect(isSigned(event!, secret)).toBe(true)
  })

  test('keeps the URL of its checkout', async () => {
    const before = await order()
    const forced = await florin.json(...force(before.orderUUID))
    expect(new URL(forced.checkoutUrl).pathname).toBe(`/pay/${before.orderUUID}`)
    const url = 'https://pay.shop.example'
    const elsewhere = florinHere(dataDir, { FLORIN_CHECKOUT_URL: url })
    const second = await order()
    const other = await elsewhere.json(...force(second.orderUUID))
    expect(other.checkoutUrl).toBe(`${url}/pay/${second.orderUUID}`)
  })

  test('is printed in one line', async () => {
    const { orderUUID } = await order()
    const { stdout, exitCode } = await florin.run(...force(orderUUID))
    expect(exitCode).toBe(0)
    expect(stdout).toContain(orderUUID)
    expect(stdout).toContain('PAID')
  })
})

describe('a customer', () => {
  test('is blocked only for a known merchant, and by email address', async () => {
    await atRest(dataDir)
    await florin.refuses([
      ['block: an unknown merchant', customer('block', 'a@shop.example', NOBODY), /[Nn]o merchant/],
      ['unblock: an unknown merchant', customer('unblock', 'a@shop.example', NOBODY), /[Nn]o merchant/],
      ['block: an invalid address', customer('block', 'a'), /mail/],
    ])
  })

  test('that is blocked cannot pay this merchant until they are unblocked', async () => {
    const email = 'thief@buyer.example'
    const before = await order({ customer: { email } })
    expect(await florin.json(...customer('block', 'Thief@Buyer.example'))).toMatchObject({
      email,
      blocked: true,
    })
    const refused = await server.call('POST', '/v1/orders', {
      key: live,
      body: orderBody({ customer: { email } }),
    })
    expect([refused.status, refused.json.error.code]).toEqual([403, 'customer_blocked'])
    const crypto = await server.call('POST', `/pay/${before.orderUUID}/crypto`, {
      form: { asset: 'ethereum/eth' },
    })
    expect(crypto.status).toBe(403)
    const card = await server.call('GET', `/payment/process/${before.orderUUID}?method=moonpay`)
    expect(card.status).toBe(403)
    expect((await read(before.orderUUID)).provisioningStatus).toBe('CREATED')
    expect(await florin.json(...customer('unblock', email))).toMatchObject({ email, blocked: false })
    await order({ customer: { email } })
    const now = await server.call('POST', `/pay/${before.orderUUID}/crypto`, {
      form: { asset: 'ethereum/eth' },
    })
    expect(now.status).toBe(303)
  })

  test('can be blocked before the first order', async () => {
    const { stdout, exitCode } = await florin.run(...customer('block', 'new@buyer.example'))
    expect(exitCode).toBe(0)
    expect(stdout).toContain('new@buyer.example')
    const body = orderBody({ customer: { email: 'new@buyer.example' } })
    expect((await server.call('POST', '/v1/orders', { key: live, body })).status).toBe(403)
    const unblocked = await florin.run(...customer('unblock', 'new@buyer.example'))
    expect(unblocked.exitCode).toBe(0)
    expect((await server.call('POST', '/v1/orders', { key: live, body })).status).toBe(201)
  })
})

test('the database keeps every invariant', () => expect(audit(databaseFile(dataDir))).toEqual([]))
