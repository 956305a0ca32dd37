import { describe, expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { listNotifications } from '../../src/operations/notices/list.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { listUnmatched, resolveUnmatched } from '../../src/operations/payments/unmatched.ts'
import { recordPayments } from '../../src/operations/settlement/record.ts'
import { check, givenOrder, paidInCash, simulate } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { suite } from '../support/suite.ts'
import {
  attemptsOf,
  givenCoinShop,
  HOUR_MS,
  MINUTE_MS,
  notificationsOf,
  openOnly,
  sendCoins,
  unmatchedOf,
  wallets,
} from './payments.ts'
import { data } from './request.ts'
import { changeRows, rowsOf } from './rows.ts'

const { app, each, ownApp } = suite()
const shop = each(() => givenCoinShop(app))
each(() => changeMerchant(app.context, shop.id, { supportEmail: 'help@shop.example' }))

async function opened(asset = 'ethereum/usdc', change: object = {}) {
  const { orderUUID } = await givenOrder(app, shop, change)
  return { orderUUID, attempt: await openOnly(app, orderUUID, asset) }
}

/** The text of an order's page. */
async function pageOf(orderUUID: string): Promise<string> {
  const { status, text } = await app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
  expect(status).toBe(200)
  return text.replaceAll(/\s+/g, ' ')
}

/** An order whose page has to announce something, and the text. */
interface Case {
  orderUUID: string
  says: string[]
  notified: string
  /** the amount that the buyer may want back */
  back: string
}
const cases: Record<string, () => Promise<Case>> = {
  async 'another coin'() {
    const { orderUUID } = await opened()
    await simulate(app, orderUUID, 'wrong_asset')
    await check(app, orderUUID)
    const says = ['A different coin arrived', 'asked for USDC on Ethereum']
    const back = ' of ethereum/unlisted: '
    return { orderUUID, says, notified: 'unmatched_payment', back }
  },
  async 'too little'() {
    const { orderUUID } = await opened()
    await simulate(app, orderUUID, 'underpaid')
    await app.advance(2 * HOUR_MS)
    const says = [
      ...['doesn’t cover this order', '12.5 USDC', 'worth $12.50', 'Received $12.50 of $25.00 · $12.50 left'],
    ]
    return { orderUUID, says, notified: 'unmatched_payment', back: ' 12.5 USDC on Ethereum: ' }
  },
  async 'too little, and the order is EXPIRED'() {
    const { orderUUID } = await opened()
    await simulate(app, orderUUID, 'underpaid')
    await app.advance(30 * HOUR_MS)
    const says = ['This order has expired', '12.5 USDC', 'Received $12.50 of $25.00']
    return { orderUUID, says, notified: 'unmatched_payment', back: ' 12.5 USDC on Ethereum: ' }
  },
  async 'late, at a lower price'() {
    await ownApp()
    const { orderUUID } = await opened('ethereum/eth', { amount: '300.00' })
    await app.advance(3 * HOUR_MS)
    const rate = { assetId: 'ethereum/eth', currency: 'USD', rate: '2250' }
    await data(app, 'POST', '/sandbox/rates', { body: rate })
    await app.advance(2 * MINUTE_MS)
    await simulate(app, orderUUID, 'late')
    await check(app, orderUUID)
    const says = ['Your payment arrived late', '0.1 ETH', 'worth $225.00', '$75.00 left']
    return { orderUUID, says, notified: 'unmatched_payment', back: ' 0.1 ETH' }
  },
  async 'a second payment'() {
    const { orderUUID, attempt } = await opened()
    await simulate(app, orderUUID, 'paid')
    await check(app, orderUUID)
    await sendCoins(app, attempt, 10_000_000n)
    await app.advance(2 * HOUR_MS)
    const says = ['A second payment arrived', '10 USDC']
    return { orderUUID, says, notified: 'unmatched_payment', back: ' 10 USDC on Ethereum: ' }
  },
  async 'too much'() {
    const { orderUUID } = await opened()
    await simulate(app, orderUUID, 'overpaid')
    await check(app, orderUUID)
    const says = ['You paid more than was due', '50 USDC', '25 USDC was due']
    return { orderUUID, says, notified: 'payment_over', back: ' 25 USDC on Ethereum: ' }
  },
}

describe('the page shows what arrived, that the shop was notified, and whom to ask:', () => {
  test.each(Object.keys(cases))('%s', async name => {
    const { orderUUID, says, notified } = await cases[name]!()
    const page = await pageOf(orderUUID)
    for (const part of [...says, 'Corner Coffee has been notified', 'mailto:help@shop.example']) {
      expect(page).toContain(part)
    }
    expect(notificationsOf(app, orderUUID)).toEqual([notified])
  })

  test.each(Object.keys(cases))('%s, and accepts a refund address', async name => {
    const { orderUUID, back } = await cases[name]!()
    const page = await pageOf(orderUUID)
    expect(page).toContain('Refund address on Ethereum')
    const { attempt, answer } = await leave(orderUUID, wallets.evm.toLowerCase())
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/pay/${orderUUID}`])
    expect(attemptsOf(app, orderUUID)).toMatchObject([{ id: attempt, refund_address: wallets.evm }])
    const after = await pageOf(orderUUID)
    expect(after).toContain(wallets.evm)
    expect(after).not.toContain('name="address"')
    expect(notificationsOf(app, orderUUID)).toHaveLength(2)
    const [left] = rowsOf(
      app,
      "SELECT facts FROM notifications WHERE order_id = ? AND facts LIKE '%refund_address%'",
      orderUUID,
    )
    expect(said(left!)).toContain(`The customer left a refund address for `)
    // The text must not name the payment that paid the order: a merchant may return what it names.
    expect(said(left!)).toContain(back)
    expect(said(left!)).toContain(wallets.evm)
  })
})

/** Sends the form of the page. */
async function leave(orderUUID: string, address: string, attempt = attemptsOf(app, orderUUID)[0]!.id) {
  const form = { attempt: String(attempt), address }
  const answer = await app.call('POST', `/pay/${orderUUID}/refund-address`, {
    form,
    headers: { accept: 'text/html' },
  })
  return { attempt: attempt!, answer }
}

test('a refused address is explained until the buyer enters another one, in each language', async () => {
  const { orderUUID } = await opened()
  await simulate(app, orderUUID, 'underpaid')
  await app.advance(3 * HOUR_MS)
  await check(app, orderUUID)
  const { answer } = await leave(orderUUID, `${wallets.evm.slice(0, -1)}E`)
  const problem = 'This isn’t an address on'
  expect([answer.status, answer.text.includes(problem)]).toEqual([400, true])
  expect(answer.text).toMatch(/aria-invalid="true" aria-describedby="[^"]+" autofocus/)
  const linkIn = (pattern: RegExp) => pattern.exec(answer.text)![1]!.replaceAll('&amp;', '&')
  const headers = { accept: 'text/html' }
  const poll = linkIn(/hx-get="([^"]+)"/)
  const polled = await app.call('GET', poll, { headers: { ...headers, 'hx-request': 'true' } })
  expect(polled.text).toContain(problem)
  // The buyer may have moved on to another part of the page by now.
  expect(polled.text).not.toContain('autofocus')
  const german = await app.call('GET', linkIn(/href="([^"]+)"[^>]* hreflang="de"/), { headers })
  expect(german.text).toContain('Das ist keine Adresse im Netzwerk')
  expect((await leave(orderUUID, wallets.evm)).answer.status).toBe(303)
  expect(await pageOf(orderUUID)).not.toContain(problem)
  const strange = await app.call('GET', `/pay/${orderUUID}?refused=click&refused=2`, { headers })
  expect(strange.status).toBe(200)
})

test('the page of a settled payment has no message', async () => {
  const { orderUUID } = await opened()
  await simulate(app, orderUUID, 'paid')
  await check(app, orderUUID)
  expect(await pageOf(orderUUID)).not.toContain('has been notified')
  expect((await leave(orderUUID, wallets.evm)).answer.status).toBe(409)
})

test.each([
  ['12.50', 12_500_000n],
  ['25.00', 25_000_000n],
])(
  'after one of two late payments of %s is accepted, the page keeps showing the other payment, once',
  async (_, sum) => {
    await changeMerchant(app.context, shop.id, { late: 'ask' })
    const { orderUUID, attempt } = await opened()
    await app.advance(3 * HOUR_MS)
    await sendCoins(app, attempt, sum)
    await sendCoins(app, attempt, sum)
    await check(app, orderUUID)
    const [row] = await listUnmatched(app.context, shop.id)
    await acceptUnmatched(app.context, shop.id, [row!.payment.id], { by: 'Ann', reason: null })
    const seen = async () => {
      const page = await pageOf(orderUUID)
      return [
        page.split('arrived late').length - 1,
        page.includes('USDC was due'),
        unmatchedOf(app, orderUUID),
      ]
    }
    const before = await seen()
    expect(before).toEqual([1, false, expect.arrayContaining(['late open', 'late accepted'])])
    await app.advance(2 * HOUR_MS)
    expect(await seen()).toEqual(before)
    const unpaid = rowsOf(
      app,
      'SELECT * FROM incoming_payments WHERE order_id = ? AND NOT settles',
      orderUUID,
    )
    expect(unpaid).toHaveLength(1)
    await changeMerchant(app.context, shop.id, { late: 'settle' })
  },
)

test('money that the merchant sent back is missing again', async () => {
  const { orderUUID, attempt } = await opened()
  await app.advance(3 * HOUR_MS)
  for (const sum of [5_000_000n, 12_500_000n]) await sendCoins(app, attempt, sum)
  await check(app, orderUUID)
  expect(await pageOf(orderUUID)).toContain('$7.50 left')
  const rows = await listUnmatched(app.context, shop.id)
  const { payment } = rows.find(({ incoming }) => incoming.amountAtomic === 5_000_000n)!
  await resolveUnmatched(app.context, shop.id, payment.id)
  expect(await pageOf(orderUUID)).toContain('$12.50 left')
})

const forced = (orderId: string) => paidInCash(app, shop, orderId)
const paidInAnotherCoin = async (orderUUID: string) => {
  await openOnly(app, orderUUID, 'polygon/usdc')
  await simulate(app, orderUUID, 'paid')
  await check(app, orderUUID)
}

test.each([
  ['marked as paid', forced],
  ['paid in another coin', paidInAnotherCoin],
])('no amount is missing for an order that was paid in part and then %s', async (_, pay) => {
  const { orderUUID } = await cases['too little']!()
  await pay(orderUUID)
  const page = await pageOf(orderUUID)
  expect(page).not.toContain('still unpaid')
  expect(await listUnmatched(app.context, shop.id)).toMatchObject([{ payment: { shortfall: null } }])
})

test('the merchant sees the refund address beside the unmatched payment', async () => {
  const { orderUUID } = await cases['too little']!()
  await leave(orderUUID, wallets.evm)
  expect(await listUnmatched(app.context, shop.id)).toMatchObject([{ refundAddress: wallets.evm }])
})

describe('a refund address is refused', () => {
  test.each<[sentence: string, address: () => Promise<string> | string, message: string]>([
    ['of another network', () => wallets.btc, 'isn’t an address on Ethereum'],
    ['with a wrong checksum', () => wallets.evm.replace('5aA', '5Aa'), 'isn’t an address on Ethereum'],
    ['that is empty', () => ' ', 'isn’t an address on Ethereum'],
    ['that is a private key', () => 'f00dface'.repeat(8), 'private key'],
  ])('%s', async (_, address, message) => {
    const { orderUUID } = await cases['too little']!()
    const { answer } = await leave(orderUUID, await address())
    const text = answer.text.replaceAll(/\s+/g, ' ')
    expect([answer.status, text]).toEqual([400, expect.stringContaining(message)])
    expect(text).not.toContain('f00dface')
    expect(text).toContain('Refund address on Ethereum')
    expect(attemptsOf(app, orderUUID)).toMatchObject([{ refund_address: null }])
  })

  test.each(['the same', 'another'])('if it is the address of a payment of %s order', async of => {
    const { orderUUID } = await cases['too little']!()
    const other = of === 'another' ? (await cases['too little']!()).orderUUID : orderUUID
    const { answer } = await leave(orderUUID, String(attemptsOf(app, other)[0]!.address))
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('your own wallet')])
  })

  test('if there is one already: another person with the link cannot replace it', async () => {
    const { orderUUID } = await cases['too little']!()
    await leave(orderUUID, wallets.evm)
    expect((await leave(orderUUID, wallets.evm)).answer.status).toBe(303)
    const other = '0x1111111111111111111111111111111111111111'
    expect((await leave(orderUUID, other)).answer.status).toBe(409)
    expect(attemptsOf(app, orderUUID)).toMatchObject([{ refund_address: wallets.evm }])
    expect(notificationsOf(app, orderUUID)).toHaveLength(2)
  })

  test('for a payment of another order, and for an unknown one', async () => {
    const { orderUUID } = await cases['too little']!()
    const other = await opened()
    for (const attempt of [other.attempt.id!, '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55', 'x']) {
      expect((await leave(orderUUID, wallets.evm, attempt)).answer.status).toBe(404)
    }
  })
})

/** Reports the payment again: in another block, in none, or not at all; or that of another attempt. */
async function reporterOf(
  attemptId: string,
  settles: boolean,
  state: 'seen' | 'final' = 'final',
  to = attemptId,
) {
  const [paid] = await app.context.storage.read(tables => tables.incomingPayments.listOf(attemptId))
  expect(paid).toMatchObject({ settles, state })
  const { source, txId, txIndex, assetId, amountAtomic, txIn, paidAt, evidence } = paid!
  return { txId, report }
  async function report(height: number | null, isThere = true, later = 1000) {
    app.time.now += Math.max(later, 0)
    const detected = {
      txId,
      txIndex,
      assetId,
      amountAtomic,
      txIn,
      paidAt,
      evidence,
      height,
      confirmations: 3,
    }
    const detectedPayments = isThere ? [{ ...detected, final: state === 'final' }] : []
    await recordPayments(app.context, to, {
      source,
      askedAt: app.time.now + Math.min(later, 0),
      completeFrom: 0,
      detectedPayments,
    })
  }
}

test('a report moves the cursor of its attempt, unless the report has none', async () => {
  const { attempt } = await opened('btc')
  const id = String(attempt.id)
  const cursorAfter = async (more: object) => {
    app.time.now += 1000
    const report = { source: 'btc', askedAt: app.time.now, completeFrom: null, detectedPayments: [] }
    await recordPayments(app.context, id, { ...report, ...more })
    const found = await app.context.storage.read(tables => tables.attempts.find(id))
    return found && 'cursor' in found ? found.cursor : undefined
  }
  expect(await cursorAfter({ cursor: { height: 7 } })).toEqual({ height: 7 })
  expect(await cursorAfter({})).toEqual({ height: 7 })
})

test('an overtaken report is ignored, unless it only adds payments', async () => {
  const { attempt } = await opened('btc')
  const id = String(attempt.id)
  const reportAt = async (askedAt: number, completeFrom: number | null, txId: string) => {
    const paid = { txId, txIndex: '0', assetId: 'btc', amountAtomic: 1000n, txIn: txId, height: 7 }
    const detected = { ...paid, paidAt: app.time.now, confirmations: 1, final: false, evidence: null }
    const report = { source: 'btc', askedAt, completeFrom, detectedPayments: [detected] }
    await recordPayments(app.context, id, report)
    const known = await app.context.storage.read(tables => tables.incomingPayments.listOf(id))
    return known.map(one => one.txId).sort()
  }
  expect(await reportAt(app.time.now, 0, 'first')).toEqual(['first'])
  expect(await reportAt(app.time.now - 1, 0, 'second')).toEqual(['first'])
  expect(await reportAt(app.time.now - 1, null, 'third')).toEqual(['first', 'third'])
})

test('a long report that no second endpoint confirms changes no final payment', async () => {
  const { attempt } = await opened('btc')
  const id = String(attempt.id)
  const statesAfter = async (final: boolean, completeFrom: number, isDisputed = false) => {
    app.time.now += 1000
    const detectedPayments = Array.from({ length: 60 }, (_, at) => {
      const paid = {
        txId: `tx ${at}`,
        txIndex: '0',
        assetId: 'btc',
        amountAtomic: 1000n,
        txIn: null,
        height: 7,
      }
      return { ...paid, paidAt: app.time.now, confirmations: 1, final, isDisputed, evidence: null }
    })
    await recordPayments(app.context, id, {
      source: 'btc',
      askedAt: app.time.now,
      completeFrom,
      detectedPayments,
    })
    const known = await app.context.storage.read(tables => tables.incomingPayments.listOf(id))
    return [...Map.groupBy(known, one => one.state)].map(([state, some]) => [state, some.length])
  }
  expect(await statesAfter(true, 0)).toEqual([['final', 60]])
  expect(await statesAfter(false, 8)).toEqual([['final', 60]])
  // The blocks are read again when another endpoint is asked.
  expect(await statesAfter(false, 0, true)).toEqual([['final', 60]])
  expect(await statesAfter(false, 0)).toEqual([['seen', 60]])
})

test('a payment of another attempt at a shared address pays no second order', async () => {
  const [one, two] = [await opened('btc'), await opened('btc')]
  changeRows(app, 'UPDATE attempts SET shared = 1 WHERE id = ?', String(two.attempt.id))
  await simulate(app, one.orderUUID, 'paid')
  await check(app, one.orderUUID)
  const { report } = await reporterOf(String(one.attempt.id), true, 'final', String(two.attempt.id))
  await report(7)
  expect(unmatchedOf(app, two.orderUUID)).toEqual(['second_payment open'])
})

async function reorganisationsOf(orderUUID: string): Promise<string[]> {
  const all = await listNotifications(app.context, shop.id)
  return all
    .filter(({ kind, orderId }) => kind === 'payment_reorganised' && orderId === orderUUID)
    .map(said)
    .reverse()
}

test('the merchant is notified when a payment vanishes from its chain, and when it returns', async () => {
  const { orderUUID, attempt } = await opened('btc')
  await simulate(app, orderUUID, 'paid')
  await check(app, orderUUID)
  const { txId, report } = await reporterOf(String(attempt.id), true)
  const left =
    `A payment disappeared from the blockchain: transaction ${txId} no longer counts for this order, which ` +
    'stays marked as paid. Do not ship until the payment is back or the customer has paid again.'
  const back = `A payment is on the blockchain again: transaction ${txId} counts for this order.`
  await report(null, false)
  await report(null, false)
  await report(7)
  await report(7)
  await report(null)
  // There was no notification that the payment is back, so there is none that it vanishes again.
  for (const isThere of [false, true, false]) await report(null, isThere)
  await report(8)
  expect(await reorganisationsOf(orderUUID)).toEqual([left, back, left, back])
})

test('a report that arrives after a later one changes nothing; one of the same moment counts', async () => {
  const { orderUUID, attempt } = await opened('btc')
  await simulate(app, orderUUID, 'paid')
  await check(app, orderUUID)
  const { report } = await reporterOf(String(attempt.id), true)
  await report(7)
  await report(null, false, -1)
  expect(await reorganisationsOf(orderUUID)).toEqual([])
  await report(null, false, 0)
  expect(await reorganisationsOf(orderUUID)).toHaveLength(1)
  await app.context.storage.write(tables =>
    tables.attempts.update(String(attempt.id), { checkedAt: app.time.now + 1 }),
  )
  await report(7, true, 0)
  expect(await reorganisationsOf(orderUUID)).toHaveLength(2)
})

test('the merchant is notified once of a payment that wallets send again and again', async () => {
  const { orderUUID, attempt } = await opened('btc')
  await simulate(app, orderUUID, 'pending')
  await check(app, orderUUID)
  const { report } = await reporterOf(String(attempt.id), false, 'seen')
  for (const isThere of [false, true, false, true, false]) await report(null, isThere)
  expect(notificationsOf(app, orderUUID)).toEqual(['payment_vanished'])
  await report(7)
  await report(7, false)
  expect(notificationsOf(app, orderUUID)).toEqual(['payment_vanished', 'payment_vanished'])
})

test('the merchant is notified once of a payment to send back that wallets send again and again', async () => {
  const { orderUUID } = await cases['too little, and the order is EXPIRED']!()
  const [attempt] = attemptsOf(app, orderUUID)
  const { txId, report } = await reporterOf(String(attempt!.id), false)
  await report(null, false)
  await report(null, false)
  await report(9)
  await report(9)
  expect(await reorganisationsOf(orderUUID)).toEqual([
    `A payment that had not paid this order disappeared from the blockchain: transaction ${txId}. ` +
      'Send nothing back for it unless it returns.',
    `A payment is on the blockchain again: transaction ${txId}, which has not paid this order. ` +
      'What was to be done about it when it arrived holds again.',
  ])
})

test('messages about payments are above the amount to pay on an open page, and below the result on a finished one', async () => {
  const open = await cases['another coin']!()
  const page = await pageOf(open.orderUUID)
  expect(page.indexOf('A different coin arrived')).toBeGreaterThan(0)
  expect(page.indexOf('A different coin arrived')).toBeLessThan(page.indexOf('id="paying"'))
  const expired = await pageOf((await cases['too little, and the order is EXPIRED']!()).orderUUID)
  expect(expired.indexOf('This order has expired')).toBeLessThan(
    expired.indexOf('Your payment doesn’t cover'),
  )
})
