import { asserted } from '../../src/domain/errors.ts'
import { connect } from '../../src/storage/postgres/connection.ts'
import { openStorage } from '../../src/storage/postgres/open.ts'
import { postgresServer, type TestDatabase, targetOf } from './postgres.ts'
import { runScript } from './psql.ts'

/** A database with the schema that no test has used. */
interface Original {
  name: string
  /** the state of the catalogue, which shows whether a test has changed the schema */
  catalogue: string
  /** the statement that leaves only the rows that migrations add */
  reset: string
}

const CATALOGUES = [
  'pg_class',
  'pg_attribute',
  'pg_trigger',
  'pg_proc',
  'pg_constraint',
  'pg_db_role_setting',
]
const READ_CATALOGUE = `SELECT concat_ws(' ', datallowconn, ${CATALOGUES.map(
  name => `(SELECT concat(count(*), ':', max(xmin::text::bigint)) FROM ${name})`,
)}) AS catalogue FROM pg_database WHERE datname = current_database()`
const COUNT_OTHERS = `SELECT count(*) FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
const IN_SCHEMA = 'relnamespace = current_schema()::regnamespace'
const FILLED = `SELECT relname FROM pg_class WHERE relkind = 'r' AND ${IN_SCHEMA} AND pg_relation_size(oid) > 0`
/** the time that the connections of a closed server take to end, at most */
const CLOSING_MS = 200
/** Deleted rows stay in the files, so these grow. */
const USES_MAX = 100

/** Triggers are off, because some forbid to delete rows. Truncating the tables would take longer. */
const resetTo = (rows: [table: string, content: unknown][]): string => `
  DO $do$
  DECLARE
    name text;
  BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN ${FILLED} LOOP
      EXECUTE format('DELETE FROM %I', name);
    END LOOP;
    PERFORM setval(oid, 1, false) FROM pg_class WHERE relkind = 'S' AND ${IN_SCHEMA};
    ${rows
      .map(
        ([table, content]) =>
          `INSERT INTO ${table} SELECT * FROM json_populate_recordset(null::${table}, $rows$${content}$rows$);`,
      )
      .join('\n')}
  END $do$`

async function makeOriginal(): Promise<Original> {
  const server = await postgresServer()
  const name = await server.create()
  const target = targetOf(server.url(name))
  await (await openStorage(target, 0)).close()
  const connection = await connect(target)
  try {
    const rows: [string, unknown][] = []
    for (const { relname } of await connection.rows(FILLED)) {
      const [row] = await connection.rows(`SELECT json_agg(t)::text AS content FROM ${relname} t`)
      rows.push([`${relname}`, row?.content])
    }
    const [row] = await connection.rows(READ_CATALOGUE)
    return { name, catalogue: `${row?.catalogue}`, reset: resetTo(rows) }
  } finally {
    await connection.close()
  }
}

let original: Promise<Original> | undefined

interface Used {
  name: string
  uses: number
}

/** The databases that the tests of this process have finished with. */
const finished: Used[] = []

/** Empties a used database. Returns false if a test changed its schema, dropped it or still uses it. */
async function isEmptied({ name, uses }: Used): Promise<boolean> {
  if (uses === USES_MAX) return false
  const { catalogue, reset } = await asserted(original, 'a database was made before')
  const url = (await postgresServer()).url(name)
  try {
    const end = performance.now() + CLOSING_MS
    while (runScript(url, COUNT_OTHERS).trim() !== '0') {
      if (performance.now() > end) return false
      await Bun.sleep(2)
    }
    if (runScript(url, READ_CATALOGUE).trim() !== catalogue) return false
    runScript(url, reset)
    return true
  } catch {
    return false
  }
}

/** Returns the last used database that can be emptied, or a new one. Drops those that cannot. */
async function take(): Promise<Used> {
  const server = await postgresServer()
  for (let used = finished.pop(); used; used = finished.pop()) {
    if (await isEmptied(used)) return used
    await server.drop(used.name)
  }
  original ??= makeOriginal()
  return { name: await server.create((await original).name), uses: 0 }
}

/**
 * Returns a database with the schema and without rows. After `drop`, another test gets the same database: to
 * create a database, and to read its catalogue on every new connection, takes longer than most tests.
 */
export async function newPostgresDatabase(): Promise<TestDatabase> {
  const { name, uses } = await take()
  return {
    url: (await postgresServer()).url(name),
    async drop() {
      finished.push({ name, uses: uses + 1 })
    },
  }
}
