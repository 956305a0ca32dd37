import { expect, test } from 'bun:test'
import { currencyDecimals } from '../../src/domain/currency.ts'
import { type App, OWN_URL, startApp } from '../support/app.ts'
import { check, givenOrder, simulate, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import {
  attemptsOf,
  DAY_MS,
  getOrder,
  givenCoinShop,
  HOUR_MS,
  instant,
  LOCK_MS,
  MINUTE_MS,
  openOnly,
} from './payments.ts'
import { ask } from './request.ts'
import { type Row, rowsOf } from './rows.ts'

/** The paths that the server requested from its upstreams. */
const asked: string[] = []

/** Starts the server. Its upstreams are its own sandbox, which answers once the server is started. */
async function start() {
  let opened: App | undefined
  opened = await startApp(
    {},
    {
      fetch: async (url, init) => {
        // A request without addresses only checks that the chain answers, so it is not recorded.
        if (init?.body !== '{"addresses":[]}') asked.push(new URL(url).pathname)
        return opened?.florin.http.handle(new Request(url, init)) ?? new Response('503', { status: 503 })
      },
    },
  )
  return opened
}

const { app, each } = suite({ start })
each(() => {
  asked.length = 0
})
const shop = each(() => givenCoinShop(app))

const order = async (change: object = {}): Promise<string> => (await givenOrder(app, shop, change)).orderUUID
const looks = (): number => asked.filter(path => path.endsWith('/payments')).length
const press = (orderUUID: string) => app.call('POST', `/pay/${orderUUID}/check`)

/** Decimals of an asset, and the decimals to which a quote is rounded up (chains.md, part 4). */
const precision: Record<string, [decimals: number, quoted: number]> = {
  btc: [8, 8],
  ltc: [8, 8],
  doge: [8, 4],
  bitcoincash: [8, 8],
  zec: [8, 8],
  xmr: [12, 8],
  'trc20/trx': [6, 6],
  'trc20/usdt': [6, 6],
  'solana/sol': [9, 6],
  'ethereum/eth': [18, 8],
  'ethereum/usdc': [6, 6],
  'polygon/pol': [18, 8],
  'bsc/bnb': [18, 8],
  'bsc/usdc': [18, 6],
}

const scaled = (decimal: string, places: number): bigint => {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

/** True if an amount at a rate is worth at least a price, computed with integers only. */
function covers(atomic: bigint, decimals: number, rate: string, price: string, currency: string): boolean {
  const worth = atomic * scaled(rate, 40)
  const dueAtomic = scaled(price, currencyDecimals(currency)!) * 10n ** BigInt(decimals + 40)
  return worth * 10n ** BigInt(currencyDecimals(currency)!) >= dueAtomic
}

const prices: [amount: string, currency: string][] = [
  ['25.00', 'USD'],
  ['9.99', 'EUR'],
  ['1234', 'JPY'],
  ['7.123', 'KWD'],
  ['33.33', 'GBP'],
  ['999999999.99', 'USD'],
]

test.each(prices)(
  'the price %s %s is covered by every quote, and by no smaller amount',
  async (amount, currency) => {
    for (const [asset, [decimals, quoted]] of Object.entries(precision)) {
      const orderUUID = await order({ amount, currency })
      const attempt = await openOnly(app, orderUUID, asset)
      const dueAtomic = BigInt(String(attempt.due_atomic))
      const rate = String(attempt.rate)
      const step = 10n ** BigInt(decimals - quoted)
      const finest = 10n ** BigInt(Math.max(0, decimals - 12))
      expect([asset, attempt.decimals, dueAtomic % finest]).toEqual([asset, decimals, 0n])
      expect([asset, covers(dueAtomic, decimals, rate, amount, currency)]).toEqual([asset, true])
      expect([asset, covers(dueAtomic - step, decimals, rate, amount, currency)]).toEqual([asset, false])
    }
  },
)

test('a payment is compared with the amount and URI that the page shows', async () => {
  for (const [asset, [decimals]] of Object.entries(precision)) {
    const orderUUID = await order({ amount: '19.99' })
    const row = await openOnly(app, orderUUID, asset)
    const { attempt } = await statusOf(app, orderUUID)
    expect(attempt).toMatchObject({ assetId: asset, address: row.address, uri: row.payment_uri })
    expect(scaled(attempt.amount, decimals)).toBe(BigInt(String(row.due_atomic)))
    const isToken = asset.startsWith('ethereum/usdc') || asset.startsWith('bsc/usdc')
    expect(attempt.uri).toContain(String(row.address).split(':').at(-1)!)
    const isEvm = /^(ethereum|polygon|bsc)/.test(asset)
    expect([asset, attempt.uri]).toEqual([
      asset,
      expect.stringContaining(isEvm ? String(row.due_atomic) : attempt.amount),
    ])
    if (isToken) expect(attempt.uri).toMatch(/^ethereum:0x[0-9a-fA-F]{40}@\d+\/transfer[?]/)
    const page = await app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
    for (const text of [attempt.amount, row.address, '<svg']) expect(page.text).toContain(String(text))
  }
})

test('the rate, its sources and its time are stored with the attempt', async () => {
  const attempt = await openOnly(app, await order(), 'btc')
  expect(String(attempt.rate)).toMatch(/^[0-9]+([.][0-9]+)?$/)
  expect(JSON.parse(String(attempt.rate_sources))).not.toBeEmpty()
  expect(app.time.now - Number(attempt.rate_at)).toBeLessThanOrEqual(5 * MINUTE_MS)
})

test('amount and address are locked for 30 minutes', async () => {
  const orderUUID = await order()
  const attempt = await openOnly(app, orderUUID, 'btc')
  expect((await statusOf(app, orderUUID)).attempt.lockedUntil).toBe(instant(app.time.now + LOCK_MS))
  app.time.now += LOCK_MS - 1
  const again = await openOnly(app, orderUUID, 'btc')
  const lasting = ({ id, address, due_atomic, rate, locked_until }: Row) => ({
    id,
    address,
    due_atomic,
    rate,
    locked_until,
  })
  expect(lasting(again)).toEqual(lasting(attempt))
})

test('after the lock, the same asset gets a new attempt with another address', async () => {
  const orderUUID = await order()
  const first = await openOnly(app, orderUUID, 'btc')
  app.time.now += LOCK_MS
  const second = await openOnly(app, orderUUID, 'btc')
  expect(second.id).not.toBe(first.id)
  expect(second.address).not.toBe(first.address)
  expect(second.locked_until).toBe(app.time.now + LOCK_MS)
  expect(attemptsOf(app, orderUUID)).toHaveLength(2)
})

test('the old address is still watched beside the new one, and may pay', async () => {
  const orderUUID = await order()
  await openOnly(app, orderUUID, 'btc')
  await simulate(app, orderUUID, 'paid')
  app.time.now += LOCK_MS
  await openOnly(app, orderUUID, 'btc')
  expect((await check(app, orderUUID)).status).toBe('PAID')
  expect(attemptsOf(app, orderUUID).map(({ state }) => state)).toEqual(['settled', 'waiting'])
})

test('another asset has an attempt and an address of its own', async () => {
  const orderUUID = await order()
  const opened: Row[] = []
  for (const asset of ['ethereum/usdc', 'ethereum/usdt', 'polygon/usdc', 'base/usdc', 'btc']) {
    opened.push(await openOnly(app, orderUUID, asset))
  }
  expect(new Set(opened.map(({ id }) => id)).size).toBe(5)
  expect(new Set(opened.map(({ address }) => address)).size).toBe(5)
})

test('20 openings at once of one asset are one attempt', async () => {
  const orderUUID = await order()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'btc' } }),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
  expect(attemptsOf(app, orderUUID)).toHaveLength(1)
})

test('20 orders have 20 different addresses, and none is the merchant’s own', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => order()))
  await Promise.all(ids.map(id => openOnly(app, id, 'btc')))
  const addresses = rowsOf(app, 'SELECT * FROM attempts WHERE merchant_id = ?', shop.id)
  expect(new Set(addresses.map(({ address }) => address)).size).toBe(20)
  for (const { address, payout_address } of addresses) expect(address).not.toBe(payout_address)
})

test('an opened attempt keeps its payout wallet when the merchant changes theirs', async () => {
  const orderUUID = await order()
  const { payout_address } = await openOnly(app, orderUUID, 'btc')
  const body = { cryptoWallets: { btc: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' } }
  await ask(app, 'PUT', '/v1/wallet', { key: shop.live, body })
  await simulate(app, orderUUID, 'paid')
  await check(app, orderUUID)
  expect((await getOrder(app, shop, orderUUID)).providerPayoutAddress).toBe(payout_address)
})

test('an order’s own wallet is paid on every EVM chain', async () => {
  const receivingWallet = '0x2222222222222222222222222222222222222222'
  await ask(app, 'PUT', '/v1/wallet', { key: shop.live, body: { orderWalletOverrideEnabled: true } })
  const orderUUID = await order({ receivingWallet })
  for (const asset of ['ethereum/usdc', 'polygon/pol']) {
    expect((await openOnly(app, orderUUID, asset)).payout_address).toBe(receivingWallet)
  }
  expect((await openOnly(app, orderUUID, 'btc')).payout_address).not.toBe(receivingWallet)
})

test('of 20 checks at once, one reads the chain', async () => {
  const orderUUID = await order()
  await openOnly(app, orderUUID, 'btc')
  const answers = await Promise.all(Array.from({ length: 20 }, () => press(orderUUID)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
  expect(looks()).toBe(1)
  expect(answers[0]?.headers.get('location')).toBe(`/pay/${orderUUID}`)
})

test('a check within 5 seconds uses the last result; after 5 seconds the chain is read', async () => {
  const orderUUID = await order()
  await openOnly(app, orderUUID, 'btc')
  await press(orderUUID)
  await simulate(app, orderUUID, 'paid')
  app.time.now += 4999
  await press(orderUUID)
  expect([looks(), (await getOrder(app, shop, orderUUID)).status]).toEqual([1, 'UNPAID'])
  app.time.now += 1
  await press(orderUUID)
  expect([looks(), (await getOrder(app, shop, orderUUID)).status]).toEqual([2, 'PAID'])
})

test('viewing the page and reading the status are checks under the same limit', async () => {
  const orderUUID = await order()
  await openOnly(app, orderUUID, 'btc')
  for (let i = 0; i < 10; i++) {
    await app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
    await statusOf(app, orderUUID)
    await press(orderUUID)
  }
  await Bun.sleep(20)
  expect(looks()).toBe(1)
})

test('each attempt has a limit of its own', async () => {
  const [first, second] = [await order(), await order()]
  await openOnly(app, first, 'btc')
  await openOnly(app, second, 'btc')
  await press(first)
  await press(second)
  expect(looks()).toBe(2)
})

test('a check of an order without attempts, or of a closed order, reads no chain', async () => {
  const [plain, paid] = [await order(), await order()]
  await press(plain)
  await openOnly(app, paid, 'btc')
  await simulate(app, paid, 'paid')
  await press(paid)
  const before = looks()
  app.time.now += HOUR_MS
  await press(paid)
  expect(looks()).toBe(before)
})

test('every open attempt is checked at least every 10 minutes', async () => {
  await openOnly(app, await order(), 'btc')
  let [before, gap] = [looks(), 0]
  for (let minute = 1; minute <= 30; minute++) {
    await app.advance(MINUTE_MS)
    gap = looks() > before ? 0 : gap + 1
    expect(gap).toBeLessThanOrEqual(10)
    before = looks()
  }
  expect(before).toBeGreaterThanOrEqual(3)
})

test('an address is watched for 7 days after its lock, then checked once more, and no longer', async () => {
  await openOnly(app, await order(), 'btc')
  await app.advance(LOCK_MS + MINUTE_MS)
  for (let day = 1; day < 7; day++) {
    const before = looks()
    await app.advance(DAY_MS)
    expect(looks()).toBeGreaterThan(before)
  }
  await app.advance(2 * DAY_MS)
  const first = looks()
  await app.advance(2 * HOUR_MS)
  const last = looks()
  expect(last).toBeGreaterThan(first)
  await app.advance(30 * DAY_MS)
  expect(looks()).toBe(last)
})

test('attempts of one chain are checked together', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => order()))
  for (const id of ids) await openOnly(app, id, 'ethereum/usdc')
  await app.advance(10 * MINUTE_MS)
  expect(looks()).toBeLessThan(5)
})

test('an asset that was removed from the table does not stop the checks of its chain', async () => {
  const [gone, paid] = [await order(), await order()]
  await openOnly(app, gone, 'ethereum/usdt')
  await openOnly(app, paid, 'ethereum/usdc')
  const { networks } = app.context
  const { asset } = networks
  Object.assign(networks, { asset: (id: string) => (id === 'ethereum/usdt' ? undefined : asset(id)) })
  await simulate(app, paid, 'paid')
  await app.advance(10 * MINUTE_MS)
  expect((await getOrder(app, shop, paid)).status).toBe('PAID')
  expect((await press(gone)).status).toBe(303)
  expect((await statusOf(app, gone)).attempt).toMatchObject({ state: 'waiting', assetId: 'ethereum/usdt' })
  expect((await app.call('GET', `/pay/${gone}`)).status).toBe(200)
  await app.advance(60 * DAY_MS)
  const before = app.logged.length
  await app.advance(DAY_MS)
  expect(app.logged.length - before).toBeLessThan(50)
})

test('a buyer can open only a limited number of attempts', async () => {
  const orderUUID = await order({ expiresAt: instant(app.time.now + 300 * DAY_MS) })
  let refusal = 0
  for (let i = 0; i < 60 && refusal === 0; i++) {
    app.time.now += LOCK_MS
    const { status } = await app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'btc' } })
    if (status !== 303) refusal = status
  }
  expect([409, 429]).toContain(refusal)
})

test('a body that opens a payment is read as a form, and anything else is refused', async () => {
  const orderUUID = await order()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const path = `/pay/${orderUUID}/crypto`
  for (const body of [
    ...['', 'asset', 'asset=', 'coin=btc', 'asset=btc&more=1', '{"asset":"btc"}', '%', 'asset=%ff%fe'],
  ]) {
    const answer = await ask(app, 'POST', path, { body, headers })
    expect([body, answer.status]).toEqual([body, expect.any(Number)])
    expect([400, 422]).toContain(answer.status)
  }
  expect(attemptsOf(app, orderUUID)).toEqual([])
  const posted = await app.florin.http.handle(
    new Request(`${OWN_URL}${path}`, { method: 'POST', headers, body: 'asset=btc' }),
  )
  expect(posted.status).toBe(303)
})

test('a detected payment is shown, although the buyer chose another method after sending it', async () => {
  const orderUUID = await order()
  const first = await openOnly(app, orderUUID, 'btc')
  const second = await openOnly(app, orderUUID, 'polygon/usdc')
  const page = () => app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
  expect((await page()).text).toContain(String(second.address))
  const body = { orderUUID, outcome: 'pending', attemptId: first.id }
  await app.call('POST', '/sandbox/simulate', { body })
  const status = await check(app, orderUUID)
  expect(status.attempt).toMatchObject({ assetId: 'btc', state: 'confirming' })
  const shown = await page()
  // The page asks for no second payment.
  expect(shown.text).not.toContain(String(second.address))
  expect(shown.text).toContain('data-announce="Payment detected')
  const kept = await app.call('GET', `/pay/${orderUUID}?first=${second.id}`)
  expect(kept.text).not.toContain('another window')
})
