import { afterEach, expect, test } from 'bun:test'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEPLOYER_CODE } from '../../src/networks/evm/forwarder/forwarder.ts'
import { listNotifications } from '../../src/operations/notices/list.ts'
import { scheduleRegularJobs } from '../../src/operations/upstreams/refresh.ts'
import { writeNotification } from '../../src/present/notification.ts'
import { newKeyText } from '../../src/replica/store.ts'
import { dashboardLocale } from '../../views/dashboard/locale.ts'
import { isInFile, startApp } from '../support/app.ts'
import { signInAs } from '../support/dashboard.ts'
import { givenMerchant } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { ACCESS_KEY, startObjectStore } from '../support/object-store.ts'
import { newFolder } from '../support/process.ts'
import { newSigningKey, openReleaseServer } from '../support/release-server.ts'
import { restart, suite } from '../support/suite.ts'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const GB = 1024 ** 3

let free = 50 * GB
const freeBytes = async () => free
const { app, each, ownApp } = suite({
  start: environment => startApp(environment, { freeBytes }),
  isFresh: true,
})
const shop = each(() => givenMerchant(app))
each(() => app.jobs.settle())

let closeServer = () => {}
afterEach(() => {
  closeServer()
  closeServer = () => {}
})

/** Lets time pass in steps of five minutes. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5 * MINUTE_MS) await app.advance(5 * MINUTE_MS)
}

interface Call {
  id: number
  method: string
}

const outage = (upstream: string, down: boolean) =>
  app.call('POST', '/sandbox/outage', { body: { upstream, down } })

async function texts(kind: string, merchantId = shop.id): Promise<string[]> {
  const all = await listNotifications(app.context, merchantId)
  return all.filter(one => one.kind === kind).map(said)
}

/** The newest notification of a kind, as a person reads it in German. */
async function inGerman(kind: string): Promise<string> {
  const newest = (await listNotifications(app.context, shop.id)).find(one => one.kind === kind)!
  return writeNotification(dashboardLocale('de', 'UTC'), newest.facts, 'person').text
}

test.each([
  ['provider', /^The provider gateway has been unusable for an hour: /, 'The provider gateway works again.'],
  ['rates', /^The exchange rate source \S+ has been unusable for an hour: /, /source \S+ works again/],
  ['chain', /^The simulated chain has been unusable for an hour: /, 'The simulated chain works again.'],
] as const)(
  'merchants are notified once of an outage of a %s, and once when it ends',
  async (name, down, up) => {
    const other = await givenMerchant(app)
    await outage(name, true)
    await pass(50 * MINUTE_MS)
    expect(await texts('endpoint_down')).toEqual([])
    await pass(30 * MINUTE_MS)
    expect(await texts('endpoint_down')).toEqual([expect.stringMatching(down)])
    await pass(5 * HOUR_MS)
    expect(await texts('endpoint_down')).toHaveLength(1)
    expect(await texts('endpoint_down', other.id)).toHaveLength(1)
    expect(await inGerman('endpoint_down')).toContain(
      'seit einer Stunde nicht. Dort ist ein Fehler aufgetreten.',
    )
    await outage(name, false)
    await pass(3 * HOUR_MS)
    expect(await texts('endpoint_down')).toEqual([expect.stringMatching(up), expect.stringMatching(down)])
  },
)

test('an outage shorter than an hour is not reported, and short ones do not add up', async () => {
  for (let time = 0; time < 4; time++) {
    await outage('provider', true)
    await pass(40 * MINUTE_MS)
    await outage('provider', false)
    await pass(20 * MINUTE_MS)
  }
  expect(await texts('endpoint_down')).toEqual([])
})

test('an outage is remembered over a restart', async () => {
  await outage('provider', true)
  await pass(40 * MINUTE_MS)
  await restart(app)
  await outage('provider', true)
  await pass(50 * MINUTE_MS)
  expect(await texts('endpoint_down')).toHaveLength(1)
})

test('an outage is noticed by a server that is started again every few minutes', async () => {
  await outage('provider', true)
  for (let starts = 0; starts < 15; starts++) {
    await app.advance(6 * MINUTE_MS)
    await scheduleRegularJobs(app.context)
  }
  expect(await texts('endpoint_down')).toHaveLength(1)
})

test('each endpoint of a chain is checked separately, and named by its host', async () => {
  let isDown = true
  const node = Bun.serve({
    port: 0,
    async fetch(request) {
      if (isDown) return new Response('down', { status: 503 })
      const body = (await request.json()) as Call | Call[]
      const answer = ({ id, method }: Call) => ({
        jsonrpc: '2.0',
        id,
        result: method === 'eth_getCode' ? DEPLOYER_CODE : '0x89',
      })
      return Response.json(Array.isArray(body) ? body.map(answer) : answer(body))
    },
  })
  closeServer = () => node.stop(true)
  const url = `http://127.0.0.1:${node.port}/v1/secret-api-key`
  await ownApp({ FLORIN_SANDBOX: 'false', FLORIN_POLYGON_URL: url })
  await pass(90 * MINUTE_MS)
  expect(await texts('endpoint_down')).toEqual([
    expect.stringContaining(`The endpoint 127.0.0.1:${node.port} of Polygon has been unusable for an hour`),
  ])
  expect(JSON.stringify([await texts('endpoint_down'), app.logged])).not.toContain('secret-api-key')
  isDown = false
  await pass(30 * MINUTE_MS)
  expect((await texts('endpoint_down'))[0]).toBe(
    `The endpoint 127.0.0.1:${node.port} of Polygon works again.`,
  )
})

test('a common fault of an endpoint is described in the reader’s language, without English words', async () => {
  const node = Bun.serve({ port: 0, fetch: () => new Response('', { status: 429 }) })
  const { port } = node
  closeServer = () => node.stop(true)
  await ownApp({ FLORIN_SANDBOX: 'false', FLORIN_POLYGON_URL: `http://127.0.0.1:${port}` })
  await pass(90 * MINUTE_MS)
  const fault = async () =>
    (await inGerman('endpoint_down')).replace(/^.*seit einer Stunde nicht[.] | Wenn kein .*$/g, '')
  expect(await fault()).toBe('Die Zahl der Anfragen ist dort begrenzt, und weitere werden zurzeit abgelehnt.')
})

test('a mail server that cannot be reached is reported in the reader’s language', async () => {
  const gone = Bun.serve({ port: 0, fetch: () => new Response('') })
  const { port } = gone
  await gone.stop(true)
  await ownApp({ FLORIN_SMTP_URL: `smtp://127.0.0.1:${port}`, FLORIN_MAIL_FROM: 'shop@shop.example' })
  await pass(90 * MINUTE_MS)
  expect(await inGerman('endpoint_down')).toContain(
    'seit einer Stunde nicht. Es kommt keine Verbindung zustande. ',
  )
})

const isWatched = isInFile('A server of PostgreSQL looks after its disk and its backups itself.')
const testOfFile = (isWatched ? test : () => {}) as typeof test

testOfFile('merchants are notified when the disk is nearly full, and when there is space again', async () => {
  await pass(HOUR_MS)
  expect(await texts('disk_low')).toEqual([])
  free = GB / 2
  await pass(2 * HOUR_MS)
  expect(await texts('disk_low')).toEqual([expect.stringMatching(/^Only 512 MB are free/)])
  free = 50 * GB
  await pass(HOUR_MS)
  expect(await texts('disk_low')).toEqual([
    expect.stringMatching(/enough space/),
    expect.stringMatching(/^Only/),
  ])
})

testOfFile(
  'merchants are notified once that there is no backup, that there is one, and that it is too old',
  async () => {
    await pass(HOUR_MS)
    await app.advance(7 * 24 * HOUR_MS)
    expect(await texts('backup_old')).toEqual([])
    await app.advance(24 * HOUR_MS)
    await app.advance(24 * HOUR_MS)
    expect(await texts('backup_old')).toEqual([expect.stringMatching(/No backup has been made/)])
    const stamp = join(app.dataDir, 'florin.backup')
    writeFileSync(stamp, '')
    utimesSync(stamp, new Date(app.time.now), new Date(app.time.now))
    await app.advance(HOUR_MS)
    await app.advance(9 * 24 * HOUR_MS)
    await app.advance(HOUR_MS)
    expect(await texts('backup_old')).toEqual([
      expect.stringMatching(/^The newest backup is from 2026-/),
      'A new backup was made.',
      expect.stringMatching(/No backup has been made/),
    ])
  },
)

testOfFile(
  'merchants are notified when a check first finds the copies 5 minutes behind, and when that ends',
  async () => {
    const objects = await startObjectStore()
    const folder = newFolder()
    writeFileSync(join(folder, 'key'), newKeyText())
    writeFileSync(join(folder, 'secret'), ACCESS_KEY)
    const settings = {
      FLORIN_REPLICA_URL: objects.url(),
      FLORIN_REPLICA_ACCESS_KEY: ACCESS_KEY,
      FLORIN_REPLICA_SECRET_FILE: join(folder, 'secret'),
      FLORIN_REPLICA_KEY_FILE: join(folder, 'key'),
    }
    const isCaughtUp = () => app.florin.replica?.lagMs() === 0
    try {
      await ownApp(settings)
      await until(isCaughtUp, 'the first copy', 30_000)
      objects.state.fault = 'error'
      await pass(10 * MINUTE_MS)
      const late = expect.stringMatching(/^The copy of the database in the store is \d+ minutes behind/)
      expect(await texts('replica_behind')).toEqual([late])
      objects.state.fault = 'none'
      for (let passed = 0; passed < 12; passed += 4) {
        await until(isCaughtUp, 'the newest copy', 30_000)
        await app.advance(4 * MINUTE_MS)
      }
      const all = [expect.stringMatching(/up to date/), late]
      expect(await texts('replica_behind')).toEqual(all)
      // A server that was stopped for an hour catches up before it counts as behind.
      const { dataDir, time } = app
      await app.florin.close()
      time.now += HOUR_MS
      Object.assign(app, await startApp({ ...settings, FLORIN_DATA_DIR: dataDir }, { time }))
      await app.jobs.settle()
      expect(await texts('replica_behind')).toEqual(all)
    } finally {
      await objects.stop()
    }
  },
)

test('the overview names a release that repairs a security problem, while the server looks for one', async () => {
  const releases = openReleaseServer()
  closeServer = releases.close
  const target = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  releases.publish(newSigningKey(), '99.0.0', '', { target, security: true })
  const updates = { FLORIN_UPDATE_CHECK: 'on', FLORIN_RELEASES_URL: releases.url }
  await ownApp(updates)
  const viewer = await signInAs(app, 'viewer', shop.id)
  const lines = async () => {
    const texts = await Promise.all(['en', 'de'].map(lang => viewer.get(`/dashboard?lang=${lang}`)))
    return texts.map(({ text }) => /<li>([^<]*Florin[^<]*)<.li>/.exec(text)?.[1])
  }
  expect(await lines()).toEqual([undefined, undefined])
  await app.advance(10 * MINUTE_MS)
  expect(await lines()).toEqual([
    'Florin 99.0.0 repairs a security problem of this version. The operator of the server installs it with the command florin update.',
    'Florin 99.0.0 behebt ein Sicherheitsproblem dieser Version. Der Betreiber des Servers installiert sie mit dem Befehl florin update.',
  ])
  // A shop that is created later got no notification, but its overview shows the warning too.
  const later = await signInAs(app, 'viewer', (await givenMerchant(app)).id)
  expect((await later.get('/dashboard')).text).toContain(
    'A newer version of Florin repairs a security problem',
  )
  await restart(app, { FLORIN_UPDATE_CHECK: 'off' })
  await app.advance(10 * MINUTE_MS)
  expect(await lines()).toEqual([undefined, undefined])
})
