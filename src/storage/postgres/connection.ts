import type { Socket } from 'node:net'
import postgres from 'postgres'
import { Patience, type Silence, silence } from './patience.ts'
import { connectMs, openSocket, type Target, tlsOf } from './socket.ts'

export interface Answer {
  rows: unknown[][]
  changes: number
}

/**
 * One session of the server. It never connects again by itself: what a transaction would do after that would
 * be outside of it. All of postgres.js that Florin uses is here.
 */
export interface Connection {
  /** Runs a query. Queries that are sent together run in this order. */
  query(text: string, values: readonly unknown[]): Promise<Answer>
  /** Runs statements of PostgreSQL without parameters. Returns the tag of the last, such as COMMIT. */
  script(text: string): Promise<string>
  /** The rows of a statement of PostgreSQL, by the names of its columns. */
  rows(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  isLost(): boolean
  /** Calls the function when the connection is lost, but not when it is closed. */
  onLost(call: () => void): void
  /** Calls the function with the text of each notification. */
  onNotify(call: (text: string) => void): void
  close(): Promise<void>
}

/** The session of the server ended. What it was doing may or may not be stored. */
export class ConnectionLost extends Error {}

const CLOSE_SECONDS = 5
const INT8 = 20
const BYTEA = 17
/** More than the product has, apart from lists of conditions of any length. */
const NAMED_MAX = 500
/** A transaction whose process hangs would hold up all others. */
const IDLE_IN_TRANSACTION_MS = 30_000
const LOCK_MS = 20_000
const STATEMENT_MS = 50_000
/**
 * Where PostgreSQL warns that a wait for a standby was cut short. The commit is stored there and may be
 * nowhere else. The text of the warning depends on the language of the server.
 */
const UNCONFIRMED = 'SyncRepWaitForLSN'
/** A server that has not answered after this time is taken for gone. */
const ANSWER_MS = 60_000

/** The texts of which a session keeps the statement. */
const named = new Set<string>()

function isNamed(text: string): boolean {
  if (named.has(text)) return true
  if (named.size >= NAMED_MAX) return false
  named.add(text)
  return true
}

/** SQLite stores truth as 0 or 1, and the character NUL in texts, which PostgreSQL refuses. */
function bound(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' && value.includes('\0')) return value.replaceAll('\0', '\uFFFD')
  return value
}

/** How long answers are waited for. Tests wait less. */
interface Patient extends Partial<Silence> {
  answerMs: number
}

/** What happens to a session, and who wants to know. */
interface Life {
  patience: Patience
  isLost: boolean
  isClosing: boolean
  /** whether a commit was not confirmed by the standby that has to */
  isUnconfirmed: boolean
  /** what fails when the session ends */
  waiting: Set<(error: ConnectionLost) => void>
  lost(): void
  notified(text: string): void
}

const lostError = (cause?: unknown) =>
  new ConnectionLost('The connection to the database was lost', { cause })

/** Fails what is not answered yet: postgres.js forgets what it has not sent, and tries to connect again. */
function failAll(life: Life): void {
  life.isLost = true
  for (const fail of life.waiting) fail(lostError())
}

/** A client of postgres.js with one session. */
function clientOn(
  socket: Socket,
  target: Target,
  { host, port }: Target['hosts'][number],
  life: Life,
  { answerMs }: Patient,
): postgres.Sql {
  let unused: Socket | null = socket
  const options = {
    host,
    port,
    user: target.user,
    pass: target.password,
    database: target.database,
    ssl: tlsOf(target, host),
    max: 1,
    // The second time, postgres.js asks for a socket to connect again.
    socket: () => {
      const first = unused
      unused = null
      if (!first || life.isLost) throw lostError()
      return Object.assign(first, { host })
    },
    onclose: () => {
      life.patience.stop()
      failAll(life)
      if (!life.isClosing) life.lost()
    },
    onnotify: (_channel: string, text: string) => life.notified(text),
    onnotice: ({ routine }: postgres.Notice) => {
      if (routine === UNCONFIRMED) life.isUnconfirmed = true
    },
    connect_timeout: connectMs(target) / 1000,
    idle_timeout: 0,
    max_lifetime: null,
    keep_alive: 10,
    fetch_types: false,
    connection: {
      application_name: 'florin',
      statement_timeout: answerMs === Number.POSITIVE_INFINITY ? 0 : STATEMENT_MS,
      lock_timeout: LOCK_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      // Writers forbid scans of tables, which makes an unavoidable one look so expensive that PostgreSQL
      // would compile it first, for a tenth of a second and more.
      jit: 'off',
    },
    types: {
      int8: { to: INT8, from: [INT8], serialize: (value: number) => String(value), parse: Number },
      bytea: {
        to: BYTEA,
        from: [BYTEA],
        serialize: (value: Uint8Array) => `\\x${Buffer.from(value).toString('hex')}`,
        parse: (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
      },
    },
  }
  // Not all that postgres.js reads is declared.
  return postgres(options as unknown as postgres.Options<Record<string, never>>) as unknown as postgres.Sql
}

/** The answer, or a failure as soon as the session ends. */
async function answered<T>(life: Life, answer: PromiseLike<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  life.waiting.add(reject)
  answer.then(resolve, reject)
  try {
    return await promise
  } finally {
    life.waiting.delete(reject)
  }
}

function connectionOf(sql: postgres.Sql, life: Life): Connection {
  async function alive<T>(run: () => PromiseLike<T>): Promise<T> {
    if (life.isLost) throw lostError()
    life.patience.begin()
    try {
      const answer = await answered(life, run())
      if (life.isUnconfirmed) throw new ConnectionLost('A standby did not confirm the commit')
      return answer
    } catch (error) {
      if (!life.isLost && !life.isUnconfirmed && !isConnectionError(error)) throw error
      life.isLost = true
      throw lostError(error)
    } finally {
      life.patience.end()
    }
  }
  return {
    query: (text, values) =>
      alive(async () => {
        const options = { prepare: isNamed(text), simple: false }
        const rows = await sql.unsafe(text, values.map(bound) as never[], options as never).values()
        return { rows: rows as unknown as unknown[][], changes: rows.count ?? 0 }
      }),
    script: text =>
      alive(async () => {
        const result = await sql.unsafe(text)
        const last = (Array.isArray(result[0]) ? result.at(-1) : result) as unknown as { command?: string }
        return last.command ?? result.command
      }),
    rows: (text, values = []) =>
      alive(async () => [...(await sql.unsafe(text, values as never[], { simple: false } as never))]),
    isLost: () => life.isLost,
    onLost(call) {
      life.lost = call
    },
    onNotify(call) {
      life.notified = call
    },
    async close() {
      life.isClosing = true
      life.patience.stop()
      // What was sent on a lost connection is never answered.
      await sql.end({ timeout: life.isLost ? 0 : CLOSE_SECONDS })
      life.isLost = true
    },
  }
}

/** Opens a session with one host. */
async function connectTo(
  target: Target,
  host: Target['hosts'][number],
  patient: Patient,
): Promise<Connection> {
  const socket = await openSocket(host.host, host.port, connectMs(target))
  const patience = new Patience(socket, host, { ...silence, ...patient })
  const waiting: Life['waiting'] = new Set()
  const life: Life = {
    patience,
    isLost: false,
    isClosing: false,
    isUnconfirmed: false,
    waiting,
    lost() {},
    notified() {},
  }
  socket.once('close', () => failAll(life))
  const connection = connectionOf(clientOn(socket, target, host, life, patient), life)
  try {
    const [state] = await connection.rows("SELECT current_setting('transaction_read_only') AS read_only")
    if (state?.read_only === 'on') throw Object.assign(new Error('read-only'), { code: '25006' })
    return connection
  } catch (error) {
    await connection.close()
    throw error instanceof ConnectionLost && error.cause ? error.cause : error
  }
}

const isConnectionError = (error: unknown): boolean => {
  const { code } = error as { code?: string }
  return code !== undefined && /^(CONNECTION_|CONNECT_TIMEOUT|E[A-Z]+$|57P0[123]|08)/.test(code)
}

/** The host that took writes last is tried first: another may be a machine that is gone. */
const lastHosts = new WeakMap<Target, Target['hosts'][number]>()

/** Opens a session with the first host that takes writes. Throws the error of the last. */
export async function connect(
  target: Target,
  patient: Patient = { answerMs: ANSWER_MS },
): Promise<Connection> {
  const last = lastHosts.get(target)
  const hosts = last ? [last, ...target.hosts.filter(host => host !== last)] : target.hosts
  let failure: unknown
  for (const host of hosts) {
    try {
      const connection = await connectTo(target, host, patient)
      lastHosts.set(target, host)
      return connection
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
