import { expect, test } from 'bun:test'
import type { DetectedPayment } from '../../src/networks/port.ts'
import { startApp } from '../support/app.ts'
import { givenOrder, openCrypto, statusOf } from '../support/given.ts'
import { attemptsOf, givenCoinShop, incomingPaymentsOf, MINUTE_MS, rest } from './payments.ts'

const DUST = 8000
/**
 * What a request may wait while the payments are stored. What other processes take of the machine meanwhile does
 * not count.
 */
const WAIT_MS = 250

test.each([
  ['the asset that is due', 'polygon/usdc'],
  ['another asset', 'polygon/usdt'],
])(
  '8,000 tiny payments in %s hold up no request, and are stored with their exact sum',
  async (_, assetId) => {
    const app = await startApp()
    const shop = await givenCoinShop(app, '2.5')
    const { orderUUID } = await givenOrder(app, shop)
    await openCrypto(app, orderUUID, 'polygon/usdc')
    const [attempt] = attemptsOf(app, orderUUID)
    const { networks } = app.context
    const network = networks.of('polygon')!
    const payment = (index: number, change: Partial<DetectedPayment>): DetectedPayment => ({
      txId: `0x${index.toString(16).padStart(64, '0')}`,
      txIndex: '0',
      assetId,
      amountAtomic: 1n,
      confirmations: 300,
      final: true,
      height: 1000 + (index % 3),
      txIn: `0x${index.toString(16).padStart(64, '0')}`,
      paidAt: app.time.now,
      evidence: { kind: 'log', blockHash: `0x${'ab'.repeat(32)}`, logIndex: index },
      ...change,
    })
    const dust = Array.from({ length: DUST }, (_, index) => payment(index + 1, {}))
    const whole = payment(0, { assetId: 'polygon/usdc', amountAtomic: BigInt(attempt!.due_atomic as string) })
    networks.of = () => ({
      ...network,
      scan: async watches =>
        watches.map(({ attemptId }) => ({
          attemptId,
          detectedPayments: [...dust, whole],
          completeFrom: 0,
          cursor: { height: 2000 },
        })),
    })

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
    expect((await statusOf(app, orderUUID)).status).toBe('PAID')
    const stored = incomingPaymentsOf(app, orderUUID)
    const small = stored.filter(({ tx_id }) => tx_id !== whole.txId)
    expect(small.length).toBe(3)
    expect(small.reduce((sum, row) => sum + Number(row.amount_atomic), 0)).toBe(DUST)
    await rest(app)
    expect(app.audit()).toEqual([])
    await app.close()
  },
)

test('many larger payments are stored one by one, without holding up a request', async () => {
  const app = await startApp()
  const shop = await givenCoinShop(app, '2.5')
  const { orderUUID } = await givenOrder(app, shop)
  await openCrypto(app, orderUUID, 'polygon/usdc')
  const [attempt] = attemptsOf(app, orderUUID)
  const { networks } = app.context
  const network = networks.of('polygon')!
  const part = BigInt(attempt!.due_atomic as string) / 120n + 1n
  const payments = Array.from({ length: 120 }, (_, index): DetectedPayment => {
    const txId = `0x${index.toString(16).padStart(64, '0')}`
    const block = {
      confirmations: 300,
      final: true,
      height: 1000 + index,
      paidAt: app.time.now,
      evidence: {},
    }
    return { txId, txIndex: '0', assetId: 'polygon/usdc', amountAtomic: part, txIn: txId, ...block }
  })
  networks.of = () => ({
    ...network,
    scan: async watches =>
      watches.map(({ attemptId }) => ({
        attemptId,
        detectedPayments: payments,
        completeFrom: 0,
        cursor: { height: 2000 },
      })),
  })
  await app.advance(11 * MINUTE_MS)
  expect((await statusOf(app, orderUUID)).status).toBe('PAID')
  const stored = incomingPaymentsOf(app, orderUUID)
  expect(stored.map(({ state, settles }) => [state, settles])).toEqual(stored.map(() => ['final', 1]))
  expect(stored.length).toBe(120)
  await rest(app)
  expect(app.audit()).toEqual([])
  await app.close()
})

test('what a later scan reports of tiny payments in a final block does not lower their sum', async () => {
  const app = await startApp()
  const shop = await givenCoinShop(app, '2.5')
  const { orderUUID } = await givenOrder(app, shop)
  await openCrypto(app, orderUUID, 'polygon/usdc')
  const { networks } = app.context
  const network = networks.of('polygon')!
  const tiny = (name: string): DetectedPayment => ({
    txId: `0x${name.repeat(64)}`,
    txIndex: '0',
    assetId: 'polygon/usdc',
    amountAtomic: 1n,
    confirmations: 300,
    final: true,
    height: 1000,
    txIn: `0x${name.repeat(64)}`,
    paidAt: app.time.now,
    evidence: { kind: 'log' },
  })
  const report = async (...names: string[]): Promise<void> => {
    networks.of = () => ({
      ...network,
      scan: async watches =>
        watches.map(({ attemptId }) => ({
          attemptId,
          detectedPayments: names.map(tiny),
          completeFrom: 2000,
          cursor: { height: 2000 },
        })),
    })
    await app.advance(11 * MINUTE_MS)
  }
  await report('a', 'b')
  await report('b')
  const [row] = incomingPaymentsOf(app, orderUUID)
  expect(row).toMatchObject({ amount_atomic: '2', tx_in: null })
  expect(JSON.parse(row!.evidence as string)).toMatchObject({ count: 2 })
  await app.close()
})

test('what one scan cannot read to the end is read on soon, also after the order is paid', async () => {
  const app = await startApp()
  const shop = await givenCoinShop(app, '2.5')
  const { orderUUID } = await givenOrder(app, shop)
  await openCrypto(app, orderUUID, 'polygon/usdc')
  const [attempt] = attemptsOf(app, orderUUID)
  const due = BigInt(attempt!.due_atomic as string)
  const { networks } = app.context
  const network = networks.of('polygon')!
  let scans = 0
  let parts = 40
  const partOf = (index: number): DetectedPayment => ({
    txId: `0x${`${index}`.padStart(64, '0')}`,
    txIndex: '0',
    assetId: 'polygon/usdc',
    amountAtomic: index === 1 ? due : 1n,
    confirmations: 300,
    final: true,
    height: 1000 + index,
    txIn: null,
    paidAt: app.time.now,
    evidence: {},
  })
  networks.of = () => ({
    ...network,
    scan: async watches => {
      // The server also asks whether the chain answers at all.
      if (watches.length === 0) return []
      scans += 1
      parts -= 1
      const report = { detectedPayments: [partOf(scans)], completeFrom: 5000, isPartial: parts > 0 }
      return watches.map(({ attemptId }) => ({ attemptId, cursor: { height: 2000 }, ...report }))
    },
  })
  for (let minutes = 0; minutes < 120; minutes++) await app.advance(MINUTE_MS)
  expect((await statusOf(app, orderUUID)).status).toBe('PAID')
  expect(scans).toBeGreaterThanOrEqual(40)
  const before = scans
  for (let minutes = 0; minutes < 60; minutes++) await app.advance(MINUTE_MS)
  expect(scans - before).toBeLessThanOrEqual(2)
  await app.close()
})
