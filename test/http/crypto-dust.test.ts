import { expect, test } from 'bun:test'
import type { DetectedPayment, Network } from '../../src/networks/port.ts'
import { signInAs } from '../support/dashboard.ts'
import { check, givenOrder, openCrypto, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import {
  attemptsOf,
  givenCoinShop,
  HOUR_MS,
  incomingPaymentsOf,
  MINUTE_MS,
  openOnly,
  sendCoins,
} from './payments.ts'

const DUST = 8000
/**
 * The longest time that a request may wait while the payments are stored. Time that other processes take does
 * not count.
 */
const WAIT_MS = 250

const { app, each } = suite({ isFresh: true })
const shop = each(() => givenCoinShop(app, '2.5'))

/** Opens a payment in USDC on Polygon. */
async function opened(): Promise<{ id: string; due: bigint }> {
  const { orderUUID } = await givenOrder(app, shop)
  await openCrypto(app, orderUUID, 'polygon/usdc')
  return { id: orderUUID, due: BigInt(String(attemptsOf(app, orderUUID)[0]!.due_atomic)) }
}

/** A payment in a final block. Each name stands for a different transaction. */
const payment = (
  name: string,
  amountAtomic: bigint,
  change: Partial<DetectedPayment> = {},
): DetectedPayment => {
  const txId = `0x${name.padStart(64, '0')}`
  const block = {
    confirmations: 300,
    final: true,
    height: 1000,
    paidAt: app.time.now,
    evidence: { kind: 'log' },
  }
  return { txId, txIndex: '0', assetId: 'polygon/usdc', amountAtomic, txIn: txId, ...block, ...change }
}

type Report = Omit<Awaited<ReturnType<Network['scan']>>[number], 'attemptId'>

/** Makes each scan of a watched address report what `find` returns. */
function scansFind(find: () => Omit<Report, 'cursor'>): void {
  const { networks } = app.context
  const network = networks.of('polygon')!
  networks.of = () => ({
    ...network,
    async scan(watches) {
      // The server also scans without addresses, to check that the chain answers.
      if (watches.length === 0) return []
      const report = { cursor: { height: 2000 }, ...find() }
      return watches.map(({ attemptId }) => ({ attemptId, ...report }))
    },
  })
}

test.each([
  ['the asset that is due', 'polygon/usdc'],
  ['another asset', 'polygon/usdt'],
])('8,000 tiny payments in %s delay no request, and are stored with their exact sum', async (_, assetId) => {
  const { id, due } = await opened()
  const evidenceOf = (logIndex: number) => ({ kind: 'log', blockHash: `0x${'ab'.repeat(32)}`, logIndex })
  const dust = Array.from({ length: DUST }, (_, index) => {
    const block = { height: 1001 + (index % 3), evidence: evidenceOf(index) }
    return payment((index + 1).toString(16), 1n, { assetId, ...block })
  })
  const whole = payment('0', due)
  scansFind(() => ({ detectedPayments: [...dust, whole], completeFrom: 0 }))

  let worst = 0
  let isRunning = true
  const watching = (async () => {
    while (isRunning) {
      const [startedAt, used] = [performance.now(), process.cpuUsage()]
      await Bun.sleep(1)
      await app.call('GET', '/healthz')
      const { user, system } = process.cpuUsage(used)
      worst = Math.max(worst, Math.min(performance.now() - startedAt, (user + system) / 1000))
    }
  })()
  await app.advance(11 * MINUTE_MS)
  isRunning = false
  await watching
  expect(worst).toBeLessThan(WAIT_MS)
  expect((await statusOf(app, id)).status).toBe('PAID')
  const small = incomingPaymentsOf(app, id).filter(({ tx_id }) => tx_id !== whole.txId)
  expect(small.length).toBe(3)
  expect(small.reduce((sum, row) => sum + Number(row.amount_atomic), 0)).toBe(DUST)
})

test('many larger payments are stored one by one, without delaying a request', async () => {
  const { id, due } = await opened()
  const part = due / 120n + 1n
  const detectedPayments = Array.from({ length: 120 }, (_, index) =>
    payment(index.toString(16), part, { height: 1000 + index }),
  )
  scansFind(() => ({ detectedPayments, completeFrom: 0 }))
  await app.advance(11 * MINUTE_MS)
  expect((await statusOf(app, id)).status).toBe('PAID')
  const stored = incomingPaymentsOf(app, id)
  expect(stored.map(({ state, settles }) => [state, settles])).toEqual(stored.map(() => ['final', 1]))
  expect(stored.length).toBe(120)
})

test('a later scan of tiny payments in a final block does not lower their sum', async () => {
  const { id } = await opened()
  for (const names of [['a', 'b'], ['b']]) {
    const detectedPayments = names.map(name => payment(name.repeat(64), 1n))
    scansFind(() => ({ detectedPayments, completeFrom: 2000 }))
    await app.advance(11 * MINUTE_MS)
  }
  const [row] = incomingPaymentsOf(app, id)
  expect(row).toMatchObject({ amount_atomic: '2', tx_in: null })
  expect(JSON.parse(row!.evidence as string)).toMatchObject({ count: 2 })
})

test('a scan that cannot be finished continues soon, also after the order is paid', async () => {
  const { id, due } = await opened()
  let scans = 0
  let parts = 40
  scansFind(() => {
    scans += 1
    parts -= 1
    const change = { height: 1000 + scans, txIn: null, evidence: {} }
    const part = payment(`${scans}`, scans === 1 ? due : 1n, change)
    return { detectedPayments: [part], completeFrom: 5000, isPartial: parts > 0 }
  })
  for (let minutes = 0; minutes < 120; minutes++) await app.advance(MINUTE_MS)
  expect((await statusOf(app, id)).status).toBe('PAID')
  expect(scans).toBeGreaterThanOrEqual(40)
  const before = scans
  for (let minutes = 0; minutes < 60; minutes++) await app.advance(MINUTE_MS)
  expect(scans - before).toBeLessThanOrEqual(2)
})

test('small payments of one block are shown with their sum, and without an ID that is on no chain', async () => {
  const { orderUUID: id } = await givenOrder(app, shop)
  const attempt = await openOnly(app, id, 'polygon/usdc')
  for (const atomic of [12_000_000n, 20_000n, 15_000n]) await sendCoins(app, attempt, atomic)
  await check(app, id)
  const owner = await signInAs(app, 'owner', shop.id)
  const page = async () => (await app.call('GET', `/pay/${id}`)).text
  const shown = [await page(), (await owner.get(`/dashboard/orders/${id}`)).text]
  for (const text of shown) expect(text).toContain('0.035 USDC')
  await app.advance(2 * HOUR_MS)
  const inbox = (await owner.get('/dashboard/unmatched')).text.replaceAll(/<pre[\s\S]*?<\/pre>/g, '')
  shown.push(await page(), (await owner.get(`/dashboard/orders/${id}`)).text, inbox)
  shown.push((await owner.get('/dashboard/reports/export.csv')).text)
  for (const text of shown) expect(text).not.toContain('small:')
})

test('the notification of small payments that vanished has no ID that is on no chain', async () => {
  const { id } = await opened()
  const unconfirmed = { final: false, confirmations: 1 }
  let found = [payment('a', 20_000n, unconfirmed), payment('b', 15_000n, unconfirmed)]
  scansFind(() => ({ detectedPayments: found, completeFrom: 0 }))
  await check(app, id)
  found = []
  await app.advance(MINUTE_MS)
  await check(app, id)
  const { text } = await (await signInAs(app, 'owner', shop.id)).get(`/dashboard/orders/${id}`)
  expect(text).toContain('A sum of small payments disappeared before it was confirmed')
  expect(text).not.toContain('small:')
})
