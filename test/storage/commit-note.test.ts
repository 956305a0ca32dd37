import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '../../src/storage/port.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { merchantRow } from './contract/given.ts'

let folder: string
let storage: Storage

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'florin-commits-'))
  storage = openStorage(databaseFile(folder), 0)
})
afterEach(async () => {
  await storage.close()
  rmSync(folder, { recursive: true })
})

function counted(): number {
  const database = new Database(databaseFile(folder), { readonly: true })
  const row = database.query<{ count: number }, []>('SELECT count FROM commits').get()
  database.close()
  return row?.count ?? Number.NaN
}
const noted = () => Number(readFileSync(join(folder, 'florin.commits'), 'latin1'))
const add = (email: string) => storage.write(tables => tables.merchants.insert({ ...merchantRow(), email }))

test('commits are counted in the database and in the note', async () => {
  await add('a@shop.example')
  await add('b@shop.example')
  expect([counted(), noted()]).toEqual([2, 2])
})

test('writes that share a commit are counted once, also if one of them fails', async () => {
  const failing = storage.write(async tables => {
    await tables.merchants.insert({ ...merchantRow(), email: 'c@shop.example' })
    throw new Error('changed my mind')
  })
  await Promise.allSettled([add('a@shop.example'), failing, add('b@shop.example')])
  expect([counted(), noted()]).toEqual([1, 1])
})

test('a write that fails or changes nothing makes no commit that would wait for the disk', async () => {
  await add('a@shop.example')
  await storage.write(tables => tables.merchants.list())
  const failing = storage.write(async tables => {
    await tables.merchants.insert({ ...merchantRow(), email: 'b@shop.example' })
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  await storage.write(tables => tables.merchants.list())
  expect([counted(), noted()]).toEqual([1, 1])
})
