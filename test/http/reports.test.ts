import { describe, expect, test } from 'bun:test'
import { type PeriodLength, periodLengths } from '../../src/domain/calendar.ts'
import { Refusal } from '../../src/domain/errors.ts'
import { cancelOrder } from '../../src/operations/orders/cancel.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { readReport } from '../../src/operations/reports/read.ts'
import { givenOrder, givenShop, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { HOUR_MS, openOnly } from './payments.ts'
import { type Random, randomOf } from './random.ts'
import { givenPaid, tryRefund } from './refunding.ts'
import { type Row, rowsOf } from './rows.ts'

const { app, each, ownApp } = suite()
const shop = each(() => givenShop(app, '2.5'))

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati']

/** The day of a moment, computed in another way than in the product. */
const dayIn = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  return (at: unknown) => format.format(Number(at))
}

const mondayOf = (day: string): string => {
  const date = new Date(`${day}T12:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

const periodOf: Record<PeriodLength, (day: string) => string> = {
  day: day => day,
  week: mondayOf,
  month: day => day.slice(0, 7),
}

const minor = (amount: unknown): bigint => BigInt(String(amount).replace('.', ''))

const names = [
  ...['orders', 'converted', 'paid', 'gross', 'net', 'refunds', 'refunded', 'forced', 'cancelled'],
] as const
type Figures = Record<(typeof names)[number], bigint>

/** The sums of the ledger's rows, by the name that `nameOf` gives to each. */
function recount(currency: string, nameOf: (at: unknown, row: Row) => string | null): Map<string, Figures> {
  const found = new Map<string, Figures>()
  const add = (at: unknown, row: Row, figures: Partial<Figures>) => {
    const name = nameOf(at, row)
    if (name === null) return
    const sums = found.get(name) ?? (Object.fromEntries(names.map(one => [one, 0n])) as Figures)
    found.set(name, sums)
    for (const one of names) sums[one] += figures[one] ?? 0n
  }
  for (const row of rowsOf(app, 'SELECT * FROM orders WHERE currency = ?', currency)) {
    add(row.created_at, row, { orders: 1n, converted: row.status === 'PAID' ? 1n : 0n })
    if (row.forced_at !== null) add(row.forced_at, row, { forced: minor(row.amount) })
    if (row.cancelled_at !== null) add(row.cancelled_at, row, { cancelled: minor(row.amount) })
  }
  const withAsset = 'JOIN attempts a ON a.id = t.attempt_id WHERE t.currency = ?'
  for (const row of rowsOf(app, `SELECT t.*, a.asset_id FROM transactions t ${withAsset}`, currency)) {
    add(row.paid_at, row, { paid: 1n, gross: minor(row.amount), net: minor(row.net_amount) })
  }
  const refunds = `SELECT r.*, a.asset_id FROM refunds r JOIN transactions t ON t.id = r.transaction_id ${withAsset}`
  for (const row of rowsOf(app, refunds, currency)) {
    add(row.created_at, row, { refunds: 1n, refunded: minor(row.amount), net: -minor(row.amount) })
  }
  return found
}

interface ReportedSums {
  gross: bigint
  net: bigint
  refunded: bigint
  paidCount: number
  refundedCount: number
}

const paymentsOf = ({ gross, net, refunded, paidCount, refundedCount }: ReportedSums) => ({
  gross,
  net,
  refunded,
  paid: BigInt(paidCount),
  refunds: BigInt(refundedCount),
})

/** Months of orders around both clock changes, with every end that an order can have. */
async function live(seed: number, orders: number): Promise<void> {
  const random = randomOf(seed)
  const days = ['2026-03-07', '2026-03-28', '2026-03-31', '2026-10-24', '2026-10-31', '2026-11-01']
  for (const day of days) {
    app.time.now = Date.parse(day)
    for (let order = 0; order < orders; order++) {
      app.time.now += random.below(6 * HOUR_MS)
      const amount = `${100 + random.below(900)}.${10 + random.below(90)}`
      await liveOne(random.pick(['paid', 'paid', 'refunded', 'forced', 'cancelled', 'left']), random, {
        amount,
        currency: random.pick(['USD', 'USD', 'EUR']),
      })
    }
  }
}

async function liveOne(end: string, { pick, chance }: Random, change: object): Promise<void> {
  const { orderUUID } = await givenOrder(app, shop, change)
  if (end === 'cancelled') await cancelOrder(app.context, shop.id, orderUUID, 'Ann', null)
  if (end === 'forced') {
    await forceOrder(app.context, { merchantId: shop.id, orderId: orderUUID, by: 'Ann', reason: 'cash' })
  }
  if (end !== 'paid' && end !== 'refunded') return
  app.time.now += pick([0, 20 * 60_000])
  if (chance(0.6)) await openOnly(app, orderUUID, pick(['btc', 'ethereum/eth']))
  else await app.call('GET', `/payment/process/${orderUUID}?method=stripe`)
  await simulate(app, orderUUID, 'paid')
  await app.advance(60_000)
  if (end !== 'refunded') return
  app.time.now += pick([0, 26 * HOUR_MS])
  await tryRefund(app, shop, orderUUID, { amount: '12.34' })
  if (chance(0.5)) await tryRefund(app, shop, orderUUID, {})
}

const report = (change: Partial<Parameters<typeof readReport>[1]> = {}) =>
  readReport(app.context, {
    merchantId: shop.id,
    from: '2026-01-01',
    to: '2026-12-31',
    by: 'day',
    ...change,
  })

test('figures equal the ledger to the cent: by day, week and month of any time zone', async () => {
  await ownApp()
  await live(13, 8)
  await givenPaid(app, await givenShop(app), { amount: '77.77' })
  const other = 'SELECT id FROM orders WHERE merchant_id <> ?'
  expect(rowsOf(app, other, shop.id)).toHaveLength(1)
  const isOwn = ({ merchant_id }: Row) => merchant_id === shop.id
  for (const timeZone of ZONES) {
    const dayOf = dayIn(timeZone)
    for (const by of periodLengths) {
      for (const currency of ['USD', 'EUR']) {
        const { periods } = await report({ timeZone, by, currency })
        const expected = recount(currency, (at, row) => (isOwn(row) ? periodOf[by](dayOf(at)) : null))
        expect(expected.size).toBeGreaterThan(2)
        for (const { period, sums } of periods) {
          const name = periodOf[by](period.firstDay)
          const { orders, converted, forced, cancelled, ...payments } = expected.get(name) ?? {
            ...{ orders: 0n, converted: 0n, forced: 0n, cancelled: 0n },
            ...paymentsOf({ gross: 0n, net: 0n, refunded: 0n, paidCount: 0, refundedCount: 0 }),
          }
          expected.delete(name)
          expect([timeZone, name, paymentsOf(sums)]).toEqual([timeZone, name, payments])
          expect([sums.createdCount, sums.convertedCount]).toEqual([Number(orders), Number(converted)])
          expect([sums.forced, sums.cancelled]).toEqual([forced, cancelled])
        }
        expect([...expected.keys()]).toEqual([])
      }
    }
  }
})

test('figures equal the ledger by method and asset, and the parts add up to the total', async () => {
  await ownApp()
  await live(6, 8)
  // The range ends inside the history, at a moment that differs between the zones.
  for (const timeZone of ZONES) {
    const dayOf = dayIn(timeZone)
    const range = { from: '2026-03-08', to: '2026-10-24' }
    const isInside = (at: unknown) => dayOf(at) >= range.from && dayOf(at) <= range.to
    const found = await report({ ...range, timeZone, currency: 'USD', by: 'month' })
    for (const [rows, column] of [
      [found.methods, 'method_key'],
      [found.assets, 'asset_id'],
    ] as const) {
      const expected = recount('USD', (at, row) => (isInside(at) ? String(row[column] ?? '') : null))
      const shown = Object.fromEntries(rows.map(({ name, sums }) => [name, paymentsOf(sums)]))
      for (const [name, figures] of expected) {
        if (name === '' || (column === 'asset_id' && name === 'undefined')) continue
        const { orders, converted, forced, cancelled, ...payments } = figures
        expect([timeZone, name, shown[name]]).toEqual([timeZone, name, payments])
        delete shown[name]
      }
      expect(shown).toEqual({})
      const gross = rows.reduce((sum, { sums }) => sum + sums.gross, 0n)
      expect(gross).toBe(found.total.gross)
      expect(rows.length).toBeGreaterThan(1)
    }
    expect(found.currencies.map(({ currency }) => currency)).toEqual(['USD', 'EUR'])
    const [usd] = found.currencies
    expect(usd?.sums).toEqual(found.total)
  }
})

describe('a report', () => {
  test('is in the time zone of the merchant, and in the currency with the most payments', async () => {
    app.time.now = Date.parse('2026-03-01T23:30:00Z')
    await givenPaid(app, shop, { amount: '30.00', currency: 'EUR' })
    await givenOrder(app, shop, { currency: 'JPY', amount: '100' })
    await app.context.storage.write(tables => tables.merchants.update(shop.id, { timeZone: 'Europe/Berlin' }))
    const { currency, currencies, timeZone, periods } = await report({ from: '2026-03-01', to: '2026-03-02' })
    expect([currency, timeZone]).toEqual(['EUR', 'Europe/Berlin'])
    expect(currencies.map(one => one.currency)).toEqual(['EUR', 'JPY'])
    expect(periods.map(({ sums }) => sums.gross)).toEqual([0n, 3000n])
  })

  test('ends today by default', async () => {
    app.time.now = Date.parse('2026-03-01T23:30:00Z')
    const lastDays = [undefined, 'Europe/Berlin'].map(async timeZone => {
      return (await report({ to: undefined, timeZone })).lastDay
    })
    expect(await Promise.all(lastDays)).toEqual(['2026-03-01', '2026-03-02'])
  })

  test('of a merchant without orders has no currency', async () => {
    const { currency, currencies, periods } = await report()
    expect([currency, currencies, periods]).toEqual([null, [], []])
  })

  test.each([
    ['an unknown merchant', { merchantId: crypto.randomUUID() }, /No merchant/],
    ['no date', { from: 'yesterday' }, /from.*date such as/],
    ['a day that does not exist', { to: '2026-02-30' }, /to.*date such as/],
    ['an end before the start', { from: '2026-03-02', to: '2026-03-01' }, /before the first day/],
    ['two years by day', { from: '2025-01-01' }, /at most 400 rows/],
    ['a century', { from: '1926-01-01', by: 'month' }, /at most 3660 days/],
    ['an unknown currency', { currency: 'BTC' }, /currency.*ISO 4217/],
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }, /time-zone.*Europe\/Berlin/],
  ] as const)('is refused for %s', async (_, change, reason) => {
    const error = await report(change).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Refusal)
    const { message, details } = error as Refusal
    expect(`${JSON.stringify(details)} ${message}`).toMatch(reason)
  })
})
