import type { Socket } from 'node:net'
import postgres from 'postgres'
import { Patience, type Silence, silence } from './patience.ts'
import { openSocket, type Target, tlsOf } from './socket.ts'

export interface Answer {
  rows: unknown[][]
  changes: number
}

/**
 * A session of the server. It never reconnects: the rest of a transaction would run in another session. Wraps
 * everything that Florin uses of postgres.js.
 */
export interface Connection {
  /** Runs a query. Queries that are sent together run in order. */
  query(text: string, values: readonly unknown[]): Promise<Answer>
  /** Runs statements without parameters. Returns the tag of the last one, such as COMMIT. */
  script(text: string): Promise<string>
  /** Runs a statement. Returns its rows, by column name. */
  rows(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  isLost(): boolean
  /** True if the server was found to be gone since this connection's last answer: no work may begin on it. */
  isStale(): boolean
  /** `call` runs when the connection is lost, but not when it is closed. */
  onLost(call: () => void): void
  /** `call` receives the payload of each notification. */
  onNotify(call: (text: string) => void): void
  close(): Promise<void>
}

/** Thrown if the session ended. What was running may or may not be stored. */
export class ConnectionLost extends Error {}

const CONNECT_MS = 10_000
/** Connect timeout if there are other hosts, or if requests wait that were served before. */
const CONNECT_AGAIN_MS = 3000
const CLOSE_SECONDS = 5
const INT8 = 20
const BYTEA = 17
/** Max prepared statements. Florin has fewer, except for queries with a varying number of conditions. */
const NAMED_MAX = 500
/**
 * Idle time after which a transaction is aborted: a hanging process with an open transaction would block all
 * others as soon as a write has to run alone. A write itself waits for nothing except the database.
 */
const IDLE_IN_TRANSACTION_MS = 10_000
export const LOCK_WAIT_MS = 20_000
export const STATEMENT_MS = 50_000
/**
 * The PostgreSQL function that warns if waiting for a synchronous standby was cut short: the commit may be
 * stored on one server only. The text of the warning depends on the server's language, the function name does
 * not.
 */
const UNCONFIRMED = 'SyncRepWaitForLSN'
/** Time after which a server that has not answered is considered gone. */
const ANSWER_MS = 60_000

/** The host of each target that last accepted writes. It is tried first: another one may be unreachable. */
const lastHosts = new WeakMap<Target, Target['hosts'][number]>()
/** When a server was last found to be gone. Idle connections to it are not used: they would be silent too. */
const goneAt = new WeakMap<Target, number>()

const connectMs = (target: Target): number =>
  target.hosts.length > 1 || lastHosts.has(target) ? CONNECT_AGAIN_MS : CONNECT_MS

/** Texts of the queries that are sent as prepared statements. */
const named = new Set<string>()

function isNamed(text: string): boolean {
  if (named.has(text)) return true
  if (named.size >= NAMED_MAX) return false
  named.add(text)
  return true
}

/** Converts booleans to 0 or 1, as SQLite does, and replaces NUL in texts, which PostgreSQL refuses. */
function bound(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' && value.includes('\0')) return value.replaceAll('\0', '\uFFFD')
  return value
}

/** Timeouts of a connection. Tests use shorter ones. */
interface Patient extends Partial<Silence> {
  answerMs: number
}

/** State of a session. */
interface Life {
  patience: Patience
  isLost: boolean
  isClosing: boolean
  /** true if a standby has not confirmed a commit */
  isUnconfirmed: boolean
  /** rejects pending answers when the session ends */
  waiting: Set<(error: ConnectionLost) => void>
  answeredAt: number
  lost(): void
  notified(text: string): void
}

const lostError = (cause?: unknown) =>
  new ConnectionLost('The connection to the database was lost', { cause })

/** Rejects all pending answers: postgres.js would drop what it has not sent, and try to reconnect. */
function failAll(life: Life): void {
  life.isLost = true
  for (const fail of life.waiting) fail(lostError())
}

/** Returns a client of postgres.js that is limited to one session. */
function clientOn(
  socket: Socket,
  target: Target,
  { host, port }: Target['hosts'][number],
  life: Life,
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
    // postgres.js calls this again only to reconnect, which is refused.
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
    connection: { application_name: 'florin' },
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
  // postgres.js reads options that its types lack.
  return postgres(options as unknown as postgres.Options<Record<string, never>>) as unknown as postgres.Sql
}

/** Returns the answer, or rejects as soon as the session ends. */
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

function connectionOf(sql: postgres.Sql, life: Life, isStale: () => boolean): Connection {
  async function alive<T>(run: () => PromiseLike<T>): Promise<T> {
    if (life.isLost) throw lostError()
    life.patience.begin()
    try {
      const answer = await answered(life, run())
      life.answeredAt = performance.now()
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
    isStale,
    onLost(call) {
      life.lost = call
    },
    onNotify(call) {
      life.notified = call
    },
    async close() {
      life.isClosing = true
      life.patience.stop()
      // Requests on a lost connection are never answered, so don't wait for them.
      await sql.end({ timeout: life.isLost || isStale() ? 0 : CLOSE_SECONDS })
      life.isLost = true
    },
  }
}

/** The statements that set a session's limits. PgBouncer refuses limits as parameters of the connection. */
const limitsOf = ({ answerMs }: Patient): string =>
  [
    `SET statement_timeout = ${answerMs === Number.POSITIVE_INFINITY ? 0 : STATEMENT_MS}`,
    `SET lock_timeout = ${LOCK_WAIT_MS}`,
    `SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
    // Writers disable sequential scans, which makes an unavoidable one look so expensive that PostgreSQL
    // would compile the query first, for 100 ms and more.
    'SET jit = off',
  ].join('; ')

async function connectTo(
  target: Target,
  host: Target['hosts'][number],
  patient: Patient,
): Promise<Connection> {
  const socket = await openSocket(host.host, host.port, connectMs(target))
  const gone = () => void goneAt.set(target, performance.now())
  const patience = new Patience(socket, host, { ...silence, ...patient }, gone)
  const waiting: Life['waiting'] = new Set()
  const life: Life = {
    patience,
    isLost: false,
    isClosing: false,
    isUnconfirmed: false,
    waiting,
    answeredAt: performance.now(),
    lost() {},
    notified() {},
  }
  socket.once('close', () => failAll(life))
  const isStale = () => (goneAt.get(target) ?? 0) > life.answeredAt
  const connection = connectionOf(clientOn(socket, target, host, life), life, isStale)
  try {
    // The two are sent together, so that they cost one round trip.
    const limits = connection.script(limitsOf(patient))
    const state = connection.rows("SELECT current_setting('transaction_read_only') AS read_only")
    const [[row]] = await Promise.all([state, limits])
    if (row?.read_only === 'on') throw Object.assign(new Error('read-only'), { code: '25006' })
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

/** Opens a session with the first host that accepts writes. Throws the error of the last host. */
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
