import type { Log } from '../domain/log.ts'
import type { ReplicaKey, Store } from './store.ts'

const MB = 1024 * 1024
const SECOND_MS = 1000

export const defaultLimits = {
  /** how often changes are stored: what is sent has half a second to arrive within one */
  everyMs: SECOND_MS / 2,
  /** what a segment has at most, if no commit is larger */
  segmentBytes: 2 * MB,
  /** when the write-ahead log is moved into the database file */
  checkpointBytes: 4 * MB,
  /** the write-ahead log does not grow above, while the store cannot be reached or is too slow */
  logBytesMax: 256 * MB,
  /** nor does it leave less on its disk */
  freeBytesMin: 512 * MB,
  contentsMs: 30 * SECOND_MS,
  snapshotMs: 24 * 3600 * SECOND_MS,
  /** after the store failed */
  retryMs: 5 * SECOND_MS,
  noteMs: 10 * SECOND_MS,
  stopMs: 5 * SECOND_MS,
}

export interface ShipperOptions {
  store: Store
  key: ReplicaKey
  dataDir: string
  keepMs: number
  now: () => number
  log: Log
  freeBytes: () => number
  limits?: Partial<typeof defaultLimits>
}

/** Whether the write-ahead log no longer waits for the store. While the database is copied, it must. */
export const isTooLarge = (
  bytes: number,
  copiedBytes: number,
  { logBytesMax, freeBytesMin }: typeof defaultLimits,
  freeBytes: () => number,
): boolean =>
  bytes > Math.max(logBytesMax, copiedBytes) || (bytes > logBytesMax / 8 && freeBytes() < freeBytesMin)
