import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { type App, startApp } from '../support/app.ts'
import { check, givenOrder, givenShop, openCrypto, type Shop, statusOf } from '../support/given.ts'

const CONFIRMATIONS = 3
const LOCK_MS = 30 * 60_000
const GRACE_MS = 60 * 60_000

let near: Anvil
let far: Anvil
let app: App
let shop: Shop
let folder: string
let usd: string
let tether: string
const requests: string[] = []
let away = false

const row = (id: string, decimals: number, chainId: number, contract?: string) => ({
  id,
  network: 'evm',
  chainId,
  decimals,
  confirmations: CONFIRMATIONS,
  ...(contract && { contract }),
})

beforeAll(async () => {
  ;[near, far] = await Promise.all([startAnvil(), startAnvil({ chainId: 31338 })])
  const nearUsd = await near.deploy('TestUSD')
  usd = await far.deploy('TestUSD')
  tether = await far.deploy('TestTether')
  folder = mkdtempSync(join(tmpdir(), 'florin-elsewhere-'))
  const assets = [
    row('ethereum/usdc', 6, 31337, nearUsd),
    row('ethereum/eth', 18, 31337),
    row('polygon/usdc', 6, 31338, usd),
    row('polygon/usdt', 6, 31338, tether),
    row('polygon/pol', 18, 31338),
  ]
  const rates = { usdc: { USD: '1' }, usdt: { USD: '1' }, eth: { USD: '2500' }, pol: { USD: '0.5' } }
  writeFileSync(join(folder, 'assets.json'), JSON.stringify(assets))
  writeFileSync(join(folder, 'rates.json'), JSON.stringify(rates))
  app = await startApp(
    {
      FLORIN_SANDBOX: 'false',
      FLORIN_ETHEREUM_URL: near.url,
      FLORIN_POLYGON_URL: far.url,
      FLORIN_ASSETS_FILE: join(folder, 'assets.json'),
      FLORIN_RATES: `file:${join(folder, 'rates.json')}`,
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
  app.time.now = Date.now()
  shop = await givenShop(app)
})
afterAll(async () => {
  expect(app.audit()).toEqual([])
  await app.close()
  await Promise.all([near.stop(), far.stop()])
  rmSync(folder, { recursive: true })
})

/** The chains tell the time of the machine, from which the clock of the app runs away. */
async function advance(ms: number): Promise<void> {
  const at = Math.floor((app.time.now + ms) / 1000)
  for (const chain of [near, far]) {
    await chain.rpc('evm_setNextBlockTimestamp', [at])
    await chain.mine(1)
  }
  await app.advance(ms)
}

async function opened(asset = 'ethereum/usdc') {
  const order = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  const { attempt } = await openCrypto(app, order.orderUUID, asset)
  return { id: order.orderUUID as string, address: attempt.address as string }
}

const arrivedFor = async (id: string) =>
  app.context.storage.read(async tables => {
    const [attempt] = await tables.attempts.listOf(id)
    return tables.incomingPayments.listOf(attempt!.id)
  })
const unmatchedOf = (id: string) => app.context.storage.read(tables => tables.unmatched.listOf(id))
const ask = (id: string) => app.call('POST', `/pay/${id}/check`, { form: { elsewhere: '1' } })

describe('money on another EVM chain', () => {
  test.each([
    ['polygon/usdc', 25_000_000n],
    ['polygon/usdt', 24_000_000n],
    ['polygon/pol', 5n * 10n ** 18n],
  ] as const)(
    'in %s is found when the lock ends, with its block and its transaction',
    async (assetId, amount) => {
      const { id, address } = await opened()
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
      expect(
        (await unmatchedOf(id)).map(({ payment, incoming }) => [payment.reason, incoming.assetId]),
      ).toEqual([['wrong_asset', assetId]])
      expect(await statusOf(app, id)).toMatchObject({ attempt: { receivedAmount: '0' } })
    },
  )

  test('is looked for with one request for all orders that are due, and a chain that has read the same again is left alone', async () => {
    const orders = []
    while (orders.length < 5) orders.push(await opened())
    requests.length = 0
    await advance(LOCK_MS + 60_000)
    // The second asks which chain the endpoint serves, if that was not verified a short time before.
    const looks = requests.filter(body => body.includes('"latest"') && !body.includes('finalized'))
    expect([looks.length, requests.length - looks.length]).toEqual([1, expect.any(Number)])
    expect(requests.some(body => body.includes('eth_getLogs'))).toBe(false)
    for (const { id } of orders) expect(await arrivedFor(id)).toEqual([])
  })

  test('does not move the own chain, and is not gone when that is read', async () => {
    const { id, address } = await opened()
    await far.sendToken(usd, address, 7_000_000n)
    await far.mine(CONFIRMATIONS)
    await check(app, id)
    const attemptOf = async () => (await app.context.storage.read(tables => tables.attempts.listOf(id)))[0]!
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

  test('is not final before its own chain says so, and goes if that chain is replaced', async () => {
    const { id, address } = await opened()
    await ask(id)
    await far.sendToken(usd, address, 25_000_000n)
    await far.mine(1)
    await app.advance(4000)
    expect(await arrivedFor(id)).toEqual([expect.objectContaining({ state: 'seen', confirmations: 1 })])
    expect(await unmatchedOf(id)).toEqual([])
    await far.reorganise(1)
    await far.mine(CONFIRMATIONS + 2)
    await app.advance(2 * 60_000)
    expect((await arrivedFor(id)).map(({ state }) => state)).toEqual(['gone'])
    await far.sendToken(usd, address, 25_000_000n)
    await far.mine(CONFIRMATIONS + 1)
    await ask(id)
    await app.advance(4000)
    expect((await arrivedFor(id)).map(({ state }) => state)).toEqual(['gone', 'final'])
    expect((await unmatchedOf(id)).map(({ payment }) => payment.reason)).toEqual(['wrong_asset'])
  })

  test('is asked for at most once a minute for an order', async () => {
    const { id } = await opened()
    const looks = () =>
      requests.filter(body => body.includes('eth_call') || body.includes('eth_getBalance')).length
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

  test('is found later if the chain could not be read, also by a server that was started since', async () => {
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

  test('arrives after the lock, and is found when the grace ends and when the watch ends', async () => {
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
})
