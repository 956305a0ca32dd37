import type { Log } from '../domain/log.ts'
import { type ChangeSink, type ChangeSource, ChangesLost } from '../storage/change-source.ts'
import { DatabaseError } from '../storage/engine.ts'
import { Lease, LeaseDenied } from './lease.ts'
import { addRun, type Generation, hasSegment, type Manifest, newGeneration } from './manifest.ts'
import { type ReplicaPosition, SegmentQueue } from './segment.ts'
import { logOf, Maintenance } from './snapshot.ts'
import { LocalState, Problems } from './state.ts'
import { type EncryptedStore, nextTurn } from './store.ts'

const MB = 1024 * 1024
const SECOND_MS = 1000

const defaultLimits = {
  /** pause between reads of the log: half of the second within which changes are uploaded */
  everyMs: SECOND_MS / 2,
  /** max changes in a segment, unless a single commit is larger */
  segmentBytes: 2 * MB,
  /** size of the write-ahead log that triggers a checkpoint */
  checkpointBytes: 4 * MB,
  /** size of the write-ahead log above which the generation is given up */
  logBytesMax: 256 * MB,
  /** free disk space below which the generation is given up if the log exceeds an eighth of its limit */
  freeBytesMin: 512 * MB,
  /** time between writes of the manifest */
  manifestMs: 30 * SECOND_MS,
  /** time between snapshots */
  snapshotMs: 24 * 3600 * SECOND_MS,
  retryMs: 5 * SECOND_MS,
  /** time between writes of an unchanged local state */
  stateMs: 10 * SECOND_MS,
  /** time for the last uploads of a server that stops */
  stopMs: 5 * SECOND_MS,
  /** max size of the write-ahead log for which a stopping server still spills its changes */
  spillBytesMax: 64 * MB,
}

interface ReplicatorOptions extends EncryptedStore {
  dataDir: string
  /** age of the oldest state that can be restored */
  keepMs: number
  now: () => number
  log: Log
  freeBytes: () => number
  limits?: Partial<typeof defaultLimits>
}

/** Uploads the changes of a database, and a snapshot of it each day. The constructor starts the uploads. */
export class Replicator implements ChangeSink {
  readonly #limits: typeof defaultLimits
  readonly #lease: Lease
  readonly #problems: Problems
  readonly #state: LocalState
  readonly #maintenance: Maintenance
  /** null until a generation is continued or begun */
  #queue: SegmentQueue | null = null
  /** the reason for beginning the next generation */
  #reason: string
  #isAttached = true
  /** true if the last read found no more changes */
  #isAllRead = false
  #isStopping = false
  #isStopped = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #syncing: Promise<void> = Promise.resolve()
  readonly #bounds: ReturnType<typeof setInterval>

  constructor(
    private readonly source: ChangeSource,
    private readonly options: ReplicatorOptions,
  ) {
    this.#limits = { ...defaultLimits, ...options.limits }
    this.#problems = new Problems(options.log)
    this.#state = new LocalState(options.dataDir, options.store.name, this.#limits.stateMs)
    if (!source.attach(this.#state.log())) this.#state.reset()
    this.#reason = this.#state.found
      ? 'the database was changed while this server did not run'
      : 'it is the first'
    this.#lease = new Lease(options, this.#state.found?.serial ?? 0)
    this.#maintenance = new Maintenance({
      ...options,
      source,
      lease: this.#lease,
      state: this.#state,
      problems: this.#problems,
      limits: this.#limits,
      isCurrent: queue => queue === this.#queue,
      isWanted: ({ id }) => !this.#isStopping && this.#state.position?.generation === id,
      onCheckpoint: () => this.#save(true),
      onFailed: (part, error) => this.#failed(part, error),
    })
    this.#bounds = setInterval(() => this.#keepBounds(), this.#limits.everyMs).unref()
    this.#schedule(0)
  }

  /** Age of the newest restorable state, in milliseconds; null if nothing can be restored. */
  lagMs(): number | null {
    const { restorableAt } = this.#state
    return restorableAt === null ? null : Math.max(0, this.options.now() - restorableAt)
  }

  /** Gives up the generation, so that a new one begins. */
  beginAgain = (reason: string): void => this.#giveUp(reason)

  /** The current failure, as a sentence; null if there is none. */
  problem = (): string | null => this.#problems.first()

  /** Uploads the last changes, or leaves them to the next process if that takes too long. Never throws. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    clearInterval(this.#bounds)
    const isDone = this.#finish().then(() => true)
    if (!(await Promise.race([isDone, Bun.sleep(this.#limits.stopMs)]))) this.#leave()
    this.#isStopped = true
    this.#queue?.close()
  }

  async #finish(): Promise<void> {
    try {
      await this.#syncing
      await this.#maintenance.ended()
      do {
        await this.#read()
        await this.#queue?.drain()
      } while (this.#queue && !this.#isAllRead)
      if (this.#isStopped || !this.#queue) return
      if (this.#lease.savedAt === 0) await this.#lease.save()
      this.#maintenance.checkpoint(this.#queue)
      await this.#queue.drain()
      await this.#lease.save()
    } catch (error) {
      this.#failed('stop', error)
    } finally {
      this.#save(true)
    }
  }

  /** Spills pending changes if the manifest lists this run: otherwise no later process can use them. */
  #leave(): void {
    try {
      const isSmall = this.source.logBytes() < this.#limits.spillBytesMax
      if (this.#queue && this.#lease.savedAt > 0 && isSmall) this.#maintenance.checkpoint(this.#queue)
    } catch {
      // Without the spilled changes, the next process begins a new generation.
    }
  }

  #schedule(ms: number): void {
    if (this.#isStopping) return
    this.#timer = setTimeout(() => {
      this.#syncing = this.#sync()
    }, ms).unref()
  }

  async #sync(): Promise<void> {
    const startedAt = performance.now()
    let pauseMs = this.#limits.everyMs
    try {
      const generation = await this.#prepare()
      await this.#read()
      this.#problems.end('sync')
      if (this.#queue) this.#maintenance.begin(generation, this.#queue, this.#isAllRead)
    } catch (error) {
      pauseMs = this.#limits.retryMs
      this.#failed('sync', error)
    }
    this.#save()
    this.#schedule(Math.max(0, pauseMs - (performance.now() - startedAt)))
  }

  #failed(part: string, error: unknown): void {
    if (this.#isStopped) return
    if (error instanceof ChangesLost) this.#giveUp(error.message)
    if (error instanceof LeaseDenied) this.#giveUp('another process wrote to the store')
    this.#problems.begin(part, error)
  }

  /** Gives up the generation. Until the next one begins, SQLite checkpoints its log without this process. */
  #giveUp(reason: string): void {
    if (this.#isStopped) return
    this.#queue?.close()
    this.#queue = null
    this.#state.reset()
    this.#reason = reason
    if (this.#isAttached) this.source.detach()
    this.#isAttached = false
  }

  /** Gives up the generation if the log, which is kept until it is uploaded, grows too large for the disk. */
  #keepBounds(): void {
    if (!this.#isAttached) return
    const { logBytesMax, freeBytesMin } = this.#limits
    // There are no checkpoints during a snapshot, so the log may grow as large as the database.
    const snapshotBytes = this.#maintenance.isTakingSnapshot() ? this.source.size().bytes : 0
    const bytes = this.source.logBytes()
    const isDiskLow = bytes > logBytesMax / 8 && this.options.freeBytes() < freeBytesMin
    if (bytes <= Math.max(logBytesMax, snapshotBytes) && !isDiskLow) return
    this.#giveUp('the store was too slow for the changes')
    this.options.log.warn({ bytes }, 'replica.log_full')
  }

  /** Returns the current generation; begins or continues one if necessary. */
  async #prepare(): Promise<Generation> {
    const manifest = await this.#lease.acquire()
    const generation = this.#findCurrent(manifest)
    if (!generation) return this.#begin(manifest)
    const { position } = this.#state
    if (this.#queue || !position) return generation
    // The segments of this run are valid once the stored manifest lists it.
    addRun(generation, this.#lease.run, position)
    const spilled = this.#state.readSpill()
    this.#queue = this.#newQueue(generation, position)
    if (spilled) this.#queue.add(spilled, null)
    return generation
  }

  /** Returns the generation that this process continues from its position; null if a new one must begin. */
  #findCurrent({ generations }: Manifest): Generation | null {
    const newest = generations.at(-1)
    const { position } = this.#state
    if (!position) return null
    const isNewest = newest?.id === position.generation
    if (newest && isNewest && hasSegment(newest, position)) return newest
    this.#giveUp(
      isNewest ? 'another process has continued what the store has' : 'the store has another generation',
    )
    return null
  }

  #newQueue(generation: Generation, position: ReplicaPosition): SegmentQueue {
    const onUploaded = (newest: ReplicaPosition, at: number) => {
      const { sequence, hash } = newest
      generation.last = { sequence, hash, at: Math.max(at, generation.last.at) }
      this.#state.position = newest
      this.#problems.end('segments')
      this.#save(true)
    }
    const onFailed = (error: unknown) => this.#failed('segments', error)
    const { run } = this.#lease
    const options = { ...this.options, run, retryMs: this.#limits.retryMs, onUploaded, onFailed }
    return new SegmentQueue(options, position, generation.last.at)
  }

  /** Begins a generation: takes a snapshot, and uploads all changes from now on. */
  async #begin(manifest: Manifest): Promise<Generation> {
    // Proves that the store is writable before the log has to grow.
    await this.#lease.save()
    const at = this.options.now()
    if (!this.#isAttached) this.source.attach(null)
    this.#isAttached = true
    await this.#checkpointWhole()
    const { run } = this.#lease
    const generation = newGeneration(at, this.#reason, run)
    const start = { generation: generation.id, run, sequence: 0, hash: '', log: logOf(this.source, true) }
    this.#state.position = start
    this.#queue = this.#newQueue(generation, start)
    manifest.generations.push(generation)
    this.options.log.info({ generation: generation.id, reason: this.#reason }, 'replica.generation')
    this.#maintenance.takeSnapshot(generation, start, at)
    await this.#lease.save()
    this.#problems.end('segments')
    return generation
  }

  /** Checkpoints the whole log. Waits while other processes read or write the database. */
  async #checkpointWhole(): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      if (this.source.checkpoint(() => {})) return
      await Bun.sleep(10)
      if (!this.#isAttached) break
    }
    throw new DatabaseError('Another program keeps reading the database. Close that program.')
  }

  /** Adds unread changes to the queue until it is full. */
  async #read(): Promise<void> {
    const queue = this.#queue
    for (this.#isAllRead = false; queue && queue === this.#queue && !queue.isFull(); await nextTurn()) {
      const at = this.options.now()
      const changes = this.source.read(this.#limits.segmentBytes)
      this.#isAllRead = changes === null || changes.isAll
      if (changes) queue.add({ changes, at, log: logOf(this.source, false) }, changes.isAll ? at : null)
      else queue.cover(at)
      if (this.#isAllRead) return
    }
  }

  #save(isNow = false): void {
    if (this.#isStopped) return
    const [state, lease] = [this.#state, this.#lease]
    const isListed = lease.savedAt > 0
    if (isListed && state.position && lease.canRestore(state.position.generation)) {
      state.restorableAt = this.#queue?.coveredAt() ?? state.restorableAt
    }
    const facts = { serial: lease.serial, problem: this.problem(), notedAt: this.options.now() }
    state.save(this.#queue, isListed, facts, isNow)
  }
}
