import { type ChangeSink, type ChangeSource, ChangesLost, type KnownLog } from '../storage/change-source.ts'
import { DatabaseError } from '../storage/engine.ts'
import { addRun, type Contents, type Generation, newGeneration, type Snapshot } from './contents.ts'
import { Ledger, newId, Occupied } from './ledger.ts'
import { Notes, type ReplicaNote } from './notes.ts'
import { defaultLimits, isTooLarge, type ShipperOptions } from './options.ts'
import { type Captured, storeSegment } from './segment.ts'
import { copySnapshot, partsOf } from './snapshot.ts'

type Shipped = NonNullable<ReplicaNote['shipped']>

/** Stores the changes of the database every second, and a copy of all of it every day. */
export class Shipper implements ChangeSink {
  readonly #limits: typeof defaultLimits
  readonly #ledger: Ledger
  /** the last segment that was stored, and how far the log was read with it; null: begin a generation */
  #shipped: Shipped | null
  #captured: Captured[] = []
  #reason: string
  #isAttached = true
  #copying: Snapshot | null = null
  #restorableAt: number | null
  #problem: string | null = null
  /** the last snapshot that the log names */
  #announced = ''
  readonly #notes: Notes
  #isStopping = false
  #isStopped = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #ticking: Promise<void> = Promise.resolve()
  readonly #bounds: ReturnType<typeof setInterval>

  constructor(
    private readonly source: ChangeSource,
    private readonly options: ShipperOptions,
  ) {
    this.#limits = { ...defaultLimits, ...options.limits }
    this.#notes = new Notes(options.dataDir, options.store.name, this.#limits.noteMs)
    const note = this.#notes.read()
    this.#restorableAt = note?.restorableAt ?? null
    this.#shipped = source.attach(note?.shipped?.log ?? null) ? (note?.shipped ?? null) : null
    this.#reason = note ? 'the database was changed while this server did not run' : 'it is the first'
    this.#ledger = new Ledger(options, note?.serial ?? 0)
    this.#bounds = setInterval(() => this.#keepBounds(), this.#limits.everyMs)
    this.#bounds.unref()
    this.#schedule(0)
  }

  /** How old the newest moment is that can be restored; null if none can. */
  lagMs(): number | null {
    return this.#restorableAt === null ? null : Math.max(0, this.options.now() - this.#restorableAt)
  }

  /** What is wrong, as a sentence; null if nothing is. */
  problem = (): string | null => this.#problem

  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    clearInterval(this.#bounds)
    const last = async () => {
      await this.#ticking
      await this.#finish()
    }
    await Promise.race([last(), Bun.sleep(this.#limits.stopMs)])
    this.#isStopped = true
  }

  /** Stores the last changes, so that the next start continues after them. */
  async #finish(): Promise<void> {
    try {
      const contents = await this.#ledger.open()
      const generation = this.#current(contents)
      if (!generation) return
      await this.#ship(generation)
      this.#checkpoint(this.options.now())
      await this.#drain(generation)
      await this.#ledger.save()
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#note(true)
    }
  }

  #schedule(ms: number): void {
    if (this.#isStopping) return
    this.#timer = setTimeout(() => {
      this.#ticking = this.#tick()
    }, ms)
    this.#timer.unref()
  }

  async #tick(): Promise<void> {
    const startedAt = performance.now()
    let pauseMs = this.#limits.everyMs
    try {
      await this.#work()
      if (this.#problem !== null) this.options.log.info({}, 'replica.works')
      this.#problem = null
    } catch (error) {
      pauseMs = this.#limits.retryMs
      this.#failed(error)
    }
    this.#note()
    this.#schedule(Math.max(0, pauseMs - (performance.now() - startedAt)))
  }

  #failed(error: unknown): void {
    if (this.#isStopped) return
    if (error instanceof ChangesLost) this.#lose(error.message)
    if (error instanceof Occupied) this.#lose('another process wrote to the store')
    const reason = error instanceof Error ? error.message : String(error)
    const isExpected = error instanceof DatabaseError || error instanceof ChangesLost
    if (reason !== this.#problem) {
      this.options.log[isExpected ? 'warn' : 'error']({ reason }, 'replica.failed')
    }
    this.#problem = reason
  }

  /** What follows cannot be continued from what is stored. The database cares for its log by itself. */
  #lose(reason: string): void {
    if (this.#isStopped) return
    this.#shipped = null
    this.#captured = []
    this.#reason = reason
    if (this.#isAttached) this.source.detach()
    this.#isAttached = false
  }

  #keepBounds(): void {
    if (!this.#isAttached) return
    const copiedBytes = this.#copying ? this.source.size().bytes : 0
    const bytes = this.source.logBytes()
    if (!isTooLarge(bytes, copiedBytes, this.#limits, this.options.freeBytes)) return
    this.#lose('the store was too slow for the changes')
    this.options.log.warn({ bytes }, 'replica.log_full')
  }

  async #work(): Promise<void> {
    const contents = await this.#ledger.open()
    if (this.#ledger.savedAt === 0) await this.#enter(contents)
    const generation = this.#current(contents) ?? (await this.#begin(contents))
    await this.#ship(generation)
    await this.#maintain(generation)
  }

  /** The generation that is continued; null if one has to begin. */
  #current({ generations }: Contents): Generation | null {
    const newest = generations.at(-1)
    return newest && newest.id === this.#shipped?.generation ? newest : null
  }

  /** From here on, the segments of this process count. */
  async #enter(contents: Contents): Promise<void> {
    const newest = this.#current(contents)
    const shipped = this.#shipped
    if (shipped && !newest) this.#lose('the store has another generation')
    if (newest && shipped) addRun(newest, this.#ledger.run, shipped)
    await this.#ledger.save()
  }

  /** Begins a generation: from here on changes are stored, and the database is copied meanwhile. */
  async #begin(contents: Contents): Promise<Generation> {
    // Shows that the store can be written to, before the log has to grow.
    await this.#ledger.save()
    const at = this.options.now()
    if (!this.#isAttached) this.source.attach(null)
    this.#isAttached = true
    await this.#checkpointSoon()
    const generation = newGeneration(at, this.#reason, this.#ledger.run)
    const { id } = generation
    this.#captured = []
    this.#shipped = { generation: id, sequence: 0, hash: '', log: this.#logNow(true) }
    contents.generations.push(generation)
    this.options.log.info({ generation: id, reason: this.#reason }, 'replica.generation')
    this.#copy(generation, at)
    await this.#ledger.save()
    return generation
  }

  /** Others may be in the middle of a transaction. */
  async #checkpointSoon(): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      if (this.source.checkpoint(() => {})) return
      await Bun.sleep(10)
      if (!this.#isAttached) break
    }
    throw new DatabaseError('The database is read by another program all the time. Close it.')
  }

  #logNow = (isWhole: boolean): KnownLog => ({
    position: this.source.position(),
    mark: isWhole ? this.source.mark() : null,
  })

  /** Stores all that was not stored. */
  async #ship(generation: Generation): Promise<void> {
    await this.#drain(generation)
    while (this.#shipped?.generation === generation.id) {
      const at = this.options.now()
      const changes = this.source.read(this.#limits.segmentBytes)
      if (changes) this.#captured.push({ changes, at, log: this.#logNow(false) })
      await this.#drain(generation)
      if (changes?.isAll === false) continue
      // What was written meanwhile waits for the next time: otherwise, this may never end.
      const isStored = this.#shipped?.generation === generation.id && this.#ledger.canRestore(generation.id)
      if (isStored) this.#restorableAt = at
      return
    }
  }

  /** Stores what was read. */
  async #drain(generation: Generation): Promise<void> {
    for (let next = this.#captured[0]; next; next = this.#captured[0]) {
      const before = this.#shipped
      if (before?.generation !== generation.id) return
      const stored = await storeSegment(this.options, this.#ledger.run, generation, before, next)
      // It may have been lost meanwhile.
      if (this.#shipped !== before) return
      generation.last = {
        sequence: stored.sequence,
        hash: stored.hash,
        at: Math.max(next.at, generation.last.at),
      }
      this.#shipped = { ...stored, log: next.log }
      this.#captured.shift()
      this.#note(true)
    }
  }

  async #maintain(generation: Generation): Promise<void> {
    const { contentsMs, snapshotMs, checkpointBytes } = this.#limits
    const now = this.options.now()
    const newest = generation.snapshots.at(-1)
    const isOld = newest !== undefined && now - newest.at >= snapshotMs
    const isDue = !newest?.digest || (isOld && newest.sequence < (this.#shipped?.sequence ?? 0))
    const isFull = this.source.position().offset >= checkpointBytes
    if (!this.#copying && this.#isAttached && (isDue || isFull)) {
      const isStill = this.#checkpoint(now)
      await this.#drain(generation)
      if (isStill && isDue && this.#shipped?.generation === generation.id) this.#copy(generation, now)
    }
    if (this.#ledger.isChanged || now - this.#ledger.savedAt >= contentsMs) await this.#ledger.save()
    const whole = generation.snapshots.findLast(({ digest }) => digest !== null)
    if (!whole || this.#ledger.isChanged || whole.id === this.#announced) return
    this.#announced = whole.id
    this.options.log.info({ generation: generation.id, parts: whole.parts }, 'replica.snapshot')
  }

  /** Returns whether the database file now stays as it is after the last segment that was read. */
  #checkpoint(at: number): boolean {
    const isWhole = this.source.checkpoint(changes => {
      this.#captured.push({ changes, at, log: { position: null, mark: null } })
    })
    const last = this.#captured.at(-1) ?? this.#shipped
    if (last) last.log = this.#logNow(isWhole)
    return isWhole
  }

  /** Copies the database as it is after the last segment. It stays so until the next checkpoint. */
  #copy(generation: Generation, at: number): void {
    const { source, options } = this
    const { sequence, hash } = this.#shipped!
    const size = source.size()
    const snapshot: Snapshot = { id: newId(), sequence, hash, at, parts: partsOf(size), digest: null }
    generation.snapshots.push(snapshot)
    this.#copying = snapshot
    const isWanted = () => !this.#isStopping && this.#shipped?.generation === generation.id
    const copied = async () => {
      try {
        const parts = { source, store: options.store, key: options.key }
        snapshot.digest = await copySnapshot(parts, generation.id, snapshot, size, isWanted)
        if (snapshot.digest !== null) this.#ledger.isChanged = true
      } catch (error) {
        this.#failed(error)
      } finally {
        if (this.#copying === snapshot) this.#copying = null
      }
    }
    void copied()
  }

  /** Notes what the next process has to know. */
  #note(isNow = false): void {
    if (this.#isStopped) return
    this.#notes.write(
      {
        shipped: this.#shipped,
        rest: null,
        serial: this.#ledger.serial,
        restorableAt: this.#restorableAt,
        problem: this.#problem,
        notedAt: this.options.now(),
      },
      isNow,
    )
  }
}
