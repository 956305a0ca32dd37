import { randomBytes } from 'node:crypto'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { connect } from '../../src/storage/postgres/connection.ts'
import { startCluster } from './postgres-cluster.ts'

/** Most tests do not need the last commits of a killed server. */
const FAST = ['synchronous_commit = off']

export interface PostgresServer {
  url(database: string): string
  /** Creates a database: an empty one, or a copy of an unused one. */
  create(template?: string): Promise<string>
  drop(database: string): Promise<void>
  stop(): void
  /** the file of its certificate, if it was started with TLS */
  certificate: string
}

export function targetOf(url: string) {
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

/** The databases of a server. `url` names one of them. */
function serverAt(url: string, stop: () => void): PostgresServer {
  return {
    url: database => url.replace(/\/[^/?]+(?=$|\?)/, `/${database}`),
    async create(template = 'template0') {
      // Test files that run at the same time share the server.
      const name = `florin_test_${randomBytes(8).toString('hex')}`
      await run(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
      return name
    },
    drop: name => run(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    stop,
    certificate: '',
  }
}

/** Starts a server. Its databases are removed when it ends. */
export async function startPostgres({ tls = false, settings = FAST } = {}): Promise<PostgresServer> {
  const cluster = await startCluster({ tls, settings })
  return { ...serverAt(cluster.url('postgres'), cluster.stop), certificate: cluster.certificate }
}

let shared: Promise<PostgresServer> | undefined

/** The server of FLORIN_TEST_DATABASE_URL, or a server of this process. */
export function postgresServer(): Promise<PostgresServer> {
  const { FLORIN_TEST_DATABASE_URL: url } = process.env
  shared ??= url ? Promise.resolve(serverAt(url, () => {})) : startPostgres()
  return shared
}

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** Creates a database without tables. */
export async function newEmptyDatabase(): Promise<TestDatabase> {
  const server = await postgresServer()
  const name = await server.create()
  return { url: server.url(name), drop: () => server.drop(name) }
}
