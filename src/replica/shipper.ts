import { type ChangeSink, type ChangeSource, ChangesLost } from '../storage/change-source.ts'
import { DatabaseError } from '../storage/engine.ts'
import { Copies } from './copies.ts'
import { Lease, LeaseDenied } from './lease.ts'
import { Line, type Shipped } from './line.ts'
import { addRun, type Generation, hasSegment, type Manifest, newGeneration } from './manifest.ts'
import { defaultLimits, isTooLarge, type ShipperOptions } from './options.ts'
import { Problems } from './problems.ts'
import { Progress } from './progress.ts'
import { logNow, Upkeep } from './upkeep.ts'

/** A server that ends leaves no more than about this in a file for the next one. */
const LEFT_BYTES_MAX = 64 * 1024 * 1024

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Stores the changes of the database, and a copy of all of it every day. */
export class Shipper implements ChangeSink {
  readonly #limits: typeof defaultLimits
  readonly #lease: Lease
  readonly #problems: Problems
  readonly #progress: Progress
  /** what is on its way to the store; null until a generation is continued or begun */
  #line: Line | null = null
  #reason: string
  #isAttached = true
  readonly #copies: Copies
  readonly #upkeep: Upkeep
  /** all changes were read when they were last looked for */
  #isAllRead = false
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
    this.#problems = new Problems(options.log)
    const { dataDir, store } = options
    this.#progress = new Progress(dataDir, store.name, this.#limits.noteMs)
    const note = this.#progress.found
    if (!source.attach(this.#progress.log())) this.#progress.lose()
    this.#reason = note ? 'the database was changed while this server did not run' : 'it is the first'
    this.#lease = new Lease(options, note?.serial ?? 0)
    this.#copies = new Copies(source, {
      ...options,
      onWhole: () => {
        this.#lease.isChanged = true
        this.#problems.end('copy')
      },
      onFailed: error => this.#failed('copy', error),
    })
    this.#upkeep = new Upkeep({
      source,
      lease: this.#lease,
      copies: this.#copies,
      progress: this.#progress,
      problems: this.#problems,
      limits: this.#limits,
      now: options.now,
      isCurrent: line => line === this.#line,
      isWanted: this.#isWanted,
      onChange: () => this.#note(true),
      onFailed: error => this.#failed('upkeep', error),
    })
    this.#bounds = setInterval(() => this.#keepBounds(), this.#limits.everyMs)
    this.#bounds.unref()
    this.#schedule(0)
  }

  /** How old the newest moment is that can be restored; null if none can. */
  lagMs(): number | null {
    const { restorableAt } = this.#progress
    return restorableAt === null ? null : Math.max(0, this.options.now() - restorableAt)
  }

  /** What is wrong, as a sentence; null if nothing is. */
  problem = (): string | null => this.#problems.first()

  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    clearInterval(this.#bounds)
    let isDone = false
    const finished = this.#finish().then(() => {
      isDone = true
    })
    await Promise.race([finished, Bun.sleep(this.#limits.stopMs)])
    if (!isDone) this.#leave()
    this.#isStopped = true
    this.#line?.close()
  }

  /** Stores the last changes, so that the next start continues after them. */
  async #finish(): Promise<void> {
    try {
      await this.#ticking
      await this.#upkeep.ended()
      do {
        await this.#read()
        await this.#line?.empty()
      } while (this.#line && !this.#isAllRead)
      if (this.#isStopped || !this.#line) return
      if (this.#lease.savedAt === 0) await this.#lease.save()
      this.#upkeep.checkpoint(this.#line)
      await this.#line.empty()
      await this.#lease.save()
    } catch (error) {
      this.#failed('stop', error)
    } finally {
      this.#note(true)
    }
  }

  /** The store does not answer: what is not stored waits in a file. */
  #leave(): void {
    try {
      const isKnown = this.#line !== null && this.#lease.savedAt > 0
      if (isKnown && this.source.logBytes() < LEFT_BYTES_MAX) this.#upkeep.checkpoint(this.#line!)
    } catch {
      // The next process begins a generation.
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
      const generation = await this.#prepare()
      await this.#read()
      this.#problems.end('begin')
      if (this.#line) this.#upkeep.begin(generation, this.#line, this.#isAllRead)
    } catch (error) {
      pauseMs = this.#limits.retryMs
      this.#failed('begin', error)
    }
    this.#note()
    this.#schedule(Math.max(0, pauseMs - (performance.now() - startedAt)))
  }

  #failed(part: string, error: unknown): void {
    if (this.#isStopped) return
    if (error instanceof ChangesLost) this.#lose(error.message)
    if (error instanceof LeaseDenied) this.#lose('another process wrote to the store')
    this.#problems.begin(part, error)
  }

  /** What follows cannot be continued from what is stored. The database cares for its log by itself. */
  #lose(reason: string): void {
    if (this.#isStopped) return
    this.#line?.close()
    this.#line = null
    this.#progress.lose()
    this.#reason = reason
    if (this.#isAttached) this.source.detach()
    this.#isAttached = false
  }

  #keepBounds(): void {
    if (!this.#isAttached) return
    const copiedBytes = this.#copies.isRunning() ? this.source.size().bytes : 0
    const bytes = this.source.logBytes()
    if (!isTooLarge(bytes, copiedBytes, this.#limits, this.options.freeBytes)) return
    this.#lose('the store was too slow for the changes')
    this.options.log.warn({ bytes }, 'replica.log_full')
  }

  /** The generation that is written to. */
  async #prepare(): Promise<Generation> {
    const manifest = await this.#lease.acquire()
    const generation = this.#current(manifest)
    if (!generation) return this.#begin(manifest)
    if (!this.#line) this.#continue(generation, this.#progress.shipped!)
    return generation
  }

  /** The generation that is continued; null if one has to begin. */
  #current({ generations }: Manifest): Generation | null {
    const newest = generations.at(-1)
    const { shipped } = this.#progress
    if (!shipped) return null
    const isNewest = newest?.id === shipped.generation
    if (newest && isNewest && hasSegment(newest, shipped)) return newest
    this.#lose(
      isNewest ? 'another process has continued what the store has' : 'the store has another generation',
    )
    return null
  }

  /** What this process stores counts once the contents say so. Until then, what the last one stored does. */
  #continue(generation: Generation, shipped: Shipped): void {
    addRun(generation, this.#lease.run, shipped)
    const rest = this.#progress.rest()
    if (!rest && this.#progress.hasRest())
      throw new ChangesLost('the file florin.replica-rest is missing or was changed')
    this.#line = this.#newLine(generation, shipped)
    if (rest) this.#line.add(rest, null)
  }

  #newLine(generation: Generation, shipped: Shipped): Line {
    const { store, key } = this.options
    const options = { store, key, run: this.#lease.run, retryMs: this.#limits.retryMs }
    return new Line(
      {
        ...options,
        onStored: (stored, at) => {
          const { sequence, hash } = stored
          generation.last = { sequence, hash, at: Math.max(at, generation.last.at) }
          this.#progress.shipped = stored
          this.#problems.end('segments')
          this.#note(true)
        },
        onFailed: error => this.#failed('segments', error),
      },
      shipped,
      generation.last.at,
    )
  }

  /** Begins a generation: from here on changes are stored, and the database is copied meanwhile. */
  async #begin(manifest: Manifest): Promise<Generation> {
    // Shows that the store can be written to, before the log has to grow.
    await this.#lease.save()
    const at = this.options.now()
    if (!this.#isAttached) this.source.attach(null)
    this.#isAttached = true
    await this.#checkpointSoon()
    const { run } = this.#lease
    const generation = newGeneration(at, this.#reason, run)
    const start = { generation: generation.id, run, sequence: 0, hash: '', log: logNow(this.source, true) }
    this.#progress.shipped = start
    this.#line = this.#newLine(generation, start)
    manifest.generations.push(generation)
    this.options.log.info({ generation: generation.id, reason: this.#reason }, 'replica.generation')
    this.#copies.start(generation, start, at, this.#isWanted(generation))
    await this.#lease.save()
    this.#problems.end('segments')
    return generation
  }

  #isWanted = (generation: Generation) => (): boolean =>
    !this.#isStopping && this.#progress.shipped?.generation === generation.id

  /** Others may be in the middle of a transaction. */
  async #checkpointSoon(): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      if (this.source.checkpoint(() => {})) return
      await Bun.sleep(10)
      if (!this.#isAttached) break
    }
    throw new DatabaseError('Another program keeps reading the database. Close that program.')
  }

  /** Reads what was not read, as far as the line has room. */
  async #read(): Promise<void> {
    const line = this.#line
    for (this.#isAllRead = false; line && line === this.#line && !line.isFull(); await turn()) {
      const at = this.options.now()
      const changes = this.source.read(this.#limits.segmentBytes)
      this.#isAllRead = changes === null || changes.isAll
      if (changes) line.add({ changes, at, log: logNow(this.source, false) }, changes.isAll ? at : null)
      else line.cover(at)
      if (this.#isAllRead) return
    }
  }

  /** Notes what the next process has to know. */
  #note(isNow = false): void {
    if (this.#isStopped) return
    const progress = this.#progress
    const { savedAt, serial } = this.#lease
    const isNamed = savedAt > 0
    if (isNamed && progress.shipped && this.#lease.canRestore(progress.shipped.generation)) {
      progress.restorableAt = this.#line?.coveredAt() ?? progress.restorableAt
    }
    const facts = { serial, problem: this.#problems.first(), notedAt: this.options.now() }
    progress.note(this.#line, isNamed, facts, isNow)
  }
}
