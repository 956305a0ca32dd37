import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { OwnAttempt } from '../../src/domain/attempt.ts'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import type { App } from '../support/app.ts'
import {
  check,
  givenMerchant,
  givenOrder,
  givenShop,
  openCrypto,
  type Shop,
  statusOf,
} from '../support/given.ts'
import { evmRow, openOrder, startOver } from './checkout-scene.ts'

const CONFIRMATIONS = 3
const LOCK_MS = 30 * 60_000
const GRACE_MS = 60 * 60_000

let near: Anvil
let far: Anvil
let app: App
let shop: Shop
let close: () => Promise<void>
let usd: string
let tether: string
const requests: string[] = []
let away = false

beforeAll(async () => {
  ;[near, far] = await Promise.all([startAnvil(), startAnvil({ chainId: 31338 })])
  const nearUsd = await near.deploy('TestUSD')
  usd = await far.deploy('TestUSD')
  tether = await far.deploy('TestTether')
  const started = await startOver(
    {
      environment: { FLORIN_ETHEREUM_URL: near.url, FLORIN_POLYGON_URL: far.url },
      rates: { usdc: { USD: '1' }, usdt: { USD: '1' }, eth: { USD: '2500' }, pol: { USD: '0.5' } },
      assets: [
        evmRow('ethereum/usdc', 6, { contract: nearUsd }),
        evmRow('ethereum/eth', 18),
        evmRow('polygon/usdc', 6, { chainId: 31338, contract: usd }),
        evmRow('polygon/usdt', 6, { chainId: 31338, contract: tether }),
        evmRow('polygon/pol', 18, { chainId: 31338 }),
      ],
    },
    {
      fetch: (url, init) => {
        if (url.startsWith(far.url)) {
          requests.push(String(init?.body))
          if (away) return Promise.reject(new Error('away'))
        }
        return fetch(url, init)
      },
    },
  )
  app = started.app
  close = started.close
  shop = await givenShop(app)
})
afterAll(async () => {
  expect(app.audit()).toEqual([])
  await close()
  await Promise.all([near.stop(), far.stop()])
})

/** The chains use the machine's time, which differs from the clock of the app. */
async function advance(ms: number): Promise<void> {
  const at = Math.floor((app.time.now + ms) / 1000)
  for (const chain of [near, far]) {
    await chain.rpc('evm_setNextBlockTimestamp', [at])
    await chain.mine(1)
  }
  await app.advance(ms)
}

const opened = (asset = 'ethereum/usdc') => openOrder(app, shop, asset)

const arrivedFor = async (id: string) =>
  app.context.storage.read(async tables => {
    const [attempt] = await tables.attempts.listOf(id)
    return tables.incomingPayments.listOf(attempt!.id)
  })
const unmatchedOf = (id: string) => app.context.storage.read(tables => tables.unmatched.listOf(id))
async function ask(id: string) {
  await app.advance(2000)
  return app.call('POST', `/pay/${id}/check`, { form: { elsewhere: '1' } })
}

/**
 * True for a request by which a check of other chains begins: it reads many balances of the newest block, or
 * single balances of a few addresses.
 */
const isLook = (body: string): boolean =>
  !body.includes('finalized') && /"(eth_call|eth_getBalance)".*"latest"\]/.test(body)

describe('money on another EVM chain', () => {
  test.each([
    ['polygon/usdc', 25_000_000n],
    ['polygon/usdt', 24_000_000n],
    ['polygon/pol', 5n * 10n ** 18n],
  ] as const)(
    'in %s is found when the lock ends, with its block and its transaction',
    async (assetId, amount) => {
      const { id, address } = await opened()
      // From now on, rates of the other coins are recorded.
      await advance(60_000)
      const token = { 'polygon/usdc': usd, 'polygon/usdt': tether, 'polygon/pol': null }[assetId]
      const hash = token ? await far.sendToken(token, address, amount) : await far.sendNative(address, amount)
      await far.mine(CONFIRMATIONS)
      const { blockNumber } = await far.receipt(hash)
      await check(app, id)
      expect(await arrivedFor(id)).toEqual([])
      await advance(LOCK_MS + 60_000)
      expect(await arrivedFor(id)).toEqual([
        expect.objectContaining({
          source: 'polygon',
          assetId,
          amountAtomic: amount,
          height: blockNumber,
          txIn: hash,
          state: 'final',
        }),
      ])
      const found = (await statusOf(app, id)) as { status: string; credited: string }
      expect(found.status === 'PAID' || Number(found.credited) > 0).toBe(true)
      expect(await statusOf(app, id)).toMatchObject({ attempt: { receivedAmount: '0' } })
    },
  )

  test('is searched with one request for all orders that are due', async () => {
    await advance(LOCK_MS + GRACE_MS)
    const orders = []
    while (orders.length < 5) orders.push(await opened())
    requests.length = 0
    await advance(LOCK_MS + 60_000)
    expect(requests.filter(isLook)).toHaveLength(1)
    const asked = orders.map(({ address }) => address.slice(2).toLowerCase())
    for (const address of asked) expect(requests.find(isLook)!.toLowerCase()).toContain(address)
    for (const { id } of orders) expect(await arrivedFor(id)).toEqual([])
  })

  test('does not move the cursor of the order’s own chain, and is not gone when that chain is read', async () => {
    const { id, address } = await opened()
    await far.sendToken(usd, address, 7_000_000n)
    await far.mine(CONFIRMATIONS)
    await check(app, id)
    const attemptOf = async () =>
      (await app.context.storage.read(tables => tables.attempts.listOf(id)))[0] as OwnAttempt
    const before = await attemptOf()
    expect(await ask(id)).toMatchObject({ status: 303 })
    await advance(4000)
    expect(await arrivedFor(id)).toEqual([expect.objectContaining({ source: 'polygon', state: 'final' })])
    const after = await attemptOf()
    expect([after.checkedAt, after.cursor]).toEqual([before.checkedAt, before.cursor])
    await near.mine(80)
    await advance(LOCK_MS + 60_000)
    await check(app, id)
    expect((await arrivedFor(id)).map(({ state }) => state)).toEqual(['final'])
  })

  test('is not final before its own chain reports it, and is gone if that chain is replaced', async () => {
    const { id, address } = await opened()
    await far.sendToken(usd, address, 25_000_000n)
    await far.mine(1)
    await ask(id)
    expect(await arrivedFor(id)).toEqual([expect.objectContaining({ state: 'seen', confirmations: 1 })])
    expect(await unmatchedOf(id)).toEqual([])
    await far.reorganise(1)
    await far.mine(CONFIRMATIONS + 2)
    await app.advance(2 * 60_000)
    expect((await arrivedFor(id)).map(({ state }) => state)).toEqual(['gone'])
    await far.sendToken(usd, address, 25_000_000n)
    await far.mine(CONFIRMATIONS + 1)
    await ask(id)
    expect((await arrivedFor(id)).map(({ state }) => state)).toEqual(['gone', 'final'])
    expect(await unmatchedOf(id)).toEqual([])
    expect((await statusOf(app, id)).status).toBe('PAID')
  })

  test('is searched at most once a minute for an order', async () => {
    const { id } = await opened()
    const looks = () => requests.filter(isLook).length
    await ask(id)
    await app.advance(4000)
    requests.length = 0
    await ask(id)
    await app.advance(4000)
    expect(looks()).toBe(0)
    await app.advance(60_000)
    await ask(id)
    await app.advance(4000)
    expect(looks()).toBe(1)
  })

  test('is found later if the chain could not be read when the lock ended', async () => {
    const { id, address } = await opened()
    await far.sendToken(usd, address, 25_000_000n)
    await far.mine(CONFIRMATIONS)
    away = true
    await advance(LOCK_MS + 60_000)
    expect(await arrivedFor(id)).toEqual([])
    await advance(5 * 60_000)
    away = false
    await advance(10 * 60_000)
    expect((await arrivedFor(id)).map(({ state }) => state)).toEqual(['final'])
  })

  test('is found at the end of the grace and of the watch if it arrives after the lock', async () => {
    const { id, address } = await opened()
    await advance(LOCK_MS + 60_000)
    await far.sendToken(usd, address, 3_000_000n)
    await far.mine(CONFIRMATIONS)
    await advance(GRACE_MS)
    expect((await arrivedFor(id)).map(({ amountAtomic }) => amountAtomic)).toEqual([3_000_000n])
    await far.sendToken(tether, address, 4_000_000n)
    await far.mine(CONFIRMATIONS)
    for (let day = 0; day < 8; day++) await advance(24 * 60 * 60_000)
    expect((await arrivedFor(id)).map(({ amountAtomic }) => amountAtomic)).toEqual([3_000_000n, 4_000_000n])
    const jobs = app.read().query("SELECT subject FROM jobs WHERE kind = 'elsewhere.look'").all()
    const [attempt] = await app.context.storage.read(tables => tables.attempts.listOf(id))
    expect(jobs).not.toContainEqual({ subject: attempt!.id })
  })

  test('is found at an account that its owner used there before, but only new money', async () => {
    const account = '0x00000000000000000000000000000000000ACC01'
    await far.sendToken(usd, account, 5_000_000n)
    await far.sendNative(account, 10n ** 18n)
    await far.mine(1)
    await advance(10 * 60_000)
    const owner = await givenMerchant(app)
    await fillPool(app.context, owner.id, 'evm', [account])
    const order = await givenOrder(app, owner, { paymentMethodsKeys: ['crypto'] })
    const { attempt } = await openCrypto(app, order.orderUUID, 'ethereum/usdc')
    expect(attempt.address.toLowerCase()).toBe(account.toLowerCase())
    await advance(5 * 60_000)
    const token = await far.sendToken(usd, account, 7_000_000n)
    const coin = await far.sendNative(account, 10n ** 17n)
    await far.mine(CONFIRMATIONS)
    await advance(LOCK_MS)
    const found = await arrivedFor(order.orderUUID)
    expect(found.map(({ assetId, amountAtomic, txIn }) => [assetId, amountAtomic, txIn]).toSorted()).toEqual([
      ['polygon/pol', 10n ** 17n, coin],
      ['polygon/usdc', 7_000_000n, token],
    ])
  })
})
