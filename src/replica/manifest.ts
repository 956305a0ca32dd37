import { DatabaseError } from '../storage/engine.ts'
import { MANIFEST_BYTES_MAX, TooLarge } from './answer.ts'
import { Damaged, type EncryptedStore, type ETag, type Store, seal, unseal } from './store.ts'

/**
 * Max segments that one server uploads at the same time. Only the last segments of a replica may have gaps.
 */
export const IN_FLIGHT_MAX = 8

/** A copy of the whole database, as of a segment. Stored as JSON with these field names. */
export interface Snapshot {
  id: string
  /** the last segment that the snapshot contains; 0 at the start of a generation */
  sequence: number
  /** hash of the segment `sequence`, which the next segment names */
  hash: string
  at: number
  parts: number
  /** see `digestOf`; null until all parts are uploaded */
  digest: string | null
}

/**
 * The segments of one server process, up to the next run's first segment. Stored as JSON with these field
 * names.
 */
interface Run {
  id: string
  first: number
  /** hash of the segment before the run, which the run's first segment names */
  previous: string
}

/**
 * An unbroken chain of segments, with the snapshots that it starts from. Stored as JSON with these field
 * names.
 */
export interface Generation {
  id: string
  startedAt: number
  reason: string
  runs: Run[]
  /** number of the oldest segment that is still stored */
  first: number
  /** newest segment when the manifest was written; newer segments may exist */
  last: { sequence: number; hash: string; at: number }
  snapshots: Snapshot[]
}

/** Objects to delete. Stored as JSON with these field names. */
type Trash =
  | { kind: 'segments'; generation: string; run: string; from: number; to: number }
  | { kind: 'snapshot'; generation: string; id: string; parts: number }

/** The object that lists the restorable data and names the writer. Stored as JSON with these field names. */
export interface Manifest {
  /** number of writes of the manifest */
  serial: number
  /** the installation that holds the lease */
  owner: string
  /** the process that holds the lease */
  run: string
  /**
   * Fencing token: that of the previous process plus one. The highest token wins; of equal tokens, the
   * greatest run ID.
   */
  term: number
  writtenAt: number
  generations: Generation[]
  trash: Trash[]
}

/** Names segments after their run, so that two processes never overwrite each other's segments. */
export const segmentName = (generation: string, run: string, sequence: number): string =>
  `${generation}/segment-${String(sequence).padStart(10, '0')}-${run}`

export const partName = (generation: string, snapshot: string, part: number): string =>
  `${generation}/snapshot-${snapshot}-${String(part).padStart(6, '0')}`

const MANIFEST = 'contents'

/** Reads the manifest; null if the store is empty. Throws a DatabaseError. */
export const readManifest = async (replica: EncryptedStore): Promise<Manifest | null> =>
  (await findManifest(replica)).manifest

/** Reads the manifest and its version, for `writeManifest`. Throws a DatabaseError. */
export async function findManifest(
  replica: EncryptedStore,
): Promise<{ manifest: Manifest | null; etag: ETag }> {
  try {
    const { bytes, etag } = await replica.store.getWithETag(MANIFEST, MANIFEST_BYTES_MAX)
    if (!bytes) return { manifest: null, etag }
    return { manifest: JSON.parse(new TextDecoder().decode(await unseal(replica, MANIFEST, bytes))), etag }
  } catch (error) {
    if (!(error instanceof Damaged || error instanceof TooLarge)) throw error
    throw new DatabaseError(
      `The object "contents" in ${replica.store.name} was changed or cut. Restore it from an older version ` +
        'of the object if the store keeps versions. To begin again, set FLORIN_REPLICA_URL to another ' +
        'prefix.',
    )
  }
}

/**
 * Replaces a version of the manifest. Returns the new version, or false if another process wrote the manifest
 * meanwhile.
 */
export async function writeManifest(
  { store, key }: EncryptedStore,
  manifest: Manifest,
  etag: ETag,
): Promise<ETag | false> {
  const plain = new TextEncoder().encode(JSON.stringify(manifest))
  return store.putIfMatch(MANIFEST, await seal(key, MANIFEST, plain), etag)
}

export function newGeneration(at: number, reason: string, run: string): Generation {
  return {
    id: `${new Date(at).toISOString().replace(/[^0-9TZ]/g, '')}-${run}`,
    startedAt: at,
    reason,
    runs: [{ id: run, first: 1, previous: '' }],
    first: 1,
    last: { sequence: 0, hash: '', at },
    snapshots: [],
  }
}

/** Continues a generation after a segment. Later segments of earlier runs are no longer valid. */
export function addRun(
  generation: Generation,
  run: string,
  { sequence, hash }: { sequence: number; hash: string },
): void {
  const runs = generation.runs.filter(({ first }) => first <= sequence)
  generation.runs = [...runs, { id: run, first: sequence + 1, previous: hash }]
  generation.last = { ...generation.last, sequence, hash }
}

/** Returns the name of a generation's segment, from the run that is valid for its number. */
export const nameIn = ({ id, runs }: Generation, sequence: number): string =>
  segmentName(id, runs.findLast(({ first }) => first <= sequence)?.id ?? '', sequence)

/**
 * True if a segment is still the valid one of its number; false once another process has continued the
 * generation before it.
 */
export const hasSegment = (
  generation: Generation,
  { sequence, run }: { sequence: number; run: string },
): boolean => sequence === 0 || nameIn(generation, sequence) === segmentName(generation.id, run, sequence)

/** True if a snapshot is complete and not later than `until`. */
export const isUsable = ({ digest, at }: Snapshot, until: number): boolean => digest !== null && at <= until

/** Max segments that a killed process may have uploaded and the next run does not know. */
const UNKNOWN_MAX = IN_FLIGHT_MAX + 2
/** Max segments that may have been uploaded since the manifest was last written. */
const UNLISTED_MAX = 200

const snapshotTrash = (generation: string, snapshots: Snapshot[]): Trash[] =>
  snapshots.map(({ id, parts }) => ({ kind: 'snapshot', generation, id, parts }))

/** Returns the segments up to number `to`, grouped by run. */
function segmentTrash({ id, runs, first }: Generation, to: number): Trash[] {
  return runs.flatMap((run, index): Trash[] => {
    const from = Math.max(first, run.first)
    const end = Math.min(to, (runs[index + 1]?.first ?? Number.POSITIVE_INFINITY) + UNKNOWN_MAX)
    return from <= end ? [{ kind: 'segments', generation: id, run: run.id, from, to: end }] : []
  })
}

/** Max deletions at the same time, and per sweep. Both are low because uploads of changes come first. */
const DELETE_AT_ONCE = 8
const DELETE_MAX = 2000

/** Moves to the trash everything that is not needed to restore a state since `since`. */
export function dropExpired({ generations, trash }: Manifest, since: number): void {
  const baseOf = ({ snapshots }: Generation) => snapshots.findLast(snapshot => isUsable(snapshot, since))
  const oldest = generations.findLastIndex(generation => baseOf(generation) !== undefined)
  for (const generation of generations.splice(0, Math.max(0, oldest))) {
    trash.push(...snapshotTrash(generation.id, generation.snapshots))
    trash.push(...segmentTrash(generation, generation.last.sequence + UNLISTED_MAX))
  }
  for (const generation of generations) {
    const base = baseOf(generation)
    if (!base) continue
    const older = generation.snapshots.filter(
      ({ sequence, id }) => sequence <= base.sequence && id !== base.id,
    )
    trash.push(...snapshotTrash(generation.id, older), ...segmentTrash(generation, base.sequence))
    generation.snapshots = generation.snapshots.filter(snapshot => !older.includes(snapshot))
    generation.first = Math.max(generation.first, base.sequence + 1)
  }
}

function* namesOf(trash: Trash): Generator<string> {
  if (trash.kind === 'snapshot') {
    for (let part = trash.parts - 1; part >= 0; part--) yield partName(trash.generation, trash.id, part)
    return
  }
  for (let at = trash.from; at <= trash.to; at++) yield segmentName(trash.generation, trash.run, at)
}

/** Deletes some objects and returns the remaining trash. Throws a DatabaseError if the store refuses. */
export async function deleteTrash(store: Store, trash: readonly Trash[]): Promise<Trash[]> {
  const [first, ...rest] = trash
  if (!first) return []
  const names = namesOf(first).take(DELETE_MAX)
  const walk = async () => {
    for (const name of names) await store.remove(name)
  }
  await Promise.all(Array.from({ length: DELETE_AT_ONCE }, walk))
  if (first.kind === 'snapshot') {
    const parts = first.parts - DELETE_MAX
    return parts > 0 ? [{ ...first, parts }, ...rest] : rest
  }
  const from = first.from + DELETE_MAX
  return from > first.to ? rest : [{ ...first, from }, ...rest]
}
