import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { NetworkError } from '../../src/networks/port.ts'
import { previewViewKey, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { isInFile } from '../support/app.ts'
import { merchantOf } from '../support/monero-payment.ts'
import { type Monero, startMonero } from '../support/monerod.ts'
import { isMissing } from '../support/programs.ts'
import { type OpenShop, openShop } from './checkout-scene.ts'
import {
  CONFIRMATIONS,
  heightOf,
  openAttempt,
  other,
  scanPayments,
  scanWatches,
  shop,
  watcherOf,
  xmr,
} from './monero-scene.ts'

const START_MS = 120_000
const PICONERO = 1_234_567_890_123n

const isSkipped = isMissing('Tests of Monero', 'monerod', 'monero-wallet-rpc')

let monero: Monero
let requests = 0
const counted: typeof watcherOf = (urls, reach, options) =>
  watcherOf(
    urls,
    (url, init) => {
      requests += 1
      return reach(url, init)
    },
    options,
  )
const watcher = () => counted([monero.url], fetch)
let network: ReturnType<typeof watcher>

beforeAll(async () => {
  if (isSkipped) return
  monero = await startMonero()
  network = watcher()
}, START_MS)
afterAll(() => monero?.stop())

function scan(title: string, run: () => Promise<void>): void {
  if (isInFile('A scan stores nothing.')) test.skipIf(isSkipped)(title, run)
}

let given = 0
const open = () => openAttempt(network, shop.own(++given))

scan('a daemon of a private chain is accepted on this machine', async () => {
  expect(await network.unavailableReason(xmr)).toBeNull()
})

scan('a payment to no attempt, or to another merchant, is not reported', async () => {
  const attempt = await open()
  await monero.pay([{ address: shop.payout, amount: 1n }])
  await monero.pay([{ address: await monero.integrated(shop.payout), amount: 2n }])
  await monero.pay([{ address: other.own(1).address, amount: 3n }])
  expect(await scanPayments(network, attempt)).toEqual([])
  await monero.mine()
  expect(await scanPayments(network, attempt)).toEqual([])
})

scan('an exact payment is reported until it is final', async () => {
  const attempt = await open()
  const hash = await monero.pay([{ address: attempt.address, amount: PICONERO }])
  const [pending, ...others] = await scanPayments(network, attempt)
  expect(others).toEqual([])
  expect(pending).toMatchObject({
    txId: hash,
    txIn: hash,
    assetId: 'xmr',
    amountAtomic: PICONERO,
    height: null,
  })
  expect(pending).toMatchObject({ confirmations: 0, final: false })
  await monero.mine()
  const height = await monero.height()
  const [mined] = await scanPayments(network, attempt)
  expect(mined).toMatchObject({
    txId: hash,
    txIndex: pending!.txIndex,
    height,
    confirmations: 1,
    final: false,
  })
  await monero.mine(CONFIRMATIONS - 1)
  const [final] = await scanPayments(network, attempt)
  expect(final).toMatchObject({ confirmations: CONFIRMATIONS, final: true })
  expect(final!.evidence).toMatchObject({ transactionHash: hash, blockNumber: height, unlockTime: 0 })
  expect(JSON.stringify(final!.evidence)).not.toContain(shop.viewKey)
  expect(await scanPayments(network, attempt)).toEqual([])
})

scan('partial payments and overpayments are reported one by one', async () => {
  const attempt = await open()
  await monero.pay([{ address: attempt.address, amount: 40n }])
  await monero.mine()
  await monero.pay([{ address: attempt.address, amount: 70n }])
  const seen = await scanPayments(network, attempt)
  expect(seen.map(({ amountAtomic, confirmations }) => [amountAtomic, confirmations])).toEqual([
    [40n, 1],
    [70n, 0],
  ])
})

scan('one transaction can pay two attempts, and one of them twice', async () => {
  const attempts = [await open(), await open()]
  const [first, second] = attempts as [(typeof attempts)[0], (typeof attempts)[0]]
  const hash = await monero.pay([
    { address: first.address, amount: 10n },
    { address: second.address, amount: 20n },
    { address: first.address, amount: 30n },
  ])
  await monero.mine()
  const [one, two] = await scanWatches(network, ...attempts)
  expect(one!.detectedPayments.map(({ amountAtomic }) => amountAtomic).toSorted()).toEqual([10n, 30n])
  expect(two!.detectedPayments.map(({ amountAtomic }) => amountAtomic)).toEqual([20n])
  const all = [...one!.detectedPayments, ...two!.detectedPayments]
  expect(new Set(all.map(({ txIndex }) => txIndex)).size).toBe(3)
  expect(all.every(({ txId }) => txId === hash)).toBe(true)
})

scan('a late payment is found, also by a new process', async () => {
  const attempt = await open()
  await monero.mine(15)
  expect(await scanPayments(network, attempt)).toEqual([])
  await monero.pay([{ address: attempt.address, amount: 8n }])
  await monero.mine()
  const stored = { ...attempt }
  expect((await scanPayments(network, attempt)).map(({ amountAtomic }) => amountAtomic)).toEqual([8n])
  expect((await scanPayments(watcher(), stored)).map(({ amountAtomic }) => amountAtomic)).toEqual([8n])
})

scan('a restart neither loses a payment nor reports a final one again', async () => {
  const attempt = await open()
  await monero.pay([{ address: attempt.address, amount: 4n }])
  await monero.mine()
  expect(await scanPayments(network, attempt)).toHaveLength(1)
  await monero.pay([{ address: attempt.address, amount: 5n }])
  await monero.mine(CONFIRMATIONS - 1)
  const restarted = watcher()
  expect(
    (await scanPayments(restarted, attempt)).map(({ amountAtomic, final }) => [amountAtomic, final]),
  ).toEqual([
    [4n, true],
    [5n, false],
  ])
  await monero.mine()
  expect(
    (await scanPayments(watcher(), attempt)).map(({ amountAtomic, final }) => [amountAtomic, final]),
  ).toEqual([[5n, true]])
})

scan('a payment that a reorganisation removes before it is final is missing above completeFrom', async () => {
  const attempt = await open()
  await monero.pay([{ address: attempt.address, amount: 6n }])
  await monero.mine()
  const height = await monero.height()
  expect(await scanPayments(network, attempt)).toHaveLength(1)
  await monero.reorganise(1)
  const [results] = await scanWatches(network, attempt)
  expect(results!.detectedPayments).toEqual([])
  expect(results!.completeFrom).toBeLessThanOrEqual(height)
})

scan(
  'a payment that a reorganisation removes after it was final is missing above completeFrom too',
  async () => {
    const attempt = await open()
    await monero.pay([{ address: attempt.address, amount: 6n }])
    await monero.mine(CONFIRMATIONS + 1)
    const [final] = await scanPayments(network, attempt)
    expect(final!.final).toBe(true)
    expect(heightOf(attempt)).toBeGreaterThanOrEqual(final!.height!)
    await monero.reorganise(CONFIRMATIONS + 2)
    const [results] = await scanWatches(network, attempt)
    expect(results!.detectedPayments).toEqual([])
    expect(results!.completeFrom).toBeLessThanOrEqual(final!.height!)
  },
)

scan('a daemon that lost its newest blocks is behind', async () => {
  const attempt = await open()
  await fetch(`${monero.url}/pop_blocks`, { method: 'POST', body: JSON.stringify({ nblocks: 1 }) })
  await expect(network.scan([attempt])).rejects.toThrow(/is behind/)
  await monero.mine(2)
  expect(await scanPayments(network, attempt)).toEqual([])
})

scan('the next endpoint is asked when one is down; without any the scan fails', async () => {
  const attempt = await open()
  const down = 'http://127.0.0.1:9'
  expect(await scanPayments(counted([down, monero.url], fetch), attempt)).toEqual([])
  await expect(counted([down], fetch).scan([attempt])).rejects.toThrow(NetworkError)
})

scan('a payment that two daemons report is final', async () => {
  const attempt = { ...(await open()), requiredEndpoints: 2 }
  await monero.pay([{ address: attempt.address, amount: 9n }])
  await monero.mine(CONFIRMATIONS)
  const alone = await scanPayments(network, { ...attempt })
  expect(alone.map(({ final }) => final)).toEqual([false])
  const second = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async request => {
      const { pathname } = new URL(request.url)
      return fetch(`${monero.url}${pathname}`, { method: request.method, body: await request.bytes() })
    },
  })
  const two = counted([monero.url, `http://127.0.0.1:${second.port}`], fetch)
  expect((await scanPayments(two, attempt)).map(({ final }) => final)).toEqual([true])
  await second.stop(true)
})

scan('a hundred attempts cost the same number of requests as one', async () => {
  const attempts = await Promise.all(Array.from({ length: 100 }, () => openAttempt(network, shop.own(1))))
  await scanWatches(network, ...attempts)
  const costs: number[] = []
  for (const count of [1, 100]) {
    await monero.mine()
    requests = 0
    await scanWatches(network, ...attempts.slice(0, count))
    costs.push(requests)
  }
  expect(costs).toEqual([3, 3])
})

scan('a locked payment, which the network accepts, never counts', async () => {
  const attempt = await open()
  const hash = await monero.pay([{ address: attempt.address, amount: 5n }], { unlock_time: 1_000_000 })
  expect(await scanPayments(network, attempt)).toEqual([])
  await monero.mine(CONFIRMATIONS + 1)
  const response = await fetch(`${monero.url}/get_transactions`, {
    method: 'POST',
    body: JSON.stringify({ txs_hashes: [hash] }),
  })
  expect(await response.json()).toMatchObject({ txs: [{ in_pool: false }] })
  expect(await scanPayments(network, attempt)).toEqual([])
})

describe.skipIf(isSkipped)('from an order to its signed event', () => {
  let checkout: OpenShop
  const checkoutWallet = merchantOf('checkout')
  beforeAll(async () => {
    checkout = await openShop({
      environment: { FLORIN_MONERO_URL: monero.url },
      rates: { xmr: { USD: '160' } },
      cryptoWallets: { xmr: checkoutWallet.payout },
    })
  })
  afterAll(() => checkout.close())

  test('an asset without a view key is not offered, since no payment could be found', async () => {
    await expect(checkout.opened('xmr', 12)).rejects.toThrow('method_not_offered')
  })

  test('the spend key is refused instead of the view key, and nothing is stored', async () => {
    const { context } = checkout.app
    const preview = (key: string) => previewViewKey(context, checkout.shop.id, checkoutWallet.payout, key)
    await expect(preview(checkoutWallet.spendKey)).rejects.toThrow(/SPEND/)
    await expect(preview(merchantOf('another').viewKey)).rejects.toThrow()
  })

  test('each order has its own subaddress, and a payment is settled and sent to the webhook', async () => {
    const { context } = checkout.app
    const { payout, viewKey } = checkoutWallet
    await setUpSource(context, await previewViewKey(context, checkout.shop.id, payout, viewKey))
    const [first, second] = [await checkout.opened('xmr', 12), await checkout.opened('xmr', 12)]
    expect([first.address, second.address]).toEqual([
      checkoutWallet.own(1).address,
      checkoutWallet.own(2).address,
    ])
    const hash = await monero.pay([{ address: second.address, amount: second.dueAtomic }])
    await monero.mine()
    expect((await checkout.check(second.id)).attempt).toMatchObject({ state: 'confirming', confirmations: 1 })
    await monero.mine(10)
    expect(await checkout.check(second.id)).toMatchObject({ status: 'PAID', attempt: { state: 'settled' } })
    expect((await checkout.check(first.id)).status).toBe('UNPAID')
    expect(await checkout.getOrder(second.id)).toMatchObject({ providerTxIn: hash, receivedCurrency: 'xmr' })
    expect(await checkout.eventsOf(second.id)).toEqual([['order.paid', true]])
    expect(checkout.app.audit()).toEqual([])
  })
})
