import { afterAll, beforeAll, expect, test } from 'bun:test'
import { noteLook } from '../../src/operations/payments/steps/note-look.ts'
import type { App } from '../support/app.ts'
import { openPayments } from '../support/open-payments.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'

// Two servers share a database. Both read the same chain, and neither can reach it.

const MINUTE_MS = 60_000

let payments: Awaited<ReturnType<typeof openPayments>>
let servers: App[]
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await newPostgresDatabase()
  drop = made.drop
  payments = await openPayments(2, 1, { environment: { FLORIN_DATABASE_URL: made.url } })
  servers = [payments.app, await payments.startAnother()]
  for (const { jobs } of servers) await jobs.stop()
})
afterAll(async () => {
  for (const server of servers.toReversed()) await server.close()
  await drop()
})

test('servers that cannot read a chain notify a merchant once, and once when that ends', async () => {
  const { app, orders } = payments
  const { read } = app.context.storage
  const attempts = await read(tables => tables.attempts.listOf(orders[0]!.orderUUID))
  const start = app.time.now
  const lookAt = async (minute: number, hasFailed: boolean) => {
    for (const { time } of servers) time.now = start + minute * MINUTE_MS
    const look = { chain: 'polygon', attempts, hasFailed }
    await Promise.all(servers.map(({ context }) => noteLook(context, look)))
    const all = await read(tables => tables.notifications.list(attempts[0]!.merchantId, 99))
    return all.filter(({ kind }) => kind === 'chain_blind').map(({ facts }) => facts.about)
  }
  for (let minute = 0; minute < 10; minute++) expect(await lookAt(minute, true)).toEqual([])
  for (let minute = 10; minute < 15; minute++) expect(await lookAt(minute, true)).toEqual(['chain_blind'])
  for (const minute of [15, 16])
    expect(await lookAt(minute, false)).toEqual(['chain_readable', 'chain_blind'])
})
