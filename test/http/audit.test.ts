import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { providerFactories } from '../../src/boot/providers.ts'
import { requestState } from '../../src/http/request-state.ts'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import { previewAccount, setUpSource, stopSource } from '../../src/operations/addresses/set-up-source.ts'
import { takeOutOfPool } from '../../src/operations/addresses/take-out.ts'
import { listAudit } from '../../src/operations/audit/read.ts'
import { addChannel, removeChannel } from '../../src/operations/channels/manage.ts'
import { blockCustomer } from '../../src/operations/customers/block.ts'
import { eraseCustomer } from '../../src/operations/customers/erase.ts'
import { createKey, revokeKey, rotateKey } from '../../src/operations/keys/manage.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { createMerchant } from '../../src/operations/merchants/create.ts'
import { setProviderAccount } from '../../src/operations/merchants/provider-account.ts'
import { listNotifications } from '../../src/operations/notices/list.ts'
import { endOrder } from '../../src/operations/orders/end.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { reclaimPool } from '../../src/operations/payments/reclaim-pool.ts'
import { listUnmatched, resolveUnmatched } from '../../src/operations/payments/unmatched.ts'
import { createUser } from '../../src/operations/people/create-user.ts'
import { changeRole, removeMember } from '../../src/operations/people/members.ts'
import { chooseEvents, rotateSecret } from '../../src/operations/webhooks/change.ts'
import { isInFile, startApp } from '../support/app.ts'
import { fakeCardProvider, startFakeCardProcessor } from '../support/fake-charge-provider.ts'
import {
  BTC_WALLET,
  check,
  EVM_WALLET,
  givenOrder,
  givenProduct,
  givenShop,
  OTHER_EVM_WALLET,
  openCrypto,
  paidInCash,
  simulate,
} from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { suite } from '../support/suite.ts'
import { DAY_MS, wallets } from './payments.ts'
import { ask, data } from './request.ts'
import { changeRows, rowsOf } from './rows.ts'
import { unaudited } from './unaudited.ts'

const SECRET = 'f00dfacef00dfacef00dfacef00dfacef00dfacef00dfacef00dfacef00dface'
const XPUB =
  'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5'

const processor = startFakeCardProcessor()
afterAll(() => processor.stop())
const { app, each, ownApp } = suite({
  start: () => startApp({}, {}, [...providerFactories, () => fakeCardProvider(processor.url)]),
})
const shop = each(() => givenShop(app))

const log = () => listAudit(app.context, shop.id, 1000)
const kinds = async () => (await listNotifications(app.context, shop.id)).map(({ kind }) => kind)
const send = (method: string, path: string, body: unknown, status = 200) =>
  data(app, method, path, { key: shop.live, body }, status)
const put = (path: string, body: unknown) => send('PUT', path, body)

const orderTemplate = { amount: '9.00', currency: 'USD', paymentMethodsKeys: ['*'] }
const webhookUrl = 'https://shop.example/hook'

async function givenUnmatched(): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop)
  await openCrypto(app, orderUUID, 'btc')
  await simulate(app, orderUUID, 'wrong_asset')
  await check(app, orderUUID)
  const [row] = await listUnmatched(app.context, shop.id)
  return row!.payment.id
}

const fill = () => fillPool(app.context, shop.id, 'btc', [wallets.btc])

/** A pool whose only address was given to a buyer who never paid. */
async function givenUsedPool(): Promise<void> {
  await put('/v1/wallet', { cryptoWallets: { btc: '' } })
  await fill()
  await openCrypto(app, (await givenOrder(app, shop)).orderUUID, 'btc')
  app.time.now += 40 * DAY_MS
}

/** Two owners of the shop. */
async function givenPeople(): Promise<[string, string]> {
  const add = async (email: string) => (await createUser(app.context, { email, merchantId: shop.id })).user.id
  return [await add('ann@people.example'), await add('bob@people.example')]
}

const ntfy = { name: 'ntfy', address: 'https://ntfy.example/topic', secret: '' } as const

async function givenChannel() {
  const person = { userId: (await givenPeople())[0], merchantId: shop.id }
  return { person, ...(await addChannel(app.context, person, ntfy)) }
}

interface Scene {
  /** the rows that have to exist before */
  given(): Promise<unknown>
  /** the operation as people use it: over HTTP if there is a route */
  act(given: never): Promise<unknown>
  entry: { actor?: 'key'; action: string; subject: RegExp; before: unknown; after: unknown }
}

const scene = <T>(given: () => Promise<T>, act: (given: T) => Promise<unknown>, entry: Scene['entry']) =>
  ({ given, act, entry }) as Scene
const newOrder = () => givenOrder(app, shop)
const nothing = async () => null

/** The entry of each operation in the audit log. A new operation that changes something needs a row here. */
const audited: Record<string, Scene> = {
  changeWallet: scene(nothing, () => put('/v1/wallet', { cryptoWallets: { evm: OTHER_EVM_WALLET } }), {
    actor: 'key',
    action: 'wallet.changed',
    subject: /^wallet$/,
    before: { evm: EVM_WALLET },
    after: { evm: OTHER_EVM_WALLET },
  }),
  changeWebhook: scene(nothing, () => put('/v1/webhook', { url: webhookUrl }), {
    actor: 'key',
    action: 'webhook.changed',
    subject: /^webhook:[0-9a-f-]{36}$/,
    before: null,
    after: { url: webhookUrl, events: ['order.paid'], status: 'active' },
  }),
  chooseEvents: scene(
    () => put('/v1/webhook', { url: webhookUrl }),
    () => chooseEvents(app.context, shop.id, ['payment.paid']),
    {
      action: 'webhook.changed',
      subject: /^webhook:[0-9a-f-]{36}$/,
      before: { events: ['order.paid'] },
      after: { events: ['payment.paid'] },
    },
  ),
  addChannel: scene(
    givenChannel,
    ({ person }) => addChannel(app.context, person, { ...ntfy, address: 'https://b.example/b' }),
    {
      action: 'channel.added',
      subject: /^channel:[0-9a-f-]{36}$/,
      before: null,
      after: { person: expect.any(String), name: 'ntfy', host: 'b.example' },
    },
  ),
  removeChannel: scene(givenChannel, ({ person, id }) => removeChannel(app.context, person, id), {
    action: 'channel.removed',
    subject: /^channel:[0-9a-f-]{36}$/,
    before: { person: expect.any(String), name: 'ntfy', host: 'ntfy.example' },
    after: null,
  }),
  rotateSecret: scene(
    () => put('/v1/webhook', { url: webhookUrl }),
    () => rotateSecret(app.context, shop.id, 0),
    {
      action: 'webhook.secret_rotated',
      subject: /^webhook:[0-9a-f-]{36}$/,
      before: { secretRotatedAt: null },
      after: { secretRotatedAt: expect.any(String) },
    },
  ),
  createUser: scene(
    nothing,
    () => createUser(app.context, { email: 'ann@people.example', merchantId: shop.id, role: 'staff' }),
    {
      action: 'user.added',
      subject: /^user:[0-9a-f-]{36}$/,
      before: null,
      after: { role: 'staff', email: 'ann@people.example' },
    },
  ),
  changeRole: scene(givenPeople, ([, second]) => changeRole(app.context, shop.id, second, 'staff'), {
    action: 'user.changed',
    subject: /^user:[0-9a-f-]{36}$/,
    before: { role: 'owner' },
    after: { role: 'staff' },
  }),
  removeMember: scene(givenPeople, ([, second]) => removeMember(app.context, shop.id, second), {
    action: 'user.removed',
    subject: /^user:[0-9a-f-]{36}$/,
    before: { role: 'owner', email: 'bob@people.example' },
    after: null,
  }),
  createKey: scene(nothing, () => createKey(app.context, { merchantId: shop.id, mode: 'live' }), {
    action: 'key.created',
    subject: /^key:[0-9A-Za-z]{10}$/,
    before: null,
    after: expect.objectContaining({ mode: 'live' }),
  }),
  revokeKey: scene(
    () => createKey(app.context, { merchantId: shop.id, mode: 'test' }),
    ({ key }) => revokeKey(app.context, shop.id, key.id),
    {
      action: 'key.revoked',
      subject: /^key:[0-9A-Za-z]{10}$/,
      before: { revokedAt: null },
      after: { revokedAt: expect.any(String) },
    },
  ),
  rotateKey: scene(
    () => createKey(app.context, { merchantId: shop.id, mode: 'test' }),
    ({ key }) => rotateKey(app.context, shop.id, key.id, DAY_MS),
    {
      action: 'key.rotated',
      subject: /^key:[0-9A-Za-z]{10}$/,
      before: { expiresAt: null, replacedBy: null },
      after: { expiresAt: expect.any(String), replacedBy: expect.stringMatching(/^[0-9A-Za-z]{10}$/) },
    },
  ),
  createMerchant: scene(
    nothing,
    async () => {
      const merchant = await createMerchant(app.context, { email: 'new@shop.example', name: 'New' })
      const entries = await listAudit(app.context, merchant.id, 10)
      expect(entries.map(({ action, subject, before }) => [action, subject, before])).toEqual([
        ['merchant.created', 'merchant', null],
      ])
      // That entry belongs to the new merchant. This change makes the entry that the table expects.
      await changeMerchant(app.context, shop.id, { name: 'Renamed' })
    },
    {
      action: 'merchant.changed',
      subject: /^merchant$/,
      before: { name: 'Corner Coffee' },
      after: { name: 'Renamed' },
    },
  ),
  changeMerchant: scene(nothing, () => changeMerchant(app.context, shop.id, { status: 'suspended' }), {
    action: 'merchant.suspended',
    subject: /^merchant$/,
    before: { status: 'active' },
    after: { status: 'suspended' },
  }),
  blockCustomer: scene(nothing, () => blockCustomer(app.context, shop.id, 'bad@buyer.example', true), {
    action: 'customer.blocked',
    subject: /^customer:[0-9a-f-]{36}$/,
    before: { blocked: false },
    after: { blocked: true },
  }),
  eraseCustomer: scene(
    () => blockCustomer(app.context, shop.id, 'gone@buyer.example', true),
    () => eraseCustomer(app.context, shop.id, 'gone@buyer.example'),
    {
      action: 'customer.erased',
      subject: /^customer:[0-9a-f-]{36}$/,
      before: null,
      after: { replacement: 'erased-1@erased.invalid', rows: 0 },
    },
  ),
  setProviderAccount: scene(
    nothing,
    () => {
      const credentials = processor.openAccount(SECRET)
      return setProviderAccount(app.context, { merchantId: shop.id, providerId: 'fakecard', credentials })
    },
    {
      action: 'provider_account.set',
      subject: /^provider:fakecard$/,
      before: null,
      after: { updatedAt: expect.any(String) },
    },
  ),
  setUpSource: scene(
    () => previewAccount(app.context, shop.id, 'btc', XPUB, null),
    proposal => setUpSource(app.context, proposal),
    {
      action: 'address_source.set',
      subject: /^btc xpub$/,
      before: null,
      after: expect.objectContaining({ key: 'xpub6D4B…Uv6fcLW5' }),
    },
  ),
  stopSource: scene(
    async () => setUpSource(app.context, await previewAccount(app.context, shop.id, 'btc', XPUB, null)),
    () => stopSource(app.context, shop.id, 'btc', 'xpub'),
    {
      action: 'address_source.stopped',
      subject: /^btc xpub$/,
      before: expect.objectContaining({ kind: 'xpub' }),
      after: null,
    },
  ),
  fillPool: scene(nothing, fill, {
    ...{ action: 'address_source.filled', subject: /^btc pool$/ },
    ...{ before: { addresses: 0 }, after: { addresses: 1 } },
  }),
  takeOutOfPool: scene(fill, () => takeOutOfPool(app.context, shop.id, 'btc', 'unused'), {
    ...{ action: 'address_source.taken_out', subject: /^btc pool$/ },
    ...{ before: { addresses: 1 }, after: { addresses: 0 } },
  }),
  reclaimPool: scene(givenUsedPool, () => reclaimPool(app.context, shop.id, 'btc'), {
    ...{ action: 'address_source.reclaimed', subject: /^btc pool$/ },
    ...{ before: { free: 0 }, after: { free: 1 } },
  }),
  forceOrder: scene(newOrder, ({ orderUUID: orderId }) => paidInCash(app, shop, orderId), {
    ...{ action: 'order.forced', subject: /^order:[0-9a-f-]{36}$/ },
    before: { status: 'UNPAID', forcedBy: null, forceReason: null, forcedProviderStatus: null },
    after: { status: 'PAID', forcedBy: 'Ann', forceReason: 'paid in cash', forcedProviderStatus: 'none' },
  }),
  endOrder: scene(newOrder, ({ orderUUID }) => endOrder(app.context, shop.id, orderUUID), {
    ...{ action: 'order.ended', subject: /^order:[0-9a-f-]{36}$/ },
    before: { status: 'UNPAID', expiresAt: expect.any(String) },
    after: { status: 'EXPIRED', expiresAt: expect.any(String) },
  }),
  resolveUnmatched: scene(givenUnmatched, id => resolveUnmatched(app.context, shop.id, id, 'sent back'), {
    action: 'unmatched.resolved',
    subject: /^unmatched:[0-9a-f-]{36}$/,
    before: { status: 'open', note: null },
    after: { status: 'resolved', note: 'sent back' },
  }),
  acceptUnmatched: scene(
    givenUnmatched,
    id => acceptUnmatched(app.context, shop.id, [id], { by: 'Ann', reason: 'a regular' }),
    {
      ...{ action: 'unmatched.accepted', subject: /^order:[0-9a-f-]{36}$/ },
      before: { status: 'UNPAID', acceptedBy: null, acceptReason: null, payments: null },
      after: {
        status: 'PAID',
        acceptedBy: 'Ann',
        acceptReason: 'a regular',
        payments: [expect.stringMatching(/^[0-9a-f-]{36}$/)],
      },
    },
  ),
  createProducts: scene(nothing, () => send('POST', '/v1/products', { name: 'Blend', orderTemplate }, 201), {
    actor: 'key',
    action: 'product.created',
    subject: /^product:[0-9a-f-]{36}$/,
    before: null,
    after: expect.objectContaining({ amount: '9.00', currency: 'USD' }),
  }),
  changeProduct: scene(
    () => givenProduct(app, shop),
    ({ id }) => send('PATCH', `/v1/products/${id}`, { orderTemplate }),
    {
      actor: 'key',
      action: 'product.changed',
      subject: /^product:[0-9a-f-]{36}$/,
      before: { amount: '12.50' },
      after: { amount: '9.00' },
    },
  ),
  upsertProducts: scene(
    () => givenProduct(app, shop),
    ({ id }) => put('/v1/products/bulk', { items: [{ productUUID: id, name: 'Blend', orderTemplate }] }),
    {
      actor: 'key',
      action: 'product.changed',
      subject: /^product:[0-9a-f-]{36}$/,
      before: { name: 'House blend', amount: '12.50' },
      after: { name: 'Blend', amount: '9.00' },
    },
  ),
  archiveProducts: scene(
    () => givenProduct(app, shop),
    ({ id }) => send('PATCH', '/v1/products/bulk/status', { productUUIDs: [id], active: false }),
    {
      actor: 'key',
      action: 'product.changed',
      subject: /^product:[0-9a-f-]{36}$/,
      before: { active: true },
      after: { active: false },
    },
  ),
}

test('every operation that writes leaves an entry in the audit log, or is listed with the reason', async () => {
  const root = join(import.meta.dir, '../..')
  const names: string[] = []
  for (const file of new Bun.Glob('src/operations/*/*.ts').scanSync({ cwd: root })) {
    const text = await Bun.file(join(root, file)).text()
    if (!/\.write\(|changePerson\(/.test(text)) continue
    const module: Record<string, unknown> = await import(join(root, file))
    names.push(...Object.keys(module).filter(name => typeof module[name] === 'function'))
  }
  const known = [...Object.keys(audited), ...Object.values(unaudited).flat()]
  expect(names.toSorted()).toEqual(known.toSorted())
})

test.each(Object.entries(audited))('%s is audited exactly once', async (name, { given, act, entry }) => {
  // Two merchants of one server cannot have the same account or address.
  if (/(?:Source|Pool)$/.test(name)) await ownApp()
  const value = await given()
  const before = await log()
  await act(value as never)
  const after = await log()
  expect(after.slice(1)).toEqual(before)
  expect(after[0]).toEqual({
    id: expect.any(String),
    merchantId: shop.id,
    at: app.time.now,
    actor: entry.actor === 'key' ? `key:${shop.liveKeyId}` : 'cli',
    action: entry.action,
    subject: expect.stringMatching(entry.subject),
    before: entry.before,
    after: entry.after,
    requestId: entry.actor === 'key' ? expect.any(String) : null,
    client: null,
  } as never)
})

test('an entry of the audit log has the ID of its request and the address of its client', async () => {
  const request = new Request('http://localhost/v1/wallet', {
    method: 'PUT',
    headers: { 'x-api-key': shop.live, 'content-type': 'application/json' },
    body: JSON.stringify({ includeCrypto: false }),
  })
  requestState(request).peer = () => '203.0.113.7'
  const answer = await app.florin.http.handle(request)
  const [entry] = await log()
  expect(entry).toMatchObject({ requestId: answer.headers.get('x-request-id'), client: '203.0.113.7' })
})

test('a request that changes nothing leaves no entry in the audit log and no notification', async () => {
  await put('/v1/webhook', { url: webhookUrl })
  const { key } = await createKey(app.context, { merchantId: shop.id, mode: 'test' })
  await revokeKey(app.context, shop.id, key.id)
  const before = [await log(), await kinds()]
  await put('/v1/wallet', { cryptoWallets: { btc: BTC_WALLET } })
  await put('/v1/webhook', { url: webhookUrl })
  await revokeKey(app.context, shop.id, key.id)
  await blockCustomer(app.context, shop.id, 'good@buyer.example', false)
  await changeMerchant(app.context, shop.id, {})
  expect([await log(), await kinds()]).toEqual(before)
})

test('a refused change leaves no entry in the audit log', async () => {
  const before = await log()
  const body = { cryptoWallets: { evm: OTHER_EVM_WALLET, btc: 'nonsense' } }
  expect((await ask(app, 'PUT', '/v1/wallet', { key: shop.live, body })).status).toBe(400)
  expect(await log()).toEqual(before)
})

test('each product of a bulk request has its own entry in the audit log', async () => {
  const items = [1, 2, 3].map(at => ({ name: `Blend ${at}`, orderTemplate }))
  const created = await send('POST', '/v1/products/bulk', { items }, 201)
  const subjects = (await log()).slice(0, 3).map(({ subject }) => subject)
  const ids = created.items.map(({ productUUID }: { productUUID: string }) => `product:${productUUID}`)
  expect(subjects.toSorted()).toEqual(ids.toSorted())
})

test('the merchant is notified of changed payout wallets and webhooks and of new keys', async () => {
  await put('/v1/wallet', { cryptoWallets: { evm: OTHER_EVM_WALLET, btc: '' } })
  await put('/v1/wallet', { includeCrypto: false })
  await put('/v1/webhook', { url: webhookUrl })
  await put('/v1/webhook', { url: 'https://other.example/hook' })
  const { key } = await createKey(app.context, { merchantId: shop.id, mode: 'live' })
  const found = (await listNotifications(app.context, shop.id)).filter(one => !said(one).includes(shop.name))
  const texts = found.map(one => [one.kind, said(one)] as const)
  const wallet = texts.find(([kind, text]) => kind === 'payout_changed' && text.includes(OTHER_EVM_WALLET))
  expect(wallet?.[1]).toContain(EVM_WALLET)
  expect(wallet?.[1]).toContain(`the API key ${shop.liveKeyId}`)
  expect(wallet?.[1]).toContain(BTC_WALLET)
  expect(texts.filter(([kind]) => kind === 'payout_changed').length).toBe(2)
  const hooks = texts.filter(([kind]) => kind === 'webhook_changed').map(([, text]) => text)
  expect(hooks.some(text => text.includes(webhookUrl) && text.includes('https://other.example/hook'))).toBe(
    true,
  )
  expect(texts.some(([kind, text]) => kind === 'key_created' && text.includes(key.id))).toBe(true)
})

test('no secret is in the audit log or in a notification', async () => {
  await ownApp()
  const { text } = await createKey(app.context, { merchantId: shop.id, mode: 'live' })
  const webhook = await put('/v1/webhook', { url: webhookUrl })
  const proposal = await previewAccount(app.context, shop.id, 'btc', XPUB, null)
  const viewKey = { ...proposal.source, id: app.context.ids.uuid(), network: 'xmr', kind: 'viewkey' } as const
  await setUpSource(app.context, {
    ...proposal,
    source: { ...viewKey, script: null, payoutAddress: BTC_WALLET, key: SECRET },
  })
  await setUpSource(app.context, proposal)
  const credentials = processor.openAccount(SECRET)
  await setProviderAccount(app.context, { merchantId: shop.id, providerId: 'fakecard', credentials })
  const rows = JSON.stringify([await log(), await listNotifications(app.context, shop.id)])
  const secrets = [
    text,
    text.slice(22, 54),
    webhook.signingSecret,
    SECRET,
    XPUB,
    ...Object.values(credentials),
  ]
  expect(secrets.filter(secret => typeof secret !== 'string' || rows.includes(secret))).toEqual([])
})

test('an entry of the audit log can be neither changed nor deleted', async () => {
  const count = () => rowsOf(app, 'SELECT * FROM audit_log')
  const before = count()
  expect(before.length).toBeGreaterThan(0)
  expect(() => changeRows(app, "UPDATE audit_log SET actor = 'cli'")).toThrow(/audit log cannot be changed/)
  expect(() => changeRows(app, 'DELETE FROM audit_log')).toThrow(/audit log cannot be deleted/)
  if (isInFile('PostgreSQL has no statement that replaces rows.')) {
    const replace = 'INSERT OR REPLACE INTO audit_log SELECT * FROM audit_log'
    expect(() => changeRows(app, replace)).toThrow(/audit log cannot be/)
  }
  expect(count()).toEqual(before)
})
