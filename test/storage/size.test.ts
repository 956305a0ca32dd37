import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import type { Order } from '../../src/domain/order.ts'
import type { Tables } from '../../src/storage/port.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { newFolder } from '../support/process.ts'
import { customerRow, merchantRow, newSession, orderRow } from './contract/given.ts'

const ORDERS = 6000
const ORDERS_OF_CUSTOMER = 5
/** One of this number of orders is still unpaid; the others have expired. */
const UNPAID_OF = 10
const BYTES_MAX = 800
const START = Date.parse('2026-11-22')

async function fill(storage: ReturnType<typeof openStorage>): Promise<void> {
  const merchant = merchantRow()
  await storage.write(tables => tables.merchants.insert(merchant))
  let customer = customerRow(merchant.id)
  const open: Order[] = []

  async function create(tables: Tables, index: number): Promise<void> {
    const now = START + index * 1000
    if (index % ORDERS_OF_CUSTOMER === 0) {
      customer = customerRow(merchant.id, { email: `buyer${index}@example.com` })
      await tables.customers.insert(customer)
    }
    const times = { createdAt: now, updatedAt: now, expiresAt: now + 86_400_000 }
    const details = { externalId: `cart-${index}`, metadata: { cart: `${index}` } }
    const order = orderRow(customer, { ...details, ...times, feeAmount: '0.25', netAmount: '24.75' })
    await tables.orders.insert(order, { ...newSession, updatedAt: now })
    await tables.jobs.schedule({
      kind: 'order.expire',
      subject: order.id,
      lane: 'expire',
      dueAt: order.expiresAt,
    })
    await tables.statistics.add(merchant.id, now, 'USD', { pending: 2500n, pendingCount: 1, createdCount: 1 })
    open.push(order)
  }

  async function expire(tables: Tables, { id, createdAt }: Order): Promise<void> {
    await tables.orders.move(id, 'UNPAID', { status: 'EXPIRED', updatedAt: createdAt + 1 })
    await tables.sessions.move(id, 'CREATED', 'EXPIRED', createdAt + 1)
    await tables.jobs.remove('order.expire', id)
    await tables.statistics.add(merchant.id, createdAt, 'USD', { pending: -2500n, pendingCount: -1 })
  }

  for (let index = 0; index < ORDERS; index += 50) {
    await storage.write(async tables => {
      for (let next = index; next < index + 50; next++) await create(tables, next)
      const expired = open.splice(0, Math.max(0, open.length - ORDERS / UNPAID_OF))
      for (const order of expired) await expire(tables, order)
    })
  }
}

test(`an order and its part of the indexes take at most ${BYTES_MAX} bytes`, async () => {
  const file = databaseFile(newFolder())
  const empty = openStorage(file, 0)
  await empty.close()
  const before = statSync(file).size
  const storage = openStorage(file, 0)
  await fill(storage)
  await storage.close()
  const bytes = (statSync(file).size - before) / ORDERS
  expect(bytes).toBeGreaterThan(300)
  expect(bytes).toBeLessThanOrEqual(BYTES_MAX)
})
