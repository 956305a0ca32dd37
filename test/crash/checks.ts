import { expect } from 'bun:test'
import { orderPaidProblems } from '../http/expected-shapes.ts'
import type { RunningProcess } from '../support/process.ts'
import { isSigned, type Received } from '../support/receiver.ts'
import { type Books, confirmedDeals, type Deal, readServerState, stateProblems } from './deals.ts'
import { clientOf, Unanswered, unfinished } from './load.ts'
import { problemsIn, rowsOf } from './problems.ts'
import type { Installation } from './server.ts'

// Checks that must hold after any interruption.

const AT_ONCE = 16
const DELIVERED_MS = 10_000

export interface Scene {
  installation: Installation
  server: RunningProcess
  books: Books
}

const clientIn = ({ server, installation, books }: Scene) => clientOf(server, installation, books)

/** The number of times that a request is sent which a busy server does not answer. */
const TRIES = 4

/** Runs `act` for each row, several at a time; runs it again if one of its requests was not answered. */
async function each<T>(rows: T[], act: (row: T, isAgain: boolean) => Promise<unknown>): Promise<void> {
  const rest = rows.values()
  async function tryOften(row: T): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await act(row, tries > 1)
        return
      } catch (error) {
        if (!(error instanceof Unanswered) || tries === TRIES) throw error
      }
    }
  }
  const walk = async () => {
    for (const row of rest) await tryOften(row)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, walk))
}

/** Orders without exactly one invoice, and refunds without a credit note. The auditor checks the numbers. */
const UNBILLED = `
  SELECT id FROM orders o
  WHERE (status = 'PAID') <> (SELECT COUNT(*) FROM invoices i WHERE i.order_id = o.id AND i.cause = 'sale')
  UNION ALL SELECT id FROM refunds r
  WHERE NOT EXISTS (SELECT 1 FROM invoices i WHERE i.order_id = r.order_id AND i.cause = 'refund ' || r.id)
  AND r.order_id NOT IN (SELECT order_id FROM settlements WHERE verdict = 'accepted')`

/** Expects everything that was confirmed, and a database without problems. */
export async function expectNothingLost({ installation, server, books }: Scene): Promise<void> {
  const state = await readServerState(server, installation.key)
  expect(stateProblems(books, state)).toEqual([])
  expect(await problemsIn(installation.file)).toEqual([])
  expect(rowsOf(installation.file, UNBILLED)).toEqual([])
}

/**
 * Repeats unanswered requests twice at the same time: one order is created, or none if it already existed.
 */
export async function askAgain(scene: Scene, open: Deal[]): Promise<void> {
  const client = clientIn(scene)
  await each(open, async (deal, isAgain) => {
    const wasThere = deal.order !== null
    const statuses = await client.makeTwice(deal)
    if (!isAgain) expect(statuses).toEqual(wasThere ? [200, 200] : [200, 201])
  })
}

/** Repeats requests: the same key gives the same order, and the checkout shows the same crypto payment. */
export async function replay(scene: Scene, deals: Deal[]): Promise<void> {
  const client = clientIn(scene)
  await each(deals, async deal => {
    if (deal.idempotencyKey !== null && (deal.aim === 'keep' || deal.ended))
      expect(await client.make(deal)).toBe(200)
    if (deal.attempt && deal.money === 'unsent') await client.checkPage(deal)
  })
}

/** Finishes what was interrupted: every payment completes, and no money counts twice. */
export async function finishAll(scene: Scene): Promise<void> {
  const { books, server, installation } = scene
  const client = clientIn(scene)
  await each(unfinished(books), deal => (deal.aim === 'cancel' ? client.cancel(deal) : client.pay(deal)))
  await server.call('POST', '/sandbox/clock', { body: { advanceSeconds: 60 } })
  await each(unfinished(books), deal => client.pay(deal))
  expect(unfinished(books)).toEqual([])
  expect(confirmedDeals(books, 'crypto', 'card').every(deal => deal.ended?.status === 'PAID')).toBe(true)
  const own = `WHERE merchant_id = '${installation.merchantId}'`
  expect(rowsOf(installation.file, `SELECT * FROM unmatched_payments ${own}`)).toEqual([])
  await expectNothingLost(scene)
}

/** The events about a merchant's orders that arrived. */
export function receivedFor({ file, receiver }: Installation, merchantId: string): Received[] {
  const orders = new Set(
    rowsOf(file, `SELECT id FROM orders WHERE merchant_id = '${merchantId}'`).map(String),
  )
  return receiver.received.filter(({ json }) => orders.has(json.orderUUID))
}

/** Expects one event for each paid order, and for no other, delivered signed and with one ID. */
export async function expectOneEventEach({ installation, books }: Scene): Promise<void> {
  const ask = (sql: string): unknown[][] => rowsOf(installation.file, sql)
  for (const until = Date.now() + DELIVERED_MS; Date.now() < until; await Bun.sleep(50))
    if (ask("SELECT 1 FROM deliveries WHERE status = 'pending'").length === 0) break
  const own = `merchant_id = '${installation.merchantId}'`
  const paidEvents = receivedFor(installation, installation.merchantId).filter(
    ({ json }) => json.type === 'order.paid',
  )
  const received = Map.groupBy(paidEvents, ({ json }) => json.orderUUID)
  const events = ask(`SELECT order_id, id, body FROM events WHERE type = 'order.paid' AND ${own}`).map(String)
  const seen = [...received.values()].map(([first]) => {
    return String([first?.json.orderUUID, first?.json.id, first?.body])
  })
  expect(seen.sort()).toEqual(events.sort())
  const paid = confirmedDeals(books, 'crypto', 'card').map(deal => deal.order!.orderUUID)
  expect([...received.keys()].sort()).toEqual(paid.sort())
  for (const tries of received.values()) {
    expect(new Set(tries.map(({ body }) => body)).size).toBe(1)
    expect(orderPaidProblems(tries[0]!.json)).toEqual([])
    expect(tries.every(one => isSigned(one, installation.secret))).toBe(true)
    expect(tries.every(one => one.headers.get('x-service-event-id') === one.json.id)).toBe(true)
  }
  expect(ask("SELECT COUNT(*) FROM deliveries WHERE status <> 'delivered'")).toEqual([[0]])
}

/** The number of orders that ended with this status, by the answers of the server. */
export const endsOf = ({ deals }: Books, status: string): number =>
  deals.filter(deal => deal.ended?.status === status).length
