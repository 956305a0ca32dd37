import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { newFolder } from '../support/process.ts'
import { merchantRow } from './contract/given.ts'

const MB = 1024 * 1024
const KEPT_BYTES = 16 * MB

/** A database, and a function that writes a megabyte to it. */
async function givenFile() {
  const file = databaseFile(newFolder())
  const storage = openStorage(file, 0)
  const merchant = merchantRow()
  await storage.write(tables => tables.merchants.insert(merchant))
  let stored = 0
  const write = () =>
    storage.write(tables =>
      tables.images.insertIfNew({
        id: String(++stored).padStart(64, '0'),
        merchantId: merchant.id,
        createdAt: 0,
        type: 'image/png',
        bytes: new Uint8Array(MB).fill(stored),
      }),
    )
  async function close(): Promise<void> {
    await storage.close()
  }
  return { file, write, sizeOfLog: () => statSync(`${file}-wal`).size, close }
}

test('a write-ahead log is emptied rarely, and stays within its limit', async () => {
  const { write, sizeOfLog, close } = await givenFile()
  const sizes: number[] = []
  for (let written = 0; written < 40; written++) {
    await write()
    sizes.push(sizeOfLog())
  }
  await close()
  expect(Math.max(...sizes)).toBeGreaterThan(12 * MB)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(KEPT_BYTES + MB)
})

test('a write-ahead log that grew during a long read becomes small again', async () => {
  const { file, write, sizeOfLog, close } = await givenFile()
  const reader = new Database(file, { readonly: true })
  try {
    reader.run('BEGIN')
    reader.query('SELECT count(*) FROM merchants').get()
    for (let written = 0; written < 20; written++) await write()
    expect(sizeOfLog()).toBeGreaterThan(KEPT_BYTES)
    reader.run('COMMIT')
    for (let more = 0; more < 3; more++) await write()
    expect(sizeOfLog()).toBeLessThanOrEqual(KEPT_BYTES)
  } finally {
    reader.close()
    await close()
  }
})
