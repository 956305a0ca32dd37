import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import type { ShopTax } from '../../src/domain/tax.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { signInAs } from '../support/dashboard.ts'
import { check, givenOrder, paidInCash, simulate } from '../support/given.ts'
import { newFolder } from '../support/process.ts'
import { suite } from '../support/suite.ts'
import { givenCoinShop, HOUR_MS, openOnly, sendCoins } from './payments.ts'
import { randomOf } from './random.ts'
import { tryRefund } from './refunding.ts'
import { rowsOf } from './rows.ts'

/*
 * A month of a shop, recounted from the database in other ways than the product's. With FLORIN_BOOKS_ORDERS
 * the month is longer, and installed programs check the files: `npm run test:books`.
 */

const ORDERS = Number(process.env.FLORIN_BOOKS_ORDERS ?? 12)
const hasCheckers = process.env.FLORIN_BOOKS_ORDERS !== undefined

setDefaultTimeout(hasCheckers ? 600_000 : 60_000)

const { app, once } = suite()
const random = randomOf(20261129)

const tax: ShopTax = {
  ...{ country: 'DE', vatId: 'DE136695976', prices: 'included', exemption: null, sells: 'goods' },
  ...{ reverseCharge: true, rates: [{ country: 'DE', standard: 1900, reduced: 700 }] },
}

const seller = { street: 'Weg 1', postcode: '10115', town: 'Berlin', country: 'DE', vatId: 'DE136695976' }

const shop = once(() => givenCoinShop(app, '1.5'))

/** Events in the life of an order. Each leaves the order paid, or leaves money that settles nothing. */
const stories = {
  paid: (id: string) => simulated(id, 'paid'),
  over: (id: string) => simulated(id, 'overpaid'),
  late: async (id: string) => {
    const attempt = await openOnly(app, id, 'btc')
    await app.advance(3 * HOUR_MS)
    await sendCoins(app, attempt, BigInt(String(attempt.due_atomic)) + 1234n)
    await check(app, id)
  },
  part: async (id: string) => {
    await simulated(id, 'underpaid')
    await app.advance(3 * HOUR_MS)
  },
  accepted: async (id: string) => {
    await stories.part(id)
    const ids = rowsOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ?', id).map(
      row => `${row.id}`,
    )
    await acceptUnmatched(app.context, shop.id, ids, { by: 'Ann', reason: 'a regular; "friend"' })
  },
  forced: (id: string) => paidInCash(app, shop, id),
  parts: async (id: string) => {
    for (const [asset, share] of [
      ['btc', 3n],
      ['ltc', 2n],
      ['polygon/usdc', 1n],
    ] as const) {
      const attempt = await openOnly(app, id, asset)
      await sendCoins(app, attempt, BigInt(String(attempt.due_atomic)) / share)
      await check(app, id)
    }
  },
  refunded: async (id: string) => {
    await simulated(id, 'paid')
    for (const amount of ['1.01', '0.07']) {
      app.time.now += 1000
      await tryRefund(app, shop, id, { amount, reason: '=broken; "cup"' })
    }
  },
}

async function simulated(id: string, outcome: string): Promise<void> {
  await openOnly(app, id, 'btc')
  await simulate(app, id, outcome)
  await check(app, id)
}

once(async () => {
  await changeMerchant(app.context, shop.id, { timeZone: 'Europe/Berlin', currency: 'EUR' })
  await changeMerchant(app.context, shop.id, { invoices: 'paid', seller })
  await app.context.storage.write(tables =>
    tables.merchants.update(shop.id, { tax, updatedAt: app.time.now }),
  )
  const kinds = Object.values(stories)
  for (let made = 0; made < ORDERS; made++) {
    const amount = `${2 + random.below(900)}.${10 + random.below(90)}`
    const fullName = random.pick(['Łukasz Ünal', '=SUM(A1)', 'Kunde; "AG"', ''])
    const body = { amount, currency: 'EUR', externalId: `R-${made}`, description: `Nr. ${made} | "Tee"` }
    const customer = { email: `b${made % 5}@buyer.example`, ...(fullName && { fullName }) }
    const { orderUUID } = await givenOrder(app, shop, { ...body, customer, paymentMethodsKeys: ['crypto'] })
    await kinds[made % kinds.length]!(orderUUID)
  }
  // Half past midnight in Berlin, on the next day.
  const at = Date.UTC(2026, 2, 15, 23, 30)
  for (const feeValue of ['1.23', '0.00', '40.07']) {
    const sweep = {
      ...{ id: app.context.ids.uuid(), merchantId: shop.id, chain: 'ethereum', txId: `0x${feeValue}` },
      ...({ status: 'done', moved: [], feeAssetId: 'ethereum/eth', feeAmount: '0.0005', feeValue } as const),
      ...{ currency: 'EUR', createdAt: at, minedAt: at, updatedAt: at },
    }
    await app.context.storage.write(tables => tables.sweepTransactions.insert(sweep))
  }
})

const owner = once(() => signInAs(app, 'owner', shop.id))

async function bytesOf(format: string, lang: string): Promise<Uint8Array> {
  const headers = { accept: 'text/html', cookie: owner.cookie }
  const url = `http://localhost${BOOKS}&format=${format}&lang=${lang}`
  const answer = await app.florin.http.handle(new Request(url, { headers }))
  expect(answer.status).toBe(200)
  return new Uint8Array(await answer.arrayBuffer())
}

const folder = newFolder()

/** Amounts by the kind of their rows, in cents. */
type Sums = Record<string, bigint>

const cents = (amount: string): bigint => BigInt(amount.replace(/[.,](?=\d\d$)/, ''))

function add(sums: Sums, kind: string, amount: bigint): void {
  sums[kind] = (sums[kind] ?? 0n) + amount
}

/** What arrived for an order. The value of each payment is rounded down, so several can lack a cent each. */
function cameIn(evidence: unknown, price: bigint): bigint {
  const { incomingPayments } = JSON.parse(`${evidence}`) as { incomingPayments: { value: string }[] }
  const came = incomingPayments.reduce((sum, { value }) => sum + cents(value), 0n)
  return came < price && price - came < BigInt(incomingPayments.length) ? price : came
}

/** The sums of the month, from the tables themselves. */
function ledger(): Sums {
  const sums: Sums = {}
  const each = (kind: string, sql: string, sign = 1n) => {
    for (const row of rowsOf(app, sql)) if (row.amount) add(sums, kind, sign * cents(`${row.amount}`))
  }
  each('payment', 'SELECT amount FROM transactions')
  each('fee', 'SELECT fee_amount AS amount FROM transactions', -1n)
  each('refund', 'SELECT amount FROM refunds', -1n)
  each('network_fee', 'SELECT fee_value AS amount FROM sweep_transactions', -1n)
  each('forced', 'SELECT amount FROM orders WHERE forced_at IS NOT NULL')
  each(
    'unmatched',
    `SELECT value AS amount FROM unmatched_payments u JOIN incoming_payments i ON i.id = u.incoming_payment_id
     WHERE i.settles = 0 AND i.state <> 'gone'`,
  )
  for (const { evidence, amount } of rowsOf(
    app,
    'SELECT s.evidence, o.amount FROM settlements s JOIN orders o ON o.id = s.order_id',
  )) {
    const off = cameIn(evidence, cents(`${amount}`)) - cents(`${amount}`)
    if (off !== 0n) add(sums, off > 0n ? 'excess' : 'shortfall', off)
  }
  return sums
}

/** The tax of 19 % in an amount in cents, with halves rounded up. */
const taxIn = (gross: bigint): bigint => gross - (200n * gross + 119n) / 238n

interface SaleSums {
  /** the amount of the order in cents, like all amounts here */
  sold: bigint
  missing: bigint
  /** true if a person accepted the missing amount */
  isAccepted: boolean
  refunded: bigint
}

/** The sums of each paid order, from the tables themselves. */
function salesByOrder(): Map<string, SaleSums> {
  const orders = new Map<string, SaleSums>()
  for (const { id, amount } of rowsOf(app, "SELECT id, amount FROM orders WHERE status = 'PAID'"))
    orders.set(`${id}`, { sold: cents(`${amount}`), missing: 0n, isAccepted: false, refunded: 0n })
  for (const { order_id, verdict, evidence } of rowsOf(app, 'SELECT * FROM settlements')) {
    const order = orders.get(`${order_id}`)!
    const came = cameIn(evidence, order.sold)
    order.isAccepted = verdict === 'accepted'
    if (came < order.sold) order.missing = order.sold - came
  }
  for (const { order_id, amount } of rowsOf(app, 'SELECT order_id, amount FROM refunds'))
    orders.get(`${order_id}`)!.refunded += cents(`${amount}`)
  return orders
}

/** Parses rows by RFC 4180. */
function read(text: string, separator: string): string[][] {
  const cells = `(?:"((?:[^"]|"")*)"|([^${separator}"\r\n]*))(${separator}|\r\n|$)`
  const rows: string[][] = [[]]
  for (const [all, quoted, bare, end] of text.replace('\ufeff', '').matchAll(new RegExp(cells, 'g'))) {
    if (all === '') break
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? bare ?? '')
    if (end === '\r\n') rows.push([])
  }
  return rows.filter(row => row.length > 0)
}

const BOOKS = '/dashboard/reports/books?from=2026-03-01&to=2026-03-31&currency=EUR'

async function fileOf(format: string, more = '') {
  const { status, text, headers } = await owner.get(`${BOOKS}&format=${format}${more}`)
  expect(status, text.slice(0, 300)).toBe(200)
  const name = /filename="(.*)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? ''
  writeFileSync(join(folder, name), text)
  return { text, name }
}

const kindsIn = {
  en: {
    ...{ Payment: 'payment', 'Paid too little': 'shortfall', 'Paid too much': 'excess', Refund: 'refund' },
    ...{ 'Operator’s fee': 'fee', 'Unmatched payment': 'unmatched', 'Marked as paid by hand': 'forced' },
    ...{ 'Network fee': 'network_fee' },
  },
  de: {
    ...{
      Zahlung: 'payment',
      'Zu wenig bezahlt': 'shortfall',
      'Zu viel bezahlt': 'excess',
      Erstattung: 'refund',
    },
    ...{ Betreibergebühr: 'fee', 'Nicht zugeordnete Zahlung': 'unmatched' },
    ...{ 'Von Hand als bezahlt markiert': 'forced', Netzwerkgebühr: 'network_fee' },
  },
} as const

function sumsOfTable(rows: string[][], lang: 'en' | 'de', column?: string): Sums {
  const [heads = [], ...lines] = rows
  const [kind, amount] = lang === 'en' ? ['Kind', column ?? 'Amount'] : ['Art', 'Betrag']
  const sums: Sums = {}
  for (const line of lines) {
    const named: Record<string, string> = kindsIn[lang]
    const value = line[heads.indexOf(amount)]!
    if (value !== '') add(sums, named[line[heads.indexOf(kind)]!]!, cents(value))
  }
  return sums
}

const total = (sums: Sums): bigint => Object.values(sums).reduce((sum, one) => sum + one, 0n)

describe('the books of a month', () => {
  test.each([
    ['en', '', ','],
    ['de', '', ';'],
    ['de', '&separator=comma', ','],
    ['en', '&separator=semicolon', ';'],
  ] as const)('add up in a table: %s%s', async (lang, more, separator) => {
    const { text } = await fileOf('csv', `${more}&lang=${lang}`)
    const rows = read(text, separator)
    expect(new Set(rows.map(({ length }) => length)).size).toBe(1)
    expect(sumsOfTable(rows, lang)).toEqual(ledger())
    expect(text).toContain(lang === 'de' ? '.03.2026 ' : '2026-03-')
    expect(text).toContain(`'=SUM(A1)`)
  })

  test('add up in a spreadsheet, whose amounts are numbers and whose times are dates', async () => {
    const { name } = await fileOf('xlsx', '&lang=en')
    const bytes = await bytesOf('xlsx', 'en')
    const parts = unzipSync(bytes)
    expect(name).toBe('books-2026-03-01-2026-03-31-xlsx.xlsx')
    const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!)
    const cells =
      /<c(?: s="(\d)")?(?: t="inlineStr")?(?:\/>|>(?:<is><t[^>]*>(.*?)<\/t><\/is>|<v>(.*?)<\/v>)<\/c>)/gs
    const rows = [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row]) => [...row!.matchAll(cells)])
    const texts = rows.map(row => row.map(([, , text, value]) => text ?? value ?? ''))
    const padded = texts.map((row, at) => row.map((one, column) => fixed(one, at, texts[0]![column]!)))
    expect(sumsOfTable(padded, 'en')).toEqual(ledger())
    const [first] = rows.slice(1)
    expect([first?.[10]?.[3], first?.[1]?.[1]]).toEqual([expect.stringMatching(/^\d+\.\d\d$/), '2'])
    const days = Number(first?.[1]?.[3]) - 25_569
    expect(new Date(days * 86_400_000).toISOString()).toStartWith('2026-03-01T')
  })

  test('have the tax of each sale, and deduct that of refunds and of missing amounts', async () => {
    let sum = 0n
    for (const { sold, missing, refunded } of salesByOrder().values())
      sum += taxIn(sold) - taxIn(refunded) - (taxIn(sold) - taxIn(sold - missing))
    const rows = read((await fileOf('csv', '&lang=en')).text, ',')
    const taxes = sumsOfTable(rows, 'en', 'Tax')
    expect(total(taxes)).toBe(sum)
    expect(new Set(Object.keys(taxes))).toEqual(new Set(['payment', 'shortfall', 'forced', 'refund']))
    const { text } = await owner.get('/dashboard/reports/tax.csv?from=2026-03-01&to=2026-03-31&currency=EUR')
    const [heads = [], row = [], ...others] = read(text, ',')
    expect([others, row.slice(0, 3), cents(row[heads.indexOf('tax')]!)]).toEqual([[], ['DE', 'S', '19'], sum])
    const { payment = 0n, shortfall = 0n, forced = 0n, refund = 0n } = ledger()
    expect(cents(row[heads.indexOf('gross')]!)).toBe(payment + shortfall + forced + refund)
  })

  test('agree with the invoices and credit notes of each order, whose numbers have no gap', () => {
    const billed = new Map<string, { gross: bigint; tax: bigint; count: number }>()
    const stored = rowsOf(app, 'SELECT order_id, ordinal, content FROM invoices ORDER BY ordinal')
    expect(stored.map(({ ordinal }) => ordinal)).toEqual(stored.map((_, at) => at + 1))
    for (const { order_id, content } of stored) {
      const { kind, gross, tax } = JSON.parse(`${content}`)
      const sign = kind === 'invoice' ? 1n : -1n
      const sum = billed.get(`${order_id}`) ?? { gross: 0n, tax: 0n, count: 0 }
      sum.gross += sign * cents(gross)
      sum.tax += sign * cents(tax)
      if (kind === 'invoice') sum.count++
      billed.set(`${order_id}`, sum)
    }
    // The invoice bills what the tolerance forgives, though the books deduct it.
    const expected = [...salesByOrder()].map(([id, { sold, missing, isAccepted, refunded }]) => {
      const price = isAccepted ? sold - missing : sold
      return [id, { gross: price - refunded, tax: taxIn(price) - taxIn(refunded), count: 1 }] as const
    })
    expect(billed).toEqual(new Map(expected))
  })

  test.each(['xero', 'quickbooks'])('add up as bank statements: %s', async format => {
    const rows = read((await fileOf(format)).text, ',')
    const at = rows[0]!.indexOf('Amount')
    const sum = rows.slice(1).reduce((all, row) => all + cents(row[at]!), 0n)
    expect(sum).toBe(total(ledger()))
    expect(rows[1]![0]).toBe(format === 'xero' ? '01/03/2026' : '03/01/2026')
  })

  test.each([
    ['xero', '*UnitAmount', 'TaxAmount', '*InvoiceNumber'],
    ['quickbooks', 'ItemAmount', 'ItemTaxAmount', 'InvoiceNo'],
  ])('have the invoices for %s', async (program, net, tax, number) => {
    const [heads = [], ...rows] = read((await fileOf(`${program}Invoices`)).text, ',')
    const taken = rowsOf(app, 'SELECT number, content FROM invoices ORDER BY ordinal DESC')
      .map(row => ({ number: `${row.number}`, ...JSON.parse(`${row.content}`) }))
      .filter(({ kind }) => program === 'xero' || kind === 'invoice')
    expect(rows.map(row => row[heads.indexOf(number)])).toEqual(taken.map(one => one.number))
    const expected = taken.reduce(
      (sum, { kind, gross }) => sum + (kind === 'invoice' ? 1n : -1n) * cents(gross),
      0n,
    )
    const of = (row: string[], head: string): bigint => cents(row[heads.indexOf(head)]!)
    expect(rows.reduce((sum, row) => sum + of(row, net) + of(row, tax), 0n)).toBe(expected)
  })

  test.each(['skr03', 'skr04'])('add up for DATEV, tax by tax: %s', async format => {
    const bytes = await bytesOf(format, 'de')
    const text = new TextDecoder('windows-1252').decode(bytes)
    const [head = [], names = [], ...rows] = read(text, ';')
    expect([head.length, names.length, names[0], names[124]]).toEqual([
      31,
      125,
      'Umsatz (ohne Soll/Haben-Kz)',
      'Abw. Skontokonto',
    ])
    expect(head.slice(0, 5)).toEqual(['EXTF', '700', '21', 'Buchungsstapel', '13'])
    expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([125]))
    const sum = rows.reduce((all, row) => all + cents(row[0]!) * (row[1] === 'S' ? 1n : -1n), 0n)
    expect(sum).toBe(total(ledger()))
    // The fees of the network, on the day of the shop.
    expect(rows.filter(row => row[9] === '1603')).toHaveLength(2)
    expect(rows.every(row => /^[A-Za-z0-9$&%*+/-]{1,36}$/.test(row[10]!))).toBe(true)
    expect(text).toContain('Ünal')
  })

  test('for DATEV are refused for days of several months', async () => {
    const { status } = await owner.get('/dashboard/reports/books?from=2026-02-01&to=2026-03-01&format=skr03')
    expect(status).toBe(400)
  })

  test.each(['hledger', 'beancount'])('balance as a journal: %s', async format => {
    const { text } = await fileOf(format)
    const income: Sums = {}
    expect(text.match(/^2026-03-16 \*/gm)?.length).toBe(2)
    for (const entry of text.split('\n\n').filter(one => /^\d{4}-\d\d-\d\d \*/.test(one))) {
      let balance = 0n
      for (const line of entry.split('\n').slice(1)) {
        const [, account = '', amount = '', cost] =
          /^ +(\S+) {2}(-?[\d.]+) [A-Z]+(?: (?:@@ |\{\{)([\d.]+) EUR)?/.exec(line) ?? []
        const value = cents(cost ?? amount)
        balance += value
        add(income, account.toLowerCase().replace(/:.*/, ''), value)
      }
      expect(balance, entry).toBe(0n)
    }
    const { payment = 0n, shortfall = 0n, refund = 0n, forced = 0n } = ledger()
    const taxed = [...text.matchAll(/^ +liabilities:tax\S* {2}(-?[\d.]+)/gim)]
    const taxes = taxed.reduce((sum, [, amount]) => sum + cents(amount!), 0n)
    expect(-((income.income ?? 0n) + taxes)).toBe(payment + shortfall + refund + forced)
  })

  const checkers = [
    ['hledger', 'journal', ['-f', 'FILE', 'check', '--strict']],
    ['bean-check', 'beancount', ['FILE']],
  ] as const
  for (const [program, extension, given] of hasCheckers ? checkers : []) {
    const path = Bun.which(program)
    test.skipIf(path === null)(`are accepted by ${program}`, () => {
      const format = program === 'hledger' ? 'hledger' : 'beancount'
      const file = join(folder, `books-2026-03-01-2026-03-31-${format}.${extension}`)
      const run = Bun.spawnSync([path!, ...given.map(one => (one === 'FILE' ? file : one))])
      expect(`${run.stdout}${run.stderr}`.trim().slice(0, 500)).toBe('')
      expect(run.exitCode).toBe(0)
    })
  }
})

/** Amounts in a spreadsheet are numbers, which may lack their last zeros. */
const fixed = (text: string, row: number, head: string): string =>
  row > 0 && head === 'Amount' && text !== '' ? Number(text).toFixed(2) : text
