import { migrations } from '../../migrations/index.ts'

const first = migrations[0]?.sql ?? ''
const found = (pattern: RegExp) => [...first.matchAll(pattern)].map(([sql]) => sql)

/** SQLite cannot change a constraint, so a migration makes a new table and copies the rows. */
const rebuiltAttempts = [
  ...found(/^CREATE TABLE attempts \(.*?^\) STRICT;/gms).map(sql =>
    sql
      .replace('CREATE TABLE attempts (', 'CREATE TABLE attempts_new (')
      .replace('decimals INTEGER,', 'decimals INTEGER CHECK (decimals >= 0),'),
  ),
  'INSERT INTO attempts_new SELECT * FROM attempts;',
  'DROP TABLE attempts;',
  'ALTER TABLE attempts_new RENAME TO attempts;',
  ...found(/^CREATE (UNIQUE )?INDEX \w+ ON attempts .*;$/gm),
].join('\n')

/** Made-up migrations of later versions. */
export const laterMigrations = [
  { name: '9001_order_notes', sql: "ALTER TABLE orders ADD COLUMN note TEXT NOT NULL DEFAULT '';" },
  { name: '9002_attempt_decimals', sql: rebuiltAttempts },
]

export async function asLaterVersion<T>(work: () => T | Promise<T>, added = laterMigrations): Promise<T> {
  const { length } = migrations
  migrations.push(...added)
  try {
    return await work()
  } finally {
    migrations.length = length
  }
}
