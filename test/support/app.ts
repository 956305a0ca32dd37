import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFlorin } from '../../src/boot/compose.ts'
import type { Platform } from '../../src/boot/platform.ts'
import type { ProviderFactory } from '../../src/boot/providers.ts'
import { asserted } from '../../src/domain/errors.ts'
import type { Log } from '../../src/domain/log.ts'
import { readSettings } from '../../src/settings/read.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { auditDatabase } from './auditor.ts'
import { changeMirrored, mirrorOf, readerOf } from './mirror.ts'
import { newPostgresDatabase } from './postgres-database.ts'

type Bindings = SQLQueryBindings | SQLQueryBindings[]
// biome-ignore lint/suspicious/noExplicitAny: the type that Database has
type Prepared<Result, Params extends Bindings> = Statement<Result, Params extends any[] ? Params : [Params]>

/**
 * A read-only connection. It compiles each query once; Bun's own cache has 20 entries, fewer than one check
 * of all tables needs.
 */
class Reader extends Database {
  readonly #statements = new Map<string, Statement>()
  readonly #found = new Map<string, unknown>()
  #version: number | undefined

  override query<Result, Params extends Bindings>(sql: string): Prepared<Result, Params> {
    const known = this.#statements.get(sql) ?? this.prepare(sql)
    this.#statements.set(sql, known)
    return known as unknown as Prepared<Result, Params>
  }

  /** The result of a query. It runs again only after another connection has committed. */
  found<T>(name: string, look: (database: Database) => T): T {
    const version = this.query<{ data_version: number }, []>('PRAGMA data_version').get()?.data_version
    if (version !== this.#version) this.#found.clear()
    this.#version = version
    if (!this.#found.has(name)) this.#found.set(name, look(this))
    return this.#found.get(name) as T
  }
}

export const OWN_URL = 'http://localhost'
/** A time in the past of every computer that runs the tests. */
export const START = Date.parse('2026-03-01T10:00:00.000Z')

/** A cheap password hash: a real one would cost the tests of the dashboard too much time. */
const QUICK_PASSWORDS = { memoryCost: 64, timeCost: 1 }

/** With PostgreSQL, connections cost half of what an app costs. With these, two writes still run at once. */
const FEW_CONNECTIONS = { readers: 2, writers: 2 }

export interface CallOptions {
  key?: string | undefined
  body?: unknown
  form?: Record<string, string>
  headers?: Record<string, string>
}

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests are about
export type Answer = { status: number; headers: Headers; text: string; json: any }

export interface App extends Awaited<ReturnType<typeof startApp>> {}

const readAnswer = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text ? JSON.parse(text) : null,
  }
}

function changeFile(file: string, sql: string, values: (string | number | null)[]): void {
  const database = new Database(file, { readwrite: true })
  try {
    database.run('PRAGMA busy_timeout = 5000')
    database.query(sql).run(...values)
  } finally {
    database.close()
  }
}

let empty: Buffer | undefined

/** Copies the database that a command creates, instead of running its migrations each time. */
async function makeDatabase(dataDir: string): Promise<void> {
  const file = databaseFile(dataDir)
  if (existsSync(file)) return
  if (empty) return writeFileSync(file, empty, { mode: 0o600 })
  await openStorage(file, START).close()
  empty = readFileSync(file)
}

/** Lets a test replace a part that has a getter. */
function makeReplaceable<T extends object>(parts: T, name: keyof T): void {
  const { get } = asserted(Object.getOwnPropertyDescriptor(parts, name), 'the part is there')
  let replaced: { value: unknown } | null = null
  Object.defineProperty(parts, name, {
    get: () => (replaced ? replaced.value : get?.call(parts)),
    set(value) {
      replaced = { value }
    },
  })
}

/** PostgreSQL databases by data directory, if the tests run with PostgreSQL. */
const onServer = new Map<string, Awaited<ReturnType<typeof newPostgresDatabase>>>()

/** True if the tests of the application run with PostgreSQL. */
export const isOnPostgres = process.env.FLORIN_TEST_DATABASE_URL !== undefined

/** True if the database is a file. For tests that do not apply to PostgreSQL; the reason says why. */
export const isInFile = (_reason: string): boolean => !isOnPostgres

/** The setting of the database for a data directory. An empty FLORIN_DATABASE_URL selects a file. */
async function databaseSetting(
  dataDir: string,
  { FLORIN_DATABASE_URL: given }: Record<string, string>,
): Promise<Record<string, string>> {
  if (!isOnPostgres || given === '') {
    await makeDatabase(dataDir)
    return {}
  }
  const known = onServer.get(dataDir) ?? (await newPostgresDatabase())
  onServer.set(dataDir, known)
  return { FLORIN_DATABASE_URL: known.url }
}

async function dropDatabase(dataDir: string): Promise<void> {
  await onServer.get(dataDir)?.drop()
  onServer.delete(dataDir)
}

/** Starts the application with a real database file in a temporary directory. Requests need no socket. */
export async function startApp(
  environment: Record<string, string> = {},
  { time = { now: START }, ...platform }: Partial<Platform> & { time?: { now: number } } = {},
  providerFactories?: readonly ProviderFactory[],
) {
  const dataDir = environment.FLORIN_DATA_DIR ?? mkdtempSync(join(tmpdir(), 'florin-'))
  const database = await databaseSetting(dataDir, environment)
  const settings = readSettings({
    FLORIN_SANDBOX: 'true',
    FLORIN_PUBLIC_RATE_LIMIT: '0',
    ...database,
    ...environment,
    FLORIN_DATA_DIR: dataDir,
  })
  const logged: { fields: object; sentence: string }[] = []
  const note = (fields: object, sentence: string) => {
    logged.push({ fields, sentence })
  }
  const log: Log = { debug: () => {}, info: note, warn: note, error: note }
  const handle = (request: Request): Promise<Response> => florin.http.handle(request)
  const florin = await openFlorin(
    settings,
    {
      fetch: (url, init) => (url.startsWith(OWN_URL) ? handle(new Request(url, init)) : fetch(url, init)),
      lookup: async () => {
        throw new Error('no DNS in tests')
      },
      now: () => time.now,
      random: bytes => new Uint8Array(randomBytes(bytes)),
      log,
      passwordCost: QUICK_PASSWORDS,
      connections: FEW_CONNECTIONS,
      ...platform,
    },
    OWN_URL,
    providerFactories,
  )
  makeReplaceable(florin.context.channels, 'mail')
  const jobs = await florin.startJobs()

  const url = database.FLORIN_DATABASE_URL
  let reader: Reader | null = null
  /** One connection for all reads of a test: each new connection would parse the whole schema. */
  const readFile = () => {
    reader ??= new Reader(databaseFile(dataDir), { readonly: true })
    return reader
  }
  const read = (): Database => (url ? readerOf(url) : readFile())
  const found = <T>(name: string, look: (database: Database) => T): T =>
    url ? look(readerOf(url)) : readFile().found(name, look)
  const closeReader = () => {
    reader?.close()
    reader = null
  }

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const headers = new Headers(options.headers)
    if (options.key) headers.set('x-api-key', options.key)
    let body: string | URLSearchParams | undefined
    if (options.form) body = new URLSearchParams(options.form)
    else if (typeof options.body === 'string') body = options.body
    else if (options.body !== undefined) body = JSON.stringify(options.body)
    if (body !== undefined && !options.form && !headers.has('content-type')) {
      headers.set('content-type', 'application/json')
    }
    const init = { method, headers, ...(body !== undefined && { body }) }
    return readAnswer(await handle(new Request(`${OWN_URL}${path}`, init)))
  }

  return {
    florin,
    context: florin.context,
    jobs,
    time,
    logged,
    dataDir,
    /** settings with which a command uses the same database */
    forCommands: { FLORIN_DATA_DIR: dataDir, ...(url && { FLORIN_DATABASE_URL: url }) },
    call,
    file: databaseFile(dataDir),
    databaseUrl: url,
    read,
    /** Returns the result of a query. With a file, runs it again only after a commit. */
    found,
    /** Changes rows directly in the database, for changes that no operation makes. */
    change(sql: string, ...values: (string | number | null)[]) {
      if (url) return changeMirrored(url, sql, values)
      changeFile(databaseFile(dataDir), sql, values)
    },
    /** Moves the clock forward and runs the jobs that become due. */
    async advance(ms: number) {
      time.now += ms
      await jobs.settle()
    },
    audit: () => (url ? auditDatabase(mirrorOf(url)) : found('broken invariants', auditDatabase)),
    async close() {
      closeReader()
      await florin.close()
      closeReader()
      rmSync(dataDir, { recursive: true, force: true })
      await dropDatabase(dataDir)
    },
  }
}
