import { describe, expect, test } from 'bun:test'
import { changeMerchant } from '../../../src/operations/merchants/change.ts'
import { signInAs } from '../../support/dashboard.ts'
import { givenMerchant, givenOrder, givenShop } from '../../support/given.ts'
import { suite } from '../../support/suite.ts'
import { DAY_MS } from '../payments.ts'
import { givenPaid, tryRefund } from '../refunding.ts'
import { changeRows } from '../rows.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app, '2.5'))
once(async () => {
  await changeMerchant(app.context, shop.id, { timeZone: 'Europe/Berlin' })
  app.time.now = Date.parse('2026-02-28T23:30:00Z') - DAY_MS
  const { orderUUID } = await givenPaid(app, shop, { amount: '1234.50' })
  await tryRefund(app, shop, orderUUID, { amount: '34.50' })
  await givenOrder(app, shop)
  app.time.now += 2 * DAY_MS
  await givenPaid(app, shop, { amount: '30.00', currency: 'EUR' })
  await givenPaid(app, await givenShop(app), { amount: '7777.00' })
})
const viewer = once(() => signInAs(app, 'viewer', shop.id))
/** a viewer of a shop without orders */
const newcomer = once(async () => signInAs(app, 'viewer', (await givenMerchant(app)).id))

const PAGE = '/dashboard/reports'

const show = async (query = ''): Promise<string> => {
  const { status, text } = await viewer.get(PAGE + query)
  expect(status).toBe(200)
  return text
}

/** The text of the cells of a table, by row. */
const rowsOf = (text: string, id: string): string[][] => {
  const [, table = ''] = text.split(`id="${id}"`)
  const rows = table.split('</table>')[0]?.match(/<tr>.*?<\/tr>/gs) ?? []
  return rows.map(row =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => cell!.replace(/<[^>]+>/g, '')),
  )
}

describe('the reports of a shop', () => {
  test('have a row for each day of the shop, and the total', async () => {
    const text = await show('?period=30d&currency=USD')
    expect(rowsOf(text, 'periods')).toEqual([
      ['Period', 'Sales', 'Operator’s fees', 'Refunds', 'Net', 'Payments', 'Orders', 'Paid orders'],
      ['Feb 28, 2026', '$1,234.50', '$30.86', '$34.50', '$1,169.14', '1', '2', '1 of 2 (50%)'],
      ['Total', '$1,234.50', '$30.86', '$34.50', '$1,169.14', '1', '2', '1 of 2 (50%)'],
    ])
    expect(rowsOf(text, 'methods').at(-1)?.slice(0, 3)).toEqual(['Crypto', '$1,234.50', '$30.86'])
    expect(rowsOf(text, 'assets').at(-1)?.slice(0, 3)).toEqual(['Bitcoin', '$1,234.50', '$30.86'])
    expect(text).toContain('Days begin at midnight in Europe/Berlin.')
    expect(text).not.toContain('7,777')
  })

  test('show the sales by product and by person, compared with the same number of days before', async () => {
    const sold = async (days: string) => await show(`/sold?${days}&currency=USD`)
    changeRows(
      app,
      "UPDATE orders SET created_by = ?, product_name = 'Beans' WHERE amount = '1234.50'",
      `user:${viewer.userId}`,
    )
    const now = await sold('from=2026-02-28&to=2026-02-28')
    expect(rowsOf(now, 'products').at(-1)).toEqual(['Beans', '1', '$1,234.50', '$0.00'])
    expect(rowsOf(now, 'people').at(-1)).toEqual([viewer.email, '1', '$1,234.50', '$0.00'])
    const next = await sold('from=2026-03-01&to=2026-03-01')
    expect(rowsOf(next, 'products').at(-1)).toEqual(['Beans', '0', '$0.00', '$1,234.50'])
    expect(next).not.toContain('7,777')
    changeRows(app, 'UPDATE orders SET created_by = NULL, product_name = NULL')
  })

  test('can be in another currency, and list the currencies of the shop’s orders', async () => {
    const text = await show('?period=30d')
    expect(rowsOf(text, 'currencies').map(([name]) => name)).toEqual(['Currency', 'USD', 'EUR'])
    const inEuros = await show('?period=30d&currency=EUR')
    expect(rowsOf(inEuros, 'periods').at(-1)).toContain('€30.00')
    expect(inEuros).toContain('href="/dashboard/reports?period=7d&amp;currency=EUR"')
  })

  test('begin with the currency of the shop, if it has orders in it', async () => {
    const first = async () =>
      rowsOf(await show('?period=30d'), 'periods')
        .at(-1)
        ?.at(1)
    expect(await first()).toBe('$1,234.50')
    await changeMerchant(app.context, shop.id, { currency: 'EUR' })
    expect(await first()).toBe('€30.00')
    await changeMerchant(app.context, shop.id, { currency: 'CHF' })
    expect(await first()).toBe('$1,234.50')
    await changeMerchant(app.context, shop.id, { currency: '' })
  })

  test('have a chart with a description, and bars for every day', async () => {
    const text = await show('?from=2026-02-25&to=2026-03-02&currency=USD')
    expect(text).toMatch(/<desc id="sales-text">[^<]*highest sales are \$1,234\.50, Feb 28, 2026\. The table/)
    expect(text.match(/<rect class="up"/g)).toHaveLength(1)
    expect(text.match(/<rect class="down"/g)).toHaveLength(1)
    expect(text).toContain('<title>Feb 28, 2026: sales $1,234.50, refunds $34.50</title>')
    expect(text).toContain('<li>$1.5K</li>')
  })

  test.each<[query: string, current: string, range: string]>([
    ['', 'period=30d', 'Jan 31 – Mar 1, 2026'],
    ['?period=today', 'period=today', 'Mar 1, 2026'],
    ['?period=7d', 'period=7d', 'Feb 23 – Mar 1, 2026'],
    ['?period=month', 'period=month', 'Mar 1, 2026'],
    ['?period=last-month', 'period=last-month', 'Feb 1 – 28, 2026'],
    ['?period=year', 'period=year', 'Jan 1 – Mar 1, 2026'],
    ['?period=nonsense', 'period=30d', 'Jan 31 – Mar 1, 2026'],
  ])('%p shows %s', async (query, current, range) => {
    app.time.now = Date.parse('2026-02-28T23:30:00Z')
    const text = (await show(query)).replaceAll('\u2009', ' ')
    expect(text).toContain(`href="/dashboard/reports?${current}" aria-current="true"`)
    expect(text).toContain(`>${range}. Days begin`)
  })

  test('keep the choices in the links and in the form', async () => {
    const text = await show('?from=2026-01-01&to=2026-03-31&by=month&currency=USD')
    expect(text).toContain(
      'href="/dashboard/reports?from=2026-01-01&amp;to=2026-03-31&amp;by=week&amp;currency=USD"',
    )
    expect(text).toContain('<input type="hidden" name="by" value="month">')
    expect(text).toContain('<input type="hidden" name="currency" value="USD">')
    expect(rowsOf(text, 'periods')[1]?.[0]).toBe('February 2026')
  })

  test.each([
    ['?from=2026-03-02&to=2026-03-01', /Choose a first and a last day/],
    ['?from=yesterday', /Choose a first and a last day/],
    ['?from=2020-01-01&by=day', /at most 400 rows/],
    ['?currency=BTC', /no such currency/],
  ])('of %s are refused with a message', async (query, words) => {
    const { status, text } = await viewer.get(PAGE + query)
    expect([status, words.test(text)]).toEqual([400, true])
    expect(text).toContain('name="from"')
  })

  test('of a shop without orders say so, and those of an empty period too', async () => {
    expect((await newcomer.get(PAGE)).text).toContain('There are no orders yet.')
    for (const days of ['from=2025-01-01&to=2025-01-31', 'from=0000-01-01&to=0000-01-31', 'to=9999-12-31'])
      expect(await show(`?${days}`)).toContain('Nothing happened in this period.')
  })

  test('are in German for people who chose German', async () => {
    const text = await show('?period=30d&currency=USD&lang=de')
    expect(text).toContain('<h1>Berichte</h1>')
    expect(text.replaceAll('\u00a0', ' ')).toContain('1.234,50 $')
  })

  test('escape the values of a URL', async () => {
    const { text } = await viewer.get(`${PAGE}?from="><script>&to=2026-03-01`)
    expect(text).not.toContain('"><script>')
  })
})

describe('the files of the reports', () => {
  test('have the figures of the page, one row a period', async () => {
    const { status, headers, text } = await viewer.get(
      `${PAGE}/table.csv?from=2026-02-27&to=2026-02-28&by=day&currency=USD`,
    )
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="report-2026-02-27-2026-02-28-day.csv"',
    )
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text.split('\r\n')).toEqual([
      expect.stringContaining('from,to,orders,converted,conversion,paid,gross,fees,refundCount,refunds,net,'),
      '2026-02-27,2026-02-27,0,0,,0,0.00,0.00,0,0.00,0.00,0.00,0.00,USD',
      '2026-02-28,2026-02-28,2,1,50.0,1,1234.50,30.86,1,34.50,1169.14,0.00,0.00,USD',
      '',
    ])
  })

  test('have every movement of money for the accounts, and none of another shop', async () => {
    const { status, headers, text } = await viewer.get(`${PAGE}/export.csv?from=2026-02-01&to=2026-03-31`)
    expect([status, headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="accounts-2026-02-01-2026-03-31.csv"',
    ])
    const types = text.split('\r\n').map(line => line.split(',')[0])
    expect(types).toEqual([expect.stringContaining('type'), 'payment', 'fee', 'refund', 'payment', 'fee', ''])
    expect(text).not.toContain('7777.00')
  })

  test.each(['table', 'export'])('are refused for days that are not valid: %s.csv', async name => {
    const { status, headers } = await viewer.get(`${PAGE}/${name}.csv?from=2026-03-02&to=2026-03-01`)
    expect([status, headers.get('content-disposition')]).toEqual([400, null])
  })

  test('require a signed-in person', async () => {
    const { status } = await app.call('GET', `${PAGE}/export.csv`, { headers: { accept: 'text/html' } })
    expect(status).toBe(303)
  })
})

describe('the overview', () => {
  const figuresOf = (text: string): string[] =>
    [...text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, name, value]) => `${name}: ${value}`)

  test('shows that there were no orders in that time', async () => {
    const { text } = await newcomer.get('/dashboard')
    expect(text).toContain('No orders in the last 30 days.')
    expect(figuresOf(text)).toEqual([])
  })

  test('has the sales of 30 days, with a chart, and the other currencies below', async () => {
    app.time.now = Date.parse('2026-03-02T12:00:00Z')
    const { text } = await (await signInAs(app, 'viewer', shop.id)).get('/dashboard')
    expect(figuresOf(text)).toEqual([
      ...['Sales in USD: $1,234.50', 'Refunds: $34.50', 'After fees and refunds: $1,169.14'],
      'Paid orders: 1 of 2',
    ])
    expect(text).toContain('<figure class="chart">')
    expect(rowsOf(text, 'days')).toEqual([
      ['Day', 'Sales', 'Refunds', 'Net'],
      ['Feb 28, 2026', '$1,234.50', '$34.50', '$1,169.14'],
    ])
    expect(rowsOf(text, 'others').at(-1)).toEqual([
      'EUR',
      '€30.00',
      '€0.00',
      expect.stringMatching(/^€/),
      '1',
      '1',
    ])
    expect(text).not.toContain('7,777')
  })
})
