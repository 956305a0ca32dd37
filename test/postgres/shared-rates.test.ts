import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sharedRates } from '../../src/boot/shared-rates.ts'
import { makeRates } from '../../src/rates/rates.ts'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { rateSources } from '../../src/settings/rate-sources.ts'
import type { Storage } from '../../src/storage/port.ts'
import { connect } from '../../src/storage/postgres/connection.ts'
import { openStorage } from '../../src/storage/postgres/open.ts'
import type { Target } from '../../src/storage/postgres/socket.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'

// Two servers share a database. Together they query a source of rates as often as one server.

const MINUTE_MS = 60_000

let storages: Storage[]
let target: Target
let drop: () => Promise<void>
let clock: number
let asked = 0
let answer: () => Response

beforeAll(async () => {
  const made = await newPostgresDatabase()
  drop = made.drop
  target = databaseUrl(made.url)!
  storages = await Promise.all([0, 1].map(() => openStorage(target, 0, {}, { as: 'server', mode: 'live' })))
})
afterAll(async () => {
  await Promise.all(storages.map(storage => storage.close()))
  await drop()
})
beforeEach(() => {
  clock = Date.now()
  asked = 0
  answer = () => new Response(`{"btc": {"USD": "${60_000 + asked}"}}`)
})

/** Two servers that have just started, with a source of their own. */
function givenServers(name: string) {
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const servers = storages.map(storage =>
    makeRates({
      sources: rateSources(`http://rates.example/${name}?key=S3CRET`),
      fetch: async () => {
        asked++
        return answer()
      },
      readFile: () => Promise.reject(new Error('there is no file')),
      assets: [],
      baseUrls: { kraken: '', coinbase: '', binance: '', coingecko: '' },
      now: () => clock,
      log,
      shared: sharedRates(storage, () => clock),
    }),
  )
  const rates = () => Promise.all(servers.map(async server => (await server.rate('btc', 'USD'))?.value))
  return { servers, rates }
}

test('a source of rates gets one request a minute from all servers', async () => {
  const { servers, rates } = givenServers('minutes')
  expect(await rates()).toEqual(['60001', '60001'])
  for (let minute = 1; minute <= 5; minute++) {
    clock += MINUTE_MS
    // While another server refreshes them, rates may be those of the minute before.
    await Promise.all(servers.map(server => server.refresh()))
    expect(asked).toBe(minute + 1)
    clock += 1000
    await rates()
  }
  const values = await rates()
  expect(new Set([...values, '60005', '60006']).size).toBe(2)
  expect(asked).toBe(6)
})

test('many requests at once on both servers cause one request to the source', async () => {
  const { rates } = givenServers('crowd')
  const values = await Promise.all(Array.from({ length: 20 }, rates))
  expect(new Set(values.flat())).toEqual(new Set(['60001']))
  expect(asked).toBe(1)
})

test('a pause that a source requests from one server also applies to the other', async () => {
  const { servers, rates } = givenServers('pause')
  answer = () => new Response('slowly', { status: 429, headers: { 'retry-after': '120' } })
  expect((await servers[0]!.rate('btc', 'USD'))?.value).toBe(undefined)
  expect(await rates()).toEqual([undefined, undefined])
  expect(asked).toBe(1)
  clock += 121_000
  answer = () => new Response('{"btc": {"USD": "7"}}')
  expect(await rates()).toEqual(['7', '7'])
  expect(asked).toBe(2)
})

test('a source that fails at once does not keep a server waiting', async () => {
  const { servers } = givenServers('failing')
  answer = () => new Response('no', { status: 500 })
  for (const server of servers) expect(await server.rate('btc', 'USD')).toBe(null)
  expect(asked).toBe(2)
  answer = () => new Response('{"btc": {"USD": "7"}}')
  for (const server of servers) expect((await server.rate('btc', 'USD'))?.value).toBe('7')
  expect(asked).toBe(3)
})

test('other servers do not wait long for a server that ended during its request', async () => {
  const { servers } = givenServers('ended')
  let answers = 0
  const { promise: never } = Promise.withResolvers<Response>()
  answer = () => (answers++ === 0 ? (never as never) : new Response('{"btc": {"USD": "7"}}'))
  void servers[0]!.rate('btc', 'USD')
  while (asked === 0) await Bun.sleep(1)
  clock += 11_000
  expect((await servers[1]!.rate('btc', 'USD'))?.value).toBe('7')
})

test('the database holds no key of a source', async () => {
  const { rates } = givenServers('secret')
  await rates()
  const admin = await connect(target)
  const rows = await admin.rows('SELECT * FROM fetched_rates')
  await admin.close()
  expect(JSON.stringify(rows)).toContain('USD')
  expect(JSON.stringify(rows)).not.toMatch(/S3CRET|example/)
})
