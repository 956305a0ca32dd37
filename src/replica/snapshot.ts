import type { Log } from '../domain/log.ts'
import type { ChangeSource, KnownLog } from '../storage/change-source.ts'
import { type Lease, newId } from './lease.ts'
import { type Generation, partName, type Snapshot } from './manifest.ts'
import { encodePages, type SegmentQueue } from './segment.ts'
import type { LocalState, Problems } from './state.ts'
import { type EncryptedStore, hashOf, type Store, seal } from './store.ts'

const PART_BYTES = 2 * 1024 * 1024
const RETRY_MS = 2000
/**
 * Pause between tries, and number of tries, of the checkpoint before a snapshot. It needs a moment without
 * readers.
 */
const READERS_MS = 25
const READERS_TRIES = 10

/** The head of a part of a snapshot. Stored as JSON with these field names. */
export interface PartHead {
  snapshot: string
  part: number
}

/** Digest of a snapshot, computed from the hashes of its sealed parts. */
export const digestOf = (hashes: readonly string[]): string => hashOf(hashes.join('\n'))

/**
 * Returns the position up to which the write-ahead log was read. `isWhole` is true if the database file
 * contains all of it.
 */
export const logOf = (source: ChangeSource, isWhole: boolean): KnownLog => ({
  position: source.position(),
  mark: isWhole ? source.mark() : null,
})

type Size = ReturnType<ChangeSource['size']>

function readPart(source: ChangeSource, part: number, { bytes, pageSize }: Size): Map<number, Uint8Array> {
  const from = part * PART_BYTES
  const content = source.readDatabase(from, Math.min(PART_BYTES, bytes - from))
  const pages = new Map<number, Uint8Array>()
  for (let at = 0; at < content.length; at += pageSize) {
    pages.set((from + at) / pageSize + 1, content.subarray(at, at + pageSize))
  }
  return pages
}

async function tryPut(store: Store, name: string, sealed: Uint8Array): Promise<boolean> {
  try {
    await store.put(name, sealed)
    return true
  } catch {
    // Failures of the store are reported by the segments, which are uploaded at the same time.
    return false
  }
}

interface MaintenanceOptions extends EncryptedStore {
  source: ChangeSource
  lease: Lease
  state: LocalState
  problems: Problems
  log: Log
  limits: { checkpointBytes: number; snapshotMs: number; manifestMs: number; retryMs: number }
  now(): number
  /** true if changes are still added to this queue */
  isCurrent(queue: SegmentQueue): boolean
  /** true if this generation is still written to */
  isWanted(generation: Generation): boolean
  /** Called when a checkpoint changed the state that the next process needs. */
  onCheckpoint(): void
  onFailed(part: string, error: unknown): void
}

/**
 * Runs checkpoints, takes snapshots and writes the manifest, alongside the uploads. Takes one snapshot at a
 * time.
 */
export class Maintenance {
  #isRunning = false
  #running: Promise<void> = Promise.resolve()
  #pausedUntil = 0
  #snapshot: Snapshot | null = null
  /** ID of the newest snapshot that was reported in the server's log */
  #logged = ''

  constructor(private readonly options: MaintenanceOptions) {}

  ended = (): Promise<void> => this.#running

  isTakingSnapshot = (): boolean => this.#snapshot !== null

  /** Starts due work in the background. `isAllRead` is true if the queue had all changes a moment ago. */
  begin(generation: Generation, queue: SegmentQueue, isAllRead: boolean): void {
    if (this.#isRunning || performance.now() < this.#pausedUntil) return
    this.#running = this.#run(generation, queue, isAllRead)
  }

  async #run(generation: Generation, queue: SegmentQueue, isAllRead: boolean): Promise<void> {
    this.#isRunning = true
    try {
      await this.#maintain(generation, queue, isAllRead)
      this.options.problems.end('maintenance')
    } catch (error) {
      this.#pausedUntil = performance.now() + this.options.limits.retryMs
      this.options.onFailed('maintenance', error)
    } finally {
      this.#isRunning = false
    }
  }

  async #maintain(generation: Generation, queue: SegmentQueue, isAllRead: boolean): Promise<void> {
    const { lease, limits } = this.options
    if (lease.savedAt === 0) {
      await queue.drain()
      if (queue.coveredAt() === null) return
      await lease.save()
    }
    const now = this.options.now()
    if (isAllRead) await this.#checkpointIfDue(queue, generation, now)
    if (lease.isChanged || now - lease.savedAt >= limits.manifestMs) {
      await lease.save()
      queue.readBack()
    }
    if (!lease.isChanged) this.#logSnapshot(generation)
  }

  async #checkpointIfDue(queue: SegmentQueue, generation: Generation, now: number): Promise<void> {
    const { source, limits } = this.options
    const newest = generation.snapshots.at(-1)
    const isOld = newest !== undefined && now - newest.at >= limits.snapshotMs
    const isDue = !newest?.digest || (isOld && newest.sequence < queue.position().sequence)
    const isFull = source.position().offset >= limits.checkpointBytes
    if (this.#snapshot !== null || !(isDue || isFull)) return
    // Once the queue is drained, there is little left to spill.
    await queue.drain()
    const segment = await this.#checkpointWhole(queue, isDue ? READERS_TRIES : 1)
    if (segment && isDue && this.options.isCurrent(queue)) this.takeSnapshot(generation, segment, now)
  }

  /**
   * Checkpoints the whole write-ahead log. Returns the uploaded segment whose state the database file then
   * has; null if readers prevent the checkpoint or changes are still waiting.
   */
  async #checkpointWhole(queue: SegmentQueue, triesMax: number) {
    const { state, isCurrent } = this.options
    for (let tries = 0; tries < triesMax && isCurrent(queue); tries++) {
      if (tries > 0) await Bun.sleep(READERS_MS)
      if (!isCurrent(queue) || state.hasSpill() || queue.isFull()) return null
      if (this.checkpoint(queue)) return queue.drain()
    }
    return null
  }

  /** Checkpoints the write-ahead log. Returns true if the database file now contains all of it. */
  checkpoint(queue: SegmentQueue): boolean {
    const { source, state } = this.options
    const at = this.options.now()
    const isWhole = source.checkpoint(changes => {
      queue.add({ changes, at, log: { position: null, mark: null } }, null)
    })
    const log = logOf(source, isWhole)
    queue.moveLog(log)
    const pending = queue.pending()
    if (pending.length === 0) state.position = queue.position()
    // From now on, the next commit may overwrite the log.
    else if (isWhole) state.spill(pending, log)
    this.options.onCheckpoint()
    return isWhole
  }

  /**
   * Uploads the database file as the state of a segment. The file must not change until the snapshot is
   * uploaded, which a checkpoint of the whole log ensures.
   */
  takeSnapshot(
    generation: Generation,
    { sequence, hash }: { sequence: number; hash: string },
    at: number,
  ): void {
    const size = this.options.source.size()
    const parts = Math.max(1, Math.ceil(size.bytes / PART_BYTES))
    const snapshot: Snapshot = { id: newId(), sequence, hash, at, parts, digest: null }
    generation.snapshots.push(snapshot)
    this.#snapshot = snapshot
    void this.#upload(generation, snapshot, size)
  }

  async #upload(generation: Generation, snapshot: Snapshot, size: Size): Promise<void> {
    const { lease, problems, onFailed } = this.options
    try {
      snapshot.digest = await this.#uploadParts(generation, snapshot, size)
      if (snapshot.digest !== null) {
        lease.isChanged = true
        problems.end('snapshot')
      }
    } catch (error) {
      onFailed('snapshot', error)
    } finally {
      if (this.#snapshot === snapshot) this.#snapshot = null
    }
  }

  /** Uploads the parts of a snapshot. Returns its digest; null if the generation was given up meanwhile. */
  async #uploadParts(generation: Generation, { id, parts }: Snapshot, size: Size): Promise<string | null> {
    const { source, store, key, isWanted } = this.options
    const hashes: string[] = []
    for (let part = 0; part < parts; part++) {
      if (!isWanted(generation)) return null
      const head: PartHead = { snapshot: id, part }
      const name = partName(generation.id, id, part)
      const pages = readPart(source, part, size)
      const sealed = await seal(key, name, encodePages({ head, pageSize: size.pageSize, pages }))
      hashes.push(hashOf(sealed))
      while (!(await tryPut(store, name, sealed))) {
        if (!isWanted(generation)) return null
        await Bun.sleep(RETRY_MS)
      }
    }
    return isWanted(generation) ? digestOf(hashes) : null
  }

  #logSnapshot({ id, snapshots }: Generation): void {
    const whole = snapshots.findLast(({ digest }) => digest !== null)
    if (!whole || whole.id === this.#logged) return
    this.#logged = whole.id
    this.options.log.info({ generation: id, parts: whole.parts }, 'replica.snapshot')
  }
}
