import { expect, test } from 'bun:test'
import { lockServer } from '../../src/storage/sqlite/lock.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { newFolder } from '../support/process.ts'

/** Waiting for a lock blocks all work of a server. Waiting for another server takes twice as long. */
const AT_ONCE_MS = 1000

test('the rewrite of a database does not wait for the server that uses it', async () => {
  const folder = newFolder()
  const storage = openStorage(databaseFile(folder), Date.now())
  const unlock = lockServer(folder)!
  const startedAt = performance.now()
  expect(await storage.compact()).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(AT_ONCE_MS)
  unlock()
  expect(await storage.compact()).toBe(true)
  await storage.close()
})
