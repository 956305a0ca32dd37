import { expect, test } from 'bun:test'
import { DatabaseError } from '../../src/storage/engine.ts'
import { explainUnavailable } from '../../src/storage/sqlite/unavailable.ts'
import { isOnPostgres, startApp } from '../support/app.ts'

test('readiness writes to the database, but once for all requests of five seconds', async () => {
  const app = await startApp()
  const answers = await Promise.all(Array.from({ length: 30 }, () => app.call('GET', '/readyz')))
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
  const probes = app.read().query('SELECT id, length(padding) FROM write_probes').values()
  expect(probes).toEqual([[1, isOnPostgres ? 0 : 128 * 1024]])
  await app.close()
})

const failing = (error: Error) => explainUnavailable(() => Promise.reject(error)).catch(thrown => thrown)

test.each([
  ['SQLITE_FULL', /disk is full/],
  ['SQLITE_READONLY', /read-only/],
  ['SQLITE_READONLY_DBMOVED', /read-only/],
  ['SQLITE_IOERR_WRITE', /disk reported an error/],
])('%s is refused with 503 and explained to the operator, also if it was wrapped', async (code, words) => {
  const error = Object.assign(new Error('no'), { code })
  for (const thrown of [error, new Error('wrapped', { cause: error })]) {
    const explained: DatabaseError = await failing(thrown)
    expect(explained).toBeInstanceOf(DatabaseError)
    expect(explained.message).toMatch(words)
    expect(explained.cause).toMatchObject({ code: 'storage_unavailable', status: 503, retryAfterSeconds: 30 })
  }
})

test('an error that is a bug stays one', async () => {
  const error = Object.assign(new Error('UNIQUE'), { code: 'SQLITE_CONSTRAINT_UNIQUE' })
  expect(await failing(error)).toBe(error)
})
