import { describe, expect, test } from 'bun:test'
import { NO_EMAIL } from '../../../src/domain/customer.ts'
import { invoicesOf } from '../../../src/operations/invoices/read.ts'
import { changeMerchant } from '../../../src/operations/merchants/change.ts'
import { endOrder } from '../../../src/operations/orders/end.ts'
import { startWithMail } from '../../support/app-with-receiver.ts'
import { signInAs } from '../../support/dashboard.ts'
import { check, givenOrder, givenShop, openCrypto, paidInCash, simulate } from '../../support/given.ts'
import { mailsTo } from '../../support/read-mail.ts'
import { suite } from '../../support/suite.ts'

const { app, each, once } = suite({ start: startWithMail })
const mail = once(() => app.mail)
const shop = each(() => givenShop(app))
const owner = each(() => signInAs(app, 'owner', shop.id))

const seller = {
  ...{ name: 'Shop GmbH', street: 'Hauptstr. 1', postcode: '10115', town: 'Berlin', country: 'DE' },
  ...{ vatId: 'DE123456788', taxNumber: '', contact: '', phone: '', email: '' },
}
const billing = {
  ...{ name: 'Kunde AG', street: 'Weg 2', postcode: '20095', town: 'Hamburg', country: 'de' },
  ...{ vatId: '', reference: 'PO-7' },
}

const switchOn = (invoices: 'paid' | 'manual') => changeMerchant(app.context, shop.id, { invoices, seller })

describe('an owner', () => {
  test('switches invoices on, and sees what is missing first', async () => {
    const refused = await owner.post('/dashboard/invoices/settings', {
      invoices: 'paid',
      ...seller,
      street: '',
    })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('This is missing or not valid.')
    expect(refused.text).toContain('value="Hauptstr. 1"'.replace('Hauptstr. 1', 'Berlin'))
    const saved = await owner.post('/dashboard/invoices/settings', { invoices: 'paid', ...seller })
    expect(saved.headers.get('location')).toBe('/dashboard/invoices?done=saved')
    const { orderUUID } = await givenOrder(app, shop)
    await paidInCash(app, shop, orderUUID)
    const list = await owner.get('/dashboard/invoices')
    for (const text of ['Invoice 2026-000001', 'Sam Buyer', '$25.00', `/dashboard/orders/${orderUUID}`])
      expect(list.text).toContain(text)
    expect((await owner.get(`/dashboard/orders/${orderUUID}`)).text).toContain('Invoice 2026-000001')
  })
})

test('invoice actions by people are in the audit log, and news for the other owners', async () => {
  await switchOn('manual')
  const ben = await signInAs(app, 'owner', shop.id)
  const { orderUUID } = await givenOrder(app, shop, {
    customer: { email: 'b2@example.com', fullName: 'B' },
  })
  const path = `/dashboard/orders/${orderUUID}`
  for (let time = 0; time < 2; time++) await owner.post(`${path}/invoice`, billing)
  await endOrder(app.context, shop.id, orderUUID)
  await owner.post(`${path}/cancel-invoice`, {})
  const log = (await owner.get('/dashboard/audit')).text
  for (const [what, times] of [
    ['An invoice was issued', 1],
    ['An invoice was sent by email', 2],
    ['An invoice was cancelled', 1],
  ] as const)
    expect([what, log.split(what).length - 1]).toEqual([what, times])
  expect(log).toContain('<dt>Credit note</dt>')
  expect((await owner.get(path)).text).toContain('An invoice was sent by email')
  const texts = [
    `Invoice 2026-000001 of 25.00 USD was issued by ${owner.email}`,
    `Invoice 2026-000001 of 25.00 USD was cancelled by ${owner.email}`,
  ]
  const [his, hers] = [(await ben.get('/dashboard')).text, (await owner.get('/dashboard')).text]
  expect(texts.map(text => [his.includes(text), hers.includes(text)])).toEqual([
    [true, false],
    [true, false],
  ])
})

test('the server’s invoices for paid orders hide no change by people', async () => {
  await switchOn('paid')
  const { orderUUID } = await givenOrder(app, shop)
  await openCrypto(app, orderUUID, 'polygon/usdc')
  await simulate(app, orderUUID, 'paid')
  await check(app, orderUUID)
  const shown = async (path: string) => {
    const { text } = await owner.get(path)
    return ['An invoice was issued', 'The settings were changed'].map(what => text.includes(what))
  }
  expect(await shown('/dashboard/audit')).toEqual([false, true])
  expect(await shown('/dashboard/audit?by=all')).toEqual([true, true])
})

describe('a person of the shop', () => {
  test('sends the invoice of an unpaid order with the link to pay, once', async () => {
    await switchOn('manual')
    const { orderUUID } = await givenOrder(app, shop, {
      customer: { email: 'b1@example.com', fullName: 'B' },
    })
    const path = `/dashboard/orders/${orderUUID}`
    const sent = await owner.post(`${path}/invoice`, billing)
    expect(sent.headers.get('location')).toBe(`${path}?done=invoiced`)
    const [letter] = mailsTo(mail, 'b1@example.com')
    expect(letter!.text).toContain(`/pay/${orderUUID}/invoice?number=2026-000001`)
    const [invoice] = await invoicesOf(app.context, orderUUID)
    expect(invoice!.content).toMatchObject({ due: '25.00', buyer: { name: 'Kunde AG', country: 'DE' } })
    expect((await app.call('GET', `/pay/${orderUUID}/invoice`)).text).toContain(`href="/pay/${orderUUID}"`)
    await owner.post(`${path}/invoice`, { name: 'Another' })
    expect((await invoicesOf(app.context, orderUUID)).map(({ content }) => content.buyer.name)).toEqual([
      'Kunde AG',
    ])
    await paidInCash(app, shop, orderUUID)
    expect((await invoicesOf(app.context, orderUUID)).length).toBe(1)
  })

  test('sends the invoice of a paid order, whose mail says that nothing is due', async () => {
    await switchOn('manual')
    const sent: Record<string, string[]> = {}
    for (const email of ['unpaid@example.com', 'paid@example.com']) {
      const { orderUUID } = await givenOrder(app, shop, { customer: { email, fullName: 'B' } })
      if (email.startsWith('paid')) await paidInCash(app, shop, orderUUID)
      await owner.post(`/dashboard/orders/${orderUUID}/invoice`, billing)
      sent[email] = mailsTo(mail, email).map(({ text }) => /Amount due: .*/.exec(text)?.[0] ?? 'nothing due')
    }
    expect(sent).toEqual({
      'unpaid@example.com': ['Amount due: $25.00'],
      'paid@example.com': ['nothing due'],
    })
  })

  test('reads that the mail server is down: the invoice is issued, and sent later with the same number', async () => {
    await switchOn('manual')
    const email = 'b3@example.com'
    const { orderUUID } = await givenOrder(app, shop, { customer: { email, fullName: 'B' } })
    const path = `/dashboard/orders/${orderUUID}/invoice`
    mail.reactions = { MAIL: '451 try later', greeting: '421 closed' }
    const failed = await owner.post(path, billing)
    expect([failed.status, failed.text.includes('could not be sent')]).toEqual([409, true])
    expect(failed.text).toContain('Invoice 2026-000001')
    mail.reactions = {}
    expect((await owner.post(path, billing)).status).toBe(303)
    expect([mailsTo(mail, email).length, (await invoicesOf(app.context, orderUUID)).length]).toEqual([1, 1])
    const log = (await owner.get('/dashboard/audit')).text
    expect(log.split('An invoice was sent by email').length - 1).toBe(1)
  })

  test('cancels the invoice of an order that has ended, once', async () => {
    await switchOn('manual')
    const { orderUUID } = await givenOrder(app, shop)
    await openCrypto(app, orderUUID, 'polygon/usdc')
    await owner.post(`/dashboard/orders/${orderUUID}/invoice`, billing)
    const cancel = () => owner.post(`/dashboard/orders/${orderUUID}/cancel-invoice`, {})
    expect((await cancel()).status).toBe(409)
    await endOrder(app.context, shop.id, orderUUID)
    expect((await cancel()).status).toBe(303)
    expect((await cancel()).status).toBe(409)
    const all = await invoicesOf(app.context, orderUUID)
    expect(all.map(({ content }) => content.kind)).toEqual(['invoice', 'credit_note'])
  })

  test('names the buyer, if the order has neither a name nor an address', async () => {
    await switchOn('manual')
    const { orderUUID } = await givenOrder(app, shop, { customer: { email: NO_EMAIL } })
    expect((await owner.get(`/dashboard/orders/${orderUUID}`)).text).not.toContain(NO_EMAIL)
  })

  test('sees the error in the details of the buyer', async () => {
    await switchOn('manual')
    const { orderUUID } = await givenOrder(app, shop)
    const answer = await owner.post(`/dashboard/orders/${orderUUID}/invoice`, { ...billing, vatId: '1' })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('This is missing or not valid.')
    expect(await invoicesOf(app.context, orderUUID)).toEqual([])
  })

  test('finds no form if the shop issues no invoices', async () => {
    const { orderUUID } = await givenOrder(app, shop)
    expect((await owner.get(`/dashboard/orders/${orderUUID}`)).text).not.toContain('form-invoice')
    expect((await owner.post(`/dashboard/orders/${orderUUID}/invoice`, billing)).status).toBe(409)
  })
})
