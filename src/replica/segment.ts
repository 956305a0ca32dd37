import type { Changes, KnownLog } from '../storage/change-source.ts'
import { type Generation, segmentName } from './contents.ts'
import { encodePages, type SegmentHead } from './pages.ts'
import { hashOf, type ReplicaKey, seal } from './seal.ts'
import type { Store } from './store.ts'

/** Changes that were read and are not stored yet. */
export interface Captured {
  changes: Changes
  log: KnownLog
  at: number
}

/** Stores changes as the segment that follows `before`. Returns what the one after it names. */
export async function storeSegment(
  { store, key }: { store: Store; key: ReplicaKey },
  run: string,
  { id, last }: Generation,
  before: { sequence: number; hash: string },
  { changes, at }: Captured,
) {
  const sequence = before.sequence + 1
  const { pageSize, databasePages, pages } = changes
  const head: SegmentHead = {
    generation: id,
    sequence,
    previous: before.hash,
    stored: before.sequence,
    databasePages,
    at: Math.max(at, last.at),
  }
  const name = segmentName(id, run, sequence)
  const sealed = await seal(key, name, encodePages({ head, pageSize, pages }))
  await store.put(name, sealed)
  return { generation: id, sequence, hash: hashOf(sealed) }
}
