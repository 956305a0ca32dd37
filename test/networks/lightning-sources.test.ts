import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type NodeKind, nodeKinds } from '../../src/domain/lightning.ts'
import { setUpLightning, stopLightning, tryLightning } from '../../src/operations/addresses/lightning.ts'
import { listNotifications } from '../../src/operations/notices/list.ts'
import { runInProcess } from '../cli/in-process.ts'
import { attemptsOf, HOUR_MS, instant, LOCK_MS, MINUTE_MS, notificationsOf, rest } from '../http/payments.ts'
import type { App } from '../support/app.ts'
import { check, givenMerchant, givenOrder, openCrypto, type Shop, statusOf } from '../support/given.ts'
import { startNode } from '../support/lightning-node-servers.ts'
import { startOver } from './checkout-scene.ts'

let app: App
let shop: Shop
let over: Awaited<ReturnType<typeof startOver>>
const nodes = Object.fromEntries(
  nodeKinds.map(kind => [kind, startNode(kind, () => app.time.now)]),
) as Record<NodeKind, ReturnType<typeof startNode>>
const { prefix, expiryS, surplus, again, claims, answer, encryption } = nodes.lnd
const honest = { prefix, expiryS, surplus, again, claims, answer, encryption }
const table = nodeKinds.map(kind => [kind] as const)

beforeAll(async () => {
  const allowed = nodeKinds.map(kind => `lightning:${nodes[kind].host}`)
  over = await startOver({
    rates: { btc: { USD: '50000' } },
    environment: { FLORIN_OUTBOUND_ALLOW: allowed.join(',') },
  })
  app = over.app
  shop = await givenMerchant(app)
})
beforeEach(() => {
  for (const kind of nodeKinds) Object.assign(nodes[kind], honest)
})
afterAll(async () => {
  await rest(app)
  expect(app.audit()).toEqual([])
  await over.close()
  for (const kind of nodeKinds) nodes[kind].stop()
})

async function setUp(kind: NodeKind) {
  const tried = await tryLightning(app.context, shop.id, nodes[kind].connection())
  await setUpLightning(app.context, shop.id, tried)
  return tried.account
}

const order = () => givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
const tryOpen = (orderUUID: string) =>
  app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'lightning' } })

async function opened(kind: NodeKind) {
  await setUp(kind)
  const { orderUUID } = await order()
  const { attempt } = await openCrypto(app, orderUUID, 'lightning')
  return { orderUUID, invoice: attempt.address as string, attempt, node: nodes[kind] }
}

const faultOf = (trying: Promise<unknown>) =>
  trying.then(
    () => null,
    error => error.reason?.fault?.kind,
  )

// The command uses the machine's clock, so this test needs an app whose clock was not moved.
test('the command line reads the secret of a node from a file, never prints it, and refuses one that can pay', async () => {
  const node = nodes.lnd
  const file = join(app.dataDir, 'macaroon')
  const run = (secret: string, ...more: string[]) => {
    writeFileSync(file, secret)
    const named = ['--merchant', shop.id, '--lnd', `http://${node.host}`, '--key-file', file, ...more]
    return runInProcess({ ...over.settings, ...app.forCommands }, 'wallet', 'lightning', ...named)
  }
  const { secret } = node.connection()
  const saved = await run(secret, '--json')
  expect(JSON.parse(saved.stdout)).toMatchObject({
    merchantId: shop.id,
    source: { kind: 'lnd', account: `lnd+http://${node.host}` },
    verified: true,
  })
  const text = await run(secret)
  expect(text.stdout).toContain('its secret cannot pay')
  const pays = await run(node.connection('pay').secret)
  expect([pays.exitCode, pays.stderr]).toEqual([1, expect.stringContaining('can do more than receive')])
  expect(`${saved.stdout}${text.stdout}${pays.stderr}`).not.toContain(secret)
  const both = await run(secret, '--cln', `http://${node.host}`)
  expect([both.exitCode, both.stderr]).toEqual([1, expect.stringContaining('exactly one kind of node')])
})

test.each(table)(
  '%s: an invoice of the node is paid, and its secret is stored only encrypted',
  async kind => {
    const account = await setUp(kind)
    expect(account).toMatchObject({ kind, host: nodes[kind].host })
    const { orderUUID, invoice, attempt, node } = await opened(kind)
    // 25 dollars at 50,000 dollars per bitcoin
    expect(invoice).toMatch(/^lnbc500000n1/)
    expect(attempt).toMatchObject({ amount: '0.0005', lockedUntil: instant(app.time.now + LOCK_MS) })
    expect((await check(app, orderUUID)).status).toBe('UNPAID')
    node.pay(invoice)
    expect((await check(app, orderUUID)).status).toBe('PAID')
    // The order stays paid, even if the node later reports that nothing was settled.
    node.claims = { isSettled: false }
    await app.advance(HOUR_MS)
    expect((await statusOf(app, orderUUID)).status).toBe('PAID')

    const [, secret = ''] = /secret=([0-9a-f]{64})/.exec(node.connection().secret) ?? [
      null,
      node.connection().secret,
    ]
    const stored = app.found('accounts', database =>
      ['provider_accounts', 'attempts', 'audit_log', 'notifications'].map(name =>
        JSON.stringify(database.query(`SELECT * FROM ${name}`).all()),
      ),
    )
    // For these two kinds, the secret of this test is a common word.
    if (kind !== 'greenfield' && kind !== 'phoenixd') expect(stored.join()).not.toContain(secret)
    expect(stored.join()).toContain('"{\\"sealed\\"')
  },
)

test.each(table)('%s: the shop is notified of an overpayment', async kind => {
  const { orderUUID, invoice, node } = await opened(kind)
  node.pay(invoice, 60_000_000n)
  expect((await check(app, orderUUID)).status).toBe('PAID')
  expect(notificationsOf(app, orderUUID)).toContain('payment_over')
})

test.each(table)('%s: an invoice that does not match the request is never shown', async kind => {
  await setUp(kind)
  const { orderUUID } = await order()
  const node = nodes[kind]
  const other = node.issue(50_000_000n, 3600)
  const lies: Partial<typeof node>[] = [
    { surplus: 1000n },
    { surplus: -1000n },
    { prefix: 'bcrt' },
    { prefix: 'tb' },
    { expiryS: 5 },
    { claims: { isSettled: true, receivedMsat: 50_000_000n } },
    { claims: { text: other.text, hash: other.hash } },
    { answer: () => Response.json({}) },
    { answer: () => new Response('<html>') },
    { answer: () => new Response('x'.repeat(1_000_000)) },
    { answer: () => new Response('no', { status: 500 }) },
    { answer: () => new Response('no', { status: 401 }) },
    { answer: () => Response.redirect('http://127.0.0.1:1/', 302) },
  ]
  // A relay has no faulty HTTP answers.
  for (const lie of kind === 'nwc' ? lies.slice(0, 7) : lies) {
    Object.assign(node, honest, lie)
    expect([Object.keys(lie), (await tryOpen(orderUUID)).status]).toEqual([Object.keys(lie), 502])
    await app.advance(MINUTE_MS)
  }
  expect(attemptsOf(app, orderUUID)).toEqual([])
  Object.assign(node, honest)
  expect((await tryOpen(orderUUID)).status).toBe(303)
})

test('an invoice of a node is shown to one buyer only', async () => {
  await setUp('lnd')
  const node = nodes.lnd
  node.again = node.issue(50_000_000n, 3600)
  expect((await tryOpen((await order()).orderUUID)).status).toBe(303)
  expect((await tryOpen((await order()).orderUUID)).status).toBe(502)
})

test.each(table)(
  '%s: a settlement of less, or with the preimage of another invoice, pays no order',
  async kind => {
    const { orderUUID, invoice, node } = await opened(kind)
    const lies = [
      { isSettled: true, receivedMsat: 49_999_000n },
      ...(kind === 'phoenixd'
        ? []
        : [{ isSettled: true, receivedMsat: 50_000_000n, preimage: 'ab'.repeat(32) }]),
    ]
    for (const claimed of lies) {
      node.claims = claimed
      expect((await check(app, orderUUID)).status).toBe('UNPAID')
      await app.advance(MINUTE_MS)
    }
    expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment'])
    node.claims = {}
    node.pay(invoice)
    expect((await check(app, orderUUID)).status).toBe('PAID')
  },
)

test('a settlement that a node reports a day after the expiry counts as in time', async () => {
  const { orderUUID, invoice, node } = await opened('lnd')
  node.answer = () => new Response('no', { status: 503 })
  await app.advance(2 * HOUR_MS)
  node.pay(invoice)
  await stopLightning(app.context, shop.id)
  node.answer = () => null
  await app.advance(20 * HOUR_MS)
  expect((await statusOf(app, orderUUID)).status).toBe('PAID')
})

test.each(table)('%s: only a secret with exactly the two rights is accepted', async kind => {
  const node = nodes[kind]
  const entered = (rights: 'pay' | 'less') => tryLightning(app.context, shop.id, node.connection(rights))
  expect(await faultOf(entered('pay'))).toBe('lightningPays')
  // The limited password of phoenixd has both rights, so it is not refused.
  if (kind !== 'phoenixd') expect(await faultOf(entered('less'))).toBe('lightningRights')
  const wrong = tryLightning(app.context, shop.id, node.connection('receive', 'wrong'))
  expect(await faultOf(wrong)).toBe(kind === 'nwc' ? 'lightningUrl' : 'lightningSecret')
  const away = { ...node.connection(), url: 'http://127.0.0.1:9' }
  if (kind !== 'nwc') expect(await faultOf(tryLightning(app.context, shop.id, away))).toBe('lightningPrivate')
})

test('a wallet of Nostr Wallet Connect may use the former encryption', async () => {
  nodes.nwc.encryption = null
  const { orderUUID, invoice } = await opened('nwc')
  nodes.nwc.pay(invoice)
  expect((await check(app, orderUUID)).status).toBe('PAID')
})

test('a node that stops working is reported once, as is its recovery', async () => {
  shop = await givenMerchant(app)
  await setUp('lnd')
  const news = async () => {
    const listed = await listNotifications(app.context, shop.id)
    return listed.map(({ facts }) => facts).filter(({ about }) => about.startsWith('lightning_'))
  }
  const { host } = nodes.lnd
  nodes.lnd.answer = () => new Response('no', { status: 503 })
  await app.advance(24 * HOUR_MS)
  // The node may just have been restarted, so the first failure is not reported.
  expect(await news()).toEqual([])
  for (const hours of [1, 24, 24]) await app.advance(hours * HOUR_MS)
  const failing = { about: 'lightning_failing', host, fault: 'lightningAway', isOnly: true } as const
  expect(await news()).toEqual([failing])
  nodes.lnd.answer = () => null
  await app.advance(24 * HOUR_MS)
  expect((await news()).toReversed()).toEqual([failing, { about: 'lightning_works', host }])
})

test('the secret of a node that is no longer used is deleted after three days', async () => {
  shop = await givenMerchant(app)
  await setUp('cln')
  const names = () =>
    app.found('accounts', database =>
      database.query('SELECT provider FROM provider_accounts WHERE merchant_id = ?').values(shop.id).flat(),
    )
  await stopLightning(app.context, shop.id)
  await app.advance(24 * HOUR_MS)
  expect(names()).toEqual([`lightning cln+http://${nodes.cln.host}`])
  for (let day = 0; day < 3; day++) await app.advance(24 * HOUR_MS)
  expect(names()).toEqual([])
})
