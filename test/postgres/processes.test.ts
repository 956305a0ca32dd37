import { afterAll, expect, test } from 'bun:test'
import { openFlorin } from '../../src/boot/compose.ts'
import { makeLog } from '../../src/boot/log.ts'
import { realPlatform } from '../../src/boot/platform.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { readSettings } from '../../src/settings/read.ts'
import { type Connection, connect } from '../../src/storage/postgres/connection.ts'
import { orderBody } from '../support/given.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'
import {
  endProcesses,
  newFolder,
  type RunningProcess,
  runCli,
  SOURCE,
  startProcess,
} from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

// Several servers share a database. One is killed under load, and the others finish its work.

const ORDERS = 90
const DONE_MS = 120_000

afterAll(endProcesses)

async function openShop() {
  const database = await newPostgresDatabase()
  const receiver = startReceiver(async () => {
    await Bun.sleep(20)
    return new Response('ok')
  })
  const settings = {
    FLORIN_DATABASE_URL: database.url,
    FLORIN_CHECKOUT_URL: 'https://pay.shop.example',
    FLORIN_OUTBOUND_ALLOW: receiver.host,
    FLORIN_PUBLIC_RATE_LIMIT: '0',
    FLORIN_LOG_LEVEL: 'error',
  }
  const florin = async (...args: string[]) => {
    const ran = await runCli([...args, '--json'], settings, SOURCE)
    if (ran.exitCode !== 0) throw new Error(ran.stderr)
    return JSON.parse(ran.stdout)
  }
  const { merchantId } = await florin('merchant', 'create', '--email', 'shop@shop.example', '--name', 'Shop')
  const { key } = await florin('key', 'create', '--merchant', merchantId, '--mode', 'live')
  const start = () => startProcess(SOURCE, ['serve'], settings)
  const target = databaseUrl(database.url)!
  return { receiver, settings, merchantId, key, start, target }
}

async function createOrder(server: RunningProcess, key: string, at: number): Promise<string> {
  const body = orderBody({ externalId: `order-${at}` })
  const answer = await server.call('POST', '/v1/orders', { key, body })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.json.data.orderUUID
}

const numberOf = async (connection: Connection, sql: string) => Number((await connection.rows(sql))[0]?.n)

test('three servers share the work, and two finish it when one is killed', async () => {
  const { key, merchantId, receiver, start, target, settings } = await openShop()
  const [killed, second, third] = await Promise.all([start(), start(), start()])
  const connection = await connect(target)
  const wallet = { cryptoWallets: { evm: `0x${'1'.repeat(40)}` } }
  expect((await second.call('PUT', '/v1/wallet', { key, body: wallet })).status).toBe(200)
  expect((await third.call('PUT', '/v1/webhook', { key, body: { url: receiver.url } })).status).toBe(200)
  const servers = [killed, second, third]
  const orders = await Promise.all(
    Array.from({ length: ORDERS }, (_, at) => createOrder(servers[at % 3]!, key, at)),
  )
  expect(new Set(orders).size).toBe(ORDERS)

  const command = await openFlorin(
    readSettings({ ...settings, FLORIN_DATA_DIR: newFolder() }),
    realPlatform(makeLog('silent')),
    'http://127.0.0.1:1',
    undefined,
    { as: 'command', mayCreate: false },
  )
  const paying = Promise.all(
    orders.map(orderId =>
      forceOrder(command.context, { merchantId, orderId, by: 'Ann', reason: 'paid in cash' }),
    ),
  )
  await until(async () => receiver.received.length > ORDERS / 10, 'the first deliveries', DONE_MS)
  await killed.stop('SIGKILL')
  const sentBefore = receiver.received.length
  await paying
  await command.close()
  const more = await Promise.all(
    Array.from({ length: 10 }, (_, at) => createOrder(at % 2 ? second : third, key, ORDERS + at)),
  )
  expect(more.length).toBe(10)
  await connection.script(
    `INSERT INTO jobs (kind, subject, lane, priority, due_at, lease)
     SELECT 'order.expire', 'elsewhere', 'orders', 0, (extract(epoch FROM now()) * 1000)::bigint + 60000, 'elsewhere'`,
  )
  await start()
  const leased = "SELECT count(*) AS n FROM jobs WHERE lease = 'elsewhere'"
  expect(await numberOf(connection, leased)).toBe(1)

  const undelivered = "SELECT count(*) AS n FROM deliveries WHERE status <> 'delivered'"
  await until(async () => (await numberOf(connection, undelivered)) === 0, 'delivering the events', DONE_MS)
  const ids = receiver.received.map(({ headers, json }) => headers.get('x-service-event-id') ?? json.eventId)
  const paid = "SELECT count(*) AS n FROM events WHERE type = 'order.paid'"
  expect(await numberOf(connection, paid)).toBe(ORDERS)
  expect(new Set(ids).size).toBe(ORDERS)
  // The killed server may have sent deliveries whose result it could not record.
  expect(receiver.received.length - ORDERS).toBeLessThanOrEqual(sentBefore)
  await connection.close()
  await Promise.all([second.stop(), third.stop()])
  receiver.stop()
}, 300_000)
