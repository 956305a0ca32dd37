import { expect, test } from 'bun:test'
import { Refusal } from '../../src/domain/errors.ts'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { DatabaseError } from '../../src/storage/engine.ts'
import { connect } from '../../src/storage/postgres/connection.ts'
import { explainUnavailable } from '../../src/storage/sqlite/unavailable.ts'
import { type CallOptions, isOnPostgres, startApp } from '../support/app.ts'
import { givenShop, orderBody } from '../support/given.ts'
import { until } from '../support/until.ts'

test('readiness writes to the database, but once for all requests of five seconds', async () => {
  const app = await startApp()
  const answers = await Promise.all(Array.from({ length: 30 }, () => app.call('GET', '/readyz')))
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
  const probes = app.read().query('SELECT id, length(padding) FROM write_probes').values()
  // With PostgreSQL, several servers write at the same time, and each removes its own row.
  expect(probes).toEqual(isOnPostgres ? [] : [[1, 128 * 1024]])
  await app.close()
})

test('readiness is a 503 within seconds when the database does not answer', async () => {
  const app = await startApp()
  const { storage } = app.context
  const { check } = storage
  Object.assign(storage, { check: () => new Promise<void>(() => {}) })
  const since = performance.now()
  const answer = await app.call('GET', '/readyz')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30'])
  expect(performance.now() - since).toBeLessThan(10_000)
  Object.assign(storage, { check })
  await app.close()
})

const failing = (error: Error) => explainUnavailable(() => Promise.reject(error)).catch(thrown => thrown)

test.each([
  ['SQLITE_FULL', /disk is full/],
  ['SQLITE_READONLY', /read-only/],
  ['SQLITE_READONLY_DBMOVED', /read-only/],
  ['SQLITE_IOERR_WRITE', /disk reported an error/],
  ['SQLITE_CORRUPT', /damaged.*florin doctor.*restore a backup/],
  ['SQLITE_CORRUPT_INDEX', /damaged.*florin doctor.*restore a backup/],
])('%s is refused with 503 and explained to the operator, even if it was wrapped', async (code, words) => {
  const error = Object.assign(new Error('no'), { code })
  for (const thrown of [error, new Error('wrapped', { cause: error })]) {
    const explained: DatabaseError = await failing(thrown)
    expect(explained).toBeInstanceOf(DatabaseError)
    expect(explained.message).toMatch(words)
    expect(explained.cause).toMatchObject({ code: 'storage_unavailable', status: 503, retryAfterSeconds: 30 })
  }
})

test('an error that is a bug is passed on unchanged', async () => {
  const error = Object.assign(new Error('UNIQUE'), { code: 'SQLITE_CONSTRAINT_UNIQUE' })
  expect(await failing(error)).toBe(error)
})

test('a database that is gone before a key is checked is a 503, not a malformed request', async () => {
  const app = await startApp()
  const shop = await givenShop(app)
  const gone = async () => {
    throw new DatabaseError('gone', {
      cause: new Refusal('storage_unavailable', undefined, { retryAfterSeconds: 10 }),
    })
  }
  const { storage } = app.context
  const before = { ...storage }
  Object.assign(storage, { findKey: gone, read: gone, write: gone })
  const asked: [string, string, CallOptions][] = [
    ['POST', '/v1/orders', { key: shop.live, body: orderBody() }],
    ['GET', '/v1/orders', { key: shop.live }],
    ['POST', `/pay/${crypto.randomUUID()}/crypto`, { form: { asset: 'btc' } }],
    ['POST', `/pay/${crypto.randomUUID()}/check`, { form: {} }],
  ]
  for (const [method, path, options] of asked) {
    const { status, headers } = await app.call(method, path, options)
    expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '10'])
  }
  Object.assign(storage, before)
  await app.close()
})

const onServer = (isOnPostgres ? test : () => {}) as typeof test

test('a refusal before the body is read is not logged as a fault of the database', async () => {
  const app = await startApp()
  const refused: [number, CallOptions][] = [
    [401, { body: orderBody() }],
    [401, { key: 'mk_live_no_key', body: orderBody() }],
  ]
  for (const [status, options] of refused)
    expect((await app.call('POST', '/v1/orders', options)).status).toBe(status)
  expect(app.logged.map(({ sentence }) => sentence)).not.toContain('storage.unavailable')
  await app.close()
})

onServer(
  'a table that another program has locked is named, and the server is not ready meanwhile',
  async () => {
    const app = await startApp()
    const shop = await givenShop(app)
    const admin = await connect(databaseUrl(app.databaseUrl!)!)
    await admin.script("SET application_name = 'psql'; BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE")
    const ready = await app.call('GET', '/readyz')
    const asked = app.call('POST', '/v1/orders', { key: shop.live, body: orderBody() })
    // Cancels the statement, as its time limit does after 20 seconds.
    const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await until(async () => (await admin.rows(cancel)).length > 0, 'the order that waits', 20_000)
    const order = await asked
    await admin.script('ROLLBACK')
    expect([ready.status, order.status, order.headers.get('retry-after')]).toEqual([503, 503, '10'])
    expect(order.json.error.message).toMatch(/^Another program has locked the database[.] Wait/)
    const lock =
      /the table orders has been locked by session \d+ of user \w+ with psql for \d+ s[.] Wait for it/
    const said = app.logged.filter(({ sentence }) =>
      /^(database.not_ready|storage.unavailable)$/.test(sentence),
    )
    expect(said.map(({ fields }) => lock.test(JSON.stringify(fields)))).toEqual([true, true])
    expect((await app.call('POST', '/v1/orders', { key: shop.live, body: orderBody() })).status).toBe(201)
    await admin.close()
    await app.close()
  },
  60_000,
)
