import type { ChangeSource } from '../storage/change-source.ts'
import { partName, type Snapshot } from './manifest.ts'
import { encodePages, type PartHead } from './pages.ts'
import { hashOf, type ReplicaKey, type Store, seal } from './store.ts'

const PART_BYTES = 2 * 1024 * 1024
const RETRY_MS = 2000

/** How many parts a snapshot of a database has. */
export const partsOf = ({ bytes }: { bytes: number }): number => Math.max(1, Math.ceil(bytes / PART_BYTES))

function readPart(source: ChangeSource, part: number, size: { bytes: number; pageSize: number }) {
  const { pageSize } = size
  const from = part * PART_BYTES
  const bytes = source.readDatabase(from, Math.min(PART_BYTES, size.bytes - from))
  const pages = new Map<number, Uint8Array>()
  for (let at = 0; at < bytes.length; at += pageSize) {
    pages.set((from + at) / pageSize + 1, bytes.subarray(at, at + pageSize))
  }
  return pages
}

/**
 * Copies the database file, which stays as it is meanwhile, part by part. A part that cannot be stored is
 * tried again until `isWanted` says no. Returns the digest of the snapshot; null if it is no longer wanted.
 */
export async function copySnapshot(
  { source, store, key }: { source: ChangeSource; store: Store; key: ReplicaKey },
  generation: string,
  { id, parts }: Snapshot,
  size: { bytes: number; pageSize: number },
  isWanted: () => boolean,
): Promise<string | null> {
  const hashes: string[] = []
  for (let part = 0; part < parts; part++) {
    if (!isWanted()) return null
    const head: PartHead = { snapshot: id, part }
    const name = partName(generation, id, part)
    const pages = readPart(source, part, size)
    const sealed = await seal(key, name, encodePages({ head, pageSize: size.pageSize, pages }))
    hashes.push(hashOf(sealed))
    while (!(await isStored(store, name, sealed))) {
      if (!isWanted()) return null
      await Bun.sleep(RETRY_MS)
    }
  }
  return isWanted() ? hashOf(Buffer.from(hashes.join('\n'))) : null
}

async function isStored(store: Store, name: string, sealed: Uint8Array): Promise<boolean> {
  try {
    await store.put(name, sealed)
    return true
  } catch {
    // The segments, which are stored at the same time, report what is wrong with the store.
    return false
  }
}
