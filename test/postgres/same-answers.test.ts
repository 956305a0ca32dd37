import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { databaseUrl } from '../../src/settings/database-url.ts'
import type { OrderQuery, Storage, Tables } from '../../src/storage/port.ts'
import { openStorage as openPostgres } from '../../src/storage/postgres/open.ts'
import { databaseFile, openStorage as openSqlite } from '../../src/storage/sqlite/open.ts'
import { customerRow, merchantRow, newSession, orderRow } from '../storage/contract/given.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'
import { newFolder } from '../support/process.ts'

// The same operations have the same answers on both engines, with any texts.

const folder = newFolder()
let engines: Storage[]
let drop: () => Promise<void>

beforeAll(async () => {
  const made = await newPostgresDatabase()
  drop = made.drop
  engines = [openSqlite(databaseFile(folder), 0), await openPostgres(databaseUrl(made.url)!, 0)]
})
afterAll(async () => {
  await Promise.all(engines.map(engine => engine.close()))
  await drop()
})

/** Texts whose order and case differ between languages, and special characters of patterns. */
const letters = [
  ...['a', 'B', 'b', 'Z', 'z', 'é', 'É', 'e\u0301', 'ß', 'İ', 'ı', 'ø', '_', '%', '-', ' ', "'", '\\', '😀'],
  ...['я', 'Я', '0', '9'],
]
const words = fc
  .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 4 })
  .map(parts => parts.join(''))
const amounts = fc.constantFrom('0.01', '9.99', '10.00', '99.00', '100.00', '999999999999.99')

const orders = fc.array(
  fc.record({
    externalId: fc.option(words),
    customerFullName: words,
    description: fc.option(words),
    amount: amounts,
    metadata: fc.dictionary(words, fc.string({ unit: 'binary', maxLength: 4 }), { maxKeys: 2 }),
    createdAt: fc.constantFrom(1, 2, 3, Number.MAX_SAFE_INTEGER),
    status: fc.constantFrom('UNPAID', 'EXPIRED', 'FAILED'),
    chosenMethod: fc.option(fc.constantFrom('crypto', 'stripe')),
    customer: fc.nat(2),
  }),
  { minLength: 20, maxLength: 30 },
)

const queries = (merchantId: string): OrderQuery[] => [
  { merchantId },
  { merchantId, statuses: ['UNPAID', 'FAILED'] },
  { merchantId, method: 'crypto' },
  { merchantId, currency: 'USD', amountFrom: '9.99', amountTo: '100.00' },
  { merchantId, createdFrom: 2, createdTo: 3 },
]

async function answersOf(tables: Tables, merchantId: string, texts: string[]): Promise<unknown[]> {
  const answers: unknown[] = [await tables.orders.list({ merchantId }, 100, null)]
  for (const query of queries(merchantId)) {
    const first = await tables.orders.browse(query, 7, null)
    const last = first.rows.at(-1)?.order
    const turn = last && ({ at: last.createdAt, id: last.id, direction: 'older' } as const)
    answers.push(first, turn && (await tables.orders.browse(query, 100, turn)))
  }
  for (const text of texts) {
    const matches = await tables.orders.match(merchantId, text)
    answers.push({ text, ids: [...matches.ids].sort(), isCut: matches.isCut })
    answers.push(await tables.orders.search({ merchantId, externalId: text }, 100))
    answers.push(await tables.customers.findByEmail(merchantId, `${text}@buyer.example`))
  }
  return answers
}

test('lists, pages and searches of orders give the same results with both engines', async () => {
  let found = 0
  const given = fc.tuple(orders, fc.array(words, { minLength: 5, maxLength: 5 }))
  for (const [rows, texts] of fc.sample(given, { numRuns: 12, seed: 20261122 })) {
    const merchant = merchantRow()
    const customers = texts
      .slice(0, 3)
      .map((text, at) => customerRow(merchant.id, { email: `${text}${at}@buyer.example` }))
    const made = rows.map(({ customer, ...row }) => orderRow(customers[customer]!, row as object))
    const answers: unknown[][] = []
    for (const engine of engines) {
      await engine.write(async tables => {
        await tables.merchants.insert(merchant)
        for (const customer of customers) await tables.customers.insert(customer)
        for (const order of made) await tables.orders.insert(order, newSession)
      })
      const asked = [...texts, ...rows.slice(0, 5).map(row => row.customerFullName.slice(0, 2))]
      answers.push(await engine.read(tables => answersOf(tables, merchant.id, asked)))
    }
    expect(answers[1]).toEqual(answers[0]!)
    found += answers[0]!.filter(answer => (answer as { ids?: string[] } | null)?.ids?.length).length
  }
  expect(found).toBeGreaterThan(50)
})
