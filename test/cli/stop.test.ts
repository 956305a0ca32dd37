import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { audit } from '../support/auditor.ts'
import { startDemo } from '../support/demo.ts'
import { orderBody } from '../support/given.ts'
import { endProcesses, FLORIN, newFolder, type RunningProcess, startProcess } from '../support/process.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'
import { waysOf } from '../support/whole.ts'
import { EVM_WALLET, florinIn } from './commands.ts'

const dataDir = newFolder()
const florin = florinIn(dataDir)
const receiver = startReceiver()
const settings = {
  FLORIN_DATA_DIR: dataDir,
  FLORIN_SANDBOX: 'true',
  FLORIN_OUTBOUND_ALLOW: receiver.host,
}

let server: RunningProcess
let live: string
let secret: string

/** A blocked request or delivery takes ten seconds. */
const STOP_MS = 8_000
/** The limit while nothing is being written or delivered. */
const QUICK_MS = 1_000

const start = async () => {
  server = await startProcess(FLORIN, ['serve'], settings)
}

beforeAll(async () => {
  await start()
  const { merchantId } = await florin.merchant('shop@shop.example')
  live = (await florin.json('key', 'create', '--merchant', merchantId, '--mode', 'live')).key
  await server.call('PUT', '/v1/wallet', { key: live, body: { cryptoWallets: { evm: EVM_WALLET } } })
  secret = (await server.call('PUT', '/v1/webhook', { key: live, body: { url: receiver.url } })).json.data
    .signingSecret
  await server.stop()
})
beforeEach(start)
afterEach(() => server.stop('SIGKILL'))
afterAll(async () => {
  receiver.stop()
  await endProcesses()
})

/** A request whose body is sent in two parts. Returns the response once the connection has ended. */
function slowOrder(): { open: Promise<Socket>; rest(): void; answer: Promise<string> } {
  const body = JSON.stringify(orderBody({ externalId: 'SLOW' }))
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const head =
    `POST /v1/orders HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${live}\r\nConnection: close\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const open = new Promise<Socket>(resolve => {
    socket.on('connect', () => socket.write(head + body.slice(0, 10), () => resolve(socket)))
  })
  const answer = new Promise<string>(resolve => {
    let text = ''
    socket.on('data', part => {
      text += part.toString()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', () => resolve(text))
  })
  return { open, rest: () => socket.write(body.slice(10)), answer }
}

const row = (sql: string) => {
  const database = new Database(databaseFile(dataDir), { readonly: true })
  const [first] = database.query(sql).values()
  database.close()
  return first
}

const received = (id: string) =>
  receiver.received.filter(({ json }) => json.type === 'order.paid' && json.orderUUID === id)

async function until(isDone: () => boolean, ms = 5000): Promise<void> {
  const end = performance.now() + ms
  while (!isDone() && performance.now() < end) await Bun.sleep(20)
}

async function paidOrder(): Promise<string> {
  const made = await server.call('POST', '/v1/orders', { key: live, body: orderBody() })
  const { orderUUID } = made.json.data
  await server.call('GET', `/payment/process/${orderUUID}?method=moonpay`)
  await server.call('POST', '/sandbox/simulate', { body: { orderUUID, outcome: 'paid' } })
  return orderUUID
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s stops the server cleanly:', signal => {
  test('an open request finishes, no new one is accepted, and the exit code is 0', async () => {
    const slow = slowOrder()
    await slow.open
    await server.call('GET', '/v1/orders', { key: live })
    const stopped = server.stop(signal)
    await Bun.sleep(400)
    await expect(server.call('GET', '/v1/orders', { key: live })).rejects.toThrow()
    slow.rest()
    const answer = await slow.answer
    expect(answer).toStartWith('HTTP/1.1 201')
    const { exitCode, ms } = await stopped
    expect(exitCode).toBe(0)
    expect(ms).toBeLessThan(STOP_MS)
    const { orderUUID } = JSON.parse(answer.slice(answer.indexOf('{'))).data
    await start()
    const read = await server.call('GET', `/v1/orders/${orderUUID}`, { key: live })
    expect(read.json.data).toMatchObject({ status: 'UNPAID', externalId: 'SLOW' })
  })

  test('everything that was confirmed is in the database file, and its WAL is gone', async () => {
    const { orderUUID } = (await server.call('POST', '/v1/orders', { key: live, body: orderBody() })).json
      .data
    const { exitCode, ms } = await server.stop(signal)
    expect(exitCode).toBe(0)
    expect(ms).toBeLessThan(STOP_MS)
    const log = `${databaseFile(dataDir)}-wal`
    expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
    expect(row(`SELECT status FROM orders WHERE id = '${orderUUID}'`)).toEqual(['UNPAID'])
  })

  test('idle connections and connections without a request do not delay the stop', async () => {
    const { hostname, port } = new URL(server.url)
    const silent = connect(Number(port), hostname)
    await Promise.all(Array.from({ length: 8 }, () => server.call('GET', '/v1/orders', { key: live })))
    const { exitCode, ms } = await server.stop(signal)
    expect(exitCode).toBe(0)
    expect(ms).toBeLessThan(STOP_MS)
    silent.destroy()
  })
})

describe.each(waysOf(['SIGTERM', 'SIGINT'] as const, 0))('%s', signal => {
  // The server waits five seconds for running deliveries.
  test('a running delivery is released, and sent after the restart with the same event ID', async () => {
    let letGo: () => void = () => {}
    const held = new Promise<void>(resolve => {
      letGo = resolve
    })
    receiver.answerWith(async () => {
      await held
      return new Response('late')
    })
    const id = await paidOrder()
    await until(() => received(id).length === 1)
    expect(received(id)).toHaveLength(1)
    const { exitCode, ms } = await server.stop(signal)
    expect(exitCode).toBe(0)
    expect(ms).toBeLessThan(10_000)
    expect(row('SELECT COUNT(*) FROM jobs WHERE lease IS NOT NULL')).toEqual([0])
    expect(row(`SELECT COUNT(*) FROM jobs WHERE kind = 'event.deliver'`)).toEqual([1])
    letGo()
    receiver.answerWith(() => new Response('ok'))
    await start()
    await until(() => received(id).length > 1)
    const [first, second] = received(id)
    expect(second?.json.id).toBe(first!.json.id)
    expect(second?.body).toBe(first!.body)
    expect(isSigned(second!, secret)).toBe(true)
    await until(() => row("SELECT COUNT(*) FROM jobs WHERE kind = 'event.deliver'")?.[0] === 0)
    expect(row(`SELECT status FROM deliveries WHERE event_id = '${first!.json.id}'`)).toEqual(['delivered'])
  })
})

test.each([1, 2])('a page of the demo that has just been opened does not delay the stop', async () => {
  const demo = await startDemo()
  const { pathname } = new URL(demo.output.orders.waitingForCoin)
  expect((await demo.call('GET', pathname)).status).toBe(200)
  const { exitCode, ms } = await demo.stop('SIGINT')
  expect(exitCode).toBe(0)
  expect(ms).toBeLessThan(QUICK_MS)
  expect(demo.stderr()).not.toContain('"level":"error"')
})

test('an upstream that does not answer does not delay the stop', async () => {
  const silent = Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => {}) })
  let asked = 0
  const waiting = await startProcess(FLORIN, ['serve'], {
    FLORIN_GATEWAY_URL: silent.url.origin,
    FLORIN_GATEWAY_CHECKOUT_URL: silent.url.origin,
    FLORIN_BITCOIN_URL: `esplora+${silent.url.origin}`,
  })
  await until(() => {
    asked = silent.pendingRequests
    return asked >= 2
  })
  expect(asked).toBeGreaterThanOrEqual(2)
  const { exitCode, ms } = await waiting.stop('SIGINT')
  await silent.stop(true)
  expect(exitCode).toBe(0)
  expect(ms).toBeLessThan(QUICK_MS)
  expect(waiting.stderr()).not.toContain('"level":"error"')
})

test('a second signal ends the server at once', async () => {
  const slow = slowOrder()
  await slow.open
  await Bun.sleep(100)
  const stopped = server.stop('SIGINT')
  await Bun.sleep(300)
  process.kill(server.pid, 'SIGINT')
  const { ms } = await stopped
  expect(ms).toBeLessThan(STOP_MS)
  await slow.answer
})

test('the database keeps every invariant', () => expect(audit(databaseFile(dataDir))).toEqual([]))
