import { DatabaseError } from '../storage/engine.ts'
import { type ReplicaKey, SealError, seal, unseal } from './seal.ts'
import type { Store } from './store.ts'

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

export const keyRefused = (store: string): DatabaseError =>
  new DatabaseError(
    `What ${store} holds was encrypted with another key. ` +
      'Set FLORIN_REPLICA_KEY_FILE to the key file of the installation that wrote it.',
  )

/** Reads the contents; null if the store is empty. */
export async function readContents(store: Store, key: ReplicaKey): Promise<Contents | null> {
  const sealed = await store.get(CONTENTS)
  if (sealed === null) return null
  try {
    return JSON.parse(new TextDecoder().decode(await unseal(key, CONTENTS, sealed)))
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    if (error.reason === 'foreign') throw keyRefused(store.name)
    throw new DatabaseError(
      `The object "contents" in ${store.name} was changed or cut. Restore it from an older version of the ` +
        'object if the store keeps versions. To begin again, set FLORIN_REPLICA_URL to another prefix.',
    )
  }
}

export async function writeContents(store: Store, key: ReplicaKey, contents: Contents): Promise<void> {
  const plain = new TextEncoder().encode(JSON.stringify(contents))
  await store.put(CONTENTS, await seal(key, CONTENTS, plain))
}
