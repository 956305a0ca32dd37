import { describe, expect, test } from 'bun:test'
import { eraseCustomer } from '../../src/operations/customers/erase.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { startWithMail } from '../support/app-with-receiver.ts'
import { check, givenOrder, givenShop, simulate } from '../support/given.ts'
import { pngOf } from '../support/make-png.ts'
import { mailsTo } from '../support/read-mail.ts'
import { suite } from '../support/suite.ts'
import { changeRows } from './rows.ts'

const HOUR_MS = 3600_000
const BUYER = 'buyer@example.com'

const { app, once, each, ownApp } = suite({ start: startWithMail })
const mail = once(() => app.mail)
/** Starts an hour later, so that the mails of the test before do not count towards limits. */
each(() => {
  mail.received.length = 0
  app.time.now += HOUR_MS
})
const shop = each(() => givenShop(app))
each(async () => {
  const wanted = { receipts: true, paymentMails: false, supportEmail: 'help@shop.example' }
  await changeMerchant(app.context, shop.id, wanted)
  await app.jobs.settle()
})

const order = { description: 'Two bags <b>of</b> house blend', externalId: 'ORDER-7' }

const given = async (change: object = {}): Promise<string> =>
  (await givenOrder(app, shop, { ...order, ...change })).orderUUID

async function open(id: string, language = 'en', asset = 'polygon/usdc'): Promise<void> {
  const headers = { 'accept-language': language }
  const opened = await app.call('POST', `/pay/${id}/crypto`, { form: { asset }, headers })
  expect(opened.status).toBe(303)
  await app.jobs.settle()
}

async function pay(id: string): Promise<void> {
  await simulate(app, id, 'paid')
  expect((await check(app, id)).status).toBe('PAID')
  await app.jobs.settle()
}

test('a new shop sends no mails to buyers by default, and search engines may list it', async () => {
  const { receipts, paymentMails, searchable } = await givenShop(app)
  expect([receipts, paymentMails, searchable]).toEqual([false, null, true])
})

/** The mails that the buyer got; those to the merchant are notifications. */
const mails = (address = BUYER) => mailsTo(mail, address)

const rows = () => app.context.storage.read(tables => tables.buyerMails.listOf(orderId))
let orderId = ''

describe('the mail with a link to the order', () => {
  test('is sent once, when the first payment of the order is opened', async () => {
    const id = await given()
    await app.jobs.settle()
    expect(mails()).toEqual([])
    await open(id)
    await open(id)
    await open(id, 'en', 'polygon/usdt')
    const [link, ...more] = mails()
    expect(more).toEqual([])
    expect(link?.subject).toBe('[sandbox] Your order at Corner Coffee')
    expect(link?.replyTo).toBe('help@shop.example')
    const url = `${app.context.policy.checkoutUrl}/pay/${id}`
    for (const part of [link?.text, link?.html]) {
      expect(part).toContain(url)
      expect(part).toContain('ORDER-7')
      expect(part).toContain('$25.00')
    }
    expect(link?.text).toMatch(/^Contact Corner Coffee: help@shop.example\r?$/m)
    expect(link?.text).not.toContain('mailto:')
    expect(link?.text).toContain('Two bags <b>of</b> house blend')
    expect(link?.html).toContain('Two bags &lt;b&gt;of&lt;/b&gt; house blend')
    expect(link?.html).not.toMatch(/<img|<script|<link|url\(/)
    expect(link?.html).toMatch(
      /<p [^>]*><span [^>]*aria-hidden="true">C<\/span>\s*<bdi>Corner Coffee<\/bdi><\/p>/,
    )
    expect(link?.html).toContain('<meta name="color-scheme" content="light dark">')
  })

  test('is sent for a card payment too', async () => {
    const id = await given()
    await app.call('GET', `/payment/process/${id}?method=moonpay`, { headers: { 'accept-language': 'de' } })
    await app.jobs.settle()
    expect(mails().map(({ subject }) => subject)).toEqual(['[sandbox] Ihre Bestellung bei Corner Coffee'])
  })

  test('is in the language in which the buyer opened the payment', async () => {
    await open(await given(), 'ar')
    const [link] = mails()
    expect(link?.html).toContain('lang="ar" dir="rtl"')
    expect(link?.subject).toMatch(/[\u0600-\u06ff]/)
  })

  test('leads to the page in the same language, also in another browser', async () => {
    const id = await given()
    await open(id, 'de')
    await pay(id)
    for (const [at, path] of [`/pay/${id}`, `/pay/${id}/receipt`].entries()) {
      const { checkoutUrl } = app.context.policy
      const shown = mails()[at]!
      for (const part of [shown.text, shown.html]) expect(part).toContain(`${checkoutUrl}${path}?lang=de`)
      const page = await app.call('GET', `${path}?lang=de`, { headers: { 'accept-language': 'fr' } })
      expect([page.status, page.headers.get('content-language')]).toEqual([200, 'de'])
    }
  })

  test('is sent only a few times an hour to one address, in any spelling', async () => {
    for (let count = 0; count < 6; count++) await open(await given())
    expect(mails()).toHaveLength(3)
    const tagged = 'Buyer+more@example.com'
    await open(await given({ customer: { email: tagged } }))
    expect(mails(tagged)).toHaveLength(0)
    const other = 'other@example.com'
    await open(await given({ customer: { email: other } }))
    expect(mails(other)).toHaveLength(1)
    await app.advance(HOUR_MS)
    await open(await given())
    expect(mails()).toHaveLength(4)
  })

  const openFor = async (email: string) => open(await given({ customer: { email } }))
  const sent = () => mail.received.flatMap(({ to }) => to).filter(to => !to.includes(shop.email))

  test('counts the spellings of a Gmail address as one', async () => {
    const spellings = [
      ...['victim@gmail.com', 'v.ictim@gmail.com', 'vi.c.tim+2@googlemail.com', 'VICTIM@googlemail.com'],
    ]
    for (const email of spellings) await openFor(email)
    expect(sent()).toEqual(spellings.slice(0, 3))
  })

  test.each([
    ['60 an hour to one domain', 'linkToDomain', 60, 'c@other.example'],
    ['1,000 a day for one shop', 'linkOfShop', 1000, null],
  ])('is sent at most %s', async (_, limit, max, other) => {
    await openFor('a@victim.example')
    changeRows(app, 'UPDATE quotas SET used = ? WHERE id LIKE ?', max - 1, `${limit} %`)
    await openFor('b@victim.example')
    for (const email of ['c@victim.example', 'c@other.example']) await openFor(email)
    expect(sent()).toEqual(['a@victim.example', 'b@victim.example', ...(other === null ? [] : [other])])
    await app.advance(24 * HOUR_MS)
    await openFor('d@victim.example')
    expect(sent().at(-1)).toBe('d@victim.example')
  })
})

describe('the mail with the receipt', () => {
  test('is sent once, when a payment settles the order', async () => {
    const id = await given()
    await open(id, 'de')
    await pay(id)
    await app.advance(HOUR_MS)
    const [, receipt, ...more] = mails()
    expect(more).toEqual([])
    expect(receipt?.subject).toContain('Corner Coffee')
    expect(receipt?.html).toContain('lang="de"')
    for (const part of [receipt?.text, receipt?.html]) {
      for (const shown of ['ORDER-7', '25,00', '25 USDC', 'UTC', `/pay/${id}/receipt`])
        expect(part).toContain(shown)
      // The receipt shows a full date, because it is read months later.
      expect(part).toMatch(/\d+\. [A-Zä-ü][a-zä-ü]+ \d{4} um \d\d:\d\d UTC/)
    }
  })

  test('lists each part of an order that was paid in two coins, with its value', async () => {
    const id = await given()
    await open(id, 'en', 'ethereum/usdt')
    await simulate(app, id, 'underpaid')
    await check(app, id)
    await open(id, 'en', 'polygon/usdc')
    await pay(id)
    const { text, html } = mails().at(-1)!
    for (const coin of ['USDT', 'USDC']) {
      expect(text).toMatch(new RegExp(`^Received: 12\\.5\\d* ${coin}\r?\nValue: \\$12\\.50\r?$`, 'm'))
    }
    expect(html.match(/\$12\.50/g)).toHaveLength(2)
    expect(text.match(/\r?\n\r?\nPaid with: /g)).toHaveLength(2)
  })

  test('has the color of the shop, and readable text on it', async () => {
    await changeMerchant(app.context, shop.id, { color: '#ffe600' })
    const id = await given()
    await open(id)
    await app.jobs.settle()
    const [link] = mails()
    const filled = link?.html.match(/background:#ffe600;color:#000000;/g)
    expect([filled?.length, link?.html.includes('#14614a')]).toEqual([2, false])
  })

  test('carries the logo of the shop, and loads nothing', async () => {
    const logo = pngOf(400, 100)
    await changeMerchant(app.context, shop.id, { logo })
    await open(await given())
    const [link] = mails()
    const [, id] = /<img src="cid:([^"]+)" width="160" height="40" alt=""/.exec(link!.html) ?? []
    expect(link?.image).toMatch(new RegExp(`Content-ID:\\s+<${id}>`))
    expect(link?.image).toContain('Content-Disposition: inline')
    const stored = await app.context.storage.read(tables => tables.images.find(id ?? ''))
    expect(link?.image.split('\r\n\r\n')[1]?.replace(/\s/g, '')).toBe(
      Buffer.from(stored!.bytes).toString('base64'),
    )
    expect(link?.html).not.toMatch(/<img src="(?!cid:)|<script|<link|url\(/)
    expect(link?.html).not.toContain('>C</span>')
  })

  test('has the first letter of the shop instead of a logo that mail programs do not show', async () => {
    const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"></svg>')
    await changeMerchant(app.context, shop.id, { logo })
    await open(await given())
    const [link] = mails()
    expect([link?.image, link?.html.includes('<img')]).toEqual(['', false])
    expect(link?.html).toContain('>C</span>')
  })

  test('is in English where the browser prefers no known language', async () => {
    const id = await given()
    await open(id, 'xx')
    await pay(id)
    expect(mails().map(({ subject }) => subject)).toEqual([
      '[sandbox] Your order at Corner Coffee',
      '[sandbox] Receipt from Corner Coffee',
    ])
  })

  test('is tried again with the same ID, and a mail server that is down does not delay the payment', async () => {
    const id = await given()
    await open(id)
    mail.reactions = { rcpt: '451 try again' }
    await pay(id)
    expect(mails()).toHaveLength(1)
    const tried = mail.connections
    await app.advance(30_000)
    expect(mail.connections).toBe(tried)
    mail.reactions = {}
    await app.advance(60_000)
    expect(mails()).toHaveLength(2)
    orderId = id
    const [row] = (await rows()).filter(({ kind }) => kind === 'receipt')
    expect(mails()[1]?.messageId).toContain(row!.id)
    expect(row).toMatchObject({ status: 'sent', failures: 1 })
  })

  test('includes what was refunded before it could be sent', async () => {
    const id = await given()
    await open(id)
    mail.reactions = { rcpt: '451 try again' }
    await pay(id)
    for (const amount of ['4.00', '6.00']) {
      const headers = { 'idempotency-key': `refund-of-${amount}` }
      const body = { amount, reason: 'one bag' }
      const refunded = await app.call('POST', `/v1/orders/${id}/refunds`, { key: shop.live, headers, body })
      expect(refunded.status).toBe(201)
      app.time.now += 1000
    }
    mail.reactions = {}
    await app.advance(60_000)
    const receipt = mails()[1]!
    expect(receipt.text).toMatch(/^Refunded on .+ UTC: −\$4\.00\r?\nRefunded on .+ UTC: −\$6\.00\r?$/m)
    expect(receipt.text).toMatch(/^Total after refunds: \$15\.00\r?$/m)
    expect(receipt.html).toMatch(/Total after refunds.*\$15\.00/s)
    expect(receipt.text.indexOf('Total: $25.00')).toBeLessThan(receipt.text.indexOf('Refunded on'))
  })

  test('is given up after a few failures, which are logged', async () => {
    const id = await given()
    mail.reactions = { rcpt: '550 no such user' }
    await open(id)
    await pay(id)
    for (let hours = 0; hours < 24; hours++) await app.advance(HOUR_MS)
    mail.reactions = {}
    for (let hours = 0; hours < 24; hours++) await app.advance(HOUR_MS)
    expect(mails()).toEqual([])
    orderId = id
    expect((await rows()).map(({ status }) => status)).toEqual(['given_up', 'given_up'])
    const lines = app.logged.filter(({ sentence }) => sentence === 'buyer_mail.given_up')
    expect(lines.length).toBe(2)
  })
})

describe('no mail is sent to buyers', () => {
  test('unless the merchant wants it', async () => {
    await changeMerchant(app.context, shop.id, { receipts: false })
    const id = await given()
    await open(id)
    await pay(id)
    expect(mails()).toEqual([])
  })

  test('by a server without a mail server, which still accepts the payment', async () => {
    await ownApp({ FLORIN_SMTP_URL: '', FLORIN_MAIL_FROM: '' })
    const id = await given()
    await open(id)
    await pay(id)
    orderId = id
    expect((await rows()).map(({ status }) => status)).toEqual(['given_up', 'given_up'])
  })

  test('whose data was erased', async () => {
    mail.reactions = { rcpt: '451 try again' }
    const id = await given()
    await open(id)
    orderId = id
    expect(await rows()).toHaveLength(1)
    await eraseCustomer(app.context, shop.id, BUYER)
    mail.reactions = {}
    await app.advance(HOUR_MS)
    await open(id, 'en', 'polygon/usdt')
    await pay(id)
    expect(mail.received.filter(({ to }) => to[0]?.endsWith('shop.example') !== true)).toEqual([])
    expect(await rows()).toEqual([])
  })
})
