import type { ChangeSource, KnownLog } from '../storage/change-source.ts'
import type { Copies } from './copies.ts'
import type { Lease } from './lease.ts'
import type { Line } from './line.ts'
import type { Generation } from './manifest.ts'
import type { defaultLimits } from './options.ts'
import type { Problems } from './problems.ts'
import type { Progress } from './progress.ts'

/** When the database is to be copied, how often and how many times a moment without readers is looked for. */
const STILL_MS = 25
const STILL_TRIES = 10

interface UpkeepOptions {
  source: ChangeSource
  lease: Lease
  copies: Copies
  progress: Progress
  problems: Problems
  limits: typeof defaultLimits
  now(): number
  isCurrent(line: Line): boolean
  isWanted(generation: Generation): () => boolean
  /** Called when the next process has to know something else. */
  onChange(): void
  onFailed(error: unknown): void
}

/** How far the log was read. `isWhole`: all of it is in the database file. */
export const logNow = (source: ChangeSource, isWhole: boolean): KnownLog => ({
  position: source.position(),
  mark: isWhole ? source.mark() : null,
})

/** Moves the log into the database, begins copies and writes the contents, while changes are stored. */
export class Upkeep {
  #isRunning = false
  #running: Promise<void> = Promise.resolve()
  #pausedUntil = 0

  constructor(private readonly options: UpkeepOptions) {}

  ended = (): Promise<void> => this.#running

  /** `isAllRead`: the line has all changes, or had a moment ago. */
  begin(generation: Generation, line: Line, isAllRead: boolean): void {
    if (this.#isRunning || performance.now() < this.#pausedUntil) return
    this.#running = this.#run(generation, line, isAllRead)
  }

  async #run(generation: Generation, line: Line, isAllRead: boolean): Promise<void> {
    this.#isRunning = true
    try {
      await this.#maintain(generation, line, isAllRead)
      this.options.problems.end('upkeep')
    } catch (error) {
      this.#pausedUntil = performance.now() + this.options.limits.retryMs
      this.options.onFailed(error)
    } finally {
      this.#isRunning = false
    }
  }

  async #maintain(generation: Generation, line: Line, isAllRead: boolean): Promise<void> {
    if (this.options.lease.savedAt === 0) {
      await line.empty()
      if (line.coveredAt() === null) return
      await this.options.lease.save()
    }
    const now = this.options.now()
    if (isAllRead) await this.#moveLog(line, generation, now)
    if (this.options.lease.isChanged || now - this.options.lease.savedAt >= this.options.limits.contentsMs)
      await this.options.lease.save()
    if (!this.options.lease.isChanged) this.options.copies.announce(generation)
  }

  /** Moves the log into the database file when it is large, and before a copy. */
  async #moveLog(line: Line, generation: Generation, now: number): Promise<void> {
    const { snapshotMs, checkpointBytes } = this.options.limits
    const newest = generation.snapshots.at(-1)
    const isOld = newest !== undefined && now - newest.at >= snapshotMs
    const isDue = !newest?.digest || (isOld && newest.sequence < line.last().sequence)
    const isFull = this.options.source.position().offset >= checkpointBytes
    if (this.options.copies.isRunning() || !(isDue || isFull)) return
    // Then little is left to be kept in a file.
    await line.empty()
    const still = await this.#findStill(line, isDue ? STILL_TRIES : 1)
    if (!still || !isDue || !this.options.isCurrent(line)) return
    this.options.copies.start(generation, still, now, this.options.isWanted(generation))
  }

  /**
   * Moves the log into the database file. If all of it could be moved, the file stays as it is after the
   * segment that is returned, which is stored.
   */
  async #findStill(line: Line, triesMax: number) {
    for (let tries = 0; tries < triesMax && this.options.isCurrent(line); tries++) {
      if (tries > 0) await Bun.sleep(STILL_MS)
      if (!this.options.isCurrent(line) || this.options.progress.hasRest() || line.isFull()) return null
      if (this.checkpoint(line)) return line.empty()
    }
    return null
  }

  /** Returns whether the database file now stays as it is. */
  checkpoint(line: Line): boolean {
    const { source, progress } = this.options
    const at = this.options.now()
    const isWhole = source.checkpoint(changes => {
      line.add({ changes, at, log: { position: null, mark: null } }, null)
    })
    const log = logNow(source, isWhole)
    line.moveLog(log)
    const waiting = line.waiting()
    if (waiting.length === 0) progress.shipped = line.last()
    // From now on, the next commit may begin the log again.
    else if (isWhole) progress.keep(waiting, log)
    this.options.onChange()
    return isWhole
  }
}
