import { Database } from 'bun:sqlite'
import { afterAll } from 'bun:test'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Statistics } from '../../src/domain/statistics.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { storageContract } from './contract.ts'

type Row = Record<string, string | number>

/** Converts a row to the domain type. Sums are strings in the database. */
const statisticsOf = (row: Row): Statistics =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      const name = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      return [name, /^-?\d+$/.test(`${value}`) && typeof value === 'string' ? BigInt(value) : value]
    }),
  ) as unknown as Statistics

const template = mkdtempSync(join(tmpdir(), 'florin-contract-'))
await openStorage(databaseFile(template), 0).close()
afterAll(() => rmSync(template, { recursive: true }))

storageContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-contract-'))
  const file = databaseFile(folder)
  copyFileSync(databaseFile(template), file)
  const storage = openStorage(file, 0)
  return {
    storage,
    async sums(merchantId, day, currency) {
      const database = new Database(file, { readonly: true })
      const query = 'SELECT * FROM statistics WHERE merchant_id = ? AND day = ? AND currency = ?'
      const row = database.query<Row, string[]>(query).get(merchantId, day, currency)
      database.close()
      return row && statisticsOf(row)
    },
    async close() {
      await storage.close()
      rmSync(folder, { recursive: true })
    },
  }
})
