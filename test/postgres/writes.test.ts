import { afterAll, beforeAll, expect, test } from 'bun:test'
import { databaseUrl } from '../../src/settings/database-url.ts'
import type { Storage } from '../../src/storage/port.ts'
import { openStorage } from '../../src/storage/postgres/open.ts'
import { merchantRow } from '../storage/contract/given.ts'
import { newPostgresDatabase } from '../support/postgres.ts'

// Statements whose answers nobody waits for fail the write that sent them, and no other one.

let storage: Storage
let drop: () => Promise<void>

beforeAll(async () => {
  const made = await newPostgresDatabase()
  drop = made.drop
  storage = await openStorage(databaseUrl(made.url)!, 0)
})
afterAll(async () => {
  await storage.close()
  await drop()
})

const names = () => storage.read(async tables => (await tables.merchants.list()).map(({ name }) => name))

test('a statement that is not waited for fails its write alone', async () => {
  const taken = merchantRow({ name: 'taken' })
  await storage.write(tables => tables.merchants.insert(taken))
  const results = await Promise.allSettled([
    storage.write(tables => tables.merchants.insert(merchantRow({ name: 'before' }))),
    storage.write(async tables => {
      await tables.merchants.insert(taken)
      return 'stored'
    }),
    storage.write(async tables => {
      await tables.merchants.insert(merchantRow({ name: 'after' }))
      return tables.merchants.find(taken.id)
    }),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await names()).sort()).toEqual(['after', 'before', 'taken'])
})

test('a write whose last statement fails is not stored', async () => {
  const made = merchantRow({ name: 'twice' })
  const twice = storage.write(async tables => {
    await tables.merchants.insert(made)
    await tables.merchants.insert(made)
  })
  await expect(twice).rejects.toThrow('duplicate key')
  expect(await names()).not.toContain('twice')
})
