import { expect, test } from 'bun:test'
import { changeMerchant } from '../../../src/operations/merchants/change.ts'
import { proving, signInAs } from '../../support/dashboard.ts'
import { check, givenOrder, givenShop, openCrypto, simulate } from '../../support/given.ts'
import { suite } from '../../support/suite.ts'
import { givenCoinShop, HOUR_MS, openOnly, outage, sendCoins } from '../payments.ts'
import { data } from '../request.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))
const viewer = once(() => signInAs(app, 'viewer', shop.id))

/** An order for which money was sent. */
async function orderWith(outcome: string, of = shop): Promise<string> {
  app.time.now += 1000
  const { orderUUID: id } = await givenOrder(app, of)
  await openCrypto(app, id, 'polygon/usdc')
  await simulate(app, id, outcome)
  await check(app, id)
  return id
}

/** The row of each order in a list. */
async function rowsOf(query: string): Promise<Map<string, string>> {
  const { text } = await viewer.get(`/dashboard/orders?${query}`)
  const rows = text.matchAll(/<tr>\n<td><a href="\/dashboard\/orders\/([0-9a-f-]{36})"[\s\S]*?<\/tr>/g)
  return new Map([...rows].map(([row, id]) => [id!, row]))
}

const pageOf = async (id: string): Promise<string> => (await viewer.get(`/dashboard/orders/${id}`)).text

test('received money is in the list of orders, in its filter and on the page of an order', async () => {
  const seen = await orderWith('pending')
  const part = await orderWith('underpaid')
  const over = await orderWith('overpaid')
  const exact = await orderWith('paid')
  const shown: [id: string, filter: string, badge: RegExp, advice: string | null][] = [
    [seen, 'CONFIRMING', />\d+ of \d+ confirmations<\/span>/, null],
    [part, 'PART_PAID', />Part paid<\/span>/, 'A part of the amount is missing.'],
    [over, 'OVERPAID', />Overpaid<\/span>/, 'paid 25 USDC more than was due.'],
  ]
  const all = await rowsOf('')
  expect([...all.keys()]).toEqual([exact, over, part, seen])
  expect(all.get(exact)).not.toMatch(/confirmations|Part paid|Overpaid/)
  for (const [id, filter, badge, advice] of shown) {
    expect([...(await rowsOf(`payment=${filter}`)).keys()]).toEqual([id])
    expect(all.get(id)).toMatch(badge)
    expect(await pageOf(id)).toMatch(badge)
    if (advice) expect(await pageOf(id)).toContain(advice)
  }
  expect([...(await rowsOf('payment=OVERPAID&status=UNPAID')).keys()]).toEqual([])
  const list = (await viewer.get('/dashboard/orders?payment=PART_PAID&status=UNPAID')).text
  expect(list).toContain('Money received: Part paid ×')
  expect(list).toContain('<a href="/dashboard/orders?status=UNPAID" aria-current="true">\nPart paid</a>')
  expect(list).toContain('<a href="/dashboard/orders?payment=OVERPAID&amp;status=UNPAID">')
  const csv = await viewer.get('/dashboard/orders/export.csv?payment=OVERPAID')
  expect(csv.text.trim().split('\r\n').slice(1)).toEqual([
    expect.stringMatching(new RegExp(`${over}.*,OVERPAID,`)),
  ])
})

test('a second payment makes an order overpaid, and an expired partial payment stays in the filter', async () => {
  const twice = await orderWith('paid')
  await simulate(app, twice, 'paid')
  await app.advance(10 * 60_000)
  const part = await orderWith('underpaid')
  await app.advance(3 * 3600_000)
  expect((await rowsOf('payment=OVERPAID')).has(twice)).toBe(true)
  expect(await pageOf(twice)).toContain('paid again after the order was paid.')
  expect((await rowsOf('payment=PART_PAID')).has(part)).toBe(true)
})

test('money is written as in the language of the page, and a fee names its receiver', async () => {
  const charged = await givenShop(app, '1')
  const owner = await signInAs(app, 'owner', charged.id)
  const id = await orderWith('overpaid', charged)
  const texts = async (path: string, lang: string) =>
    (await owner.get(`/dashboard/${path}?lang=${lang}`)).text.replaceAll('\u00a0', ' ')
  const shown: [path: string, lang: string, parts: string[]][] = [
    ['orders', 'de', ['<td class="number">25,00 $</td>', '<span class="soft">50 USDC</span>']],
    [`orders/${id}`, 'de', ['<strong>25,00 $</strong>', '0,25 $ (1 %)', '24,75 $']],
    ['customers', 'de', ['25,00 $']],
    ['orders', 'en', ['<td class="number">$25.00</td>']],
    [`orders/${id}`, 'en', ['Fee of the operator', '$0.25 (1%)', 'It was only recorded']],
    ['reports', 'en', ['<dt>Operator’s fees</dt><dd>$0.25</dd>', 'The operator of this server sets']],
  ]
  for (const [path, lang, parts] of shown) {
    const text = await texts(path, lang)
    expect([path, lang, parts.filter(part => !text.includes(part))]).toEqual([path, lang, []])
  }
  expect(await pageOf(await orderWith('paid'))).not.toContain('Fee of the operator')
})

test('the page of an order shows the credited and remaining amounts, and how it was settled', async () => {
  const coins = await givenCoinShop(app)
  const owner = proving(await signInAs(app, 'owner', coins.id))
  const factsOf = async (id: string, lang = 'en') => {
    const { text } = await owner.get(`/dashboard/orders/${id}?lang=${lang}`)
    const facts = text.matchAll(/<dt>([^<]*)<\/dt><dd>([\s\S]*?)<\/dd>/g)
    const plain = (html: string) =>
      html
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
    return [...facts].map(([, name, value]) => `${name}: ${plain(value!)}`)
  }
  const pay = async (id: string, asset: string, atomic: bigint) => {
    await sendCoins(app, await openOnly(app, id, asset), atomic)
    await check(app, id)
  }
  const { orderUUID: id } = await givenOrder(app, coins)
  await pay(id, 'btc', 20_001n)
  const part = await factsOf(id)
  expect(part).toContain('Received: $12.00 $13.00 left')
  expect(part).toContain('Credited: $12.00 of $25.00')
  expect(part.some(fact => fact.startsWith('Settlement:'))).toBe(false)
  await pay(id, 'polygon/usdc', 13_000_000n)
  const paid = await factsOf(id)
  expect(paid).toContain('Received: $25.00')
  expect(paid).toContain('Settlement: The order is paid')
  expect(paid).toContain('Parts: $12.00: 0.00020001 BTC $13.00: 13 USDC')
  expect(paid).toContain('Credited: $13.00 of $13.00')
  expect((await factsOf(id, 'de')).map(fact => fact.replaceAll('\u00a0', ' '))).toContain(
    'Teile: 12,00 $: 0,00020001 BTC 13,00 $: 13 USDC',
  )

  const { orderUUID: over } = await givenOrder(app, coins)
  await pay(over, 'btc', 20_001n)
  await pay(over, 'polygon/usdc', 15_500_000n)
  expect(await factsOf(over)).toContain('Received: $27.50')
  const { orderUUID: short } = await givenOrder(app, coins)
  await pay(short, 'btc', 20_001n)
  await pay(short, 'polygon/usdc', 12_900_000n)
  expect(await factsOf(short)).toContain('Received: $24.90')

  await changeMerchant(app.context, coins.id, { late: 'ask' })
  const { orderUUID: late } = await givenOrder(app, coins)
  const btc = await openOnly(app, late, 'btc')
  await app.advance(3 * 3600_000)
  await sendCoins(app, btc, 20_000n)
  await check(app, late)
  expect(await factsOf(late)).toContain('Waiting for your decision: $12.00')
  const payment = /name="payment" value="([^"]*)"/.exec(
    (await owner.get(`/dashboard/orders/${late}`)).text,
  )![1]!
  await owner.post(`/dashboard/orders/${late}/accept`, { payment, reason: '' })
  expect(await factsOf(late)).toContain(
    `Settlement: The order is paid, because the payment was accepted Accepted by ${owner.email} $13.00 is missing`,
  )

  const { orderUUID: unpriced } = await givenOrder(app, coins)
  const unknown = await openOnly(app, unpriced, 'btc')
  await app.advance(3 * 3600_000)
  await outage(app, 'rates', true)
  await app.advance(16 * 60_000)
  await sendCoins(app, unknown, 20_000n)
  await check(app, unpriced)
  await outage(app, 'rates', false)
  expect(await factsOf(unpriced)).toContain('Waiting for your decision: A payment of unknown value')
  expect((await owner.get(`/dashboard/orders/${unpriced}`)).text).toContain('Value: unknown')

  const { orderUUID: forced } = await givenOrder(app, coins)
  await owner.post(`/dashboard/orders/${forced}/force`, { reason: 'in cash' })
  const facts = await factsOf(forced)
  expect(facts).toContain(`Settlement: Marked as paid by ${owner.email}`)
  expect(facts.some(fact => fact.startsWith('Received:'))).toBe(false)
})

test('the page of an order shows a refund in coins, and records the sent amount', async () => {
  const owner = await signInAs(app, 'owner', shop.id)
  const id = await orderWith('paid')
  const page = () => owner.get(`/dashboard/orders/${id}`)
  const { text: before } = await page()
  expect(before).toContain('The customer has left no address.')
  expect(before).toMatch(
    /href="mailto:buyer@example.com[?]subject=[^"]*your%20refund&amp;body=[^"]*USDC%20on%20Polygon/,
  )
  const token = /name="token" value="([^"]*)"/.exec(before)?.[1] ?? ''
  const send = (action: string, change: object = {}) =>
    owner.post(`/dashboard/orders/${id}/${action}`, { amount: '10,00', reason: 'broken', token, ...change })
  const price = await send('refund-price', { reason: '' })
  expect(price.status).toBe(200)
  const [, shown = ''] = price.text.split('$10.00 is:')
  expect(shown.match(/data-copy="10(?:[.]0*)?"/g)).toHaveLength(2)
  expect(shown).toMatch(/At the rate of the payment.*1 USDC = [$]1.*At the current rate/s)
  expect(price.text).toContain('value="10,00"')
  const wrong = await send('refund-price', { amount: 'ten' })
  expect([wrong.status, wrong.text.includes('id="refund-amount-problem"')]).toEqual([400, true])
  for (const [field, value] of [
    ['sentAmount', '-1'],
    ['txId', 'two words'],
  ] as const) {
    const refused = await send('refund', { [field]: value })
    expect([refused.status, refused.text.includes(`id="refund-${field}-problem"`)]).toEqual([400, true])
  }
  expect(await pageOf(id)).not.toContain('After refunds')
  const sent = { sentAmount: '10,25', txId: '0xback' }
  for (let times = 0; times < 2; times++) expect((await send('refund', sent)).status).toBe(303)
  expect((await send('refund', { ...sent, txId: '0xother' })).status).toBe(409)
  const { text } = await page()
  for (const part of ['Sent back: 10.25 USDC', '0xback', '<dt>After refunds</dt><dd>$15.00</dd>'])
    expect(text).toContain(part)
  const csv = await owner.get('/dashboard/reports/export.csv')
  expect(csv.text).toMatch(/\nrefund,.*,-10[.]25,polygon[/]usdc,.*,0xback,broken,/)
})

test('a refund of a payment in another coin than was asked for has only the current rate', async () => {
  const owner = await signInAs(app, 'owner', shop.id)
  const { orderUUID } = await givenOrder(app, shop)
  await openCrypto(app, orderUUID, 'polygon/usdc')
  const body = { orderUUID, outcome: 'paid', assetId: 'polygon/usdt', amount: '25' }
  await data(app, 'POST', '/sandbox/simulate', { body }, 202)
  await check(app, orderUUID)
  const { text } = await owner.get(`/dashboard/orders/${orderUUID}`)
  const token = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? ''
  const form = { amount: '10.00', reason: 'broken', token }
  const price = await owner.post(`/dashboard/orders/${orderUUID}/refund-price`, form)
  expect(price.text).toContain('At the current rate')
  expect(price.text).not.toContain('At the rate of the payment')
})

test('a shortfall that the tolerance covered is missing only until the rest arrives', async () => {
  app.time.now += 1000
  const coins = await givenCoinShop(app)
  const owner = await signInAs(app, 'owner', coins.id)
  const { orderUUID: id } = await givenOrder(app, coins, { amount: '100.00' })
  const attempt = await openOnly(app, id, 'polygon/usdc')
  const paid = async (atomic: bigint) => {
    await sendCoins(app, attempt, atomic)
    await check(app, id)
    // Nobody waits for more once an order is paid, so its addresses are checked every hour.
    await app.advance(HOUR_MS)
    return (await owner.get(`/dashboard/orders/${id}`)).text
  }
  expect(await paid(99_600_000n)).toContain('$0.40 is missing')
  expect(await paid(300_000n)).toContain('$0.10 is missing')
  expect(await paid(100_000n)).not.toMatch(/[$][0-9.]+ is missing/)
})
