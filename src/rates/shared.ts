import type { FetchedTable } from './rate-table.ts'

/** What other servers have fetched from one source. */
export interface SharedTable {
  /** The table that a server fetched last, and until when this server must not ask. */
  find(): Promise<{ fetched: FetchedTable | null; askedUntil: number }>
  /**
   * Keeps others from asking until a time. False if another server is asking, or has fetched a table since
   * this one found its own.
   */
  claim(until: number, found: FetchedTable | null): Promise<boolean>
  /** Gives the table to the others, who may ask again. */
  keep(fetched: FetchedTable): Promise<void>
  /** Lets nobody ask until a time. */
  pause(until: number): Promise<void>
}

/** Longer than a source may take to answer. */
export const ASKING_MS = 10_000
const LOOK_MS = 100

interface Asking {
  now: () => number
  /** Takes over a table, and returns whether it is young enough. */
  use(fetched: FetchedTable): boolean
  /** Whether there is nothing else to use until another server has its answer. */
  canWait(): boolean
}

/** Uses what another server has fetched, or is fetching. False if this one has to ask. */
export async function askOthers(shared: SharedTable, { now, use, canWait }: Asking): Promise<boolean> {
  for (const since = performance.now(); performance.now() - since < ASKING_MS; ) {
    const { fetched, askedUntil } = await shared.find()
    // The clock of the other server may be ahead.
    if (fetched && use({ ...fetched, fetchedAt: Math.min(fetched.fetchedAt, now()) })) return true
    const waitMs = askedUntil - now()
    if (waitMs <= 0) {
      if (await shared.claim(now() + ASKING_MS, fetched)) return false
    } else if (waitMs > ASKING_MS || !canWait()) return true
    await Bun.sleep(LOOK_MS)
  }
  return false
}
