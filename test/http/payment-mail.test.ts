import { describe, expect, test } from 'bun:test'
import { eraseCustomer } from '../../src/operations/customers/erase.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { connectAccount } from '../../src/operations/merchants/connect-account.ts'
import { resolveUnmatched } from '../../src/operations/payments/unmatched.ts'
import { executeRefund } from '../../src/operations/refunds/execute.ts'
import { startWithMail } from '../support/app-with-receiver.ts'
import { check, givenOrder, simulate } from '../support/given.ts'
import { pngOf } from '../support/make-png.ts'
import { mailsTo, type ReadMail } from '../support/read-mail.ts'
import { suite } from '../support/suite.ts'
import {
  attemptsOf,
  getOrder,
  givenCoinShop,
  HOUR_MS,
  MINUTE_MS,
  openOnly,
  sendCoins,
  unmatchedOf,
} from './payments.ts'
import { type Row, rowOf, rowsOf } from './rows.ts'

const BUYER = 'buyer@example.com'
/** One USDC is worth a dollar, so an order of 25 dollars asks for 25,000,000 of its smallest unit. */
const USDC = 1_000_000n
const DUST = USDC / 10n

const { app, once, each } = suite({ start: startWithMail })
const mail = once(() => app.mail)
/** Starts an hour later, so that the mails of the test before do not count towards limits. */
each(() => {
  mail.received.length = 0
  app.time.now += HOUR_MS
})
const shop = each(() => givenCoinShop(app))
each(async () => {
  await changeMerchant(app.context, shop.id, { paymentMails: true, supportEmail: 'help@shop.example' })
  await app.jobs.settle()
})

const mails = (): ReadMail[] => mailsTo(mail, BUYER)
const subjects = () => mails().map(({ subject }) => subject.replace('[sandbox] ', ''))

/** An order of 25 dollars with an open payment. */
async function opened(asset = 'ethereum/usdc', language = 'en', change: object = {}) {
  const { orderUUID: id } = await givenOrder(app, shop, { externalId: 'ORDER-7', ...change })
  const headers = { 'accept-language': language }
  const answer = await app.call('POST', `/pay/${id}/crypto`, { form: { asset }, headers })
  expect(answer.status).toBe(303)
  return { id, attempt: attemptsOf(app, id).at(-1)! }
}

/** Sends coins, and makes the page find them. */
async function send(attempt: Row, atomic: bigint, state?: string): Promise<void> {
  await sendCoins(app, attempt, atomic, state)
  await check(app, String(attempt.order_id))
  await app.jobs.settle()
}

async function refund(id: string, amount: string): Promise<void> {
  app.time.now += 1000
  const headers = { 'idempotency-key': `refund-of-${amount}` }
  const body = { amount, reason: 'one bag' }
  const answer = await app.call('POST', `/v1/orders/${id}/refunds`, { key: shop.live, headers, body })
  expect(answer.status).toBe(201)
  await app.jobs.settle()
}

/** An order whose buyer sends these forms on its page at Stripe. */
async function atStripe(...forms: Record<string, string>[]): Promise<string> {
  const key = `rk_test_${shop.id.replaceAll('-', '').slice(-12)}_1`
  await connectAccount(app.context, { merchantId: shop.id, providerId: 'stripe', key, webhookSecret: null })
  const { orderUUID: id } = await givenOrder(app, shop, { paymentMethodsKeys: ['stripe', 'crypto'] })
  const { headers } = await app.call('GET', `/payment/process/${id}?method=stripe`)
  const page = new URL(headers.get('location') ?? '').pathname
  for (const form of forms) await app.call('POST', page, { form })
  return id
}

const statusesOf = (id: string) =>
  rowsOf(app, 'SELECT kind, status FROM payment_mails WHERE order_id = ? ORDER BY due_at, id', id).map(
    ({ kind, status }) => `${kind} ${status}`,
  )

describe('the buyer gets a mail', () => {
  test('when a part of the amount arrives, with the remaining amount and where to pay it', async () => {
    const { id, attempt } = await opened()
    await send(attempt, 12n * USDC)
    const [part, ...more] = mails()
    expect(more).toEqual([])
    expect(part?.subject).toBe('[sandbox] Part of your payment has arrived – Corner Coffee')
    expect(part?.replyTo).toBe('help@shop.example')
    for (const shown of [part?.text, part?.html]) {
      for (const fact of [
        '$13.00 of $25.00 is left to pay. You can pay the rest in any way that the shop offers.',
        `${app.context.policy.checkoutUrl}/pay/${id}?lang=en`,
        'Pay the rest',
        'ORDER-7',
        'USDC on Ethereum',
        '12 USDC',
        '$12.00',
        'March 1, 2026',
        'You got this email because this address was given for an order at Corner Coffee.',
        'help@shop.example',
      ]) {
        expect(shown).toContain(fact)
      }
    }
  })

  test('when a part arrives past the expiry, with the only way that is left to pay the rest', async () => {
    const expiresAt = new Date(app.time.now + 10 * MINUTE_MS).toISOString()
    const { attempt } = await opened('ethereum/usdc', 'en', { expiresAt })
    await app.advance(15 * MINUTE_MS)
    await send(attempt, 12n * USDC)
    const [part] = mails()
    expect(part?.text).toContain('We received 12 USDC. Please send the rest to the same address.')
    expect(part?.text).toContain('Left to pay: $13.00 of $25.00')
    expect(part?.text).not.toContain('any way that the shop offers')
  })

  test('that carries the logo of the shop', async () => {
    await changeMerchant(app.context, shop.id, { logo: pngOf(64, 64) })
    const { attempt } = await opened()
    await send(attempt, 12n * USDC)
    const [part] = mails()
    expect(part?.html).toMatch(/<img src="cid:[0-9a-f]{64}" width="40" height="40" alt=""/)
    expect(part?.image).toStartWith('Content-Type: image/png')
  })

  test('when a second payment arrives, which the shop decides about', async () => {
    const { id, attempt } = await opened()
    await send(attempt, 25n * USDC)
    await send(attempt, 10n * USDC)
    await app.advance(2 * HOUR_MS)
    expect(subjects()).toEqual(['A second payment arrived – Corner Coffee'])
    for (const fact of [
      'We received 10 USDC, but this order was already paid.',
      'Your payment is recorded, and Corner Coffee has been notified.',
      'The shop decides about a refund.',
      'you can leave a refund address on the page of your order',
      'Value: $10.00',
      `/pay/${id}?lang=en`,
    ]) {
      expect(mails()[0]?.text).toContain(fact)
    }
  })

  test('when a payment is too late to count', async () => {
    await changeMerchant(app.context, shop.id, { late: 'ask' })
    const { attempt } = await opened()
    await app.advance(3 * HOUR_MS)
    await send(attempt, 25n * USDC)
    expect(subjects()).toEqual(['Your payment arrived late – Corner Coffee'])
    expect(mails()[0]?.text).toContain('25 USDC, worth $25.00, after the time to pay had run out')
    expect(mails()[0]?.text).toContain('The shop decides about a refund.')
  })

  test('when another coin than requested arrives', async () => {
    const { id } = await opened()
    await simulate(app, id, 'wrong_asset')
    await check(app, id)
    await app.jobs.settle()
    expect(subjects()).toEqual(['A different coin arrived – Corner Coffee'])
    expect(mails()[0]?.text).toContain('but this payment asked for USDC on Ethereum.')
  })

  test('when more arrives than was due', async () => {
    const { attempt } = await opened()
    await send(attempt, 30n * USDC)
    expect(subjects()).toEqual(['You paid more than was due – Corner Coffee'])
    expect(mails()[0]?.text).toContain('We received 30 USDC, but only 25 USDC was due.')
    expect(mails()[0]?.text).toContain('leave a refund address')
  })

  test('when two payments together exceed the amount due', async () => {
    const { id, attempt } = await opened('btc')
    const usdc = await openOnly(app, id, 'ethereum/usdc')
    await sendCoins(app, attempt, BigInt(String(attempt.due_atomic)) / 2n)
    // Checks now, because otherwise either of the two could pay the order first.
    await check(app, id)
    await send(usdc, 25n * USDC)
    expect(subjects()).toEqual(['You paid more than was due – Corner Coffee'])
    expect(mails()[0]?.text).toContain('We received $37.49, but only $25.00 was due.')
    expect(mails()[0]?.text).toContain('leave a refund address')
  })

  test('when a refund is recorded, with the sum of all refunds', async () => {
    const { id, attempt } = await opened()
    await send(attempt, 25n * USDC)
    await refund(id, '4.00')
    expect(subjects()).toEqual(['Your refund – Corner Coffee'])
    const [first] = mails()
    expect(first?.text).toContain('Corner Coffee has recorded a refund of $4.00 for your order.')
    expect(first?.text).toContain('Corner Coffee sends you the money separately.')
    expect(first?.text).toMatch(
      /^Refunded on .+ UTC: −\$4\.00\r?\nRefunded in total: \$4\.00 of \$25\.00\r?$/m,
    )
    // Two more come in one mail.
    await refund(id, '5.00')
    await refund(id, '6.00')
    expect(mails()).toHaveLength(1)
    await app.advance(10 * MINUTE_MS)
    expect(mails()).toHaveLength(2)
    expect(mails()[1]?.text).toContain('a refund of $6.00')
    expect(mails()[1]?.text).toMatch(/−\$4\.00\r?\n.*−\$5\.00\r?\n.*−\$6\.00\r?\n.*: \$15\.00 of \$25\.00/)
  })

  test('when a refund is recorded, with who sends the money of the last one', async () => {
    const id = await atStripe({ by: 'card', card: '4242 4242 4242 4242' })
    await app.advance(MINUTE_MS)
    const request = { merchantId: shop.id, orderId: id, idempotencyKey: 'by-stripe', by: 'Ann' } as const
    await executeRefund(app.context, { ...request, body: { amount: '4.00', reason: 'one bag' } })
    await app.jobs.settle()
    await app.advance(HOUR_MS)
    await refund(id, '5.00')
    expect(mails().map(({ text }) => text)).toEqual([
      expect.stringContaining('The payment provider that you paid with sends the money back.'),
      expect.stringContaining('Corner Coffee sends you the money separately.'),
    ])
  })

  test('when a detected payment vanishes from its chain', async () => {
    const { id, attempt } = await opened('btc')
    await simulate(app, id, 'pending')
    await check(app, id)
    await simulate(app, id, 'failed')
    await check(app, id)
    await app.advance(9 * MINUTE_MS)
    expect(mails()).toEqual([])
    await app.advance(MINUTE_MS)
    expect(subjects()).toEqual(['Your payment is no longer on its network – Corner Coffee'])
    const due = Number(attempt.due_atomic) / 1e8
    for (const fact of [
      `The network no longer shows your payment of ${due} BTC.`,
      'Check it in your wallet before you send again.',
      'Left to pay: $25.00 of $25.00',
    ]) {
      expect(mails()[0]?.text).toContain(fact)
    }
  })

  test('when a bank debit fails at its provider, which is no network', async () => {
    const id = await atStripe({ by: 'debit' }, { by: 'return' })
    await app.advance(HOUR_MS)
    expect(statusesOf(id)).toEqual(['vanished sent'])
    expect(subjects()).toEqual(['Stripe declined the payment – Corner Coffee'])
    expect(mails()[0]?.text).toContain('The payment didn’t go through.')
    expect(mails()[0]?.text).toContain('Left to pay: $25.00 of $25.00')
    for (const untrue of ['network', 'wallet']) expect(mails()[0]?.text).not.toContain(untrue)
  })

  test('when several payments vanish: one mail after the last', async () => {
    const { id } = await opened('btc')
    for (const outcome of ['pending', 'failed', 'pending']) {
      await simulate(app, id, outcome)
      await check(app, id)
    }
    await app.advance(6 * MINUTE_MS)
    await simulate(app, id, 'failed')
    await check(app, id)
    await app.advance(8 * MINUTE_MS)
    expect(mails()).toEqual([])
    await app.advance(3 * MINUTE_MS)
    expect(mails()).toHaveLength(1)
    expect(mails()[0]?.text.match(/^Transaction: /gm)).toHaveLength(2)
  })

  test.each<[language: string, subject: string, left: string]>([
    [
      'de',
      'Ein Teil Ihrer Zahlung ist eingegangen – Corner Coffee',
      'Von 25,00 $ sind noch 13,00 $ zu zahlen.',
    ],
    [
      'fr',
      'Une partie de votre paiement est arrivée – Corner Coffee',
      'Il reste 13,00 $US à payer sur 25,00 $US.',
    ],
    ['ja', 'お支払いの一部が届きました – Corner Coffee', '$25.00のうち$13.00のお支払いが残っています。'],
    ['ar', 'وصل جزء من دفعتك – Corner Coffee', 'من أصل'],
  ])('in the language in which the payment was opened: %s', async (language, subject, left) => {
    const { id, attempt } = await opened('ethereum/usdc', language)
    await send(attempt, 12n * USDC)
    const plain = (text = '') => text.replaceAll(/[\u2066-\u2069]/g, '').replaceAll(/[\u00a0\u202f]/g, ' ')
    expect(plain(subjects()[0])).toBe(subject)
    expect(plain(mails()[0]?.text)).toContain(left)
    expect(mails()[0]?.text).toContain(`/pay/${id}?lang=${language}`)
    expect(mails()[0]?.html).toContain(`lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`)
  })
})

describe('a mail about a payment is true when it is sent', () => {
  test('a mail about a part is not sent if the order was paid meanwhile', async () => {
    const { id, attempt } = await opened()
    mail.reactions = { rcpt: '451 try again' }
    await send(attempt, 12n * USDC)
    await send(attempt, 13n * USDC)
    expect((await getOrder(app, shop, id)).status).toBe('PAID')
    mail.reactions = {}
    await app.advance(HOUR_MS)
    expect(subjects()).toEqual([])
    expect(statusesOf(id)).toEqual(['part given_up'])
  })

  test('a mail about a part is not sent if too little is left to pay', async () => {
    await changeMerchant(app.context, shop.id, { tolerance: '0' })
    const { id, attempt } = await opened()
    await send(attempt, 25n * USDC - DUST / 2n)
    expect((await getOrder(app, shop, id)).status).toBe('UNPAID')
    expect(mails()).toEqual([])
  })

  test('a mail about a part lists all parts that arrived until then', async () => {
    const { attempt } = await opened()
    mail.reactions = { rcpt: '451 try again' }
    await send(attempt, 5n * USDC)
    await send(attempt, 7n * USDC)
    mail.reactions = {}
    await app.advance(MINUTE_MS)
    expect(mails()).toHaveLength(1)
    for (const fact of ['5 USDC', '7 USDC', '$13.00 of $25.00 is left']) {
      expect(mails()[0]?.text).toContain(fact)
    }
  })

  test('a mail about many parts names the newest ten', async () => {
    const { attempt } = await opened('ethereum/usdc', 'en', { amount: '1000.00' })
    mail.reactions = { rcpt: '451 try again' }
    for (let part = 31n; part <= 41n; part++) await send(attempt, part * USDC)
    mail.reactions = {}
    await app.advance(HOUR_MS)
    const named = mails()[0]?.text.match(/\b[34]\d USDC/g)
    expect([named?.length, named?.includes('31 USDC'), named?.includes('41 USDC')]).toEqual([10, false, true])
  })

  test('payments that arrive while a mail is sent are in another mail', async () => {
    const { id, attempt } = await opened()
    mail.reactions = { greeting: 'hang' }
    await sendCoins(app, attempt, 5n * USDC)
    await check(app, id)
    const sending = app.jobs.settle()
    while (mail.held.length === 0) await Bun.sleep(5)
    await sendCoins(app, attempt, 7n * USDC)
    await check(app, id)
    mail.reactions = {}
    mail.release()
    await sending
    expect(mails()).toHaveLength(1)
    expect(mails()[0]?.text).toContain('$20.00 of $25.00 is left')
    await app.advance(10 * MINUTE_MS)
    expect(mails()[1]?.text).toContain('$13.00 of $25.00 is left')
    expect(mails()).toHaveLength(2)
  })

  test('a mail about a vanished payment is not sent if it was replaced or the order paid', async () => {
    const paid = await opened('btc')
    for (const outcome of ['pending', 'failed', 'paid']) {
      await simulate(app, paid.id, outcome)
      await check(app, paid.id)
    }
    const replaced = await opened('btc')
    await simulate(app, replaced.id, 'pending')
    await check(app, replaced.id)
    await simulate(app, replaced.id, 'replaced')
    await check(app, replaced.id)
    await app.advance(HOUR_MS)
    expect(statusesOf(paid.id)).toEqual(['vanished given_up'])
    expect(statusesOf(replaced.id)).toEqual([])
    expect(mails()).toEqual([])
  })

  const leaveChain = ({ incoming_payment_id: id }: Row) =>
    app.context.storage.write(tables => tables.incomingPayments.update(String(id), { state: 'gone' }))
  const resolve = ({ id }: Row) => resolveUnmatched(app.context, shop.id, String(id), 'sent back')
  test.each([
    ['the merchant dealt with it', resolve],
    ['it left its chain', leaveChain],
  ])('a mail about an unmatched payment is not sent if %s', async (_, end) => {
    const { id, attempt } = await opened()
    await send(attempt, 25n * USDC)
    mail.reactions = { rcpt: '451 try again' }
    await sendCoins(app, attempt, 10n * USDC)
    await app.advance(2 * HOUR_MS)
    expect(unmatchedOf(app, id)).toEqual(['second_payment open'])
    expect(statusesOf(id)).toEqual(['unmatched pending'])
    await end(rowOf(app, 'SELECT * FROM unmatched_payments WHERE order_id = ?', id))
    mail.reactions = {}
    await app.advance(HOUR_MS)
    expect(mails()).toEqual([])
    expect(statusesOf(id)).toEqual(['unmatched given_up'])
  })
})

describe('a buyer gets few mails', () => {
  test('none about payments that are worth almost nothing', async () => {
    const { id, attempt } = await opened()
    for (let count = 0; count < 5; count++) await send(attempt, DUST)
    await app.advance(HOUR_MS)
    expect(statusesOf(id)).toEqual([])
    await send(attempt, 25n * USDC - 5n * DUST)
    for (let count = 0; count < 3; count++) await sendCoins(app, attempt, DUST)
    await app.advance(2 * HOUR_MS)
    expect(unmatchedOf(app, id)).toHaveLength(3)
    expect(statusesOf(id)).toEqual([])
  })

  test('one of a kind within ten minutes, and five for an order, besides those about refunds', async () => {
    const { id, attempt } = await opened('ethereum/usdc', 'en', { amount: '1000.00' })
    for (let count = 0; count < 3; count++) await send(attempt, 10n * USDC)
    expect(mails()).toHaveLength(1)
    await app.advance(10 * MINUTE_MS)
    expect(mails()).toHaveLength(2)
    expect(mails()[1]?.text).toContain('$970.00 of $1,000.00 is left')
    for (let count = 0; count < 5; count++) {
      await app.advance(10 * MINUTE_MS)
      await send(attempt, 10n * USDC)
    }
    expect(mails()).toHaveLength(5)
    await send(attempt, 1000n * USDC)
    expect((await getOrder(app, shop, id)).status).toBe('PAID')
    await refund(id, '10.00')
    expect(subjects().at(-1)).toBe('Your refund – Corner Coffee')
  })

  test('ten an hour to one address, however many orders are made with it', async () => {
    for (let count = 0; count < 11; count++) {
      const { attempt } = await opened()
      await send(attempt, 12n * USDC)
    }
    expect(mails()).toHaveLength(10)
    const { id, attempt: paid } = await opened()
    await send(paid, 25n * USDC)
    await refund(id, '4.00')
    expect([mails().length, subjects().at(-1)]).toEqual([11, 'Your refund – Corner Coffee'])
    await app.advance(HOUR_MS)
    const { attempt } = await opened()
    await send(attempt, 12n * USDC)
    expect(mails()).toHaveLength(12)
  })
})

describe('the setting of the shop', () => {
  const partOf = async (): Promise<number> => {
    const before = mails().length
    const { attempt } = await opened()
    await send(attempt, 12n * USDC)
    return mails()
      .slice(before)
      .filter(({ text }) => text.includes('left to pay')).length
  }

  test('sends mails about payments if receipts are sent, unless it says otherwise', async () => {
    const counts: number[] = []
    for (const receipts of [false, true]) {
      for (const paymentMails of [null, true, false]) {
        await changeMerchant(app.context, shop.id, { receipts, paymentMails })
        counts.push(await partOf())
      }
    }
    expect(counts).toEqual([0, 1, 0, 1, 1, 0])
  })

  test('applies to waiting mails', async () => {
    mail.reactions = { rcpt: '451 try again' }
    const { id, attempt } = await opened()
    await send(attempt, 12n * USDC)
    await changeMerchant(app.context, shop.id, { paymentMails: false })
    mail.reactions = {}
    await app.advance(HOUR_MS)
    expect(mails()).toEqual([])
    expect(statusesOf(id)).toEqual(['part given_up'])
  })
})

test('a mail server that is down delays no payment and no refund', async () => {
  await mail.stop()
  const { id, attempt } = await opened()
  await send(attempt, 12n * USDC)
  await send(attempt, 18n * USDC)
  expect((await getOrder(app, shop, id)).status).toBe('PAID')
  await refund(id, '5.00')
  for (let hours = 0; hours < 12; hours++) await app.advance(HOUR_MS)
  expect(statusesOf(id).sort()).toEqual(['overpaid given_up', 'part given_up', 'refund given_up'])
})

test('a buyer whose data was erased gets no mail, and no mail is kept', async () => {
  mail.reactions = { rcpt: '451 try again' }
  const { id, attempt } = await opened()
  await send(attempt, 12n * USDC)
  expect(statusesOf(id)).toEqual(['part pending'])
  await eraseCustomer(app.context, shop.id, BUYER)
  expect(statusesOf(id)).toEqual([])
  mail.reactions = {}
  await send(attempt, 5n * USDC)
  await app.advance(HOUR_MS)
  expect(mails()).toEqual([])
  expect(statusesOf(id)).toEqual([])
})
