import type { Log } from '../domain/log.ts'

const MINUTE_MS = 60_000
/** Max remembered clients. The client whose line is oldest is forgotten first. */
const CLIENTS_MAX = 1000

type RefusalLog = (address: string, fields: object, event: string) => void

/**
 * Returns a log for refusals of clients. It writes one line a minute for each client, with the number of
 * refusals since the line before. A client can send as many requests as it likes, so a line for each would
 * fill the disk.
 */
export function makeRefusalLog(log: Log, now: () => number): RefusalLog {
  const known = new Map<string, { at: number; count: number }>()
  return (address, fields, event) => {
    const key = `${event} ${address}`
    const at = now()
    const last = known.get(key)
    if (last && Math.abs(at - last.at) < MINUTE_MS) {
      last.count++
      return
    }
    known.delete(key)
    known.set(key, { at, count: 0 })
    if (known.size > CLIENTS_MAX) known.delete(known.keys().next().value ?? '')
    log.warn({ ...fields, address, count: 1 + (last?.count ?? 0) }, event)
  }
}
