// Deliveries of many events to a merchant's server in a process of its own.
import { Database } from 'bun:sqlite'
import { cpuOfEach, cpuTime, type Result } from './load.ts'

const POLL_MS = 20

interface Server {
  pid: number
  url: string
  merchantId: string
  liveKey: string
}

type Row = Record<string, string | number | null>

function insert(database: Database, table: string, row: Row): void {
  const names = Object.keys(row)
  const statement = `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`
  database.query(statement).run(...Object.values(row))
}

/** An event of the order, with its delivery, like the event of another order. Returns its ID. */
function addEvent(database: Database, order: string): string {
  const like = "SELECT * FROM events WHERE type = 'order.paid' LIMIT 1"
  const event = database.query<Row, []>(like).get()
  if (!event) throw new Error('No order is paid')
  const id = Bun.randomUUIDv7()
  insert(database, 'events', { ...event, id, order_id: order })
  const delivery = database.query<Row, never[]>('SELECT * FROM deliveries WHERE event_id = ?')
  insert(database, 'deliveries', { ...delivery.get(...([event.id] as never[])), event_id: id })
  return id
}

/**
 * Makes an event of each order due now, as another process would. The server finds them within a second.
 */
function makeDue(database: Database, lane: string, orders: string[]): void {
  const find = database.query<{ id: string }, [string]>('SELECT id FROM events WHERE order_id = ?')
  const update = database.query<null, [number, string]>(
    `UPDATE deliveries SET status = 'pending', next_attempt_at = ?, tries = '[]', first_tried_at = NULL
     WHERE event_id = ?`,
  )
  const now = Date.now()
  database
    .transaction(() => {
      for (const order of orders) {
        const subject = find.get(order)?.id ?? addEvent(database, order)
        update.run(now, subject)
        insert(database, 'jobs', { kind: 'event.deliver', subject, lane, priority: 0, due_at: now })
      }
    })
    .immediate()
}

interface Report {
  count: number
  /** the time when the first and the last event were answered */
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

/** The duration of each delivery in milliseconds, as the server recorded it. */
function durations(database: Database, count: number): number[] {
  const rows = database
    .query<{ ms: number }, [number]>(
      `SELECT json_extract(tries, '$[0].durationMs') AS ms FROM deliveries WHERE status = 'delivered'
       ORDER BY updated_at DESC LIMIT ?`,
    )
    .all(count)
  return rows.map(({ ms }) => ms).sort((one, other) => one - other)
}

export interface Deliveries {
  server: Server
  /** the database of the server */
  file: string
  /** the URL of the merchant's server */
  receiver: string
  /** IDs of orders; each has one event, which is delivered */
  orders: string[]
}

/** Delivers many events that are due at the same time to an endpoint that answers after `answerMs`. */
export const deliverAll = async (deliveries: Deliveries, answerMs: number): Promise<Result> =>
  (await deliverDuring(deliveries, answerMs, async () => null)).slow

/** Like `deliverAll`, while other work runs. The processor time is the sum of both. */
export async function deliverDuring<T>(
  { server, file, receiver, orders }: Deliveries,
  answerMs: number,
  work: () => Promise<T>,
): Promise<{ slow: Result; meanwhile: T }> {
  const database = new Database(file)
  try {
    database.run('PRAGMA busy_timeout = 5000')
    await setWebhook(server, receiver, answerMs)
    while (countPending(database) > 0) await Bun.sleep(POLL_MS)
    await fetch(`${receiver}/forget`, { method: 'POST' })
    makeDue(database, `webhook:${server.merchantId}`, orders)
    while ((await report(receiver)).count === 0) await Bun.sleep(POLL_MS)
    const before = cpuTime(server.pid)
    const meanwhile = await work()
    while (countPending(database) > 0) await Bun.sleep(POLL_MS)
    const { count, first, last } = await report(receiver)
    if (count !== orders.length) throw new Error(`${count} of ${orders.length} events were received`)
    const times = durations(database, orders.length)
    const slow = {
      perSecond: ((count - 1) * 1000) / ((last ?? 0) - (first ?? 0)),
      ...cpuOfEach(server.pid, before, count),
      p50Milliseconds: times[Math.floor(times.length * 0.5)] ?? 0,
      p99Milliseconds: times[Math.floor(times.length * 0.99)] ?? 0,
    }
    return { slow, meanwhile }
  } finally {
    database.close()
  }
}
