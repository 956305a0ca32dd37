import { describe, expect, test } from 'bun:test'
import { chooseEvents } from '../../src/operations/webhooks/change.ts'
import { orderProblems } from '../http/expected-shapes.ts'
import {
  attemptsOf,
  eventsOf,
  getOrder,
  givenCoinShop,
  HOUR_MS,
  MINUTE_MS,
  openOnly,
  sendCoins,
  unmatchedOf,
} from '../http/payments.ts'
import { ask, listen } from '../http/request.ts'
import { rowOf, rowsOf } from '../http/rows.ts'
import { OWN_URL } from '../support/app.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { signInAs } from '../support/dashboard.ts'
import { check, givenOrder, simulate } from '../support/given.ts'
import { givenSkippedPayment } from '../support/given-skipped.ts'
import { suite } from '../support/suite.ts'
import { expectRefusals, runInProcess } from './in-process.ts'

const { app, once, each } = suite({ start: startWithReceiver, isFresh: true })
const receiver = once(() => app.receiver)
const shop = each(() => givenCoinShop(app, '2'))
each(() => listen(app, shop, receiver.url))

const run = (...args: string[]) =>
  runInProcess(
    { FLORIN_DATA_DIR: app.dataDir, FLORIN_SANDBOX: 'true', FLORIN_CHECKOUT_URL: OWN_URL },
    'unmatched',
    ...args,
  )

/** A command uses the clock of this machine, which is ahead of the server's. */
async function catchUp() {
  app.time.now = Date.now() + MINUTE_MS
  await app.jobs.settle()
}

async function json(...args: string[]) {
  const { exitCode, stdout, stderr } = await run(...args, '--json')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return JSON.parse(stdout)
}

const list = async () => (await json('list', '--merchant', shop.id)).items
const accept = (...args: string[]) => json('accept', ...args)
const idsOf = (orderUUID: string): string[] =>
  rowsOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ? ORDER BY created_at, id', orderUUID).map(
    ({ id }) => String(id),
  )

/** An order of 25 USD that expired when half of it was paid in USDC. */
async function halfPaid(): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop)
  await openOnly(app, orderUUID, 'ethereum/usdc')
  await simulate(app, orderUUID, 'underpaid')
  await app.advance(3 * HOUR_MS)
  expect(unmatchedOf(app, orderUUID)).toEqual(['underpaid open'])
  return orderUUID
}

test('unmatched list prints every field, newest first', async () => {
  const orderUUID = await halfPaid()
  const [attempt] = attemptsOf(app, orderUUID)
  expect(await list()).toEqual([
    {
      id: idsOf(orderUUID)[0],
      orderUUID,
      attemptId: attempt!.id,
      reason: 'underpaid',
      status: 'open',
      assetId: 'ethereum/usdc',
      amount: '12.5',
      value: '12.50',
      currency: 'USD',
      shortfall: '12.50',
      txId: expect.stringMatching(/^[0-9a-f]{64}$/),
      refundAddress: null,
      createdAt: expect.stringMatching(/^2026-/),
    },
  ])
  const { stdout } = await run('list', '--merchant', shop.id)
  for (const part of ['underpaid', '12.5 ethereum/usdc', '12.50 USD', orderUUID]) {
    expect(stdout).toContain(part)
  }
})

test('a part in another coin than was asked for is listed with the decimals of the coin that arrived', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await openOnly(app, orderUUID, 'ethereum/eth')
  await app.advance(10 * MINUTE_MS)
  const body = { orderUUID, outcome: 'paid', assetId: 'ethereum/usdc', amount: '12.5' }
  expect((await app.call('POST', '/sandbox/simulate', { body })).status).toBe(202)
  await app.advance(3 * HOUR_MS)
  const listed = { reason: 'underpaid', assetId: 'ethereum/usdc', amount: '12.5', value: '12.50' }
  expect(await list()).toMatchObject([listed])
  const page = await (await signInAs(app, 'owner', shop.id)).get('/dashboard/unmatched')
  expect(page.text).toContain('12.5 USDC')
})

describe('unmatched accept', () => {
  test.each<[status: string, waitMs: number]>([
    ['UNPAID', 0],
    ['EXPIRED', 30 * HOUR_MS],
  ])('pays an order that is %s with the received amount', async (status, waitMs) => {
    const orderUUID = await halfPaid()
    await app.advance(waitMs)
    expect((await getOrder(app, shop, orderUUID)).status).toBe(status)
    const printed = await accept(...idsOf(orderUUID), '--by', 'Ann', '--reason', 'a regular')
    const order = await getOrder(app, shop, orderUUID)
    expect([printed, orderProblems(order)]).toEqual([order, []])
    expect(order).toMatchObject({
      status: 'PAID',
      amount: '25.00',
      platformFeeAmount: '0.50',
      netAmount: '24.50',
      receivedAmount: '12.5',
      receivedCurrency: 'ethereum/usdc',
    })
    const transaction = rowOf(app, 'SELECT * FROM transactions WHERE order_id = ?', orderUUID)
    expect(transaction).toMatchObject({ amount: '25.00', fee_amount: '0.50', received_amount: '12.5' })
    expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'settled' }])
    expect(unmatchedOf(app, orderUUID)).toEqual(['underpaid accepted'])
    expect(rowOf(app, 'SELECT verdict, rule FROM settlements WHERE order_id = ?', orderUUID)).toEqual({
      verdict: 'accepted',
      rule: 'accepted by Ann: a regular',
    })
  })

  test('is delivered as accepted, is in the audit log, and can be refunded up to the order’s amount', async () => {
    await chooseEvents(app.context, shop.id, ['order.paid', 'payment.paid'])
    const orderUUID = await halfPaid()
    await accept(...idsOf(orderUUID), '--by', 'Ann')
    await catchUp()
    const paid = receiver.received.find(({ json: body }) => body.type === 'order.paid')!
    expect(paid.headers.get('x-service-settlement')).toBe('accepted')
    expect(eventsOf(app, orderUUID).find(({ type }) => type === 'payment.paid')).toMatchObject({
      acceptedBy: 'Ann',
      late: false,
      shortfall: '12.50',
    })
    const [entry] = rowsOf(app, "SELECT * FROM audit_log WHERE action = 'unmatched.accepted'")
    expect(entry).toMatchObject({ actor: 'cli', subject: `order:${orderUUID}`, merchant_id: shop.id })
    expect(JSON.parse(String(entry!.after))).toEqual({
      status: 'PAID',
      acceptedBy: 'Ann',
      payments: idsOf(orderUUID),
    })
    const refund = await ask(app, 'POST', `/v1/orders/${orderUUID}/refunds`, {
      key: shop.live,
      headers: { 'idempotency-key': 'refund-the-whole-order' },
      body: { amount: '25.00', reason: 'changed their mind' },
    })
    expect(refund.status).toBe(201)
  })

  test('accepts several payments of one order, in several coins: the sum is in the currency of the order', async () => {
    const orderUUID = await halfPaid()
    await openOnly(app, orderUUID, 'ltc')
    await simulate(app, orderUUID, 'underpaid')
    await app.advance(3 * HOUR_MS)
    const ids = idsOf(orderUUID)
    expect(ids).toHaveLength(2)
    await accept(...ids, ids[0]!, '--by', 'Ann')
    expect(await getOrder(app, shop, orderUUID)).toMatchObject({
      status: 'PAID',
      receivedAmount: '18.75',
      receivedCurrency: 'USD',
    })
    expect(unmatchedOf(app, orderUUID)).toEqual(['underpaid accepted', 'underpaid accepted'])
    expect(attemptsOf(app, orderUUID).map(({ state }) => state)).toEqual(['settled', 'expired'])
  })

  test('also counts all other credit of the order', async () => {
    const orderUUID = await halfPaid()
    const [id] = idsOf(orderUUID)
    await openOnly(app, orderUUID, 'ltc')
    await simulate(app, orderUUID, 'underpaid')
    await check(app, orderUUID)
    await accept(id!, '--by', 'Ann')
    expect(unmatchedOf(app, orderUUID)).toEqual(['underpaid accepted'])
  })

  test('is refused for payments of two orders, of a paid or cancelled order, and for handled or unknown ones', async () => {
    const orderUUID = await halfPaid()
    const other = await halfPaid()
    const paid = await halfPaid()
    await openOnly(app, paid, 'ltc')
    await simulate(app, paid, 'paid')
    await check(app, paid)
    expect((await getOrder(app, shop, paid)).status).toBe('PAID')
    const resolved = await halfPaid()
    await json('resolve', idsOf(resolved)[0]!, '--note', 'returned by bank')
    expect(rowsOf(app, 'SELECT note FROM unmatched_payments WHERE id = ?', idsOf(resolved)[0]!)).toEqual([
      { note: 'returned by bank' },
    ])
    const unknown = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
    const by = ['--by', 'Ann']
    const of = (...ids: string[]) => ['unmatched', 'accept', ...ids, ...by]
    await expectRefusals(app.dataDir, [
      ['two orders', of(...idsOf(orderUUID), ...idsOf(other)), /one order/],
      ['a paid order', of(...idsOf(paid)), /resolved/],
      ['resolved', of(...idsOf(resolved)), /resolved/],
      ['unknown', of(unknown), /no unmatched payment/i],
      ['one of them unknown', of(...idsOf(orderUUID), unknown), /no unmatched payment/i],
      ['by nobody', ['unmatched', 'accept', ...idsOf(orderUUID), '--by', ' '], /by/],
      ['a long reason', [...of(...idsOf(orderUUID)), '--reason', 'x'.repeat(501)], /reason/],
    ])
  })

  test.each(['gone', 'seen'] as const)('is refused for a payment that left its block: %s', async state => {
    const orderUUID = await halfPaid()
    await app.florin.context.storage.write(async tables => {
      const [incoming] = await tables.incomingPayments.listOf(String(attemptsOf(app, orderUUID)[0]!.id))
      await tables.incomingPayments.update(incoming!.id, { state })
    })
    await expectRefusals(app.dataDir, [
      [state, ['unmatched', 'accept', ...idsOf(orderUUID), '--by', 'Ann'], /no longer on its chain/],
    ])
  })

  test('pays the order once if it is settled at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const orderUUID = await halfPaid()
      const attempt = await openOnly(app, orderUUID, 'ltc')
      await sendCoins(app, attempt, BigInt(String(attempt.due_atomic)))
      const [ran] = await Promise.all([
        run('accept', ...idsOf(orderUUID), '--by', 'Ann'),
        app.call('POST', `/pay/${orderUUID}/check`),
        run('accept', ...idsOf(orderUUID), '--by', 'Ben'),
      ])
      expect(ran.exitCode === 0 || ran.exitCode === 1).toBe(true)
      await app.advance(MINUTE_MS)
      expect((await getOrder(app, shop, orderUUID)).status).toBe('PAID')
      expect(rowsOf(app, 'SELECT id FROM transactions WHERE order_id = ?', orderUUID)).toHaveLength(1)
      expect(app.audit()).toEqual([])
    }
  })
})

test('money at an address that a restore skipped is listed, and resolved like other payments', async () => {
  await catchUp()
  const address = '0x2222222222222222222222222222222222222222'
  const id = await givenSkippedPayment(app, shop.id, address)
  const shown = { id, status: 'open', assetId: 'polygon/usdc', amount: '25', address, index: 12 }
  expect(await json('list', '--merchant', shop.id)).toMatchObject({ items: [], skipped: [shown] })
  const { stdout } = await run('list', '--merchant', shop.id)
  expect(stdout).toMatch(/Received at addresses that a restore skipped/)
  expect(await json('resolve', id)).toEqual({ id, status: 'resolved' })
  expect(await json('list', '--merchant', shop.id)).toMatchObject({
    skipped: [{ ...shown, status: 'resolved' }],
  })
})
