import { describe, expect, test } from 'bun:test'
import { forceOrder } from '../../../src/operations/orders/force.ts'
import { type Person, proving, signInAs } from '../../support/dashboard.ts'
import { check, givenOrder, givenShop, openCrypto, simulate } from '../../support/given.ts'
import { suite } from '../../support/suite.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))
const other = once(() => givenShop(app))
const owner = once(async () => proving(await signInAs(app, 'owner', shop.id)))
const staff = once(() => signInAs(app, 'staff', shop.id))
const viewer = once(() => signInAs(app, 'viewer', shop.id))
const stranger = once(() => signInAs(app, 'owner', other.id))

const create = async (change: object = {}, of = shop): Promise<string> => {
  app.time.now += 1000
  return (await givenOrder(app, of, change)).orderUUID
}

/** The orders of a list, newest first. */
const idsIn = (text: string): string[] =>
  [...text.matchAll(/<td><a href="\/dashboard\/orders\/([0-9a-f-]{36})"/g)].map(match => match[1]!)

/** The order and everything that belongs to it, as stored. */
const stored = async (id: string) => {
  const found = await app.context.storage.read(tables => tables.orders.find(id))
  return found!.order
}

async function paidOrder(change: object = {}): Promise<string> {
  const id = await create(change)
  await openCrypto(app, id, 'polygon/usdc')
  await simulate(app, id, 'paid')
  expect((await check(app, id)).status).toBe('PAID')
  return id
}

const fieldOf = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''

describe('the list of orders', () => {
  test('has the orders that match the URL, and none of another shop', async () => {
    const named = { email: 'ann@buyer.example', fullName: 'Ann <b>Lee</b>' }
    const first = await create({ externalId: 'LIST-1', customer: named, amount: '12.00' })
    const second = await create({ externalId: 'LIST-2', description: '=1+1', amount: '80.00' })
    const paid = await paidOrder({ externalId: 'LIST-3', amount: '80.00', currency: 'EUR' })
    await create({ externalId: 'LIST-4', customer: named }, other)
    const all = [paid, second, first]
    const chips = (await viewer.get('/dashboard/orders?q=LIST&status=PAID')).text
    expect(chips).toContain('<a href="/dashboard/orders?q=LIST&amp;status=PAID" aria-current="true">')
    expect(chips).toContain('<a href="/dashboard/orders?q=LIST&amp;status=EXPIRED">')
    expect(chips).toContain('<a href="/dashboard/orders?q=LIST">')
    const rows: [string, string[]][] = [
      ['', all],
      ['q=list-', all],
      ['q=LIST-2', [second]],
      ['q=LIST-4', []],
      ['q=ann%40buyer.example', [first]],
      ['q=ann+', [first]],
      [`q=${second.slice(0, 30)}`, all.filter(id => id.startsWith(second.slice(0, 30)))],
      ['status=PAID', [paid]],
      ['status=PAID&status=UNPAID', all],
      ['status=CANCELLED', []],
      ['method=crypto', [paid]],
      ['asset=polygon%2Fusdc', [paid]],
      ['currency=usd', [second, first]],
      ['currency=USD&min=12,50', [second]],
      ['currency=USD&max=12', [first]],
      ['from=2026-03-01&to=2026-03-01', all],
      ['from=2026-03-02', []],
      ['to=2026-02-28', []],
      ['refunded=no', all],
      ['refunded=yes', []],
    ]
    for (const [query, found] of rows) {
      const answer = await viewer.get(`/dashboard/orders?${query}`)
      expect([query, answer.status, idsIn(answer.text)]).toEqual([query, 200, found])
    }
    const page = await viewer.get('/dashboard/orders')
    expect(page.text).toContain('Ann &lt;b&gt;Lee&lt;/b&gt;')
    expect(page.text).toContain('USDC on Polygon')
    expect(page.text).not.toContain('/dashboard/orders/new')
    expect((await staff.get('/dashboard/orders')).text).toContain('/dashboard/orders/new')
    const theirs = await stranger.get('/dashboard/orders?q=LIST')
    expect(theirs.text).toContain('LIST-4')
    expect(theirs.text).not.toContain('LIST-1')
  })

  test('names an invalid filter, and finds nothing', async () => {
    for (const query of ['from=tomorrow', 'to=2026-02-30', 'min=5', 'currency=USD&max=a', 'currency=XYZW']) {
      const answer = await viewer.get(`/dashboard/orders?${query}`)
      expect([query, answer.status, idsIn(answer.text)]).toEqual([query, 400, []])
      expect(answer.text).toContain('aria-invalid="true"')
      const csv = await viewer.get(`/dashboard/orders/export.csv?${query}`)
      expect([csv.status, csv.headers.get('location')]).toEqual([303, `/dashboard/orders?${query}`])
    }
  })

  test('names the coin that paid an order, which may be another than the chosen one', async () => {
    const id = await create({ externalId: 'COIN-1' })
    await openCrypto(app, id, 'polygon/usdc')
    await app.advance(10 * 60_000)
    const body = { orderUUID: id, outcome: 'paid', assetId: 'polygon/usdt', amount: '25' }
    expect((await app.call('POST', '/sandbox/simulate', { body })).status).toBe(202)
    expect((await check(app, id)).status).toBe('PAID')
    const csv = (await viewer.get('/dashboard/orders/export.csv?q=COIN-1')).text
    expect(csv).toContain(',polygon/usdt,USDT on Polygon,25,')
    const list = (await viewer.get('/dashboard/orders?q=COIN-1')).text.replace(/.*<table/s, '<table')
    expect([list.includes('USDT on Polygon'), list.includes('USDC on Polygon')]).toEqual([true, false])
  })

  test('filters by the days of the shop', async () => {
    const tokyo = await givenShop(app)
    await app.context.storage.write(tables => tables.merchants.update(tokyo.id, { timeZone: 'Asia/Tokyo' }))
    const person = await signInAs(app, 'viewer', tokyo.id)
    const id = await create({}, tokyo)
    const day = (at: number) => new Date(at).toISOString().slice(0, 10)
    const [local, before] = [app.time.now + 9 * 3600_000, app.time.now - 15 * 3600_000]
    const list = async (query: string) => idsIn((await person.get(`/dashboard/orders?${query}`)).text)
    expect(await list(`from=${day(local)}&to=${day(local)}`)).toEqual([id])
    expect(await list(`to=${day(before)}`)).toEqual([])
    app.time.now = Date.parse(`${day(app.time.now)}T16:00:00Z`)
    const late = await create({}, tokyo)
    expect(await list(`from=${day(app.time.now + 9 * 3600_000)}`)).toEqual([late])
    expect(await list(`to=${day(app.time.now)}`)).toEqual([id])
    const exported = (await person.get(`/dashboard/orders/export.csv?to=${day(app.time.now)}`)).text
    expect([exported.includes(id), exported.includes(late)]).toEqual([true, false])
    const csv = (await person.get('/dashboard/orders/export.csv')).text
    expect(csv).toMatch(new RegExp(`,${day(app.time.now + 9 * 3600_000)}T01:00:\\d\\d[+]09:00,`))
  })

  test('is read page by page in both directions', async () => {
    const created: string[] = []
    for (let index = 0; index < 60; index++) created.unshift(await create({ externalId: `page-${index}` }))
    const pages: string[][] = []
    const linkOf = (text: string, rel: string) =>
      new RegExp(`href="([^"]+)" rel="${rel}"`).exec(text)?.[1]?.replaceAll('&amp;', '&')
    let url: string | undefined = '/dashboard/orders?q=page-'
    let last = ''
    while (url) {
      last = (await viewer.get(url)).text
      pages.push(idsIn(last))
      url = linkOf(last, 'next')
    }
    expect(pages.flat()).toEqual(created)
    expect(pages.map(page => page.length)).toEqual([25, 25, 10])
    const back = (await viewer.get(linkOf(last, 'prev')!)).text
    expect(idsIn(back)).toEqual(pages[1]!)
    expect(idsIn((await viewer.get(linkOf(back, 'prev')!)).text)).toEqual(pages[0]!)
    const csv = await viewer.get('/dashboard/orders/export.csv?q=page-')
    expect(
      csv.text
        .split('\r\n')
        .slice(1, -1)
        .map(line => line.split(',')[1]!),
    ).toEqual(created)
  })

  test('is a CSV file with all results of a search, however many there are', async () => {
    for (let index = 0; index <= 500; index++) await create({ externalId: `broad-${index}` })
    const page = await viewer.get('/dashboard/orders?q=BROAD')
    expect(page.text).toContain('Download them as CSV to get all of them.')
    const csv = await viewer.get('/dashboard/orders/export.csv?q=BROAD&status=UNPAID')
    const names = csv.text.split('\r\n').slice(1, -1)
    expect(names).toHaveLength(501)
    expect(names[0]).toContain(',broad-500,')
    expect(names.at(-1)).toContain(',broad-0,')
    const none = await stranger.get('/dashboard/orders/export.csv?q=BROAD')
    expect(none.text.split('\r\n')).toHaveLength(2)
  })

  test('is a CSV file with exactly the shown values, which no spreadsheet runs as formulas', async () => {
    const answer = await viewer.get('/dashboard/orders/export.csv?q=LIST-')
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="orders.csv"')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const lines = answer.text.split('\r\n')
    expect(lines).toHaveLength(5)
    expect(lines[0]).toStartWith('createdAt,orderUUID,externalId,status,amount,currency,')
    expect(lines[1]).toContain(',LIST-3,PAID,80.00,EUR,')
    expect(lines[0]).toContain(',methodKey,methodName,assetId,assetName,')
    expect(lines[1]).toContain(',crypto,USDC on Polygon,polygon/usdc,USDC on Polygon,')
    expect(lines[2]).toContain(",'=1+1,")
  })

  test('sends its part again only when something changed', async () => {
    const id = await create({ externalId: 'LIVE-1' })
    const page = await viewer.get('/dashboard/orders?q=LIVE')
    const url = /hx-get="([^"]+)"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
    const same = await viewer.get(url)
    expect([same.status, same.text]).toEqual([204, ''])
    await staff.post(`/dashboard/orders/${id}/cancel`, { reason: '' })
    const changed = await viewer.get(url)
    expect([changed.status, idsIn(changed.text)]).toEqual([200, [id]])
    expect(changed.text).toStartWith('<div id="orders"')
  })

  test('keeps the filters that a person saved, for that person alone', async () => {
    const saved = await viewer.post('/dashboard/orders/views', {
      name: 'Paid "EUR"',
      query: 'status=PAID&currency=eur&evil=1',
    })
    expect([saved.status, saved.headers.get('location')]).toEqual([
      303,
      '/dashboard/orders?currency=EUR&status=PAID',
    ])
    const page = await viewer.get('/dashboard/orders')
    expect(page.text).toContain('<a href="/dashboard/orders?currency=EUR&amp;status=PAID" dir="auto">')
    expect((await owner.get('/dashboard/orders')).text).not.toContain('Paid &quot;EUR&quot;')
    const empty = await viewer.post('/dashboard/orders/views', { name: ' ', query: 'status=PAID' })
    expect([empty.status, empty.text.includes('at most 40 characters')]).toEqual([400, true])
    const form = /action="(\/dashboard\/orders\/views\/[^"]+\/delete)"/.exec(page.text)![1]!
    await owner.post(form)
    expect((await viewer.get('/dashboard/orders')).text).toContain('Paid &quot;EUR&quot;')
    expect((await viewer.post(form)).status).toBe(303)
    expect((await viewer.get('/dashboard/orders')).text).not.toContain('Paid &quot;EUR&quot;')
  })
})

describe('a new order', () => {
  const form = (change: object = {}) => ({
    amount: '25',
    currency: 'usd',
    description: 'Two bags',
    email: '',
    fullName: '',
    externalId: 'BY-HAND',
    token: '01999999-0000-7000-8000-000000000001',
    expiry: '7d',
    ...change,
  })

  test('is created once, and its page has the link and the QR code', async () => {
    const page = await staff.get('/dashboard/orders/new')
    expect([page.status, fieldOf(page.text, 'token')]).toEqual([
      200,
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ])
    const answer = await staff.post('/dashboard/orders/new', form())
    const location = answer.headers.get('location') ?? ''
    expect([answer.status, location]).toEqual([303, expect.stringMatching(/[?]done=created$/)])
    app.time.now += 60_000
    const again = await staff.post('/dashboard/orders/new', form())
    expect([again.status, again.headers.get('location')]).toEqual([303, location])
    const shown = await staff.get(location)
    const id = /orders\/([0-9a-f-]{36})/.exec(location)![1]!
    expect(shown.text).toContain(`/pay/${id}`)
    expect(shown.text).toContain('<svg')
    expect(shown.text).not.toContain('customer.invalid')
    expect(await stored(id)).toMatchObject({
      amount: '25.00',
      currency: 'USD',
      methodKeys: ['*'],
      customerEmail: 'unknown@customer.invalid',
      externalId: 'BY-HAND',
    })
    expect((await app.call('GET', `/pay/${id}`)).status).toBe(200)
  })

  test('that is refused is shown again with the entered values', async () => {
    const rows: [object, string][] = [
      [{ amount: 'much' }, 'amount'],
      [{ amount: '1.234' }, 'amount'],
      [{ currency: 'XXX' }, 'currency'],
      [{ email: 'nobody' }, 'email'],
      [{ externalId: 'a b' }, 'externalId'],
      [{ description: 'x'.repeat(513) }, 'description'],
    ]
    for (const [change, name] of rows) {
      const answer = await staff.post('/dashboard/orders/new', form({ token: 'other-token', ...change }))
      expect([change, answer.status]).toEqual([change, 400])
      expect([change, answer.text.includes(`id="${name}-problem"`)]).toEqual([change, true])
      expect(answer.text).toContain('value="other-token"')
    }
  })
})

describe('the page of an order', () => {
  const page = (id: string, person = owner) => person.get(`/dashboard/orders/${id}`)

  test('shows the history, and is not found by another shop', async () => {
    const id = await create({ externalId: 'HAPPENED', metadata: { cart: '<7>' } })
    await app.call('GET', `/pay/${id}`)
    const { attempt } = await openCrypto(app, id, 'polygon/usdc')
    await simulate(app, id, 'paid')
    await check(app, id)
    await staff.post(`/dashboard/orders/${id}/notes`, { text: 'They <i>called</i>.' })
    const { text } = await page(id)
    const steps = [...text.matchAll(/<li><span dir="auto">([^<]*)/g)].map(match => match[1]!)
    expect(steps.slice(0, 5)).toEqual([
      ...['The order was created', 'The customer opened the page'],
      ...['The customer chose USDC on Polygon: 25 USDC due', '25 USDC arrived', 'The order is paid'],
    ])
    expect(steps.at(-1)).toBe(`Note by ${staff.email}`)
    expect(text).toContain('They &lt;i&gt;called&lt;/i&gt;.')
    expect(text).toContain('{&quot;cart&quot;:&quot;&lt;7&gt;&quot;}')
    expect(text).toContain(attempt.address)
    expect((await page(id, stranger)).status).toBe(404)
    expect((await stranger.post(`/dashboard/orders/${id}/notes`, { text: 'Mine' })).status).toBe(404)
    const german = await owner.get(`/dashboard/orders/${id}?lang=de`)
    expect(german.text).toContain('Die Bestellung ist bezahlt')
  })

  test('shows that a payment by card failed, in chronological order', async () => {
    const id = await create()
    await app.call('GET', `/payment/process/${id}?method=stripe`)
    await simulate(app, id, 'failed')
    const steps = async (query = '') =>
      [
        ...(await owner.get(`/dashboard/orders/${id}${query}`)).text.matchAll(
          /<li><span dir="auto">([^<]*)/g,
        ),
      ].map(match => match[1]!)
    const [created, chosen, failed, ...rest] = await steps()
    expect([created, chosen?.split(':')[0], failed]).toEqual([
      'The order was created',
      'The customer chose Stripe.com',
      'The payment with Stripe.com failed',
    ])
    expect(rest.filter(step => step.includes('failed'))).toEqual([])
    expect(await steps('?lang=de')).toContain('Die Zahlung mit Stripe.com ist fehlgeschlagen')
  })

  test('shows each role the actions that it may take', async () => {
    const id = await create()
    const formsOf = async (person: Person, of = id) =>
      [...(await page(of, person)).text.matchAll(/action="\/dashboard\/orders\/[^/]+\/(\w+)"/g)].map(
        match => match[1]!,
      )
    expect(await formsOf(viewer)).toEqual([])
    expect(await formsOf(staff)).toEqual(['notes', 'cancel'])
    expect(await formsOf(owner)).toEqual(['notes', 'cancel', 'force'])
    const paid = await paidOrder()
    expect(await formsOf(staff, paid)).not.toContain('refund')
    expect(await formsOf(owner, paid)).toEqual(expect.arrayContaining(['notes', 'refund']))
  })

  test('cancels an order, or explains why it cannot', async () => {
    const id = await create()
    const done = await staff.post(`/dashboard/orders/${id}/cancel`, { reason: ' twice ' })
    expect([done.status, done.headers.get('location')]).toEqual([
      303,
      `/dashboard/orders/${id}?done=cancelled`,
    ])
    expect(await stored(id)).toMatchObject({
      status: 'CANCELLED',
      cancelledBy: `user:${staff.userId}`,
      cancelReason: 'twice',
    })
    expect((await page(id)).text).toContain(`Cancelled by ${staff.email}`)
    const again = await staff.post(`/dashboard/orders/${id}/cancel`, { reason: '' })
    expect([again.status, again.text.includes('Only an unpaid order')]).toEqual([409, true])
  })

  test('takes a note of the longest length in every script, and with line breaks', async () => {
    const id = await create()
    for (const text of ['\u6f22'.repeat(2000), `${'x'.repeat(998)}\r\n${'y'.repeat(1001)}`]) {
      const answer = await staff.post(`/dashboard/orders/${id}/notes`, { text })
      expect(answer.headers.get('location')).toBe(`/dashboard/orders/${id}?done=noted`)
    }
    expect((await page(id)).text).toContain('\u6f22'.repeat(2000))
  })

  test('records the remaining amount as a refund, never twice', async () => {
    const id = await paidOrder({ amount: '25.00' })
    const token = fieldOf((await page(id)).text, 'token')
    const refund = (change: object = {}) =>
      owner.post(`/dashboard/orders/${id}/refund`, { amount: '10,00', reason: 'returned', token, ...change })
    expect((await refund()).headers.get('location')).toBe(`/dashboard/orders/${id}?done=refunded`)
    expect((await refund()).status).toBe(303)
    expect(await stored(id)).toMatchObject({ refundedAmount: '10.00', refundCount: 1 })
    const other = await refund({ amount: '5.00' })
    expect([other.status, (await stored(id)).refundedAmount]).toEqual([409, '10.00'])
    const tooMuch = await refund({ amount: '15.01', token: 'another-token' })
    expect(tooMuch.status).toBe(422)
    expect(tooMuch.text).toContain('id="refund-amount-problem"')
    expect(tooMuch.text).toContain('value="15.01"')
    const short = await refund({ reason: 'no', token: 'another-token' })
    expect([short.status, short.text.includes('id="refund-reason-problem"')]).toEqual([400, true])
    expect((await page(id)).text).toContain('value="15.00"')
    const rest = await refund({ amount: '15.00', token: 'another-token' })
    expect(rest.status).toBe(303)
    const { text } = await page(id)
    expect(text).not.toContain('/refund"')
    expect(text).toContain(`Refund of $15.00 recorded by ${owner.email}`)
  })

  test('marks an order as paid, with a reason', async () => {
    const id = await create()
    const force = (reason: string) => owner.post(`/dashboard/orders/${id}/force`, { reason })
    const short = await force('x')
    expect([short.status, short.text.includes('id="force-reason-problem"')]).toEqual([400, true])
    expect((await force('paid in cash')).headers.get('location')).toBe(`/dashboard/orders/${id}?done=forced`)
    expect(await stored(id)).toMatchObject({ status: 'PAID', forcedBy: owner.email })
    const { text } = await page(`${id}?done=created`)
    for (const part of [`Marked as paid by ${owner.email}`, 'it can record no refund'])
      expect(text).toContain(part)
    expect(text).not.toContain('The order is created.')
    expect((await owner.get(`/dashboard/orders?q=${id}`)).text).toContain(
      '<span class="badge good">Marked as paid',
    )
    expect((await force('paid in cash')).status).toBe(409)
  })

  test('accepts a payment that did not complete the order, of this order only', async () => {
    const id = await create()
    const unrelated = await create()
    await openCrypto(app, id, 'polygon/usdc')
    await simulate(app, id, 'underpaid')
    await check(app, id)
    await app.advance(2 * 3600_000)
    const payment = fieldOf((await page(id)).text, 'payment')
    expect(payment).toMatch(/^[0-9a-f-]{36}$/)
    const accept = (of: string) => owner.post(`/dashboard/orders/${of}/accept`, { payment, reason: '' })
    expect((await accept(unrelated)).status).toBe(404)
    expect((await accept(id)).headers.get('location')).toBe(`/dashboard/orders/${id}?done=accepted`)
    expect((await stored(id)).status).toBe('PAID')
    expect((await page(id)).text).toContain('because the payment was accepted')
  })

  test('accepts all payments that did not complete the order together', async () => {
    const id = await create()
    const unrelated = await create()
    for (const asset of ['polygon/usdc', 'btc']) {
      await openCrypto(app, id, asset)
      await simulate(app, id, 'underpaid')
      await check(app, id)
    }
    await app.advance(2 * 3600_000)
    const shown = await page(id)
    const [payment = ''] =
      /(?<=name="payment" value=")[0-9a-f-]{36} [0-9a-f-]{36}(?=")/.exec(shown.text) ?? []
    expect(shown.text).toContain('Accept these 2 payments together')
    const accept = (of: string, ids: string) =>
      owner.post(`/dashboard/orders/${of}/accept`, { payment: ids, reason: '' })
    expect((await accept(unrelated, payment)).status).toBe(404)
    expect((await accept(id, `${payment} nothing`)).status).toBe(404)
    expect((await accept(id, payment)).headers.get('location')).toBe(`/dashboard/orders/${id}?done=accepted`)
    expect((await page(id)).text.split('>Accepted</span>')).toHaveLength(3)
  })

  test('looks for payments now, and sends an event again', async () => {
    const id = await create()
    await openCrypto(app, id, 'btc')
    await simulate(app, id, 'paid')
    const checked = await staff.post(`/dashboard/orders/${id}/check`)
    expect(checked.headers.get('location')).toBe(`/dashboard/orders/${id}?done=checked`)
    expect((await stored(id)).status).toBe('PAID')
    const unknown = await staff.post(`/dashboard/orders/${id}/resend`, { event: 'nothing' })
    expect(unknown.status).toBe(404)
  })

  test('sends its part again only when something changed', async () => {
    const id = await paidOrder()
    const urlIn = (text: string) => / hx-get="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&')
    const first = await page(id)
    // The order is paid, and no event is sent about it.
    expect(first.text).toContain('hx-trigger="every 60s, refresh"')
    const same = await owner.get(urlIn(first.text))
    expect([same.status, same.text]).toEqual([204, ''])
    await staff.post(`/dashboard/orders/${id}/notes`, { text: 'They called.' })
    const changed = await owner.get(urlIn(first.text))
    expect([changed.status, changed.text.includes('They called.')]).toEqual([200, true])
    expect(changed.text).toStartWith('<div id="order" data-live hx-get=')
    expect((await owner.get(urlIn(changed.text))).status).toBe(204)
    expect((await stranger.get(urlIn(first.text))).status).toBe(404)
    const open = await create()
    await openCrypto(app, open, 'polygon/usdc')
    expect((await page(open)).text).toContain('hx-trigger="every 5s, refresh"')
    await staff.post(`/dashboard/orders/${await create()}/cancel`, { reason: '' })
    const wrong = await owner.post(`/dashboard/orders/${open}/force`, { reason: 'x' })
    expect(wrong.text).not.toContain('hx-get')
  })

  test('is loaded again as a whole when the login has ended', async () => {
    const id = await create()
    const ask = (headers: object) =>
      app.call('GET', `/dashboard/orders/${id}/part`, { headers: { accept: 'text/html', ...headers } })
    const answer = await ask({ 'hx-request': 'true' })
    expect([answer.status, answer.headers.get('hx-refresh'), answer.text]).toEqual([401, 'true', ''])
    expect((await ask({})).headers.get('location')).toStartWith('/dashboard/sign-in')
  })

  test('names the person who marked the order as paid', async () => {
    const id = await create()
    await forceOrder(app.context, { merchantId: shop.id, orderId: id, by: 'Ann Lee', reason: 'in cash' })
    expect((await page(id)).text).toContain('Marked as paid by Ann Lee')
  })
})
