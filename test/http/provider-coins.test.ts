import { describe, expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { givenOrder, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { orderProblems } from './expected-shapes.ts'
import { callBack, newTx, openProvider, simulated, startGatewayApp } from './paygate.ts'
import {
  attemptsOf,
  DAY_MS,
  eventTypesOf,
  getOrder,
  givenCoinShop,
  HOUR_MS,
  incomingPaymentsOf,
  MINUTE_MS,
  notificationsOf,
  openOnly,
  outage,
  sendCoins,
  unmatchedOf,
  wallets,
} from './payments.ts'
import { countOf, type Row, rowOf, rowsOf, snapshotOf, subscribe } from './rows.ts'

const { app, each, ownApp } = suite({ start: startGatewayApp })
const shop = each(() => givenCoinShop(app, '2.5'))
each(() => changeMerchant(app.context, shop.id, { cryptoFirst: 'provider' }))

const order = async (change: object = {}): Promise<string> =>
  (await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'], ...change })).orderUUID

async function open(asset = 'ltc', change: object = {}): Promise<{ id: string; attempt: Row }> {
  const id = await order(change)
  return { id, attempt: await openOnly(app, id, asset) }
}

async function read(id: string) {
  const found = await getOrder(app, shop, id)
  expect(orderProblems(found)).toEqual([])
  return found
}

/** A signed callback of a payment to the attempt's address, in litoshi. */
const pay = (attempt: Row, atomic: bigint, change: Record<string, string | undefined> = {}) => {
  const digits = atomic.toString().padStart(9, '0')
  const value = `${digits.slice(0, -8)}.${digits.slice(-8)}`
  return callBack(app, attempt, { value_coin: value, coin: 'ltc', ...change })
}
const dueAtomic = (attempt: Row): bigint => BigInt(String(attempt.due_atomic))

const unproven: [sentence: string, change: (attempt: Row) => Record<string, string | undefined>][] = [
  ['with the payout wallet as its address', () => ({ address_in: wallets.ltc })],
  ['without an address', () => ({ address_in: undefined })],
  ['without a coin', () => ({ coin: undefined })],
  ['without a transaction', () => ({ txid_in: undefined, txid_out: undefined })],
  ['with an amount of zero', () => ({ value_coin: '0' })],
]

test.each(unproven)('a callback %s is a 403, and writes nothing', async (_, change) => {
  const { attempt } = await open()
  const before = snapshotOf(app)
  expect((await pay(attempt, dueAtomic(attempt), change(attempt))).status).toBe(403)
  expect(snapshotOf(app)).toEqual(before)
})

test('a callback with the secret of another attempt of the same order is a 403', async () => {
  const { id, attempt } = await open()
  const other = await openOnly(app, id, 'btc')
  const url = String(attempt.callback_url).replace(String(attempt.id), String(other.id))
  expect((await pay({ ...attempt, callback_url: url }, dueAtomic(attempt))).status).toBe(403)
  expect((await read(id)).status).toBe('UNPAID')
})

test('a pending payment does not pay until it is final', async () => {
  const { id, attempt } = await open()
  const tx = { txid_in: newTx(), txid_out: undefined }
  expect((await pay(attempt, dueAtomic(attempt), { ...tx, pending: '1' })).status).toBe(200)
  expect(incomingPaymentsOf(app, id)).toEqual([])
  expect((await pay(attempt, dueAtomic(attempt), { ...tx, pending: '0', txid_out: newTx() })).status).toBe(
    200,
  )
  expect((await read(id)).status).toBe('PAID')
})

test('an address of the gateway is shown with its amount, QR code and URI', async () => {
  const { id, attempt } = await open('ltc')
  expect(attempt).toMatchObject({
    kind: 'address',
    provider: 'gateway',
    method_key: 'crypto',
    asset_id: 'ltc',
    due_atomic: '31250000',
    threshold_atomic: '31250000',
    payout_address: wallets.ltc,
    fee_split: 0,
    required_confirmations: null,
    address_source: '{"kind":"provider","provider":"gateway","minimum":"200000"}',
  })
  const lock = Number(attempt.locked_until) - Number(attempt.created_at)
  expect([lock, Number(attempt.watch_until) - Number(attempt.locked_until)]).toEqual([
    30 * MINUTE_MS,
    7 * DAY_MS,
  ])
  const page = await app.call('GET', `/pay/${id}`)
  expect(page.text).toContain(String(attempt.address))
  expect(page.text).toContain(`litecoin:${attempt.address}?amount=0.3125&amp;label=Corner%20Coffee`)
  expect(page.text).toContain('<svg')
  expect(page.text).not.toMatch(/callback|ipn_token|secret/)
  expect(page.text).not.toContain(String(attempt.provider_ref))
  expect((await statusOf(app, id)).attempt).toMatchObject({
    assetId: 'ltc',
    address: attempt.address,
    amount: '0.3125',
    state: 'waiting',
    requiredConfirmations: null,
  })
  // Reading the status makes the server ask the provider, so the time of that check may have changed.
  const { checked_at: _checkedAt, chosen_at: _chosenAt, ...opened } = attempt
  expect(await openOnly(app, id, 'ltc')).toMatchObject(opened)
})

test.each([
  ['failed', 'failed', [200], 'failed', 'UNPAID'],
  ['paid in two parts', 'underpaid paid', [200, 200], 'settled', 'PAID'],
  ['failed first, and then paid', 'failed paid', [200, 200], 'settled', 'PAID'],
])('a coin payment that is %s leaves the order in the right state', async (...row) => {
  const [, outcomes, callbacks, state, status] = row
  const { id } = await open()
  const answers: number[] = []
  for (const outcome of outcomes.split(' ')) answers.push(...(await simulated(app, id, outcome)))
  expect([answers, attemptsOf(app, id)[0]!.state]).toEqual([callbacks, state])
  const found = await read(id)
  expect([found.status, unmatchedOf(app, id)]).toEqual([status, []])
  expect(found.receivedAmount ?? null).toBe(status === 'PAID' ? '0.3125' : null)
  const verdicts = rowsOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', id)
  expect(verdicts).toEqual(status === 'PAID' ? [{ verdict: 'exact' }] : [])
})

test('a settled order shows both transactions, the address, the wallet and the coin', async () => {
  const { id, attempt } = await open()
  subscribe(app, shop.id, ['order.paid'])
  const tx = { txid_in: newTx(), txid_out: newTx() }
  expect((await pay(attempt, dueAtomic(attempt), tx)).text).toBe('*ok*')
  expect(await read(id)).toMatchObject({
    status: 'PAID',
    provisioningStatus: 'SETTLED',
    feeCollectionStatus: 'ACCOUNTED_NOT_COLLECTED',
    transactionRef: tx.txid_in,
    providerTxIn: tx.txid_in,
    providerTxOut: tx.txid_out,
    providerAddressIn: attempt.address,
    providerPayoutAddress: wallets.ltc,
    receivedAmount: '0.3125',
    receivedCurrency: 'ltc',
  })
  expect(eventTypesOf(app, id).filter(type => type === 'order.paid')).toEqual(['order.paid'])
  const { evidence } = rowOf(app, 'SELECT evidence FROM settlements WHERE order_id = ?', id)
  expect(String(evidence)).toContain(tx.txid_in)
  expect(String(evidence)).not.toContain(String(attempt.callback_secret))
})

test('a payment that is one litoshi short does not pay, even if a status repeats it', async () => {
  await changeMerchant(app.context, shop.id, { tolerance: '0' })
  const { id, attempt } = await open()
  await pay(attempt, dueAtomic(attempt) - 1n)
  await app.advance(11 * MINUTE_MS)
  expect((await read(id)).status).toBe('UNPAID')
  expect((await statusOf(app, id)).attempt).toMatchObject({
    state: 'underpaid',
    receivedAmount: '0.31249999',
  })
})

// Exchanges combine withdrawals in one transaction, and each order has an address of its own.
test('a transaction of one order pays another one at its own address, too', async () => {
  const tx = { txid_in: newTx(), txid_out: newTx() }
  const first = await open()
  await pay(first.attempt, dueAtomic(first.attempt), tx)
  for (const replay of [tx, { ...tx, txid_in: newTx() }, { ...tx, txid_out: newTx() }]) {
    const { id, attempt } = await open()
    expect((await pay(attempt, dueAtomic(attempt), replay)).status).toBe(200)
    expect((await read(id)).status).toBe('PAID')
  }
})

test('the amount still due is never shown below the minimum that the gateway forwards', async () => {
  await changeMerchant(app.context, shop.id, { tolerance: '0' })
  const { id, attempt } = await open('ltc')
  await pay(attempt, dueAtomic(attempt) - 150_000n)
  const page = await app.call('GET', `/pay/${id}`)
  expect(page.text).toContain('0.002 LTC left to pay')
  expect(page.text).toContain(`litecoin:${attempt.address}?amount=0.002&amp;`)
})

test('coins that are sent to a gateway address in the sandbox are forwarded', async () => {
  const { id, attempt } = await open()
  const page = await app.call('GET', `/pay/${id}`)
  expect(page.text).toContain('/sandbox/chain/ltc/send?')
  await sendCoins(app, attempt, dueAtomic(attempt), 'pending')
  expect((await read(id)).status).toBe('UNPAID')
  await sendCoins(app, attempt, 100n)
  expect(incomingPaymentsOf(app, id)).toEqual([])
  await sendCoins(app, attempt, dueAtomic(attempt))
  expect(await read(id)).toMatchObject({ status: 'PAID', receivedAmount: '0.3125' })
})

test.each([
  ['three hours after the lock', 209 * MINUTE_MS, 'UNPAID', 'PAID', 'exact', []],
  ['later than that', 212 * MINUTE_MS, 'UNPAID', 'PAID', 'late', []],
  ['after the order expired', 26 * HOUR_MS, 'EXPIRED', 'PAID', 'late', []],
  ['after the watch', 8 * DAY_MS, 'EXPIRED', 'EXPIRED', null, ['too_late open']],
] as const)(
  'a payment that is reported %s is assessed by the rules for late payments',
  async (_, ms, before, after, verdict, unmatched) => {
    const { id } = await open()
    await app.advance(31 * MINUTE_MS)
    await app.advance(ms - 31 * MINUTE_MS)
    expect((await read(id)).status).toBe(before)
    expect(await simulated(app, id, 'late')).toEqual([200])
    expect((await read(id)).status).toBe(after)
    expect(unmatchedOf(app, id)).toEqual([...unmatched])
    const settlements = rowsOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', id)
    expect(settlements).toEqual(verdict === null ? [] : [{ verdict }])
  },
)

test('a payment that is too small after the grace is unmatched', async () => {
  const { id } = await open()
  await simulated(app, id, 'underpaid')
  expect(unmatchedOf(app, id)).toEqual([])
  await app.advance(31 * MINUTE_MS + 3 * HOUR_MS)
  expect(attemptsOf(app, id)[0]!.state).toBe('expired')
  expect(unmatchedOf(app, id)).toEqual(['underpaid open'])
})

test('a payment whose callback was lost is found by the status within ten minutes', async () => {
  await ownApp()
  const { id } = await open()
  app.wire.isLost = true
  expect(await simulated(app, id, 'paid')).toEqual([0])
  await app.advance(10 * MINUTE_MS)
  const found = await read(id)
  expect(found).toMatchObject({ status: 'PAID', receivedAmount: '0.3125' })
  expect(found.providerTxOut).toStartWith('0x')
  app.wire.isLost = false
  expect(await simulated(app, id, 'duplicate')).toEqual([200])
  expect([incomingPaymentsOf(app, id).length, unmatchedOf(app, id)]).toEqual([1, []])
})

test('an outage of the gateway changes nothing, and the status is queried again', async () => {
  await ownApp()
  const { id } = await open()
  app.wire.isLost = true
  await simulated(app, id, 'paid')
  await outage(app, 'provider', true)
  await app.advance(2 * HOUR_MS)
  expect(await read(id)).toMatchObject({ status: 'UNPAID' })
  expect(attemptsOf(app, id)[0]!.state).toBe('waiting')
  await outage(app, 'provider', false)
  await app.advance(2 * MINUTE_MS)
  expect((await read(id)).status).toBe('PAID')
})

const turns: [sentence: string, asset: string, change: object, prepare: () => Promise<unknown>][] = [
  ['is away', 'ltc', {}, () => outage(app, 'provider', true)],
  ['does not have the coin', 'zec', {}, async () => {}],
  ['has a higher minimum', 'ethereum/usdt', { amount: '4.99' }, async () => {}],
  ['comes second', 'ltc', {}, () => changeMerchant(app.context, shop.id, { cryptoFirst: 'own' })],
]

test.each(turns)(
  'if the gateway %s, the address is one of the merchant’s own',
  async (_, asset, change, prepare) => {
    await open()
    await prepare()
    const { attempt } = await open(asset, change)
    expect([attempt.provider, attempt.callback_url]).toEqual([null, null])
    expect(String(attempt.address_source)).toBe('{"kind":"sandbox"}')
  },
)

test('exactly the minimum is forwarded', async () => {
  await ownApp()
  expect((await open('ethereum/usdt', { amount: '5.00' })).attempt.provider).toBe('gateway')
})

test('concurrent requests for the same coin get one address', async () => {
  const id = await order()
  await Promise.all(Array.from({ length: 8 }, () => openOnly(app, id, 'ltc')))
  expect(attemptsOf(app, id)).toHaveLength(1)
})

test('a failed coin payment does not fail its order: the buyer can choose another coin', async () => {
  const { id } = await open()
  await simulated(app, id, 'failed')
  expect((await read(id)).status).toBe('UNPAID')
  const other = await openOnly(app, id, 'btc')
  expect(other.provider).toBe('gateway')
  await simulated(app, id, 'paid')
  expect((await read(id)).receivedCurrency).toBe('btc')
})

describe('a gateway page whose outcome the sandbox decides', () => {
  const shop = each(async () => {
    const made = await givenCoinShop(app, '2.5')
    await changeMerchant(app.context, made.id, { cryptoFirst: 'provider' })
    return made
  })

  const [WHOLE, TWICE] = ['what is due', 'twice of it']
  const ways = [
    ['on a page of the provider', 'stripe', openProvider, { [WHOLE]: '25', [TWICE]: '50' }],
    [
      'to an address of the provider',
      'crypto',
      (app, id) => openOnly(app, id, 'ltc'),
      { [WHOLE]: '0.3125', [TWICE]: '0.625' },
    ],
  ] as const satisfies [string, string, typeof openProvider, Record<string, string>][]

  /** The gateway's steps, the answers to its callbacks, and the final status of the attempt. */
  const outcomes: [
    sentence: string,
    outcomes: string,
    callbacks: string,
    state: string,
    verdict?: string | null,
    received?: string | null,
    unmatched?: string,
  ][] = [
    ['a payment that is seen only', 'pending', '', 'waiting'],
    ['a forged callback', 'forged', '403', 'waiting'],
    ['a duplicate of no callback', 'duplicate', '', 'waiting'],
    ['half of the amount', 'underpaid', '200', 'underpaid'],
    ['another asset', 'wrong_asset', '200', 'waiting', null, null, 'wrong_asset'],
    ['the amount', 'paid', '200', 'settled', 'exact', WHOLE],
    ['twice the amount', 'overpaid', '200', 'settled', 'over', TWICE],
    ['the amount after a pending payment', 'pending paid', '200', 'settled', 'exact'],
    ['the amount after a forgery', 'forged paid', '403 200', 'settled', 'exact'],
    ['two halves', 'underpaid underpaid', '200 200', 'settled', 'exact', WHOLE],
    [
      'the amount and its callback three times',
      'paid duplicate duplicate',
      '200 200 200',
      'settled',
      'exact',
      WHOLE,
    ],
    ['the amount and a forgery after it', 'paid forged', '200 403', 'settled', 'exact'],
    ['the amount twice', 'paid paid', '200 200', 'settled', 'exact', WHOLE, 'second_payment'],
  ]

  const listOf = <T>(value: T | null | undefined | false): T[] => (value ? [value] : [])

  describe.each([...ways])('%s', (_, method, open, amounts: Record<string, string>) => {
    test.each(outcomes)('%s leaves the order in the right state', async (...row) => {
      const [, inTurn, statuses, state, verdict, received, unmatched] = row
      const { orderUUID: id } = await givenOrder(app, shop, { paymentMethodsKeys: [method] })
      await open(app, id)
      const callbacks: number[] = []
      for (const outcome of inTurn.split(' ')) callbacks.push(...(await simulated(app, id, outcome)))
      expect(callbacks.join(' ')).toBe(statuses)
      expect(attemptsOf(app, id)).toMatchObject([{ state }])
      expect(unmatchedOf(app, id)).toEqual(listOf(unmatched && `${unmatched} open`))
      expect(notificationsOf(app, id)).toEqual([
        ...listOf(verdict === 'over' && 'payment_over'),
        ...listOf(unmatched && 'unmatched_payment'),
      ])
      const found = await getOrder(app, shop, id)
      expect([orderProblems(found), found.status]).toEqual([[], verdict ? 'PAID' : 'UNPAID'])
      if (received) expect(found.receivedAmount).toBe(amounts[received])
      const settlements = rowsOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', id)
      expect(settlements).toEqual(listOf(verdict).map(known => ({ verdict: known })))
      expect(countOf(app, 'transactions', id)).toBe(settlements.length)
      expect(eventTypesOf(app, id)).toEqual(settlements.map(() => 'order.paid'))
    })
  })
})
