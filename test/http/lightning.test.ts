import { expect, test } from 'bun:test'
import { readInvoice } from '../../src/networks/lightning/bolt11.ts'
import { signInAs } from '../support/dashboard.ts'
import { check, givenMerchant, givenOrder, openCrypto, orderBody, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'

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
  // No other chain has its address.
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
