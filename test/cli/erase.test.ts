import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { audit } from '../support/auditor.ts'
import { startDemo } from '../support/demo.ts'
import { endProcesses, type RunningProcess } from '../support/process.ts'
import { florinHere } from './in-process.ts'

afterAll(endProcesses)

const EMAIL = 'Sam.Rare-Name+shop@buyer.example'
const OTHER = `x${EMAIL}`
const NAME = 'Samantha Rarename'

const contents = (dataDir: string): string =>
  ['', '-wal']
    .map(suffix => `${databaseFile(dataDir)}${suffix}`)
    .map(file => {
      try {
        return readFileSync(file, 'latin1')
      } catch {
        return ''
      }
    })
    .join('\n')

/** The spellings of the buyer's address and name in the files, except within the other buyer's address. */
function remainsIn(dataDir: string): string[] {
  const ofOther = [OTHER, encodeURIComponent(OTHER)].map(text => text.toLowerCase())
  const all = ofOther.reduce((rest, text) => rest.replaceAll(text, ''), contents(dataDir).toLowerCase())
  const spellings = [EMAIL, encodeURIComponent(EMAIL), NAME].map(text => text.toLowerCase())
  return spellings.filter(text => all.includes(text))
}

const query = <T>(dataDir: string, sql: string): T[] => {
  const database = new Database(databaseFile(dataDir), { readonly: true })
  try {
    return database.query<T, []>(sql).all()
  } finally {
    database.close()
  }
}

/** The sums, IDs and hashes, which must not change. */
const ledgerOf = (dataDir: string) =>
  [
    'SELECT id, customer_id, amount, currency, fee_amount, net_amount, status, refunded_amount FROM orders',
    ...['SELECT * FROM transactions', 'SELECT * FROM statistics', 'SELECT * FROM idempotency_keys'],
    'SELECT id, order_id, amount, currency, created_at FROM refunds',
    'SELECT id, order_id, type, created_at FROM events',
    'SELECT id, attempt_id, tx_id, amount_atomic, settles FROM incoming_payments',
    'SELECT order_id, transaction_id, verdict FROM settlements',
  ].map(sql => query(dataDir, `${sql} ORDER BY 1, 2`))

async function payWith(server: RunningProcess, customer: object, metadata: object) {
  const { liveKey: key } = server.output
  const headers = { 'idempotency-key': `order-${crypto.randomUUID()}` }
  const body = {
    amount: '25.00',
    currency: 'USD',
    paymentMethodsKeys: ['*'],
    customer,
    metadata,
    description: `For ${EMAIL}`,
    returnUrl: `https://shop.example/thanks?for=${encodeURIComponent(EMAIL)}`,
  }
  const order = (await server.call('POST', '/v1/orders', { key, body, headers })).json.data
  await server.call('GET', `/payment/process/${order.orderUUID}?method=moonpay`)
  await server.call('POST', `/pay/${order.orderUUID}/crypto`, { form: { asset: 'ethereum/usdc' } })
  await server.call('POST', '/sandbox/simulate', { body: { orderUUID: order.orderUUID, outcome: 'paid' } })
  await server.call('POST', '/sandbox/clock', { body: { advanceSeconds: 10 } })
  await server.call('POST', `/pay/${order.orderUUID}/check`)
  const refund = await server.call('POST', `/v1/orders/${order.orderUUID}/refunds`, {
    key,
    headers: { 'idempotency-key': `refund-${crypto.randomUUID()}` },
    body: { amount: '1.00', reason: `asked by ${EMAIL}` },
  })
  expect(refund.status).toBe(201)
  return order.orderUUID
}

test('customer erase removes a buyer from the database file, and keeps every sum', async () => {
  const server = await startDemo({ FLORIN_LOG_LEVEL: 'error' })
  const { dataDir } = server
  const { merchantId, liveKey: key } = server.output
  const florin = florinHere(dataDir)
  const metadata = { contact: EMAIL.toUpperCase(), notes: [`write to:\n${EMAIL}`], [EMAIL]: 'a key' }
  await server.call('PUT', '/v1/webhook', { key, body: { url: 'https://shop.example/hook' } })
  const order = await payWith(server, { email: EMAIL, fullName: NAME }, metadata)
  const others = await payWith(server, { email: OTHER, fullName: 'Somebody Else' }, { recommendedBy: EMAIL })
  const forced = (
    await server.call('POST', '/v1/orders', {
      key,
      body: {
        amount: '5.00',
        currency: 'USD',
        paymentMethodsKeys: ['crypto'],
        customer: { email: EMAIL.toLowerCase() },
      },
    })
  ).json.data.orderUUID
  await florin.json(
    ...['order', 'force', '--merchant', merchantId, '--order', forced],
    ...['--by', 'Ann', '--reason', `${EMAIL} paid in cash`],
  )
  expect(remainsIn(dataDir)).toHaveLength(3)
  const before = ledgerOf(dataDir)

  const erase = ['customer', 'erase', '--merchant', merchantId, '--email', EMAIL]
  const first = await florin.json(...erase)
  expect(first).toMatchObject({ replacement: 'erased-1@erased.invalid', orders: 2, compacted: false })
  const shown = (await server.call('GET', `/v1/orders/${order}`, { key })).json.data
  expect(shown).toMatchObject({
    customerEmail: 'erased-1@erased.invalid',
    customerFullName: '',
    amount: '25.00',
    metadata: {
      contact: 'erased-1@erased.invalid',
      notes: ['write to:\nerased-1@erased.invalid'],
      'erased-1@erased.invalid': 'a key',
    },
  })
  const other = (await server.call('GET', `/v1/orders/${others}`, { key })).json.data
  expect(other).toMatchObject({ customerEmail: OTHER, customerFullName: 'Somebody Else' })
  expect(other.metadata).toEqual({ recommendedBy: 'erased-1@erased.invalid' })
  await server.stop()
  expect(audit(databaseFile(dataDir))).toEqual([])

  const again = await florin.json(...erase)
  expect(again).toEqual({ merchantId, replacement: null, orders: 0, mentions: 0, compacted: true })
  expect(remainsIn(dataDir)).toEqual([])
  expect(ledgerOf(dataDir)).toEqual(before)
  const { items } = await florin.json('audit', 'list', '--merchant', merchantId)
  const entries = items.filter(({ action }: { action: string }) => action === 'customer.erased')
  expect(entries).toEqual([
    expect.objectContaining({
      actor: 'cli',
      subject: expect.stringMatching(/^customer:[0-9a-f-]{36}$/),
      after: { replacement: 'erased-1@erased.invalid', rows: first.orders + first.mentions },
    }),
  ])
  const next = await florin.json('customer', 'erase', '--merchant', merchantId, '--email', OTHER)
  expect(next).toMatchObject({ replacement: 'erased-2@erased.invalid', orders: 1, compacted: true })
})

test('customer erase prints what it found and what it did not change, and refuses an invalid address', async () => {
  const florin = florinHere()
  const { merchantId } = await florin.merchant('owner@shop.example')
  const ran = await florin.run(
    'customer',
    'erase',
    '--merchant',
    merchantId,
    '--email',
    'nobody@buyer.example',
  )
  expect([ran.exitCode, ran.stderr]).toEqual([0, ''])
  expect(ran.stdout).toMatch(/Nothing has this address[.]\nThe database file was rewritten.*\nBackups, /)
  const args = (email: string) => ['customer', 'erase', '--merchant', merchantId, '--email', email]
  await florin.refuses([
    ['no address', args('nobody'), /email/],
    ['an erased address', args('erased-1@erased.invalid'), /erased/],
    ['an unknown merchant', args('a@b.example').with(3, '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'), /merchant/],
  ])
})
