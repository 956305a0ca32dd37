import { DatabaseError } from '../storage/engine.ts'
import { Damaged, type ETag, type ReplicaKey, type Store, seal, unseal } from './store.ts'

/** A copy of the whole database, as it was after a segment. */
export interface Snapshot {
  id: string
  /** the last segment that it contains; 0 if it is the start */
  sequence: number
  /** the hash of that segment, which the next one names */
  hash: string
  at: number
  parts: number
  /** the hash of the hashes of its parts; null while it is written */
  digest: string | null
}

/** The segments that one process wrote: from `first` up to what the next run begins with. */
interface Run {
  id: string
  first: number
  /** what its first segment names as the one before */
  previous: string
}

/** Segments without a gap. */
export interface Generation {
  id: string
  startedAt: number
  reason: string
  runs: Run[]
  /** the oldest segment that is kept */
  first: number
  /** the last segment when this was written; newer ones may follow */
  last: { sequence: number; hash: string; at: number }
  snapshots: Snapshot[]
}

/** Objects that nothing needs any more. */
export type Trash =
  | { kind: 'segments'; generation: string; run: string; from: number; to: number }
  | { kind: 'snapshot'; generation: string; id: string; parts: number }

/** The object that says what a store contains. */
export interface Contents {
  /** counts how often it was written */
  serial: number
  /** the installation that writes here */
  owner: string
  /** the process that writes here */
  run: string
  /** One more than that of the process before: of two that write at the same time, the higher one goes on. */
  term: number
  writtenAt: number
  generations: Generation[]
  trash: Trash[]
}

const CONTENTS = 'contents'

export const segmentName = (generation: string, run: string, sequence: number): string =>
  `${generation}/segment-${String(sequence).padStart(10, '0')}-${run}`

export const partName = (generation: string, snapshot: string, part: number): string =>
  `${generation}/snapshot-${snapshot}-${String(part).padStart(6, '0')}`

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

/** Lets a run continue after a segment. What an earlier run stored after that no longer counts. */
export function addRun(
  generation: Generation,
  run: string,
  { sequence, hash }: { sequence: number; hash: string },
): void {
  const runs = generation.runs.filter(({ first }) => first <= sequence)
  generation.runs = [...runs, { id: run, first: sequence + 1, previous: hash }]
  generation.last = { ...generation.last, sequence, hash }
}

/** The run that wrote a segment. */
export const runOf = ({ runs }: Generation, sequence: number): Run | undefined =>
  runs.findLast(({ first }) => first <= sequence)

/** Whether a run stored the segment that it left last, and none that counts instead. */
export const isOf = (generation: Generation, left: { sequence: number; run: string }): boolean =>
  left.sequence === 0 || runOf(generation, left.sequence)?.id === left.run

/** Reads the contents; null if the store is empty. */
export const readContents = async (store: Store, key: ReplicaKey): Promise<Contents | null> =>
  (await findContents(store, key)).contents

/** Reads the contents, and which version of the object they are. */
export async function findContents(
  store: Store,
  key: ReplicaKey,
): Promise<{ contents: Contents | null; version: ETag }> {
  const { bytes, etag: version } = await store.getWithETag(CONTENTS)
  return { contents: bytes && (await openContents(store, key, bytes)), version }
}

async function openContents(store: Store, key: ReplicaKey, sealed: Uint8Array): Promise<Contents> {
  try {
    return JSON.parse(new TextDecoder().decode(await unseal({ store, key }, CONTENTS, sealed)))
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    throw new DatabaseError(
      `The object "contents" in ${store.name} was changed or cut. Restore it from an older version of the ` +
        'object if the store keeps versions. To begin again, set FLORIN_REPLICA_URL to another prefix.',
    )
  }
}

/** Writes the contents in the place of a version. Returns the new one, or false if it found another. */
export async function writeContents(
  store: Store,
  key: ReplicaKey,
  contents: Contents,
  version: ETag,
): Promise<ETag | false> {
  const plain = new TextEncoder().encode(JSON.stringify(contents))
  return store.putIfMatch(CONTENTS, await seal(key, CONTENTS, plain), version)
}
