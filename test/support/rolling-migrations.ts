import { type Migration, migrations } from '../../migrations/index.ts'
import { postgresMigrations } from '../../migrations/postgres/index.ts'

/** Made-up migrations of the next version and of the version after it. */
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

/** The same migrations for PostgreSQL. */
export const rollingPostgresMigrations: Migration[] = [
  {
    name: '9001_table_numbers',
    expands: true,
    sql: `
      CREATE TABLE IF NOT EXISTS restaurant_tables (
        id TEXT COLLATE "C" PRIMARY KEY,
        seats BIGINT NOT NULL CHECK (seats > 0)
      );
      CREATE UNIQUE INDEX IF NOT EXISTS restaurant_tables_by_seats ON restaurant_tables (seats, id);
      CREATE OR REPLACE TRIGGER restaurant_tables_kept BEFORE DELETE ON restaurant_tables FOR EACH ROW
      EXECUTE FUNCTION refuse_change('tables are kept');
      ALTER TABLE orders ADD COLUMN IF NOT EXISTS table_number BIGINT; -- nobody reads it yet
      ALTER TABLE orders ADD COLUMN IF NOT EXISTS table_name TEXT COLLATE "C" NOT NULL DEFAULT 'none; yet';
      CREATE INDEX IF NOT EXISTS orders_by_table ON orders (merchant_id, table_number);
    `,
  },
  { name: '9002_no_names', sql: 'ALTER TABLE orders DROP COLUMN table_name;' },
]

// Turns a server that preloads this file into one of a later version.
const { ROLLING_MIGRATIONS: count } = process.env
if (count !== undefined) {
  migrations.push(...rollingMigrations.slice(0, Number(count)))
  postgresMigrations.push(...rollingPostgresMigrations.slice(0, Number(count)))
}
