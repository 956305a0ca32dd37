import type { Database } from 'bun:sqlite'
import type { App } from '../support/app.ts'

type Value = string | number | null
export type Row = Record<string, Value>

/** The raw rows of a query. */
export const rowsOf = (app: App, sql: string, ...values: Value[]): Row[] =>
  app
    .read()
    .query<Row, Value[]>(sql)
    .all(...values)

export const rowOf = (app: App, sql: string, ...values: Value[]): Row => {
  const [row, more] = rowsOf(app, sql, ...values)
  if (!row || more) throw new Error(`one row was expected of ${sql}`)
  return row
}

/** The statistics of a UTC day. */
export const sumsOfDay = (app: App, merchantId: string, day = '2026-03-01', currency = 'USD'): Row =>
  rowOf(
    app,
    `SELECT s.* FROM statistics s JOIN merchants m ON m.number = s.merchant_number
     WHERE m.id = ? AND s.minutes = 1440 AND s.starts_at = ? AND s.currency = ?`,
    ...[merchantId, Date.parse(day), currency],
  )

export const countOf = (app: App, table: string, orderUUID: string): number =>
  Number(rowOf(app, `SELECT COUNT(*) AS n FROM ${table} WHERE order_id = ?`, orderUUID).n)

/** Changes rows directly in the database, for changes that no operation makes. */
export const changeRows = (app: App, sql: string, ...values: Value[]): void => app.change(sql, ...values)

/** Subscribes a merchant's webhook to event types. */
export const subscribe = (app: App, merchantId: string, events: string[]): void =>
  changeRows(app, 'UPDATE webhooks SET events = ? WHERE merchant_id = ?', JSON.stringify(events), merchantId)

/** Bytes are printed as a hash: JSON would use a line for each of them. */
const printed = (value: unknown) => (value instanceof Uint8Array ? `${Bun.hash(value)}` : value)

const unstable: Record<string, string> = {
  jobs: 'kind, subject, lane',
  // The counter of commits: a refused request may still write when its key was last used.
  commits: 'id, 0',
  // A server assigns notifications to people soon after they are created.
  new_notifications: 'count(*) * 0 AS none, 0',
  // The time of the last use is written whenever a request is authenticated.
  keys: 'id, merchant_id, mode, scopes, secret_hash, label, created_at, revoked_at, expires_at',
}

/** Jobs that a server runs soon after a notification was created, without a request. */
const skipped: Record<string, string> = { jobs: "WHERE kind <> 'notification.address'" }

/** One hash for the rows of each table, without columns of leases: equal if nothing was written. */
export const snapshotOf = (app: App): Record<string, string> => app.found('snapshot', snapshot)

function snapshot(database: Database): Record<string, string> {
  const tables = database
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'migrations' ORDER BY name",
    )
    .all()
  return Object.fromEntries(
    tables.map(({ name }) => {
      const rows = database
        .query(`SELECT ${unstable[name] ?? '*'} FROM ${name} ${skipped[name] ?? ''} ORDER BY 1, 2`)
        .values()
      return [name, `${rows.length} rows ${Bun.hash(JSON.stringify(rows.map(row => row.map(printed))))}`]
    }),
  )
}
