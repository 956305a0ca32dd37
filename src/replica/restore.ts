import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { DatabaseError } from '../storage/engine.ts'
import { TooLarge, USUAL_BYTES_MAX } from './answer.ts'
import {
  type Generation,
  IN_FLIGHT_MAX,
  isUsable,
  type Manifest,
  nameIn,
  partName,
  readManifest,
  type Snapshot,
} from './manifest.ts'
import { decodePages, type PageSet, type SegmentHead } from './segment.ts'
import { digestOf, type PartHead } from './snapshot.ts'
import { Damaged, type EncryptedStore, hashOf, type Store, unseal } from './store.ts'

/** Number of objects fetched ahead. */
const AHEAD = 16
const TRIES = 3
const RETRY_MS = 1000

interface RestoreOutcome {
  /** upper bound of the times of all commits in the database; Unix time in milliseconds */
  at: number
  generation: string
  /** number of the last segment that was written to the database */
  sequence: number
  segments: number
  /** when a server last wrote the manifest */
  writtenAt: number
  /** reason why a newer snapshot was not used; null if the newest one was */
  skipped: string | null
}

interface Start {
  generation: Generation
  snapshot: Snapshot
}

/** The database file being written, and the segment and time up to which it was written. */
interface Output {
  handle: number
  at: number
  sequence: number
}

/**
 * Thrown if objects of the replica are missing or were changed. The message says what can still be restored.
 */
export class DamagedReplica extends DatabaseError {}

/** Thrown if a snapshot is damaged, so that an older one has to be tried. */
class Unusable extends Error {}

const timeOf = (at: number): string => new Date(at).toISOString()

async function fetchObject({ store }: EncryptedStore, name: string, bytesMax?: number) {
  for (let tries = 1; ; tries++) {
    try {
      return await store.get(name, bytesMax)
    } catch (error) {
      if (tries >= TRIES || error instanceof TooLarge) throw error
      await Bun.sleep(RETRY_MS)
    }
  }
}

/** Fetches an object that was too large to be fetched ahead. Any other failure is thrown again. */
async function fetchLarge(source: EncryptedStore, name: string, failure: unknown) {
  if (!(failure instanceof TooLarge)) throw failure
  return fetchObject(source, name).catch(error => {
    throw error instanceof TooLarge ? new Damaged(`the object ${name} was changed: it is too large`) : error
  })
}

/** Fetches and decrypts an object; null if it does not exist. */
async function openObject<Head>(source: EncryptedStore, name: string, fetched = fetchObject(source, name)) {
  const sealed = await fetched.catch(error => fetchLarge(source, name, error))
  if (!sealed) return null
  return { ...decodePages<Head>(await unseal(source, name, sealed)), hash: hashOf(sealed) }
}

/** Decrypts objects in order, and fetches the next ones ahead. */
async function* inOrder<Head>(source: EncryptedStore, names: Iterator<string>) {
  const ahead: { name: string; fetched: Promise<Uint8Array | null> }[] = []
  const fetchNext = () => {
    const { value: name, done } = names.next()
    if (done) return
    // Several objects are in memory at the same time, so large ones are fetched only when they are needed.
    const fetched = fetchObject(source, name, USUAL_BYTES_MAX)
    // The failure is reported when the object is opened.
    fetched.catch(() => {})
    ahead.push({ name, fetched })
  }
  for (let i = 0; i < AHEAD; i++) fetchNext()
  for (let next = ahead.shift(); next; next = ahead.shift()) {
    yield { name: next.name, set: await openObject<Head>(source, next.name, next.fetched) }
    fetchNext()
  }
}

function writePages(handle: number, { pageSize, pages }: PageSet<unknown>): void {
  for (const [number, bytes] of pages) writeSync(handle, bytes, 0, pageSize, (number - 1) * pageSize)
}

async function writeSnapshot(source: EncryptedStore, { handle }: Output, { generation, snapshot }: Start) {
  const names = Array.from({ length: snapshot.parts }, (_, part) =>
    partName(generation.id, snapshot.id, part),
  )
  const hashes: string[] = []
  for await (const { name, set } of inOrder<PartHead>(source, names.values())) {
    if (!set) throw new Damaged(`the object ${name} is missing`)
    writePages(handle, set)
    hashes.push(set.hash)
  }
  if (digestOf(hashes) !== snapshot.digest) throw new Damaged(`the snapshot ${snapshot.id} was changed`)
}

function* segmentsAfter(generation: Generation, sequence: number): Generator<string> {
  for (let next = sequence + 1; ; next++) yield nameIn(generation, next)
}

/**
 * True if a missing segment must have existed. Up to IN_FLIGHT_MAX segments are uploaded at the same time, so
 * the last ones may have gaps. Each later segment says which ones were uploaded before it.
 */
async function wasUploaded(source: EncryptedStore, generation: Generation, sequence: number) {
  if (sequence <= generation.last.sequence) return true
  const later = segmentsAfter(generation, sequence).take(IN_FLIGHT_MAX)
  const found = await Promise.all(later.map(name => openObject<SegmentHead>(source, name)))
  return found.some(set => set !== null && set.head.stored >= sequence)
}

/**
 * Writes the segments that follow a snapshot, up to the last commit at or before `until`. Updates `output`.
 */
async function writeSegments(
  source: EncryptedStore,
  output: Output,
  { generation, snapshot }: Start,
  until: number,
): Promise<void> {
  let previous = snapshot.hash
  const names = segmentsAfter(generation, snapshot.sequence)
  for await (const { name, set } of inOrder<SegmentHead>(source, names)) {
    const sequence = output.sequence + 1
    if (!set) {
      if (await wasUploaded(source, generation, sequence)) throw new Damaged(`the object ${name} is missing`)
      return
    }
    const { head, pageSize } = set
    if (head.previous !== previous || head.sequence !== sequence || head.generation !== generation.id) {
      throw new Damaged(`the object ${name} does not continue the one before it`)
    }
    if (head.at > until) return
    writePages(output.handle, set)
    ftruncateSync(output.handle, head.databasePages * pageSize)
    previous = set.hash
    Object.assign(output, { at: head.at, sequence })
  }
}

/** Returns the usable snapshots of the newest generation that has any, newest first. */
function startsFor({ generations }: Manifest, until: number): Start[] {
  const usableIn = ({ snapshots }: Generation) => snapshots.filter(snapshot => isUsable(snapshot, until))
  const generation = generations.findLast(one => usableIn(one).length > 0)
  if (!generation) return []
  return usableIn(generation)
    .map(snapshot => ({ generation, snapshot }))
    .reverse()
}

function noneError(store: Store, manifest: Manifest | null, until: number): DatabaseError {
  const whole = (manifest?.generations ?? []).flatMap(({ snapshots }) => snapshots).filter(one => one.digest)
  const [oldest] = whole
  if (!oldest && manifest) {
    return new DatabaseError(
      `${store.name} has no complete copy of a database: the first one was not finished. ` +
        'Restore another backup.',
    )
  }
  if (!oldest) return new DatabaseError(`${store.name} has no copy of a database. Check the URL.`)
  return new DatabaseError(
    `${store.name} has nothing from ${timeOf(until)} or before. Its oldest moment is ${timeOf(oldest.at)}.`,
  )
}

const damagedError = (source: EncryptedStore, message: string, before: number | null): DamagedReplica =>
  new DamagedReplica(
    `${source.store.name} is damaged: ${message}. ` +
      (before === null
        ? 'Nothing before it can be restored. Restore another backup, or an older version of the object.'
        : `Nothing was restored. To restore what is before it, use --at ${timeOf(before)}.`),
  )

async function restoreFrom(source: EncryptedStore, file: string, start: Start, until: number) {
  const { generation, snapshot } = start
  rmSync(file, { force: true })
  const handle = openSync(file, 'wx', 0o600)
  const output: Output = { handle, at: snapshot.at, sequence: snapshot.sequence }
  try {
    await writeSnapshot(source, output, start).catch(error => {
      throw error instanceof Damaged ? new Unusable(error.message) : error
    })
    await writeSegments(source, output, start, until)
    fsyncSync(handle)
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    // The damage matters only if it is before the moment to restore.
    if (output.at < until) throw damagedError(source, error.message, output.at)
  } finally {
    closeSync(handle)
  }
  const { at, sequence } = output
  return { at, generation: generation.id, sequence, segments: sequence - snapshot.sequence }
}

/**
 * Writes the database as of a time (Unix milliseconds; Infinity for the newest) to a file, which is replaced.
 * Throws a DatabaseError that says what the operator can do.
 */
export async function restoreTo(
  source: EncryptedStore,
  file: string,
  until: number,
): Promise<RestoreOutcome> {
  const manifest = await readManifest(source)
  const writtenAt = manifest?.writtenAt ?? 0
  const starts = manifest ? startsFor(manifest, until) : []
  let skipped: string | null = null
  for (const start of starts) {
    try {
      return { ...(await restoreFrom(source, file, start, until)), writtenAt, skipped }
    } catch (error) {
      if (!(error instanceof Unusable)) throw error
      skipped ??= error.message
    }
  }
  if (skipped === null) throw noneError(source.store, manifest, until)
  const before = (starts.at(-1)?.snapshot.at ?? 0) - 1
  const hasOlder = manifest !== null && startsFor(manifest, before).length > 0
  throw damagedError(source, skipped, hasOlder ? before : null)
}
