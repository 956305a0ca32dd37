import { afterAll, beforeAll, expect, test } from 'bun:test'
import { realPlatform } from '../../src/boot/platform.ts'
import { type Running, startServer } from '../../src/boot/serve.ts'
import { createMerchant } from '../../src/operations/merchants/create.ts'
import { createUser } from '../../src/operations/people/create-user.ts'
import { readSettings } from '../../src/settings/read.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'
import { callUrl, endProcesses, newFolder } from '../support/process.ts'
import { until } from '../support/until.ts'

// Two servers share a database. A limited client gets no more by using both.

const EMAIL = 'owner@shop.example'
const PER_MINUTE = 8

let servers: Running[]
let drop: () => Promise<void>

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

function start(url: string): Promise<Running> {
  const settings = readSettings({
    FLORIN_DATABASE_URL: url,
    FLORIN_DATA_DIR: newFolder(),
    FLORIN_PORT: '0',
    FLORIN_PUBLIC_RATE_LIMIT: `${PER_MINUTE}`,
    FLORIN_TRUSTED_PROXIES: '127.0.0.1',
  })
  const passwordCost = { memoryCost: 64, timeCost: 1 }
  return startServer(settings, { ...realPlatform(silent), passwordCost })
}

beforeAll(async () => {
  const database = await newPostgresDatabase()
  drop = database.drop
  servers = [await start(database.url), await start(database.url)]
  const know = servers.map(({ florin }) => florin.context.storage)
  await until(async () => know.every(storage => storage.servers() === 2), 'both servers', 20_000)
}, 60_000)
afterAll(async () => {
  await Promise.all(servers.map(server => server.stop()))
  await drop()
  await endProcesses()
})

/** The statuses of requests that are sent to both servers in turn. */
async function inTurn(count: number, ask: (url: string, at: number) => Promise<{ status: number }>) {
  const statuses: number[] = []
  for (let at = 0; at < count; at++) statuses.push((await ask(servers[at % 2]!.url, at)).status)
  return statuses
}

test('wrong passwords are counted together, so that the eleventh has to wait on both servers', async () => {
  const { context } = servers[0]!.florin
  const { id } = await createMerchant(context, { email: 'shop@shop.example', name: 'Shop' })
  await createUser(context, { email: EMAIL, merchantId: id, role: 'owner' })
  // Uses other addresses of the same network, because the limit per address is a few requests a minute.
  const signIn = (url: string, at: number) =>
    callUrl(`${url}/dashboard/sign-in`, 'POST', {
      form: { email: EMAIL, password: `wrong password ${at}` },
      headers: { origin: url, accept: 'text/html', 'x-forwarded-for': `203.0.113.${at}` },
    })
  expect(await inTurn(14, signIn)).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
})

test('two servers together give a client the requests of one minute', async () => {
  const path = `/v1/checkout/products/${crypto.randomUUID()}`
  const ask = (url: string) => callUrl(url + path, 'GET', { headers: { 'x-forwarded-for': '198.51.100.1' } })
  const statuses = await inTurn(3 * PER_MINUTE, ask)
  // Each second allows another eighth of a request.
  expect(statuses.slice(0, PER_MINUTE)).toEqual(Array(PER_MINUTE).fill(404))
  expect(statuses.filter(status => status === 404).length).toBeLessThanOrEqual(PER_MINUTE + 2)
})
