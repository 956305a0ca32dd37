import { Database } from 'bun:sqlite'
import { writeFileSync } from 'node:fs'

// Loaded before a test file: writes each statement of the product to the file FLORIN_TRACE, once.

const file = process.env.FLORIN_TRACE ?? ''
const seen = new Set<string>()
/** Statements of the schema and of transactions belong to each database. */
const OF_NO_TABLE = /^\s*(?:--|ALTER|ATTACH|BEGIN|COMMIT|CREATE|DROP|PRAGMA|ROLLBACK|VACUUM)/i

const { query, prepare } = Database.prototype
const note = (sql: string): void => {
  if (OF_NO_TABLE.test(sql) || !new Error().stack?.includes('/src/') || seen.has(sql)) return
  seen.add(sql)
  writeFileSync(file, JSON.stringify([...seen]))
}
Database.prototype.query = function (this: Database, sql: string) {
  note(sql)
  return query.call(this, sql)
} as typeof query
Database.prototype.prepare = function (this: Database, sql: string, ...rest) {
  note(sql)
  return prepare.call(this, sql, ...rest)
} as typeof prepare
