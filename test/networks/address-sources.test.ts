import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { HDKey } from '@scure/bip32'
import { exportRecovery } from '../../src/cli/sweep/recovery-export.ts'
import type { Script } from '../../src/domain/address-source.ts'
import type { OwnAttempt } from '../../src/domain/attempt.ts'
import { toUnits } from '../../src/domain/money.ts'
import type { DetectedPayment, Watch, WatchResult } from '../../src/networks/port.ts'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import { previewAccount, setUpSource, stopSource } from '../../src/operations/addresses/set-up-source.ts'
import { allocateAddress, releaseAddress } from '../../src/operations/addresses/steps/allocate.ts'
import { checkAttempts } from '../../src/operations/payments/check-attempts.ts'
import type { AssetOffer } from '../../src/operations/payments/list-offers.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { type App, startApp } from '../support/app.ts'
import {
  BTC_WALLET,
  check,
  EVM_WALLET,
  givenMerchant,
  givenOrder,
  givenShop,
  OTHER_EVM_WALLET,
  openCrypto,
  type Shop,
} from '../support/given.ts'
import { deriveAddress } from '../support/known-coins.ts'
import { said } from '../support/notifications.ts'
import { evmRow, openOrder, startOver } from './checkout-scene.ts'

const CONFIRMATIONS = 2

let anvil: Anvil
let app: App
let token: string
let settings: Record<string, string>
let close: () => Promise<void>

const accountOf = (seed: number): string =>
  HDKey.fromMasterSeed(new Uint8Array(32).fill(seed)).derive("m/44'/60'/0'").publicExtendedKey

const addressOf = (digit: string): string => `0x${digit.repeat(39)}7`

beforeAll(async () => {
  anvil = await startAnvil()
  token = await anvil.deploy('TestUSD')
  const usdc = evmRow('ethereum/usdc', 6, { contract: token, confirmations: CONFIRMATIONS })
  ;({ app, settings, close } = await startOver({
    environment: {
      FLORIN_ETHEREUM_URL: anvil.url,
      FLORIN_SHARED_ADDRESS: 'true',
      FLORIN_SECOND_OPINION: '100 USD',
    },
    rates: { usdc: { USD: '1', JPY: '150' } },
    assets: [usdc],
  }))
})
afterAll(async () => {
  await close()
  await anvil.stop()
})

const opened = (shop: Shop, amount = '25.00') => openOrder(app, shop, 'ethereum/usdc', { amount })

const attemptOf = async (id: string) =>
  (await app.context.storage.read(tables => tables.attempts.listOf(id))).at(-1) as OwnAttempt

async function pays(address: string, amount: string): Promise<void> {
  await anvil.sendToken(token, address, toUnits(amount, 6)!)
  await anvil.mine(CONFIRMATIONS)
}

describe('an account', () => {
  test('gives each attempt the next of its addresses, also to many buyers at once', async () => {
    const shop = await givenShop(app)
    const key = accountOf(1)
    const proposal = await previewAccount(app.context, shop.id, 'evm', key, null)
    expect(proposal.first).toEqual([0, 1, 2].map(index => deriveAddress('evm', key, null, index)))
    await setUpSource(app.context, proposal)
    const all = await Promise.all(Array.from({ length: 12 }, () => opened(shop)))
    const expected = Array.from({ length: 12 }, (_, index) => deriveAddress('evm', key, null, index))
    expect(all.map(({ address }) => address).toSorted()).toEqual(expected.toSorted())

    const { id, address, amount } = all[0]!
    await pays(address, amount)
    expect((await check(app, id)).status).toBe('PAID')
    const read = await app.call('GET', `/v1/orders/${id}`, { key: shop.live })
    expect(read.json.data).toMatchObject({ providerAddressIn: address, providerPayoutAddress: EVM_WALLET })
    const { addressSource } = await attemptOf(id)
    const index = expected.indexOf(address)
    expect(addressSource).toEqual({ kind: 'xpub', key, script: null, path: `0/${index}`, index })
    const exported = (await exportRecovery(app.context, shop.id, undefined)).json as { address: string }[]
    expect(exported).toHaveLength(12)
    expect(exported.find(one => one.address === address)).toMatchObject({
      kind: 'xpub',
      path: `0/${index}`,
      key,
    })
    expect(app.audit()).toEqual([])
  })

  test('continues where it was after it was stopped, and forwarders are used meanwhile', async () => {
    const shop = await givenShop(app)
    const key = accountOf(2)
    const setUp = async () =>
      setUpSource(app.context, await previewAccount(app.context, shop.id, 'evm', key, null))
    await setUp()
    expect((await opened(shop)).address).toBe(deriveAddress('evm', key, null, 0))
    await stopSource(app.context, shop.id, 'evm', 'xpub')
    expect((await attemptOf((await opened(shop)).id)).addressSource).toMatchObject({ kind: 'create2' })
    await setUp()
    expect((await opened(shop)).address).toBe(deriveAddress('evm', key, null, 1))
  })

  test('of another merchant is rejected: both would allocate the same addresses', async () => {
    const shop = await givenShop(app)
    const proposal = previewAccount(app.context, shop.id, 'evm', accountOf(1), null)
    await expect(proposal).rejects.toThrow('This key already belongs to another merchant')
  })

  test('is enough without a payout wallet, because money arrives in the account', async () => {
    const shop = await givenMerchant(app)
    await setUpSource(app.context, await previewAccount(app.context, shop.id, 'evm', accountOf(3), null))
    const { id, address, amount } = await opened(shop)
    await pays(address, amount)
    expect((await check(app, id)).status).toBe('PAID')
    expect((await attemptOf(id)).payoutAddress).toBe(address)
    expect(app.audit()).toEqual([])
  })

  test('never allocates the payout wallet, which also receives other money', async () => {
    const shop = await givenMerchant(app)
    const key = accountOf(5)
    const [own, next] = [0, 1].map(index => deriveAddress('evm', key, null, index))
    await app.call('PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: { evm: own } } })
    await setUpSource(app.context, await previewAccount(app.context, shop.id, 'evm', key, null))
    expect((await opened(shop)).address).toBe(next!)
  })

  test('cannot have an address that a buyer was shown as its payout wallet', async () => {
    const shop = await givenShop(app)
    await setUpSource(app.context, await previewAccount(app.context, shop.id, 'evm', accountOf(6), null))
    const { address } = await opened(shop)
    const body = { cryptoWallets: { evm: address } }
    const answer = await app.call('PUT', '/v1/wallet', { key: shop.live, body })
    expect([answer.status, answer.json.error.code]).toEqual([400, 'validation_error'])
    const { json } = await app.call('GET', '/v1/wallet', { key: shop.live })
    expect(json.data.cryptoWallets.evm).toBe(EVM_WALLET)
  })

  test('is not used for an order that names a payout wallet of its own', async () => {
    const shop = await givenShop(app)
    const body = { orderWalletOverrideEnabled: true }
    await app.call('PUT', '/v1/wallet', { key: shop.live, body })
    await setUpSource(app.context, await previewAccount(app.context, shop.id, 'evm', accountOf(7), null))
    await fillPool(app.context, shop.id, 'evm', [addressOf('9')])
    const order = { paymentMethodsKeys: ['crypto'], receivingWallet: OTHER_EVM_WALLET }
    const { orderUUID } = await givenOrder(app, shop, order)
    await openCrypto(app, orderUUID, 'ethereum/usdc')
    const { addressSource, payoutAddress } = await attemptOf(orderUUID)
    expect(addressSource).toMatchObject({ kind: 'create2' })
    expect(payoutAddress).toBe(OTHER_EVM_WALLET)
  })

  test('does not allocate addresses again that were allocated with the former script', async () => {
    const shop = await givenShop(app)
    const { context } = app
    const key = HDKey.fromMasterSeed(new Uint8Array(32).fill(8)).derive("m/84'/0'/0'").publicExtendedKey
    const setUp = async (script: Script) =>
      setUpSource(context, await previewAccount(context, shop.id, 'btc', key, script))
    const offer = { asset: context.networks.asset('btc')!, payoutAddress: BTC_WALLET } as AssetOffer
    const taken = async () => {
      const id = context.ids.uuid()
      const { address } = await allocateAddress(context, shop.id, id, offer, 'xpub')
      await releaseAddress(context, id, 'xpub')
      return address
    }
    await setUp('p2pkh')
    expect([await taken(), await taken()]).toEqual(Array(2).fill(deriveAddress('btc', key, 'p2pkh', 0)))
    await setUp('p2wpkh')
    expect(await taken()).toBe(deriveAddress('btc', key, 'p2wpkh', 1))
  })

  test('never takes back an address that an attempt shows', async () => {
    const shop = await givenShop(app)
    const key = accountOf(9)
    await setUpSource(app.context, await previewAccount(app.context, shop.id, 'evm', key, null))
    const { id } = await opened(shop)
    await releaseAddress(app.context, (await attemptOf(id)).id, 'xpub')
    expect((await opened(shop)).address).toBe(deriveAddress('evm', key, null, 1))
  })

  test('releases the address when opening fails unexpectedly, and logs the error with the ID of the request', async () => {
    const shop = await givenShop(app)
    const key = accountOf(4)
    await setUpSource(app.context, await previewAccount(app.context, shop.id, 'evm', key, null))
    const network = app.context.networks.of('ethereum')!
    const { open } = network
    const order = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
    Object.assign(network, { open: () => Promise.reject(new Error('a bug')) })
    const failed = await app.call('POST', `/pay/${order.orderUUID}/crypto`, {
      form: { asset: 'ethereum/usdc' },
    })
    Object.assign(network, { open })
    expect(failed.status).toBe(500)
    const logged = app.logged.find(({ sentence }) => sentence === 'request.failed')
    const requestId = failed.headers.get('x-request-id')
    expect(logged?.fields).toEqual({ requestId, error: expect.stringContaining('Error: a bug\n') })
    expect((await opened(shop)).address).toBe(deriveAddress('evm', key, null, 0))
    expect(app.audit()).toEqual([])
  })
})

describe('a pool', () => {
  test('refuses a wrong line, the payout wallet, and addresses of another merchant, and stores nothing', async () => {
    const [shop, other] = [await givenShop(app), await givenShop(app)]
    await fillPool(app.context, other.id, 'evm', [addressOf('d')])
    const fill = (...addresses: string[]) => fillPool(app.context, shop.id, 'evm', addresses)
    await expect(fill(addressOf('a'), '0x12')).rejects.toThrow(/line 2: is not a mainnet address of evm/)
    await expect(fill(addressOf('a'), EVM_WALLET)).rejects.toThrow(/payout wallet/)
    await expect(fill(addressOf('a'), addressOf('d'))).rejects.toThrow(/already in use/)
    await expect(fill(addressOf('a'), 'ab'.repeat(32))).rejects.toThrow(/line 2: contains a private key/)
    await expect(fill()).rejects.toThrow(/contains no addresses/)
    await expect(fillPool(app.context, shop.id, 'xmr', [addressOf('a')])).rejects.toThrow(/view key/)
    const { sources } = await app.context.storage.read(async tables => ({
      sources: await tables.sources.listOf(shop.id),
    }))
    expect(sources).toEqual([])
  })

  test('refuses an address that a buyer was shown, whatever its source', async () => {
    const [shop, other] = [await givenShop(app), await givenShop(app)]
    const { address } = await opened(other)
    const filled = fillPool(app.context, shop.id, 'evm', [address])
    await expect(filled).rejects.toThrow(/already been given to a buyer/)
  })

  test('keeps back an address that has become the payout wallet', async () => {
    const shop = await givenShop(app)
    await fillPool(app.context, shop.id, 'evm', [addressOf('5'), addressOf('6')])
    const body = { cryptoWallets: { evm: addressOf('5') } }
    await app.call('PUT', '/v1/wallet', { key: shop.live, body })
    expect((await opened(shop)).address).toBe(addressOf('6'))
  })

  test('allocates each address once, and the next source is used when it is empty', async () => {
    const shop = await givenShop(app)
    const filled = await fillPool(app.context, shop.id, 'evm', [
      addressOf('e'),
      addressOf('f'),
      addressOf('E'),
    ])
    expect(filled).toEqual({ added: 2, known: 0, free: 2 })
    const issued = [await opened(shop), await opened(shop)].map(({ address }) => address.toLowerCase())
    expect(issued).toEqual([addressOf('e'), addressOf('f')])
    expect((await attemptOf((await opened(shop)).id)).addressSource).toMatchObject({ kind: 'create2' })
    expect(await fillPool(app.context, shop.id, 'evm', [addressOf('e')])).toEqual({
      added: 0,
      known: 1,
      free: 0,
    })
    const notifications = await app.context.storage.read(tables => tables.notifications.list(shop.id, 50))
    const ofPool = notifications.filter(({ kind }) => kind === 'pool_low')
    expect(ofPool.map(one => [one.kind, said(one)])).toEqual([
      [
        'pool_low',
        'No addresses are left in the address list of Ethereum and compatible networks. Add more with florin wallet pool.',
      ],
    ])
    expect(app.audit()).toEqual([])
  })

  test('loses one address to a buyer who opens a payment twice at once', async () => {
    const shop = await givenMerchant(app)
    const addresses = [addressOf('1'), addressOf('2')]
    await fillPool(app.context, shop.id, 'evm', addresses)
    const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
    await Promise.all([0, 1].map(() => openCrypto(app, orderUUID, 'ethereum/usdc')))
    expect(await fillPool(app.context, shop.id, 'evm', addresses)).toEqual({ added: 0, known: 2, free: 1 })
  })
})

describe('the payout wallet, shared', () => {
  test('distinguishes buyers by their amounts and ignores other deposits', async () => {
    const shop = await givenMerchant(app)
    const body = { cryptoWallets: { evm: addressOf('7') } }
    await app.call('PUT', '/v1/wallet', { key: shop.live, body })
    const kinds = app.context.networks.sourceKinds
    Object.assign(app.context.networks, { sourceKinds: () => ['shared'] })
    const [first, second, third] = [await opened(shop), await opened(shop), await opened(shop)]
    Object.assign(app.context.networks, { sourceKinds: kinds })
    expect([first, second, third].map(({ amount }) => amount)).toEqual(['25', '25.000001', '25.000002'])
    expect(new Set([first, second, third].map(({ address }) => address)).size).toBe(1)
    for (const { id } of [first, second, third]) {
      // The amount identifies the payment, so there is no tolerance.
      const { dueAtomic, thresholdAtomic, paymentUri } = await attemptOf(id)
      expect(thresholdAtomic).toBe(dueAtomic)
      expect(paymentUri).toContain(`uint256=${dueAtomic}`)
    }

    await pays(second.address, '25.000001')
    await pays(second.address, '24')
    for (const [{ id }, status] of [
      [first, 'UNPAID'],
      [second, 'PAID'],
      [third, 'UNPAID'],
    ] as const) {
      expect([id, (await check(app, id)).status]).toEqual([id, status])
    }
    const unmatched = await app.context.storage.read(tables => tables.unmatched.list(shop.id, 10))
    expect(unmatched).toEqual([])
    expect(app.audit()).toEqual([])
  })
})

describe('the payout wallet, shared, after a watch is over', () => {
  const DAY_MS = 24 * 3600_000
  let restore = () => {}
  beforeEach(() => {
    const { networks } = app.context
    const { sourceKinds } = networks
    const network = networks.of('ethereum')!
    const { scan } = network
    const { now } = app.time
    Object.assign(networks, { sourceKinds: () => ['shared'] })
    restore = () => {
      Object.assign(networks, { sourceKinds })
      Object.assign(network, { scan })
      app.time.now = now
    }
  })
  afterEach(() => restore())

  async function sharing(digit: string) {
    const shop = await givenMerchant(app)
    const body = { cryptoWallets: { evm: addressOf(digit) } }
    await app.call('PUT', '/v1/wallet', { key: shop.live, body })
    return shop
  }

  /** Lets the chain report a final payment of 25 to every attempt. */
  function reports(paidAt: number): void {
    const detected: DetectedPayment = {
      txId: `0x${paidAt}`,
      txIndex: '0',
      assetId: 'ethereum/usdc',
      amountAtomic: 25_000_000n,
      confirmations: CONFIRMATIONS,
      final: true,
      height: 5,
      txIn: `0x${paidAt}`,
      paidAt,
      evidence: {},
    }
    const scan = async (watches: Watch[]): Promise<WatchResult[]> =>
      watches.map(({ attemptId }) => ({
        attemptId,
        detectedPayments: [detected],
        completeFrom: 0,
        cursor: null,
      }))
    Object.assign(app.context.networks.of('ethereum')!, { scan })
  }

  test('keeps its amount reserved for a day, since a payment may be mined late', async () => {
    const shop = await sharing('8')
    const first = await opened(shop)
    const { watchUntil } = await attemptOf(first.id)
    app.time.now = watchUntil + DAY_MS - 1000
    expect((await opened(shop)).amount).toBe('25.000001')
    app.time.now = watchUntil + DAY_MS + 1000
    expect((await opened(shop)).amount).toBe('25')
  })

  test('shows the shop a payment that is mined within that day', async () => {
    const shop = await sharing('4')
    const attempt = await attemptOf((await opened(shop)).id)
    app.time.now = attempt.watchUntil + 3600_000
    reports(app.time.now - 1000)
    await checkAttempts(app.context, [attempt.id])
    const unmatched = await app.context.storage.read(tables => tables.unmatched.list(shop.id, 10))
    expect(unmatched.map(({ payment }) => payment.reason)).toEqual(['too_late'])
  })

  test('settles the order of another buyer with the same amount, not the older one', async () => {
    const shop = await sharing('3')
    const expiresAt = new Date(app.time.now + 60 * DAY_MS).toISOString()
    const order = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'], expiresAt })
    await openCrypto(app, order.orderUUID, 'ethereum/usdc')
    const older = await attemptOf(order.orderUUID)
    app.time.now = older.watchUntil + 2 * DAY_MS
    const { id } = await opened(shop)
    reports(app.time.now + 1000)
    await checkAttempts(app.context, [older.id])
    expect((await check(app, order.orderUUID)).status).toBe('UNPAID')
    expect((await check(app, id)).status).toBe('PAID')
  })
})

describe('above the limit for a second opinion', () => {
  test.each([
    ['150.00', 'USD', 422],
    ['20000', 'JPY', 422],
    ['10000', 'JPY', 303],
    ['100.00', 'USD', 303],
  ])('%p %p opens with %p while only one endpoint can report it', async (amount, currency, status) => {
    const shop = await givenShop(app)
    const order = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'], amount, currency })
    const answer = await app.call('POST', `/pay/${order.orderUUID}/crypto`, {
      form: { asset: 'ethereum/usdc' },
    })
    expect(answer.status).toBe(status)
  })

  test('a large payment settles only when the second endpoint reports it', async () => {
    // The same node under a second name.
    const second = `${anvil.url}/?second`
    const { FLORIN_SHARED_ADDRESS: _, ...others } = settings
    const two = await startApp({ ...others, FLORIN_ETHEREUM_URL: `${anvil.url},${second}` })
    two.time.now = Date.now()
    const shop = await givenShop(two)
    const { id, address, amount } = await openOrder(two, shop, 'ethereum/usdc', { amount: '150.00' })
    await pays(address, amount)
    expect((await check(two, id)).status).toBe('PAID')
    expect(two.audit()).toEqual([])
    await two.close()
  })
})
