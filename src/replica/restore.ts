import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { DatabaseError } from '../storage/engine.ts'
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

/** How many objects are fetched ahead. */
const AHEAD = 16
const TRIES = 3
const RETRY_MS = 1000

interface Assembled {
  /** no later commit than this moment is in it */
  at: number
  generation: string
  segments: number
  /** a snapshot that was damaged and therefore not used */
  skipped: string | null
}

const timeOf = (at: number): string => new Date(at).toISOString()

async function fetchObject({ store }: EncryptedStore, name: string): Promise<Uint8Array | null> {
  for (let tries = 1; ; tries++) {
    try {
      return await store.get(name)
    } catch (error) {
      if (tries >= TRIES) throw error
      await Bun.sleep(RETRY_MS)
    }
  }
}

async function openObject<Head>(
  source: EncryptedStore,
  name: string,
  sealed: Uint8Array,
): Promise<PageSet<Head>> {
  return decodePages<Head>(await unseal(source, name, sealed))
}

/** Fetches objects in order, some of them ahead. */
async function* inOrder(
  source: EncryptedStore,
  names: Iterable<string>,
): AsyncGenerator<{ name: string; sealed: Uint8Array | null }> {
  const coming: { name: string; sealed: Promise<Uint8Array | null> }[] = []
  const rest = names[Symbol.iterator]()
  const more = () => {
    const { value: name, done } = rest.next()
    if (done) return
    const sealed = fetchObject(source, name)
    // Reported when it is its turn.
    sealed.catch(() => {})
    coming.push({ name, sealed })
  }
  for (let i = 0; i < AHEAD; i++) more()
  for (let next = coming.shift(); next; next = coming.shift()) {
    yield { name: next.name, sealed: await next.sealed }
    more()
  }
}

function writePages(handle: number, { pageSize, pages }: PageSet<unknown>): void {
  for (const [number, bytes] of pages) writeSync(handle, bytes, 0, pageSize, (number - 1) * pageSize)
}

async function writeSnapshot(
  source: EncryptedStore,
  handle: number,
  id: string,
  snapshot: Snapshot,
): Promise<void> {
  const names = Array.from({ length: snapshot.parts }, (_, part) => partName(id, snapshot.id, part))
  const hashes: string[] = []
  for await (const { name, sealed } of inOrder(source, names)) {
    if (!sealed) throw new Damaged(`the object ${name} is missing`)
    writePages(handle, await openObject<PartHead>(source, name, sealed))
    hashes.push(hashOf(sealed))
  }
  if (digestOf(hashes) !== snapshot.digest) {
    throw new Damaged(`the snapshot ${snapshot.id} was changed`)
  }
}

function* segmentNames(generation: Generation, first: number): Generator<string> {
  for (let sequence = first; ; sequence++) yield nameIn(generation, sequence)
}

/**
 * Whether the segment at `sequence` was stored once. Segments are sent several at a time, so the last ones
 * may have gaps. Each says what was stored before it.
 */
async function isHole(source: EncryptedStore, generation: Generation, sequence: number): Promise<boolean> {
  if (sequence <= generation.last.sequence) return true
  const names = Array.from({ length: IN_FLIGHT_MAX }, (_, i) => nameIn(generation, sequence + 1 + i))
  const stored = names.map(async name => {
    const sealed = await fetchObject(source, name)
    return sealed ? (await openObject<SegmentHead>(source, name, sealed)).head.stored : 0
  })
  return (await Promise.all(stored)).some(last => last >= sequence)
}

interface Reached {
  at: number
  sequence: number
}

/** Writes the segments that follow a snapshot, up to a moment. `reached` says how far it came. */
async function writeSegments(
  source: EncryptedStore,
  handle: number,
  generation: Generation,
  { sequence: base, hash }: Snapshot,
  until: number,
  reached: Reached,
): Promise<void> {
  let previous = hash
  for await (const { name, sealed } of inOrder(source, segmentNames(generation, base + 1))) {
    const sequence = reached.sequence + 1
    if (!sealed) {
      if (await isHole(source, generation, sequence)) throw new Damaged(`the object ${name} is missing`)
      return
    }
    const set = await openObject<SegmentHead>(source, name, sealed)
    const { head } = set
    if (head.previous !== previous || head.sequence !== sequence || head.generation !== generation.id) {
      throw new Damaged(`the object ${name} does not continue the one before it`)
    }
    if (head.at > until) return
    writePages(handle, set)
    ftruncateSync(handle, head.databasePages * set.pageSize)
    previous = hashOf(sealed)
    Object.assign(reached, { at: head.at, sequence })
  }
}

/** The snapshots from which a moment can be reached, the best first. */
function startsFor(
  { generations }: Manifest,
  until: number,
): { generation: Generation; snapshot: Snapshot }[] {
  const usableIn = ({ snapshots }: Generation) => snapshots.filter(snapshot => isUsable(snapshot, until))
  const generation = generations.findLast(one => usableIn(one).length > 0)
  if (!generation) return []
  return usableIn(generation)
    .map(snapshot => ({ generation, snapshot }))
    .reverse()
}

function noneError(store: Store, contents: Manifest | null, until: number): DatabaseError {
  const whole = (contents?.generations ?? []).flatMap(({ snapshots }) => snapshots).filter(one => one.digest)
  const [oldest] = whole
  if (!oldest && contents) {
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

const damagedError = (source: EncryptedStore, message: string, before: number | null): DatabaseError =>
  new DatabaseError(
    `${source.store.name} is damaged: ${message}. ` +
      (before === null
        ? 'Nothing before it can be restored. Restore another backup, or an older version of the object.'
        : `Nothing was restored. To restore what is before it, use --at ${timeOf(before)}.`),
  )

interface Start {
  generation: Generation
  snapshot: Snapshot
}

/** A snapshot that cannot be used. */
class Unusable extends Error {}

/** Writes a snapshot and the segments that follow it to a new file. */
async function assembleFrom(
  source: EncryptedStore,
  file: string,
  { generation, snapshot }: Start,
  until: number,
) {
  rmSync(file, { force: true })
  const handle = openSync(file, 'wx', 0o600)
  const reached: Reached = { at: snapshot.at, sequence: snapshot.sequence }
  try {
    await writeSnapshot(source, handle, generation.id, snapshot).catch(error => {
      throw error instanceof Damaged ? new Unusable(error.message) : error
    })
    await writeSegments(source, handle, generation, snapshot, until, reached)
    fsyncSync(handle)
  } catch (error) {
    // What is damaged is later than the moment that was asked for.
    if (error instanceof Damaged && reached.at < until) throw damagedError(source, error.message, reached.at)
    if (!(error instanceof Damaged)) throw error
  } finally {
    closeSync(handle)
  }
  return { at: reached.at, generation: generation.id, segments: reached.sequence - snapshot.sequence }
}

/** Writes the database of a moment to a new file. Throws a DatabaseError that says what can be done. */
export async function assemble(source: EncryptedStore, file: string, until: number): Promise<Assembled> {
  const contents = await readManifest(source)
  const starts = contents ? startsFor(contents, until) : []
  let skipped: string | null = null
  for (const start of starts) {
    try {
      return { ...(await assembleFrom(source, file, start, until)), skipped }
    } catch (error) {
      if (!(error instanceof Unusable)) throw error
      skipped ??= error.message
    }
  }
  if (skipped === null) throw noneError(source.store, contents, until)
  const before = (starts.at(-1)?.snapshot.at ?? 0) - 1
  const hasOlder = contents !== null && startsFor(contents, before).length > 0
  throw damagedError(source, skipped, hasOlder ? before : null)
}
