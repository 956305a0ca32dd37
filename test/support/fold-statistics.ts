import type { Database } from 'bun:sqlite'
import { noPayments, noSums } from '../../src/domain/statistics.ts'

type Value = string | number | null
type Row = Record<string, Value>

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Adds a change to the row of a key. Ignores sums that the table lacks. */
function addTo(
  database: Database,
  table: string,
  none: object,
  key: Row,
  delta: Record<string, Value>,
): void {
  const isKey = Object.keys(key).map(name => `${name} = ?`)
  const before = database.query<Row, Value[]>(`SELECT * FROM ${table} WHERE ${isKey.join(' AND ')}`)
  const row = before.get(...Object.values(key)) ?? key
  const sums = Object.entries(none).map(([name, zero]): [string, Value] => {
    const sum = BigInt(row[snake(name)] ?? 0) + BigInt(delta[name] ?? 0)
    return [snake(name), typeof zero === 'bigint' ? `${sum}` : Number(sum)]
  })
  const stored = { ...key, ...Object.fromEntries(sums) }
  const marks = Object.keys(stored).map(() => '?')
  database
    .query(`INSERT OR REPLACE INTO ${table} (${Object.keys(stored)}) VALUES (${marks})`)
    .run(...Object.values(stored))
}

/** Adds up the changes that PostgreSQL appended. Its storage does so at unpredictable times. */
export function foldStatistics(database: Database): void {
  const changes = database.query<Row, []>(
    `SELECT c.*, m.number AS merchant_number FROM statistic_changes c
     JOIN merchants m ON m.id = c.merchant_id`,
  )
  for (const { merchant_number, currency, starts_at, method_key, asset_id, delta } of changes.all()) {
    const sums = JSON.parse(String(delta))
    for (const minutes of [15, 1440]) {
      const startsAt = Number(starts_at) - (Number(starts_at) % (minutes * 60_000))
      const key = { merchant_number: merchant_number!, currency: currency!, minutes, starts_at: startsAt }
      addTo(database, 'statistics', noSums, key, sums)
      const ofMethod = { ...key, method_key: method_key!, asset_id: asset_id! }
      if (method_key !== null) addTo(database, 'method_statistics', noPayments, ofMethod, sums)
    }
  }
  database.run('DELETE FROM statistic_changes')
}
