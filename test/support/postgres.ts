import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { connect } from '../../src/storage/postgres/connection.ts'
import { openStorage } from '../../src/storage/postgres/open.ts'
import { programOf } from './programs.ts'

const START_MS = 20_000
const USER = 'florin'
/** Creating a database writes a thousand files. */
const MEMORY = '/dev/shm'
/**
 * Runs the server beside the tests, because their runner ends what they leave running, and not what that
 * started. Ends it and removes its folder once the process of the tests is gone.
 */
const GUARD = `
  owner=$1; folder=$2; shift 2
  (
    "$@" & child=$!
    while kill -0 "$owner" && [ ! -e "$folder/stop" ]; do sleep 1; done
    kill -QUIT $child; wait $child; rm -rf "$folder"
  ) < /dev/null > "$folder/log" 2>&1 &`

/** A server of PostgreSQL for tests. */
export interface PostgresServer {
  /** the URL of one of its databases */
  url(database: string): string
  /** Makes a database that is empty, or a copy of another one that nobody uses. */
  create(template?: string): Promise<string>
  drop(database: string): Promise<void>
  stop(): void
  /** the file of its certificate, if it was started with TLS */
  certificate: string
}

function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = listener
  listener.stop(true)
  return port
}

/** PostgreSQL refuses to run as root. */
function ownerOf(folder: string): string[] {
  if (process.getuid?.() !== 0) return []
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres']).stdout.toString())
  const [user, group] = [id('-u'), id('-g')]
  chownSync(folder, user, group)
  return ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups']
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

/** Runs a statement at once, and returns the rows as lines. */
export function runScript(url: string, statement: string): string {
  const psql = join(dirname(realpathSync(programOf('postgres'))), 'psql')
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

/** A certificate for localhost, which signs itself, and its key. */
function makeCertificate(folder: string, as: string[]): string[] {
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')]
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const command = [...as, 'openssl', 'req', '-x509', '-days', '2', ...key, ...name, ...files]
  const made = Bun.spawnSync(command, { cwd: '/', stdout: 'ignore', stderr: 'pipe' })
  if (made.exitCode !== 0) throw new Error(`openssl failed: ${made.stderr.toString()}`)
  return ['ssl = on', `ssl_cert_file = '${folder}/certificate.pem'`, `ssl_key_file = '${folder}/key.pem'`]
}

/** Starts a server whose databases are gone when it ends. */
export async function startPostgres({ tls = false } = {}): Promise<PostgresServer> {
  const bin = dirname(realpathSync(programOf('postgres')))
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'florin-postgres-'))
  chmodSync(folder, 0o700)
  const as = ownerOf(folder)
  const data = join(folder, 'data')
  const port = freePort()
  const initdb = [
    join(bin, 'initdb'),
    '-D',
    data,
    '-U',
    USER,
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '-N',
  ]
  const made = Bun.spawnSync([...as, ...initdb], { cwd: '/', stdout: 'ignore', stderr: 'pipe' })
  if (made.exitCode !== 0) throw new Error(`initdb failed: ${made.stderr.toString()}`)
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    [
      `port = ${port}`,
      `unix_socket_directories = '${folder}'`,
      "listen_addresses = '127.0.0.1'",
      'max_connections = 300',
      'shared_buffers = 64MB',
      // What a killed machine would lose is not what these tests are about.
      'fsync = off',
      'synchronous_commit = off',
      'full_page_writes = off',
      'autovacuum = off',
      ...(tls ? makeCertificate(folder, as) : []),
      '',
    ].join('\n'),
  )
  const command = [...as, join(bin, 'postgres'), '-D', data]
  const guarded = ['setsid', 'sh', '-c', GUARD, 'sh', String(process.pid), folder, ...command]
  Bun.spawnSync(guarded, { cwd: '/', stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
  const stop = () => writeFileSync(join(folder, 'stop'), '')
  const server = {
    ...serverAt(`postgres://${USER}@127.0.0.1:${port}/postgres`, stop),
    certificate: join(folder, 'certificate.pem'),
  }
  const until = performance.now() + START_MS
  for (;;) {
    try {
      await run(server.url('postgres'), 'SELECT 1')
      return server
    } catch (error) {
      if (performance.now() > until) throw error
      await Bun.sleep(50)
    }
  }
}

let shared: Promise<PostgresServer> | undefined
let migrated: Promise<string> | undefined

/** The server of FLORIN_TEST_DATABASE_URL, or one of this process. */
export function postgresServer(): Promise<PostgresServer> {
  const { FLORIN_TEST_DATABASE_URL: url } = process.env
  shared ??= url ? Promise.resolve(serverAt(url, () => {})) : startPostgres()
  return shared
}

/** Makes a database with the schema and without rows, and returns its URL and a way to remove it. */
export async function newPostgresDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = await postgresServer()
  migrated ??= (async () => {
    const name = await server.create()
    await (await openStorage(targetOf(server.url(name)), 0)).close()
    return name
  })()
  const name = await server.create(await migrated)
  return { url: server.url(name), drop: () => server.drop(name) }
}

/** Makes a database without tables, and returns its URL and a way to remove it. */
export async function newEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = await postgresServer()
  const name = await server.create()
  return { url: server.url(name), drop: () => server.drop(name) }
}
