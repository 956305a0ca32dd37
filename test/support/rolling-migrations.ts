import { type Migration, migrations } from '../../migrations/index.ts'

/** Made-up migrations of the next version and of the one after it. */
export const rollingMigrations: Migration[] = [
  {
    name: '9001_table_numbers',
    expands: true,
    sql: `
      CREATE TABLE restaurant_tables (
        id TEXT PRIMARY KEY,
        seats INTEGER NOT NULL CHECK (seats > 0)
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX restaurant_tables_by_seats ON restaurant_tables (seats, id);
      CREATE TRIGGER restaurant_tables_kept BEFORE DELETE ON restaurant_tables
      BEGIN SELECT RAISE(ABORT, 'tables are kept'); END;
      ALTER TABLE orders ADD COLUMN table_number INTEGER; -- nobody reads it yet
      ALTER TABLE orders ADD COLUMN table_name TEXT NOT NULL DEFAULT 'none; yet';
      CREATE INDEX orders_by_table ON orders (merchant_id, table_number);
    `,
  },
  { name: '9002_no_names', sql: 'ALTER TABLE orders DROP COLUMN table_name;' },
]

// Preloaded into a server, it makes it one of a later version.
const { ROLLING_MIGRATIONS: count } = process.env
if (count !== undefined) migrations.push(...rollingMigrations.slice(0, Number(count)))
