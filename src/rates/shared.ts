import type { FetchedTable } from './rate-table.ts'

/** Tables that servers fetched from one source, in a shared database. */
export interface SharedTable {
  /** The table that a server fetched last, and the time until which this server must not ask the source. */
  find(): Promise<{ fetched: FetchedTable | null; askedUntil: number }>
  /**
   * Keeps other servers from asking until a time. Returns false if another server is asking, or has fetched a
   * table after `found`.
   */
  claim(until: number, found: FetchedTable | null): Promise<boolean>
  /** Shares a table. Other servers may ask again. */
  keep(fetched: FetchedTable): Promise<void>
  /** Keeps all servers from asking until a time. */
  pause(until: number): Promise<void>
}

/** The time in which a server may ask: longer than a source may take to answer. */
export const ASKING_MS = 10_000
const LOOK_MS = 100

interface Asking {
  now: () => number
  /** Uses a table. Returns true if it is recent enough. */
  use(fetched: FetchedTable): boolean
  /** True if there is no usable table until another server has its answer. */
  canWait(): boolean
}

/** Uses a table that another server has fetched or is fetching. Returns false if this server has to ask. */
export async function askOthers(shared: SharedTable, { now, use, canWait }: Asking): Promise<boolean> {
  for (const since = performance.now(); performance.now() - since < ASKING_MS; ) {
    const { fetched, askedUntil } = await shared.find()
    // The clock of the server that fetched the table may be ahead of this one's.
    if (fetched && use({ ...fetched, fetchedAt: Math.min(fetched.fetchedAt, now()) })) return true
    const waitMs = askedUntil - now()
    if (waitMs <= 0) {
      if (await shared.claim(now() + ASKING_MS, fetched)) return false
    } else if (waitMs > ASKING_MS || !canWait()) return true
    await Bun.sleep(LOOK_MS)
  }
  return false
}
