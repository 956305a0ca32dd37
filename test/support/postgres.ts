import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { type Connection, connect } from '../../src/storage/postgres/connection.ts'
import { openStorage } from '../../src/storage/postgres/open.ts'
import { programsOfPostgres, startCluster } from './postgres-cluster.ts'

/** Most tests do not need what a killed server would lose. */
const FAST = ['synchronous_commit = off']

export interface PostgresServer {
  url(database: string): string
  /** Creates a database: an empty one, or a copy of an unused one. */
  create(template?: string): Promise<string>
  drop(database: string): Promise<void>
  stop(): void
  /** file of its certificate, if it was started with TLS */
  certificate: string
}

function targetOf(url: string) {
  const target = databaseUrl(url)
  if (!target) throw new Error('No URL of a database')
  return target
}

async function run(url: string, statement: string): Promise<void> {
  const connection = await connect(targetOf(url))
  try {
    await connection.script(statement)
  } finally {
    await connection.close()
  }
}

/** Runs a statement synchronously. Returns the rows as lines. */
export function runScript(url: string, statement: string): string {
  const psql = join(programsOfPostgres(), 'psql')
  const options = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url]
  const { status, stdout, stderr } = spawnSync(psql, options, { input: statement, maxBuffer: 1e9 })
  if (status !== 0) throw new Error(`psql failed: ${stderr}`)
  return stdout.toString()
}

/** The databases of a server; `url` names one of them. */
function serverAt(url: string, stop: () => void): PostgresServer {
  const withDatabase = (database: string) => url.replace(/\/[^/?]+(?=$|\?)/, `/${database}`)
  return {
    url: withDatabase,
    async create(template = 'template0') {
      // Files that are tested at the same time share the server.
      const name = `florin_test_${randomBytes(8).toString('hex')}`
      await run(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
      return name
    },
    drop: name => run(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    stop,
    certificate: '',
  }
}

/** Starts a server whose databases are removed when it ends. */
export async function startPostgres({ tls = false, settings = FAST } = {}): Promise<PostgresServer> {
  const cluster = await startCluster({ tls, settings })
  return { ...serverAt(cluster.url('postgres'), cluster.stop), certificate: cluster.certificate }
}

let shared: Promise<PostgresServer> | undefined
let migrated: Promise<string> | undefined

/** The server of FLORIN_TEST_DATABASE_URL, or one of this process. */
export function postgresServer(): Promise<PostgresServer> {
  const { FLORIN_TEST_DATABASE_URL: url } = process.env
  shared ??= url ? Promise.resolve(serverAt(url, () => {})) : startPostgres()
  return shared
}

/** `read` calls back with a connection, which stays open for the next call. */
interface TestDatabase {
  url: string
  read<T>(call: (connection: Connection) => Promise<T>): Promise<T>
  drop(): Promise<void>
}

/** Creates a database with the schema and without rows. */
export async function newPostgresDatabase(): Promise<TestDatabase> {
  const server = await postgresServer()
  migrated ??= (async () => {
    const name = await server.create()
    await (await openStorage(targetOf(server.url(name)), 0)).close()
    return name
  })()
  const name = await server.create(await migrated)
  const url = server.url(name)
  let open: Connection | null = null
  return {
    url,
    async read(call) {
      if (open === null || open.isLost()) open = await connect(targetOf(url))
      return call(open)
    },
    async drop() {
      await open?.close()
      await server.drop(name)
    },
  }
}

/** Creates a database without tables. Returns its URL, and a function that drops it. */
export async function newEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = await postgresServer()
  const name = await server.create()
  return { url: server.url(name), drop: () => server.drop(name) }
}
