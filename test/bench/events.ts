// Deliveries of many events to a merchant's server in a process of its own.
import { Database } from 'bun:sqlite'
import { cpuTime, type Result } from './load.ts'

const EVENTS = 1000
const POLL_MS = 20

interface Server {
  pid: number
  url: string
  merchantId: string
  liveKey: string
}

type Row = Record<string, string | number | null>

/** The row of a paid order whose event was delivered, and of what belongs to it. */
interface Example {
  orders: Row
  sessions: Row
  events: Row
  deliveries: Row
}

function insert(database: Database, table: string, row: Row): void {
  const names = Object.keys(row)
  const statement = `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`
  database.query(statement).run(...Object.values(row))
}

/** Stores events that are due now, as another process would. The server finds them within a second. */
function addDueEvents(database: Database, count: number): void {
  const of = (table: string, id: string, value: string): Row =>
    database.query<Row, [string]>(`SELECT * FROM ${table} WHERE ${id} = ?`).get(value) ?? {}
  const [found] = database
    .query<{ id: string; order_id: string }, []>("SELECT * FROM events WHERE type = 'order.paid' LIMIT 1")
    .all()
  if (!found) throw new Error('No order is paid')
  const example: Example = {
    orders: of('orders', 'id', found.order_id),
    sessions: of('sessions', 'order_id', found.order_id),
    events: of('events', 'id', found.id),
    deliveries: of('deliveries', 'event_id', found.id),
  }
  const now = Date.now()
  database.transaction(() => {
    for (let i = 0; i < count; i++) addEvent(database, example, now)
  })()
}

function addEvent(database: Database, { orders, sessions, events, deliveries }: Example, now: number): void {
  const [order, event] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
  insert(database, 'orders', { ...orders, id: order })
  insert(database, 'sessions', { ...sessions, order_id: order })
  insert(database, 'events', { ...events, id: event, order_id: order, created_at: now })
  insert(database, 'deliveries', {
    ...deliveries,
    ...{ event_id: event, status: 'pending', next_attempt_at: now, tries: '[]', first_tried_at: null },
  })
  const lane = `webhook:${orders.merchant_id}`
  insert(database, 'jobs', { kind: 'event.deliver', subject: event, lane, priority: 0, due_at: now })
}

interface Report {
  count: number
  /** when the first and the last event were answered */
  first: number | null
  last: number | null
}

const report = async (receiver: string): Promise<Report> => (await fetch(receiver)).json() as Promise<Report>

const countPending = (database: Database): number =>
  database
    .query<{ count: number }, []>("SELECT count(*) AS count FROM jobs WHERE kind = 'event.deliver'")
    .get()?.count ?? 0

async function setWebhook({ url, liveKey }: Server, receiver: string, answerMs: number): Promise<void> {
  const response = await fetch(`${url}/v1/webhook`, {
    method: 'PUT',
    headers: { 'X-API-Key': liveKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: `${receiver}/after/${answerMs}` }),
  })
  if (!response.ok) throw new Error(`Setting the webhook was answered with ${response.status}`)
}

/** How long each delivery took, as the server has recorded it. */
function durations(database: Database): number[] {
  const rows = database
    .query<{ ms: number }, [number]>(
      `SELECT json_extract(tries, '$[0].durationMs') AS ms FROM deliveries WHERE status = 'delivered'
       ORDER BY rowid DESC LIMIT ?`,
    )
    .all(EVENTS)
  return rows.map(({ ms }) => ms).sort((one, other) => one - other)
}

export interface Deliveries {
  server: Server
  /** its database */
  file: string
  /** the URL of the merchant's server */
  receiver: string
}

/** Delivers many events that are due at the same time to an endpoint that answers after `answerMs`. */
export const deliverAll = async (deliveries: Deliveries, answerMs: number): Promise<Result> =>
  (await deliverDuring(deliveries, answerMs, async () => null)).slow

/** The same while other work runs. The processor time is that of both. */
export async function deliverDuring<T>(
  { server, file, receiver }: Deliveries,
  answerMs: number,
  work: () => Promise<T>,
): Promise<{ slow: Result; meanwhile: T }> {
  const database = new Database(file)
  try {
    database.run('PRAGMA busy_timeout = 5000')
    await setWebhook(server, receiver, answerMs)
    while (countPending(database) > 0) await Bun.sleep(POLL_MS)
    await fetch(`${receiver}/forget`, { method: 'POST' })
    addDueEvents(database, EVENTS)
    while ((await report(receiver)).count === 0) await Bun.sleep(POLL_MS)
    const before = cpuTime(server.pid)
    const meanwhile = await work()
    while (countPending(database) > 0) await Bun.sleep(POLL_MS)
    const after = cpuTime(server.pid)
    const { count, first, last } = await report(receiver)
    if (count !== EVENTS) throw new Error(`${count} of ${EVENTS} events were received`)
    const times = durations(database)
    const slow = {
      perSecond: ((EVENTS - 1) * 1000) / ((last ?? 0) - (first ?? 0)),
      cpuMicroseconds: before === null || after === null ? null : (after - before) / EVENTS,
      p50Milliseconds: times[Math.floor(times.length * 0.5)] ?? 0,
      p99Milliseconds: times[Math.floor(times.length * 0.99)] ?? 0,
    }
    return { slow, meanwhile }
  } finally {
    database.close()
  }
}
