import { afterEach, beforeEach, expect, test } from 'bun:test'
import { currencyDecimals } from '../../src/domain/currency.ts'
import { type App, OWN_URL, startApp } from '../support/app.ts'
import { check, givenOrder, type Shop, simulate, statusOf } from '../support/given.ts'
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
  rest,
} from './payments.ts'
import { ask } from './request.ts'
import { type Row, rowsOf } from './rows.ts'

let app: App | undefined
let shop: Shop
/** What the server asked of its upstreams. */
let asked: string[]

beforeEach(async () => {
  asked = []
  app = undefined
  const opened: App = await startApp(
    {},
    {
      fetch: async (url, init) => {
        // Without addresses, the chain itself is checked.
        if (init?.body !== '{"addresses":[]}') asked.push(new URL(url).pathname)
        if (!app) return new Response('503', { status: 503 })
        return app.florin.http.handle(new Request(url, init))
      },
    },
  )
  app = opened
  shop = await givenCoinShop(app)
})
afterEach(async () => {
  await rest(here())
  expect(here().audit()).toEqual([])
  await here().close()
})

function here(): App {
  if (!app) throw new Error('no app was started')
  return app
}

const order = async (change: object = {}): Promise<string> =>
  (await givenOrder(here(), shop, change)).orderUUID
const looks = (): number => asked.filter(path => path.endsWith('/payments')).length
const press = (orderUUID: string) => here().call('POST', `/pay/${orderUUID}/check`)

/** Decimals of an asset, and the fewest that a quote is rounded up to (chains.md, part 4). */
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

/** Whether a sum at a rate is worth at least a price: all in integers. */
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

test.each(prices)('%s %s is covered by every quote, and by nothing less', async (amount, currency) => {
  for (const [asset, [decimals, quoted]] of Object.entries(precision)) {
    const orderUUID = await order({ amount, currency })
    const attempt = await openOnly(here(), orderUUID, asset)
    const dueAtomic = BigInt(String(attempt.due_atomic))
    const rate = String(attempt.rate)
    const step = 10n ** BigInt(decimals - quoted)
    const finest = 10n ** BigInt(Math.max(0, decimals - 12))
    expect([asset, attempt.decimals, dueAtomic % finest]).toEqual([asset, decimals, 0n])
    expect([asset, covers(dueAtomic, decimals, rate, amount, currency)]).toEqual([asset, true])
    expect([asset, covers(dueAtomic - step, decimals, rate, amount, currency)]).toEqual([asset, false])
  }
})

test('what is shown is what is verified: amount, URI and row agree', async () => {
  for (const [asset, [decimals]] of Object.entries(precision)) {
    const orderUUID = await order({ amount: '19.99' })
    const row = await openOnly(here(), orderUUID, asset)
    const { attempt } = await statusOf(here(), orderUUID)
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
    const page = await here().call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
    for (const text of [attempt.amount, row.address, '<svg']) expect(page.text).toContain(String(text))
  }
})

test('rate, sources and time of a quote are kept with the attempt', async () => {
  const attempt = await openOnly(here(), await order(), 'btc')
  expect(String(attempt.rate)).toMatch(/^[0-9]+([.][0-9]+)?$/)
  expect(JSON.parse(String(attempt.rate_sources))).not.toBeEmpty()
  expect(here().time.now - Number(attempt.rate_at)).toBeLessThanOrEqual(5 * MINUTE_MS)
})

test('amount and address are locked for 30 minutes (1, 8)', async () => {
  const orderUUID = await order()
  const attempt = await openOnly(here(), orderUUID, 'btc')
  expect((await statusOf(here(), orderUUID)).attempt.lockedUntil).toBe(instant(here().time.now + LOCK_MS))
  here().time.now += LOCK_MS - 1
  const again = await openOnly(here(), orderUUID, 'btc')
  const lasting = ({ id, address, due_atomic, rate, locked_until }: Row) => ({
    id,
    address,
    due_atomic,
    rate,
    locked_until,
  })
  expect(lasting(again)).toEqual(lasting(attempt))
})

test('after the lock the same asset has a fresh attempt with another address (1)', async () => {
  const orderUUID = await order()
  const first = await openOnly(here(), orderUUID, 'btc')
  here().time.now += LOCK_MS
  const second = await openOnly(here(), orderUUID, 'btc')
  expect(second.id).not.toBe(first.id)
  expect(second.address).not.toBe(first.address)
  expect(second.locked_until).toBe(here().time.now + LOCK_MS)
  expect(attemptsOf(here(), orderUUID)).toHaveLength(2)
})

test('the old address is still watched beside the fresh one, and may pay', async () => {
  const orderUUID = await order()
  await openOnly(here(), orderUUID, 'btc')
  await simulate(here(), orderUUID, 'paid')
  here().time.now += LOCK_MS
  await openOnly(here(), orderUUID, 'btc')
  expect((await check(here(), orderUUID)).status).toBe('PAID')
  expect(attemptsOf(here(), orderUUID).map(({ state }) => state)).toEqual(['settled', 'waiting'])
})

test('another asset has an attempt and an address of its own', async () => {
  const orderUUID = await order()
  const opened: Row[] = []
  for (const asset of ['ethereum/usdc', 'ethereum/usdt', 'polygon/usdc', 'base/usdc', 'btc']) {
    opened.push(await openOnly(here(), orderUUID, asset))
  }
  expect(new Set(opened.map(({ id }) => id)).size).toBe(5)
  expect(new Set(opened.map(({ address }) => address)).size).toBe(5)
})

test('20 openings at once of one asset are one attempt', async () => {
  const orderUUID = await order()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      here().call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'btc' } }),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
  expect(attemptsOf(here(), orderUUID)).toHaveLength(1)
})

test('20 orders have 20 addresses, and none is the merchant’s own (1: its own address)', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => order()))
  await Promise.all(ids.map(id => openOnly(here(), id, 'btc')))
  const addresses = rowsOf(here(), 'SELECT address, payout_address FROM attempts')
  expect(new Set(addresses.map(({ address }) => address)).size).toBe(20)
  for (const { address, payout_address } of addresses) expect(address).not.toBe(payout_address)
})

test('an opened attempt keeps its payout wallet when the merchant changes theirs', async () => {
  const orderUUID = await order()
  const { payout_address } = await openOnly(here(), orderUUID, 'btc')
  const body = { cryptoWallets: { btc: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' } }
  await ask(here(), 'PUT', '/v1/wallet', { key: shop.live, body })
  await simulate(here(), orderUUID, 'paid')
  await check(here(), orderUUID)
  expect((await getOrder(here(), shop, orderUUID)).providerPayoutAddress).toBe(payout_address)
})

test('an order’s own wallet is paid to, on every EVM chain', async () => {
  const receivingWallet = '0x2222222222222222222222222222222222222222'
  await ask(here(), 'PUT', '/v1/wallet', { key: shop.live, body: { orderWalletOverrideEnabled: true } })
  const orderUUID = await order({ receivingWallet })
  for (const asset of ['ethereum/usdc', 'polygon/pol']) {
    expect((await openOnly(here(), orderUUID, asset)).payout_address).toBe(receivingWallet)
  }
  expect((await openOnly(here(), orderUUID, 'btc')).payout_address).not.toBe(receivingWallet)
})

test('of 20 checks at once one asks the chain', async () => {
  const orderUUID = await order()
  await openOnly(here(), orderUUID, 'btc')
  const answers = await Promise.all(Array.from({ length: 20 }, () => press(orderUUID)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
  expect(looks()).toBe(1)
  expect(answers[0]?.headers.get('location')).toBe(`/pay/${orderUUID}`)
})

test('a demand within 5 seconds answers from what is known; after 5 seconds the chain is asked', async () => {
  const orderUUID = await order()
  await openOnly(here(), orderUUID, 'btc')
  await press(orderUUID)
  await simulate(here(), orderUUID, 'paid')
  here().time.now += 4999
  await press(orderUUID)
  expect([looks(), (await getOrder(here(), shop, orderUUID)).status]).toEqual([1, 'UNPAID'])
  here().time.now += 1
  await press(orderUUID)
  expect([looks(), (await getOrder(here(), shop, orderUUID)).status]).toEqual([2, 'PAID'])
})

test('looking at the page and asking for the status are demands under the same limit', async () => {
  const orderUUID = await order()
  await openOnly(here(), orderUUID, 'btc')
  for (let i = 0; i < 10; i++) {
    await here().call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
    await statusOf(here(), orderUUID)
    await press(orderUUID)
  }
  await Bun.sleep(20)
  expect(looks()).toBe(1)
})

test('the limit is each attempt’s own', async () => {
  const [first, second] = [await order(), await order()]
  await openOnly(here(), first, 'btc')
  await openOnly(here(), second, 'btc')
  await press(first)
  await press(second)
  expect(looks()).toBe(2)
})

test('an order without attempts, or that is over, asks nothing', async () => {
  const [plain, paid] = [await order(), await order()]
  await press(plain)
  await openOnly(here(), paid, 'btc')
  await simulate(here(), paid, 'paid')
  await press(paid)
  const before = looks()
  here().time.now += HOUR_MS
  await press(paid)
  expect(looks()).toBe(before)
})

test('every open attempt is looked at at least every 10 minutes (1, 8)', async () => {
  await openOnly(here(), await order(), 'btc')
  let [before, gap] = [looks(), 0]
  for (let minute = 1; minute <= 30; minute++) {
    await here().advance(MINUTE_MS)
    gap = looks() > before ? 0 : gap + 1
    expect(gap).toBeLessThanOrEqual(10)
    before = looks()
  }
  expect(before).toBeGreaterThanOrEqual(3)
})

test('an address is watched for 7 days after its lock, and no longer', async () => {
  await openOnly(here(), await order(), 'btc')
  await here().advance(LOCK_MS + MINUTE_MS)
  for (let day = 1; day < 7; day++) {
    const before = looks()
    await here().advance(DAY_MS)
    expect(looks()).toBeGreaterThan(before)
  }
  await here().advance(2 * DAY_MS)
  const last = looks()
  await here().advance(30 * DAY_MS)
  expect(looks()).toBe(last)
})

test('attempts of one chain are asked for together', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => order()))
  for (const id of ids) await openOnly(here(), id, 'ethereum/usdc')
  await here().advance(10 * MINUTE_MS)
  expect(looks()).toBeLessThan(5)
})

test('an asset that left the table keeps none of its chain from being seen', async () => {
  const [gone, paid] = [await order(), await order()]
  await openOnly(here(), gone, 'ethereum/usdt')
  await openOnly(here(), paid, 'ethereum/usdc')
  const { networks } = here().context
  const { asset } = networks
  Object.assign(networks, { asset: (id: string) => (id === 'ethereum/usdt' ? undefined : asset(id)) })
  await simulate(here(), paid, 'paid')
  await here().advance(10 * MINUTE_MS)
  expect((await getOrder(here(), shop, paid)).status).toBe('PAID')
  expect((await press(gone)).status).toBe(303)
  expect((await statusOf(here(), gone)).attempt).toMatchObject({ state: 'waiting', assetId: 'ethereum/usdt' })
  expect((await here().call('GET', `/pay/${gone}`)).status).toBe(200)
  await here().advance(60 * DAY_MS)
  const before = here().logged.length
  await here().advance(DAY_MS)
  expect(here().logged.length - before).toBeLessThan(50)
})

test('a buyer cannot open attempts without end', async () => {
  const orderUUID = await order({ expiresAt: instant(here().time.now + 300 * DAY_MS) })
  let refusal = 0
  for (let i = 0; i < 60 && refusal === 0; i++) {
    here().time.now += LOCK_MS
    const { status } = await here().call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'btc' } })
    if (status !== 303) refusal = status
  }
  expect([409, 429]).toContain(refusal)
})

test('the form is read as a form, and anything else is refused', async () => {
  const orderUUID = await order()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const path = `/pay/${orderUUID}/crypto`
  for (const body of [
    '',
    'asset',
    'asset=',
    'coin=btc',
    'asset=btc&more=1',
    '{"asset":"btc"}',
    '%',
    'asset=%ff%fe',
  ]) {
    const answer = await ask(here(), 'POST', path, { body, headers })
    expect([body, answer.status]).toEqual([body, expect.any(Number)])
    expect([400, 422]).toContain(answer.status)
  }
  expect(attemptsOf(here(), orderUUID)).toEqual([])
  const posted = await here().florin.http.handle(
    new Request(`${OWN_URL}${path}`, { method: 'POST', headers, body: 'asset=btc' }),
  )
  expect(posted.status).toBe(303)
})

test('a payment that was seen is shown, although the buyer chose another way after it was sent', async () => {
  const orderUUID = await order()
  const first = await openOnly(here(), orderUUID, 'btc')
  const second = await openOnly(here(), orderUUID, 'polygon/usdc')
  const page = () => here().call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
  expect((await page()).text).toContain(String(second.address))
  const body = { orderUUID, outcome: 'pending', attemptId: first.id }
  await here().call('POST', '/sandbox/simulate', { body })
  const status = await check(here(), orderUUID)
  expect(status.attempt).toMatchObject({ assetId: 'btc', state: 'confirming' })
  const shown = await page()
  // Nobody is asked to pay a second time.
  expect(shown.text).not.toContain(String(second.address))
  expect(shown.text).toContain('data-announce="Payment detected')
  const kept = await here().call('GET', `/pay/${orderUUID}?first=${second.id}`)
  expect(kept.text).not.toContain('another window')
})
