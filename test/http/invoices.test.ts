import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { NO_EMAIL } from '../../src/domain/customer.ts'
import type { InvoicePolicy } from '../../src/domain/invoice.ts'
import { invoiceFilesOf } from '../../src/invoices/files.ts'
import { listAudit } from '../../src/operations/audit/read.ts'
import { cancelInvoice } from '../../src/operations/invoices/credit.ts'
import { findInvoice, invoicesOf, listInvoices, loadInvoice } from '../../src/operations/invoices/read.ts'
import { writePdf } from '../../src/operations/invoices/write-pdf.ts'
import { sendInvoice } from '../../src/operations/mails/send-invoice.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { listUnmatched } from '../../src/operations/payments/unmatched.ts'
import { recordRefund } from '../../src/operations/refunds/record.ts'
import { startApp } from '../support/app.ts'
import {
  check,
  givenOrder,
  givenShop,
  openCrypto,
  paidInCash,
  type Shop,
  simulate,
} from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { tryRefund } from './refunding.ts'

const { app, ownApp } = suite({ start: startApp })

const seller = {
  ...{ name: 'Shop GmbH', street: 'Hauptstr. 1', postcode: '10115', town: 'Berlin', country: 'DE' },
  vatId: 'DE 123 456 788',
}

async function givenInvoicing(policy: InvoicePolicy): Promise<Shop> {
  const shop = await givenShop(app)
  await changeMerchant(app.context, shop.id, { invoices: policy, seller })
  return shop
}

const issuedTo = async (orderId: string) => {
  const all = await invoicesOf(app.context, orderId)
  return all.map(({ number, content: { kind, gross, due } }) => `${number} ${kind} ${gross} ${due}`)
}

async function paidInCoins(shop: Shop): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop)
  await openCrypto(app, orderUUID, 'polygon/usdc')
  await simulate(app, orderUUID, 'paid')
  await check(app, orderUUID)
  return orderUUID
}

const refund = (shop: Shop, orderId: string, idempotencyKey: string, amount?: string) =>
  recordRefund(app.context, {
    merchantId: shop.id,
    orderId,
    idempotencyKey,
    by: 'cli',
    body: { reason: 'returned', ...(amount !== undefined && { amount }) },
  })

describe('an order that is paid', () => {
  test('gets an invoice with the payment in its coin, if the shop issues them', async () => {
    const shop = await givenInvoicing('paid')
    const orderId = await paidInCoins(shop)
    expect(await issuedTo(orderId)).toEqual(['2026-000001 invoice 25.00 0.00'])
    const { content, xml, sha256 } = await findInvoice(app.context, shop.id, '2026-000001')
    expect(content.payments).toMatchObject([
      { method: 'USDC on Polygon', received: expect.stringMatching(/^[\d.]+ USDC$/) },
    ])
    expect(content.seller.vatId).toBe('DE123456788')
    expect(content.buyer).toMatchObject({ name: 'Sam Buyer', email: 'buyer@example.com' })
    expect(xml).toContain('<ram:ID>2026-000001</ram:ID>')
    expect(sha256).toBe(new Bun.CryptoHasher('sha256').update(xml!).digest('hex'))
  })

  test('gets an invoice with the day of the payment, not with the day on which the server saw it', async () => {
    await ownApp()
    const shop = await givenInvoicing('paid')
    const { orderUUID } = await givenOrder(app, shop)
    await openCrypto(app, orderUUID, 'polygon/usdc')
    await simulate(app, orderUUID, 'paid')
    app.time.now += 24 * 3_600_000
    await check(app, orderUUID)
    const { content } = await findInvoice(app.context, shop.id, '2026-000001')
    expect([content.issueDate, content.payments[0]?.date]).toEqual(['2026-03-02', '2026-03-01'])
  })

  test('gets an invoice as well if the shop marks it as paid', async () => {
    const shop = await givenInvoicing('paid')
    const { orderUUID } = await givenOrder(app, shop)
    await paidInCash(app, shop, orderUUID)
    expect(await issuedTo(orderUUID)).toEqual(['2026-000001 invoice 25.00 0.00'])
  })

  test.each([
    ['a name', { fullName: 'Sam Buyer' }, 'Sam Buyer'],
    ['nothing', {}, '–'],
  ])(
    'gets an invoice without the address that stands for none, of a buyer who left %s',
    async (_, named, name) => {
      const shop = await givenInvoicing('paid')
      const customer = { email: NO_EMAIL, ...named }
      const { orderUUID } = await givenOrder(app, shop, { customer })
      await paidInCash(app, shop, orderUUID)
      const { content, xml } = await findInvoice(app.context, shop.id, '2026-000001')
      expect(content.buyer).toMatchObject({ name, email: null })
      expect(xml).toContain(`<ram:Name>${name}</ram:Name>`)
      for (const page of ['invoice', 'invoice.xml'])
        expect((await app.call('GET', `/pay/${orderUUID}/${page}`)).text).not.toContain(NO_EMAIL)
      expect((await app.call('GET', `/pay/${orderUUID}/invoice.pdf`)).status).toBe(200)
    },
  )

  test.each(['off', 'manual'] as const)('gets no invoice if invoices are %s', async policy => {
    const shop = await givenInvoicing(policy)
    const { orderUUID } = await givenOrder(app, shop)
    await paidInCash(app, shop, orderUUID)
    expect(await issuedTo(orderUUID)).toEqual([])
  })
})

test('refunds get credit notes, which add up to the invoice', async () => {
  const shop = await givenInvoicing('paid')
  const orderId = await paidInCoins(shop)
  await refund(shop, orderId, 'a', '10.01')
  await refund(shop, orderId, 'a', '10.01')
  await refund(shop, orderId, 'b')
  expect(await issuedTo(orderId)).toEqual([
    '2026-000001 invoice 25.00 0.00',
    '2026-000002 credit_note 10.01 0.00',
    '2026-000003 credit_note 14.99 0.00',
  ])
  const [, note] = await invoicesOf(app.context, orderId)
  expect(note!.content.corrects).toEqual({ number: '2026-000001', date: '2026-03-01' })
})

test('the audit log says that the server issued an invoice, and which key or command credited it', async () => {
  const shop = await givenInvoicing('paid')
  const orderId = await paidInCoins(shop)
  await refund(shop, orderId, 'a', '10.01')
  await tryRefund(app, shop, orderId, {})
  const rows = (await listAudit(app.context, shop.id, 3)).toReversed()
  expect(rows.map(({ actor, action, subject, after }) => [actor, action, subject, after?.total])).toEqual([
    ['server', 'invoice.issued', `order:${orderId}`, '25.00 USD'],
    ['cli', 'invoice.credited', `order:${orderId}`, '10.01 USD'],
    [`key:${shop.liveKeyId}`, 'invoice.credited', `order:${orderId}`, '14.99 USD'],
  ])
})

test('a refund of an order without an invoice gets no credit note', async () => {
  const shop = await givenInvoicing('off')
  const orderId = await paidInCoins(shop)
  await changeMerchant(app.context, shop.id, { invoices: 'paid' })
  await refund(shop, orderId, 'a')
  expect(await issuedTo(orderId)).toEqual([])
})

describe('in special cases', () => {
  const send = (shop: Shop, orderId: string, name = 'Kunde AG') =>
    sendInvoice(app.context, shop.id, orderId, { name })

  test('an invoice that is requested twice at once is issued once', async () => {
    const shop = await givenInvoicing('manual')
    const { orderUUID } = await givenOrder(app, shop)
    const sent = await Promise.all([send(shop, orderUUID), send(shop, orderUUID, 'Another')])
    expect(sent.map(({ invoice }) => invoice.number)).toEqual(['2026-000001', '2026-000001'])
    expect(await issuedTo(orderUUID)).toEqual(['2026-000001 invoice 25.00 25.00'])
  })

  test('refunds before the invoice get their credit notes with it', async () => {
    const shop = await givenInvoicing('manual')
    const orderId = await paidInCoins(shop)
    await refund(shop, orderId, 'a', '10.01')
    app.time.now += 1000
    await refund(shop, orderId, 'b', '1.00')
    expect(await issuedTo(orderId)).toEqual([])
    await send(shop, orderId)
    await send(shop, orderId)
    expect(await issuedTo(orderId)).toEqual([
      '2026-000001 invoice 25.00 0.00',
      '2026-000002 credit_note 10.01 0.00',
      '2026-000003 credit_note 1.00 0.00',
    ])
  })

  async function acceptedShort(shop: Shop, orderId: string): Promise<void> {
    await openCrypto(app, orderId, 'polygon/usdc')
    await simulate(app, orderId, 'underpaid')
    await check(app, orderId)
    app.time.now += 3 * 3_600_000
    await app.jobs.settle()
    const ids = (await listUnmatched(app.context, shop.id)).map(({ payment }) => payment.id)
    await acceptUnmatched(app.context, shop.id, ids, { by: 'Ann', reason: 'a regular' })
  }

  test('a shop that accepts less bills less, and a refund of all takes back no more than that', async () => {
    const shop = await givenInvoicing('paid')
    const { orderUUID } = await givenOrder(app, shop)
    await acceptedShort(shop, orderUUID)
    expect(await issuedTo(orderUUID)).toEqual(['2026-000001 invoice 12.50 0.00'])
    await refund(shop, orderUUID, 'a')
    await refund(shop, orderUUID, 'b', '1.00').catch(() => {})
    expect((await issuedTo(orderUUID)).slice(1)).toEqual(['2026-000002 credit_note 12.50 0.00'])
  })

  test('a shop that later accepts less than its invoice credits the difference', async () => {
    const shop = await givenInvoicing('manual')
    const { orderUUID } = await givenOrder(app, shop)
    await send(shop, orderUUID)
    await acceptedShort(shop, orderUUID)
    await send(shop, orderUUID)
    expect(await issuedTo(orderUUID)).toEqual([
      '2026-000001 invoice 25.00 25.00',
      '2026-000002 credit_note 12.50 0.00',
    ])
  })

  test.each([
    ['JPY', '1000', true],
    ['KWD', '10.125', false],
  ])('an invoice in %s over %s has an e-invoice: %p', async (currency, amount, hasFile) => {
    const shop = await givenInvoicing('paid')
    const { orderUUID } = await givenOrder(app, shop, { currency, amount })
    await paidInCash(app, shop, orderUUID)
    const { content, xml } = await findInvoice(app.context, shop.id, '2026-000001')
    expect([content.gross, xml?.includes(`<ram:GrandTotalAmount>${amount}<`) ?? false]).toEqual([
      amount,
      hasFile,
    ])
    const statuses = ['', '.xml', '.pdf'].map(async end => {
      return (await app.call('GET', `/pay/${orderUUID}/invoice${end}`)).status
    })
    expect(await Promise.all(statuses)).toEqual([200, hasFile ? 200 : 404, 200])
  })

  test('a name may be long and have pictures, which only the PDF lacks', async () => {
    const shop = await givenInvoicing('manual')
    const { orderUUID } = await givenOrder(app, shop)
    const name = `${'Wü'.repeat(90)} 🎉👩🏽‍🍳 <b>&`
    await send(shop, orderUUID, name)
    const { xml } = await findInvoice(app.context, shop.id, '2026-000001')
    expect(xml).toContain(`<ram:Name>${name.replace('<b>&', '&lt;b&gt;&amp;')}</ram:Name>`)
    expect((await app.call('GET', `/pay/${orderUUID}/invoice.pdf`)).status).toBe(200)
  })

  test.each([
    ['two lines', 'A\nB'],
    ['a control character', 'A\u0007B'],
    ['201 letters', 'x'.repeat(201)],
    ['nothing', ' '],
  ])('a buyer whose name has %s is refused', async (_, name) => {
    const shop = await givenInvoicing('manual')
    const { orderUUID } = await givenOrder(app, shop)
    const refused = await send(shop, orderUUID, name).catch(error => error.message)
    expect([refused, await issuedTo(orderUUID)]).toEqual([expect.stringMatching(/^name: /), []])
  })

  test('the year of a number begins at midnight of the shop, and dates never step back', async () => {
    const shop = await givenInvoicing('manual')
    await changeMerchant(app.context, shop.id, { timeZone: 'Europe/Berlin' })
    const issuedAt = async (at: string) => {
      app.time.now = Date.parse(at)
      const { number, content } = (await send(shop, (await givenOrder(app, shop)).orderUUID)).invoice
      return `${number} ${content.issueDate}`
    }
    expect(await issuedAt('2026-12-31T22:59:59Z')).toBe('2026-000001 2026-12-31')
    expect(await issuedAt('2026-12-31T23:00:00Z')).toBe('2027-000001 2027-01-01')
    await changeMerchant(app.context, shop.id, { timeZone: 'America/New_York' })
    expect(await issuedAt('2026-12-31T23:00:01Z')).toBe('2027-000002 2027-01-01')
  })
})

test('a cancelled invoice is credited once, and as a whole', async () => {
  const shop = await givenInvoicing('paid')
  const orderId = await paidInCoins(shop)
  const cancel = () => app.context.storage.write(tables => cancelInvoice(app.context, tables, orderId))
  expect((await cancel())?.content.gross).toBe('25.00')
  expect(await cancel()).toBeNull()
  expect((await issuedTo(orderId)).length).toBe(2)
})

test('a refund is credited to the invoice that stands, not to one that was cancelled', async () => {
  const shop = await givenInvoicing('manual')
  const { orderUUID } = await givenOrder(app, shop)
  const send = () => sendInvoice(app.context, shop.id, orderUUID, { name: 'Kunde AG' })
  await send()
  await app.context.storage.write(tables => cancelInvoice(app.context, tables, orderUUID))
  await openCrypto(app, orderUUID, 'polygon/usdc')
  await simulate(app, orderUUID, 'paid')
  await check(app, orderUUID)
  await send()
  await refund(shop, orderUUID, 'a', '10.01')
  expect((await issuedTo(orderUUID)).slice(2)).toEqual([
    '2026-000003 invoice 25.00 0.00',
    '2026-000004 credit_note 10.01 0.00',
  ])
})

describe('invoices are not switched on while the seller lacks', () => {
  test.each([
    ['a street', { street: '' }, 'seller-street'],
    ['a number for taxes', { vatId: '' }, 'seller-vatId'],
    ['a country that exists', { country: 'Germany' }, 'seller-country'],
    ['a VAT ID with its country', { vatId: '123456788' }, 'seller-vatId'],
  ])('%s', async (_, change, at) => {
    const shop = await givenShop(app)
    const changing = changeMerchant(app.context, shop.id, {
      invoices: 'paid',
      seller: { ...seller, ...change },
    })
    expect(
      await changing.then(
        () => 'changed',
        error => error.message,
      ),
    ).toContain(at)
    expect((await app.context.storage.read(tables => tables.merchants.find(shop.id)))?.invoicing).toBeNull()
  })
})

test('a shop reads its own invoices alone', async () => {
  const [shop, other] = [await givenInvoicing('paid'), await givenInvoicing('paid')]
  await paidInCoins(shop)
  expect((await listInvoices(app.context, shop.id, 10, null)).items.length).toBe(1)
  expect((await listInvoices(app.context, other.id, 10, null)).items).toEqual([])
  const found = findInvoice(app.context, other.id, '2026-000001')
  expect(
    await found.then(
      () => 'found',
      error => error.code,
    ),
  ).toBe('not_found')
})

describe('a buyer', () => {
  test('opens the invoice from the receipt, in their language, and saves the e-invoice', async () => {
    const shop = await givenInvoicing('paid')
    const orderId = await paidInCoins(shop)
    const receipt = await app.call('GET', `/pay/${orderId}/receipt`)
    expect(receipt.text).toContain(`href="/pay/${orderId}/invoice"`)
    const page = await app.call('GET', `/pay/${orderId}/invoice`, { headers: { 'accept-language': 'de' } })
    expect(page.status).toBe(200)
    for (const text of [
      ...['Rechnung 2026-000001', 'Shop GmbH', 'Hauptstr. 1', 'DE123456788', 'Sam Buyer', 'USDC'],
    ])
      expect(page.text).toContain(text)
    const file = await app.call('GET', `/pay/${orderId}/invoice.xml`)
    const issued = await findInvoice(app.context, shop.id, '2026-000001')
    expect([file.text, file.headers.get('content-type')]).toEqual([issued.xml!, 'application/xml'])
  })

  test('opens a credit note from the invoice', async () => {
    const shop = await givenInvoicing('paid')
    const orderId = await paidInCoins(shop)
    await refund(shop, orderId, 'a', '10.01')
    const page = await app.call('GET', `/pay/${orderId}/invoice`)
    expect(page.text).toContain('Credit note 2026-000002')
    const note = await app.call('GET', `/pay/${orderId}/invoice?number=2026-000002`)
    expect(note.text).toContain('Corrects invoice 2026-000001')
  })

  test('finds no invoice of an order without one, of another order, or of a suspended shop', async () => {
    const shop = await givenInvoicing('paid')
    const orderId = await paidInCoins(shop)
    const { orderUUID } = await givenOrder(app, shop)
    const statusOf = async (path: string) => (await app.call('GET', path)).status
    expect(await statusOf(`/pay/${orderUUID}/invoice`)).toBe(404)
    expect(await statusOf(`/pay/${orderUUID}/invoice?number=2026-000001`)).toBe(404)
    expect(await statusOf(`/pay/${orderId}/invoice.xml?number=2026-000009`)).toBe(404)
    await changeMerchant(app.context, shop.id, { status: 'suspended' })
    expect(await statusOf(`/pay/${orderId}/invoice`)).toBe(404)
  })
})

/** The file inside a PDF, unpacked. */
function fileIn(pdf: Buffer): string {
  const start = pdf.indexOf('/Type /EmbeddedFile')
  const from = pdf.indexOf('stream\n', start) + 'stream\n'.length
  return inflateSync(pdf.subarray(from, pdf.indexOf('\nendstream', from))).toString()
}

describe('the PDF of an invoice', () => {
  test('is PDF/A-3 with the e-invoice inside, byte for byte, and the same each time', async () => {
    const shop = await givenInvoicing('paid')
    const { orderUUID } = await givenOrder(app, shop, { description: 'Кофе, Καφές & Kaffee' })
    await paidInCash(app, shop, orderUUID)
    const page = await app.call('GET', `/pay/${orderUUID}/invoice`)
    expect(page.text).toContain(`/pay/${orderUUID}/invoice.pdf?number=2026-000001`)
    const { invoice, merchant, all } = await loadInvoice(app.context, orderUUID)
    const pdf = Buffer.from(await writePdf(app.context, { invoice, merchant, all }))
    const text = pdf.toString('latin1')
    expect(text.slice(0, 8)).toBe('%PDF-1.7')
    for (const part of ['/AFRelationship /Alternative', '/Subtype /text#2Fxml', '/OutputIntents', '/ID ['])
      expect(text.toLowerCase()).toContain(part.toLowerCase())
    for (const part of ['<pdfaid:part>3<', '<pdfaid:conformance>B<', '<fx:DocumentFileName>factur-x.xml<'])
      expect(text).toContain(part)
    expect(text).not.toContain('/Encrypt')
    expect(fileIn(pdf)).toBe(invoice.xml!)
    const document = app.context.letters.invoiceDocument({ invoice, merchant, all }, 'en')
    const again = await app.context.invoiceFiles.pdf(document, invoice.xml)
    expect(Buffer.from(again!).equals(pdf)).toBeTrue()
    const sent = await app.call('GET', `/pay/${orderUUID}/invoice.pdf`)
    expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  })

  test('does not exist if the font lacks a letter', async () => {
    const shop = await givenInvoicing('paid')
    const { orderUUID } = await givenOrder(app, shop, { description: '日本茶' })
    await paidInCash(app, shop, orderUUID)
    expect((await app.call('GET', `/pay/${orderUUID}/invoice.pdf`)).status).toBe(404)
  })

  test.each([
    ['ar', 'شاي أخضر (250 غرام) Blend 7'],
    ['he', 'תה ירוק (250 גרם) Blend 7'],
  ])(
    'is written from right to left in %s, in the font of Florin and in one of the operator',
    async (tag, tea) => {
      const shop = await givenInvoicing('paid')
      const { orderUUID } = await givenOrder(app, shop, { description: tea })
      await paidInCash(app, shop, orderUUID)
      const view = await loadInvoice(app.context, orderUUID)
      const document = app.context.letters.invoiceDocument(view, tag)
      expect(document.lines.join()).toContain(tea)
      const condensed = join(
        import.meta.dir,
        '../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
      )
      for (const [font, name] of [
        ['', 'DejaVuSans'],
        [condensed, 'DejaVuSansCondensed'],
      ] as const) {
        const pdf = Buffer.from((await invoiceFilesOf(font).pdf(document, view.invoice.xml))!)
        expect([fileIn(pdf), pdf.toString('latin1').includes(`+${name}\n`)]).toEqual([
          view.invoice.xml!,
          true,
        ])
      }
    },
  )

  test('of 300 lines has as many pages as they need', async () => {
    const shop = await givenInvoicing('paid')
    const { orderUUID } = await givenOrder(app, shop)
    await paidInCash(app, shop, orderUUID)
    const view = await loadInvoice(app.context, orderUUID)
    const document = app.context.letters.invoiceDocument(view, 'en')
    const [line] = document.lines
    const lines = Array.from({ length: 300 }, () => line!)
    const pdf = await app.context.invoiceFiles.pdf({ ...document, lines }, null)
    expect(
      Buffer.from(pdf!)
        .toString('latin1')
        .match(/\/Type \/Page\b/g)!.length,
    ).toBeGreaterThan(5)
  })

  test.each([
    ['en', true, true],
    ['ru', true, true],
    ['ar', true, true],
    ['ja', false, true],
  ])('in %s is offered without a font of the operator: %p, with one: %p', (language, without, withOne) => {
    expect(invoiceFilesOf('').writesPdf(language)).toBe(without)
    expect(invoiceFilesOf('/fonts/noto.otf').writesPdf(language)).toBe(withOne)
  })
})
