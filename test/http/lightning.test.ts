import { describe, expect, test } from 'bun:test'
import { readInvoice } from '../../src/networks/lightning/bolt11.ts'
import { signInAs } from '../support/dashboard.ts'
import {
  check,
  givenMerchant,
  givenOrder,
  givenShop,
  openCrypto,
  orderBody,
  simulate,
  statusOf,
} from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { attemptsOf, givenCoinShop, HOUR_MS, notificationsOf, openOnly, sendCoins } from './payments.ts'

const { app } = suite()

async function enter(person: Awaited<ReturnType<typeof signInAs>>, text: string) {
  const checked = await person.post('/dashboard/payouts/btc/check', { text })
  const draft = /name="draft" value="([^"]+)"/.exec(checked.text)?.[1] ?? ''
  return { checked, save: () => person.post('/dashboard/payouts/btc/save', { draft, compared: 'yes' }) }
}

test('an owner enters a Lightning address, is paid by it, and stops it', async () => {
  const shop = await givenMerchant(app)
  const owner = await signInAs(app, 'owner', shop.id)
  const { checked, save } = await enter(owner, ' Shop@Wallet.example ')
  expect(checked.status).toBe(200)
  expect(checked.text).toContain('shop@wallet.example')
  expect((await save()).status).toBe(303)
  const list = await owner.get('/dashboard/payouts')
  expect(list.text).toContain('Invoice from your Lightning wallet')

  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  expect((await app.call('GET', `/pay/${orderUUID}`)).text).toContain('value="lightning"')
  const { attempt } = await openCrypto(app, orderUUID, 'lightning')
  const invoice = readInvoice(attempt.address)
  expect(invoice).toMatchObject({ prefix: 'bcrt', unknownFeature: null })
  expect(invoice.amountMsat).toBe(BigInt(Math.round(Number(attempt.amount) * 1e8)) * 1000n)
  const page = (await app.call('GET', `/pay/${orderUUID}`)).text
  expect(page).toContain('Lightning invoice')
  expect(page).toContain(`lightning:${attempt.address.toUpperCase()}`)
  expect(page).not.toContain('Show the address only')
  // A Lightning invoice cannot be paid on another chain.
  expect(page).not.toContain('elsewhere=1')

  for (const body of [{ outcome: 'underpaid' }, { outcome: 'paid', amount: '0.00000001' }]) {
    const less = await app.call('POST', '/sandbox/simulate', { body: { orderUUID, ...body } })
    expect([less.status, less.json.error.code]).toEqual([409, 'conflict'])
  }
  await simulate(app, orderUUID, 'paid')
  expect((await check(app, orderUUID)).status).toBe('PAID')

  await owner.post('/dashboard/payouts/btc/remove', { what: 'lightning' })
  const body = orderBody({ paymentMethodsKeys: ['crypto'] })
  const next = await app.call('POST', '/v1/orders', { key: shop.live, body })
  expect(next.json.error.code).toBe('crypto_not_configured')
  const actions = app.found('audit of Lightning', database =>
    database.query("SELECT action FROM audit_log WHERE subject = 'lightning' ORDER BY id").values().flat(),
  )
  expect(actions.toSorted()).toEqual(['address_source.set', 'address_source.stopped'])
})

test('an invoice for more than is left is not opened, if a part was paid while its wallet issued it', async () => {
  const shop = await givenCoinShop(app)
  const owner = await signInAs(app, 'owner', shop.id)
  await (await enter(owner, 'shop@wallet.example')).save()
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  const part = await openOnly(app, orderUUID, 'polygon/usdc')
  const network = app.context.networks.of('lightning')!
  const { open } = network
  const slowly: typeof open = async request => {
    Object.assign(network, { open })
    await sendCoins(app, part, BigInt(String(part.due_atomic)) / 2n)
    await check(app, orderUUID)
    return open(request)
  }
  Object.assign(network, { open: slowly })
  await app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'lightning' } })
  await openCrypto(app, orderUUID, 'lightning')
  const opened = attemptsOf(app, orderUUID).map(({ asset_id, priced }) => [asset_id, priced])
  expect(opened).toEqual([
    ['polygon/usdc', '25.00'],
    ['lightning', '12.50'],
  ])
})

test('an owner connects a node, and its secret is on no page', async () => {
  const shop = await givenMerchant(app)
  const owner = await signInAs(app, 'owner', shop.id)
  const entry = await owner.get('/dashboard/payouts/btc')
  expect(entry.text).toContain('Lightning by your own node')
  const secret = '0201036c6e64'.padEnd(200, '7')
  const checked = await owner.post('/dashboard/payouts/btc/check', {
    ...{ kind: 'lnd', url: 'https://node.example:8080', store: '', secret, certificate: '' },
  })
  expect([checked.status, checked.text.includes('lnd+https://node.example:8080')]).toEqual([200, true])
  const draft = /name="draft" value="([^"]+)"/.exec(checked.text)?.[1] ?? ''
  expect((await owner.post('/dashboard/payouts/btc/save', { draft, compared: 'yes' })).status).toBe(303)
  const list = await owner.get('/dashboard/payouts')
  expect(list.text).toContain('lnd+https://node.example:8080')
  const stored = app.found('accounts', database =>
    JSON.stringify(database.query('SELECT * FROM provider_accounts').all()),
  )
  expect([entry.text, checked.text, list.text, stored].join()).not.toContain(secret)
  const viewer = await signInAs(app, 'viewer', shop.id)
  const refused = await viewer.post('/dashboard/payouts/btc/check', {
    kind: 'lnd',
    url: 'https://a.example',
    secret,
  })
  expect(refused.status).toBe(403)
})

describe('one code for Bitcoin on its chain and by Lightning', () => {
  async function openedBoth() {
    const shop = await givenShop(app)
    await (await enter(await signInAs(app, 'owner', shop.id), 'shop@wallet.example')).save()
    const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
    const { attempt } = await openCrypto(app, orderUUID, 'btc')
    const page = async () => (await app.call('GET', `/pay/${orderUUID}`)).text
    const [both = ''] = /bitcoin:[^"<]+lightning=lnbcrt[0-9a-z]+/.exec(await page()) ?? []
    return { shop, orderUUID, attempt, page, both, invoice: both.split('lightning=')[1] ?? '' }
  }
  const simulateOf = (orderUUID: string, attemptId: string) =>
    app.call('POST', '/sandbox/simulate', { body: { orderUUID, attemptId, outcome: 'paid' } })
  const attemptsBy = (orderUUID: string) =>
    app.found('attempts', database =>
      database.query('SELECT asset_id, id FROM attempts WHERE order_id = ? ORDER BY id').values(orderUUID),
    ) as [string, string][]

  test.each(['lightning', 'btc'])('a buyer pays it by %s, and the order is paid', async paidBy => {
    const { orderUUID, attempt, page, both, invoice } = await openedBoth()
    expect(attempt).toMatchObject({ assetId: 'btc' })
    expect(both).toStartWith(`bitcoin:${attempt.address}?amount=${attempt.amount}`)
    expect(readInvoice(invoice).amountMsat).toBe(BigInt(Math.round(Number(attempt.amount) * 1e8)) * 1000n)
    // The grace belongs to the Bitcoin address, which was opened last.
    const attempts = attemptsBy(orderUUID)
    expect(attempts.map(([asset]) => asset)).toEqual(['lightning', 'btc'])
    const ids = Object.fromEntries(attempts)
    const shown = await page()
    expect([shown.includes('Lightning only'), shown.includes('Continue with')]).toEqual([true, false])

    expect((await simulateOf(orderUUID, ids[paidBy] ?? '')).status).toBe(202)
    await check(app, orderUUID)
    await app.advance(HOUR_MS)
    expect((await statusOf(app, orderUUID)).status).toBe('PAID')
    // If the buyer pays both ways, the shop is notified of the second payment.
    await simulateOf(orderUUID, ids[paidBy === 'btc' ? 'lightning' : 'btc'] ?? '')
    await app.advance(HOUR_MS)
    expect(notificationsOf(app, orderUUID)).toContain('unmatched_payment')
  })

  test('a buyer whose wallet reads only one kind chooses Lightning, and returns', async () => {
    const { orderUUID, page, invoice } = await openedBoth()
    const only = await openCrypto(app, orderUUID, 'lightning')
    expect(only.attempt.address).toBe(invoice)
    expect(await page()).toContain(`lightning:${invoice.toUpperCase()}`)
    expect(await page()).not.toContain('&amp;lightning=')
    await openCrypto(app, orderUUID, 'btc')
    expect(await page()).toContain('lightning=')
    expect(attemptsBy(orderUUID).length).toBe(2)
    const onlyAddress = (await app.call('GET', `/pay/${orderUUID}?qr=address`)).text
    expect(onlyAddress).not.toContain('lightning=')
  })

  test('the address and the invoice count together as one of the ten locked payments', async () => {
    const { orderUUID } = await openedBoth()
    const choice = (await app.call('GET', `/pay/${orderUUID}?choose=9`)).text
    const offered = [...choice.matchAll(/name="asset" value="([^"]+)"/g)].map(([, asset = '']) => asset)
    const others = [...new Set(offered)]
      .filter(asset => asset !== 'btc' && asset !== 'lightning')
      .slice(0, 10)
    const statuses: number[] = []
    for (const asset of others)
      statuses.push((await app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset } })).status)
    expect(statuses).toEqual([...others.slice(0, 9).map(() => 303), 429])
  }, 30_000)
})
