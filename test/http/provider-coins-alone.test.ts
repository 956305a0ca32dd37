import { beforeEach, describe, expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { checkAttempts } from '../../src/operations/payments/check-attempts.ts'
import { resolveUnmatched } from '../../src/operations/payments/unmatched.ts'
import { OWN_URL, startApp } from '../support/app.ts'
import { signInAs } from '../support/dashboard.ts'
import { check, givenMerchant, givenOrder, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { besideGateway } from './paygate.ts'
import {
  attemptsOf,
  eventTypesOf,
  getOrder,
  givenCoinShop,
  HOUR_MS,
  incomingPaymentsOf,
  MINUTE_MS,
  openOnly,
  unmatchedOf,
  wallets,
} from './payments.ts'
import { data } from './request.ts'
import { type Row, rowOf } from './rows.ts'

/** The product without endpoints and without its sandbox. */
const { app, once, each, ownApp } = suite({ start: besideGateway(startApp) })
const stand = once(() => app.stand)
const shop = each(() => givenCoinShop(app))

const order = async (change: object = {}): Promise<string> =>
  (await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'], ...change })).orderUUID

async function open(asset = 'ltc', change: object = {}): Promise<{ id: string; attempt: Row }> {
  const id = await order(change)
  return { id, attempt: await openOnly(app, id, asset) }
}

async function refusal(asset: string, change: object = {}): Promise<string> {
  const id = await order(change)
  const answer = await app.call('POST', `/pay/${id}/crypto`, {
    form: { asset },
    headers: { accept: 'application/json' },
  })
  expect(attemptsOf(app, id)).toEqual([])
  return `${answer.status} ${answer.json.error.code}`
}

const settle = (attempt: Row, outcome: 'paid' | 'underpaid', coins: string) =>
  stand.payments.settle(String(attempt.callback_url), outcome, coins)

const offered = async (change: object = {}): Promise<string[]> => {
  const page = await app.call('GET', `/pay/${await order(change)}`)
  const ids = [...page.text.matchAll(/name="asset"[^>]* value="([^"]+)"|value="([^"]+)"[^>]* name="asset"/g)]
  return ids.map(match => match[1] ?? match[2]!).sort()
}

const status = (value_coin: string, txid_out: string, coin = 'ltc') =>
  stand.wire.answers.set('/control/payment-status.php', () =>
    Response.json({ status: 'paid', value_coin, txid_out, coin }),
  )

const DUE = '0.3125'

describe('an asset is not offered', () => {
  test('on a network without a payout wallet', async () => {
    Object.assign(shop, await givenMerchant(app))
    const cryptoWallets = { btc: wallets.btc }
    await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets } })
    expect(await offered()).toEqual(['btc'])
    expect(await refusal('ltc')).toBe('422 method_not_offered')
  })

  test('that the gateway does not list', async () => {
    expect(await refusal('zec')).toBe('422 method_not_offered')
    expect(await refusal('dash')).toBe('422 method_not_offered')
  })

  test('for less than the gateway’s minimum', async () => {
    expect(await refusal('ethereum/usdt', { amount: '4.99' })).toBe('422 method_not_offered')
    expect((await open('ethereum/usdt', { amount: '5.00' })).attempt.due_atomic).toBe('5000000')
  })

  test('if the merchant or the order does not offer crypto', async () => {
    expect(await refusal('ltc', { paymentMethodsKeys: ['stripe'] })).toBe('422 method_not_offered')
    await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { includeCrypto: false } })
    expect(await refusal('ltc', { paymentMethodsKeys: ['*'] })).toBe('422 method_not_offered')
  })

  test('without a recent rate', async () => {
    expect(await refusal('base/usdc')).toBe('422 method_not_offered')
  })
})

describe('no attempt is opened', () => {
  const lies: [sentence: string, asset: string, address: (asked: URLSearchParams) => string][] = [
    ['of another network', 'ltc', () => wallets.btc],
    ['with a wrong checksum', 'ltc', () => `${wallets.ltc.slice(0, -1)}q`],
    ['in mixed case without a valid checksum', 'ethereum/eth', () => wallets.evm.replace('AeD', 'Aed')],
    ['that is the payout wallet', 'ltc', asked => asked.get('address')!],
    ['that is the payout wallet in upper case', 'ltc', asked => asked.get('address')!.toUpperCase()],
    [
      'that is the payout wallet in an old spelling',
      'bitcoincash',
      () => '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu',
    ],
    ['that is a token contract', 'polygon/usdc', () => '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'],
    ['that is markup', 'ltc', () => '<script>alert(1)</script>'],
    ['that is very long', 'ltc', () => 'l'.repeat(100_000)],
  ]
  const paths: Record<string, string> = {
    ltc: 'ltc',
    bitcoincash: 'bch',
    'ethereum/eth': 'eth',
    'polygon/usdc': 'polygon/usdc',
  }

  test.each(lies)('for an address %s', async (_, asset, address) => {
    stand.wire.answers.set(`/crypto/${paths[asset]}/wallet.php`, asked =>
      Response.json({ address_in: address(asked), ipn_token: 'a', callback_url: asked.get('callback') }),
    )
    expect(await refusal(asset)).toBe('502 provider_unavailable')
    expect(app.logged.map(({ sentence }) => sentence)).toContain('provider.address.invalid')
  })

  test('for an address of another attempt, in upper or lower case', async () => {
    await ownApp()
    const address = String((await open('ethereum/eth')).attempt.address)
    for (const spelling of [address, address.toUpperCase().replace('0X', '0x')]) {
      for (const [asset, path] of [
        ['ethereum/eth', 'eth'],
        ['bsc/bnb', 'bep20/bnb'],
      ] as const) {
        stand.wire.answers.set(`/crypto/${path}/wallet.php`, () =>
          Response.json({ address_in: spelling, ipn_token: 'b' }),
        )
        expect(await refusal(asset)).toBe('502 provider_unavailable')
      }
    }
    expect(app.logged.map(({ sentence }) => sentence)).toContain('provider.address.reused')
  })

  test('by two requests at once that get the same address', async () => {
    await ownApp()
    const address = String((await open('ltc')).attempt.address).replace(/.{6}$/, '')
    expect(address).toStartWith('ltc1')
    stand.wire.answers.set('/crypto/ltc/wallet.php', () =>
      Response.json({ address_in: wallets.ltc, ipn_token: 'c' }),
    )
    const other = await givenMerchant(app)
    const cryptoWallets = { ltc: 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9' }
    await data(app, 'PUT', '/v1/wallet', { key: other.live, body: { cryptoWallets } })
    Object.assign(shop, other)
    const ids = [await order(), await order()]
    const answers = await Promise.all(
      ids.map(id => app.call('POST', `/pay/${id}/crypto`, { form: { asset: 'ltc' } })),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([303, 502])
  })

  const faults: [sentence: string, answer: () => Response][] = [
    ['is away', () => new Response('503', { status: 503 })],
    ['refuses', () => Response.json({ status: 'error' }, { status: 400 })],
    ['answers with HTML', () => new Response('<html></html>')],
    ['answers without an address', () => Response.json({ ipn_token: 'a' })],
    ['answers without a token', () => Response.json({ address_in: wallets.ltc })],
  ]
  test.each(faults)('by a gateway that %s, and it can be tried again', async (_, answer) => {
    const id = await order()
    stand.wire.answers.set('/crypto/ltc/wallet.php', answer)
    const refused = await app.call('POST', `/pay/${id}/crypto`, { form: { asset: 'ltc' } })
    expect([refused.status, attemptsOf(app, id)]).toEqual([502, []])
    expect(refused.text).not.toContain('127.0.0.1')
    stand.wire.answers.clear()
    expect((await openOnly(app, id, 'ltc')).provider).toBe('gateway')
  })
})

test('every coin of the gateway with a rate is offered without an endpoint', async () => {
  const ids = ['bitcoincash', 'bsc/bnb', 'bsc/usdt', 'btc', 'doge', 'ethereum/eth', 'ethereum/usdc']
  const more = ['ethereum/usdt', 'ltc', 'polygon/pol', 'polygon/usdc', 'solana/sol', 'solana/usdc']
  const all = [...ids, ...more, 'trc20/trx', 'trc20/usdt']
  expect(await offered()).toEqual(all)
  for (const asset of all) {
    const id = await order()
    const attempt = await openOnly(app, id, asset)
    expect([asset, attempt.provider]).toEqual([asset, 'gateway'])
    expect((await app.call('GET', `/pay/${id}`)).text).toContain(String(attempt.address))
    expect(await settle(attempt, 'paid', '0')).toEqual([{ status: 403 }])
  }
})

test('an address alone is enough for a coin that the gateway forwards', async () => {
  const owner = await signInAs(app, 'owner', shop.id)
  const warns = async (network: string, text: string): Promise<boolean> => {
    const page = await owner.post(`/dashboard/payouts/${network}/check`, { text })
    expect([network, page.status]).toEqual([network, 200])
    return page.text.includes('An address alone is not enough')
  }
  expect(await warns('btc', wallets.btc)).toBe(false)
  expect(await warns('zec', wallets.zec)).toBe(true)
})

test('the list of coins is fetched once an hour, by one request, and survives an outage', async () => {
  const asks = () => stand.asked.filter(path => path === '/crypto/info.php').length
  await Promise.all(Array.from({ length: 5 }, () => offered()))
  expect(asks()).toBe(1)
  await app.advance(59 * MINUTE_MS)
  await offered()
  expect(asks()).toBe(1)
  stand.wire.isDown = true
  await app.advance(2 * MINUTE_MS)
  expect((await offered()).length).toBe(15)
  expect(asks()).toBe(2)
})

test('a gateway that never answered is reported as unavailable to the page and to scripts', async () => {
  stand.wire.isDown = true
  expect(await refusal('ltc')).toBe('502 provider_unavailable')
  expect((await app.call('GET', `/pay/${await order()}`)).status).toBe(200)
  stand.wire.isDown = false
  expect((await open()).attempt.provider).toBe('gateway')
})

test('a signed callback pays', async () => {
  const { id, attempt } = await open()
  expect(await settle(attempt, 'paid', DUE)).toEqual([{ status: 200 }])
  expect(await getOrder(app, shop, id)).toMatchObject({
    status: 'PAID',
    receivedAmount: DUE,
    receivedCurrency: 'ltc',
    providerPayoutAddress: wallets.ltc,
  })
  expect(eventTypesOf(app, id)).toContain('order.paid')
})

test('an open page queries the gateway at most twice a minute', async () => {
  // Uses an app of its own: when the clock moves, attempts of other tests are checked too.
  await ownApp()
  const { id, attempt } = await open()
  await stand.idle()
  const asked = () => stand.asked.filter(path => path.endsWith('payment-status.php')).length
  const before = asked()
  for (let seconds = 0; seconds < 60; seconds += 5) {
    app.time.now += 5000
    await app.call('GET', `/pay/${id}/status`, { headers: { accept: 'application/json' } })
    await app.call('POST', `/pay/${id}/check`)
  }
  expect(asked() - before).toBeWithin(1, 3)
  stand.wire.isLost = true
  await settle(attempt, 'paid', DUE)
  app.time.now += 30_000
  expect((await statusOf(app, id)).status).toBe('PAID')
})

test('many open pages together query the gateway only a few times', async () => {
  await ownApp()
  const ids = []
  for (let index = 0; index < 30; index++) ids.push((await open()).id)
  await stand.idle()
  const asked = () => stand.asked.filter(path => path.endsWith('payment-status.php')).length
  const before = asked()
  app.time.now += 30_000
  await Promise.all(ids.map(id => app.call('GET', `/pay/${id}/status`)))
  expect(asked() - before).toBeWithin(1, 21)
  app.time.now += 5000
  await Promise.all(ids.map(id => app.call('GET', `/pay/${id}/status`)))
  expect(asked() - before).toBe(30)
})

test('checking on the page finds a payment whose callback was lost', async () => {
  const { id, attempt } = await open()
  stand.wire.isLost = true
  await settle(attempt, 'paid', DUE)
  expect((await check(app, id)).status).toBe('PAID')
})

/** Sends an unsigned callback of one payment to the attempt's address. */
async function callBack(attempt: Row, coins: string, txOut: string): Promise<number> {
  const params = { value_coin: coins, coin: 'ltc', txid_in: `payer-${txOut}`, txid_out: txOut }
  const query = new URLSearchParams({ ...params, address_in: String(attempt.address) })
  return (await app.call('GET', `${String(attempt.callback_url).slice(OWN_URL.length)}&${query}`)).status
}

describe('without keys, each callback is looked up', () => {
  beforeEach(async () => {
    await ownApp({ FLORIN_GATEWAY_PUBLIC_KEYS: '' })
    stand.wire.isUnsigned = true
  })

  test('two halves add up, each with both transactions', async () => {
    const { id, attempt } = await open()
    expect(await settle(attempt, 'underpaid', DUE)).toEqual([{ status: 200 }])
    expect((await statusOf(app, id)).attempt).toMatchObject({
      state: 'underpaid',
      receivedAmount: '0.15625',
    })
    expect((await check(app, id)).attempt.receivedAmount).toBe('0.15625')
    expect(await settle(attempt, 'paid', DUE)).toEqual([{ status: 200 }])
    expect(await getOrder(app, shop, id)).toMatchObject({ status: 'PAID', receivedAmount: DUE })
    const { evidence } = rowOf(app, 'SELECT evidence FROM settlements WHERE order_id = ?', id)
    expect(String(evidence).match(/"callback":/g)).toHaveLength(2)
    const incomingPayments = incomingPaymentsOf(app, id)
    expect(incomingPayments).toHaveLength(2)
    expect(incomingPayments.every(({ tx_in, tx_out }) => tx_in !== null && tx_out !== null)).toBe(true)
  })

  test('a signed callback is looked up like an unsigned one', async () => {
    stand.wire.isUnsigned = false
    const { id, attempt } = await open()
    expect(await settle(attempt, 'paid', DUE)).toEqual([{ status: 200 }])
    expect((await getOrder(app, shop, id)).status).toBe('PAID')
    expect(stand.asked.filter(path => path.endsWith('payment-status.php'))).toHaveLength(1)
  })

  test('a callback that disagrees with the status is a 403', async () => {
    const { id, attempt } = await open()
    expect(await callBack(attempt, DUE, 'b')).toBe(403)
    status('0.1', 'b')
    expect(await callBack(attempt, DUE, 'b')).toBe(200)
    expect((await statusOf(app, id)).attempt).toMatchObject({ state: 'underpaid', receivedAmount: '0.1' })
  })

  const received = async (id: string) => (await check(app, id)).attempt.receivedAmount

  test('a total that a status reported first is not added to the parts of later callbacks', async () => {
    const { id, attempt } = await open()
    status('0.25', 'a')
    expect(await received(id)).toBe('0.25')
    expect(await callBack(attempt, '0.125', 'a')).toBe(200)
    status('0.25', 'b')
    expect(await callBack(attempt, '0.125', 'b')).toBe(200)
    expect(await received(id)).toBe('0.25')
    expect((await getOrder(app, shop, id)).status).toBe('UNPAID')
  })

  test('a part whose callback was lost counts through the total of the status', async () => {
    const { id, attempt } = await open()
    status(DUE, 'b')
    expect(await callBack(attempt, '0.125', 'b')).toBe(200)
    expect(attemptsOf(app, id)[0]).toMatchObject({ state: 'underpaid', received_atomic: '12500000' })
    expect(await check(app, id)).toMatchObject({ status: 'PAID', attempt: { receivedAmount: DUE } })
    await callBack(attempt, '0.125', 'b')
    await app.advance(HOUR_MS)
    expect(unmatchedOf(app, id)).toEqual([])
  })

  test('an order stays unpaid if the merchant sent back a part of the total that the status reports', async () => {
    const { id, attempt } = await open()
    status('0.15625', 'a')
    expect(await callBack(attempt, '0.15625', 'a')).toBe(200)
    await app.advance(4 * HOUR_MS)
    expect(unmatchedOf(app, id)).toEqual(['underpaid open'])
    const unmatched = rowOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ?', id)
    await resolveUnmatched(app.context, shop.id, String(unmatched.id))
    status(DUE, 'b')
    expect((await check(app, id)).status).toBe('UNPAID')
    expect(unmatchedOf(app, id)).toEqual(['underpaid resolved', 'late open'])
  })

  test('a second payment is unmatched once, even if the status reports the total of both', async () => {
    const { id, attempt } = await open()
    status(DUE, 'a')
    expect(await callBack(attempt, DUE, 'a')).toBe(200)
    status('0.4125', 'b')
    expect(await callBack(attempt, '0.1', 'b')).toBe(200)
    await app.advance(HOUR_MS)
    expect(await getOrder(app, shop, id)).toMatchObject({ status: 'PAID', receivedAmount: DUE })
    expect(unmatchedOf(app, id)).toEqual(['second_payment open'])
  })
})

describe('a status that reports the last payment or the total of all', () => {
  /** Two payments of 0.125 arrived, of 0.3125. */
  async function twoParts(amount: string) {
    const { id, attempt } = await open()
    await settle(attempt, 'underpaid', '0.25')
    status(amount, 'second')
    expect((await check(app, id)).status).toBe('UNPAID')
    expect(await settle(attempt, 'underpaid', '0.25')).toEqual([{ status: 200 }])
    return (await check(app, id)).attempt
  }

  test.each(['0.125', '0.25'])('as %s, with two parts that are too small, does not pay', async amount => {
    expect(await twoParts(amount)).toMatchObject({ state: 'underpaid', receivedAmount: '0.25' })
  })

  test('as a total first, followed by its parts, is one payment', async () => {
    const { id, attempt } = await open()
    status('0.25', 'second')
    expect((await check(app, id)).attempt).toMatchObject({ state: 'underpaid', receivedAmount: '0.25' })
    await settle(attempt, 'underpaid', '0.25')
    expect((await check(app, id)).attempt).toMatchObject({ state: 'underpaid', receivedAmount: '0.25' })
  })

  test('that is enough pays', async () => {
    const { id, attempt } = await open()
    await settle(attempt, 'underpaid', DUE)
    status(DUE, 'second')
    expect(await check(app, id)).toMatchObject({ status: 'PAID', attempt: { receivedAmount: DUE } })
  })

  test('keeps parts without a callback, which are unmatched after the grace', async () => {
    const { id } = await open()
    status('0.2', 'first')
    await check(app, id)
    status('0.3', 'second')
    app.time.now += 30_000
    await check(app, id)
    expect((await statusOf(app, id)).attempt).toMatchObject({ state: 'underpaid', receivedAmount: '0.3' })
    await app.advance(31 * MINUTE_MS + 3 * HOUR_MS)
    expect(unmatchedOf(app, id)).toEqual(['underpaid open', 'underpaid open'])
  })
})

test('a status in another coin is an unmatched payment, and pays nothing', async () => {
  const { id } = await open()
  status('1000', 'other', 'polygon_usdc')
  expect((await check(app, id)).status).toBe('UNPAID')
  expect(unmatchedOf(app, id)).toEqual(['wrong_asset open'])
})

test('an outage of two days, beyond the lock and the expiry, loses no payment', async () => {
  await ownApp()
  const { id, attempt } = await open()
  stand.wire.isLost = true
  await settle(attempt, 'paid', DUE)
  stand.wire.isDown = true
  await app.advance(48 * HOUR_MS)
  expect((await getOrder(app, shop, id)).status).toBe('UNPAID')
  stand.wire.isDown = false
  await app.advance(2 * MINUTE_MS)
  expect((await getOrder(app, shop, id)).status).toBe('PAID')
})

test('a payment whose look-up fails does not delay the others', async () => {
  await ownApp()
  const [first, second] = [await open(), await open()]
  stand.wire.isLost = true
  await settle(second.attempt, 'paid', DUE)
  const ref = String(first.attempt.provider_ref)
  stand.wire.answers.set('/control/payment-status.php', asked =>
    asked.get('ipn_token') === ref ? Response.json({ status: 'error' }, { status: 400 }) : undefined,
  )
  await app.advance(11 * MINUTE_MS)
  expect((await getOrder(app, shop, first.id)).status).toBe('UNPAID')
  expect((await getOrder(app, shop, second.id)).status).toBe('PAID')
})

/** Pays attempts whose callbacks are lost while look-ups of others fail. Returns what one check pays. */
async function paidBesideFailing(all: readonly { id: string; attempt: Row; isPaid: boolean }[]) {
  stand.wire.isLost = true
  for (const { attempt } of all.filter(({ isPaid }) => isPaid)) await settle(attempt, 'paid', DUE)
  const failing = all.filter(({ isPaid }) => !isPaid).map(({ attempt }) => String(attempt.provider_ref))
  stand.wire.answers.set('/control/payment-status.php', asked =>
    failing.includes(String(asked.get('ipn_token')))
      ? Response.json({ status: 'error' }, { status: 400 })
      : undefined,
  )
  await checkAttempts(
    app.context,
    all.map(({ attempt }) => String(attempt.id)),
  )
  return Promise.all(all.map(async ({ id }) => (await getOrder(app, shop, id)).status === 'PAID'))
}

test('look-ups that fail between others do not make a provider count as unavailable', async () => {
  await ownApp()
  const all = []
  for (const isPaid of [false, true, false, true, false, true]) all.push({ ...(await open()), isPaid })
  expect(await paidBesideFailing(all)).toEqual(all.map(({ isPaid }) => isPaid))
})

test('a new payment is looked up before older ones, whose look-ups may have failed for long', async () => {
  await ownApp()
  const all = []
  for (const isPaid of [false, false, false, true]) {
    all.push({ ...(await open()), isPaid })
    app.time.now += 1000
  }
  expect(await paidBesideFailing(all)).toEqual([false, false, false, true])
})

test('a preference for the gateway has no effect on a merchant whose addresses all come from it', async () => {
  await ownApp()
  await changeMerchant(app.context, shop.id, { cryptoFirst: 'provider' })
  expect((await open()).attempt.provider).toBe('gateway')
})
