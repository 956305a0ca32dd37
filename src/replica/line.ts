import type { Changes, KnownLog } from '../storage/change-source.ts'
import { IN_FLIGHT_MAX, segmentName } from './manifest.ts'
import type { ShipperOptions } from './options.ts'
import { encodePages, type SegmentHead } from './pages.ts'
import { hashOf, seal } from './store.ts'

/** After a segment could not be stored; twice as long each time. */
const RETRY_MS = 100

/** Changes that were read and are not stored yet. */
export interface Captured {
  changes: Changes
  log: KnownLog
  at: number
}

/** The last segment of those that are stored without a gap. */
export interface Shipped {
  generation: string
  /** the process that stored it */
  run: string
  sequence: number
  hash: string
  log: KnownLog
}

interface Segment extends Captured {
  /** everything before this moment is in it or in those before it; null if that is not known */
  coveredAt: number | null
  sequence: number
  hash: string
  isStored: boolean
}

interface LineOptions extends Pick<ShipperOptions, 'store' | 'key'> {
  run: string
  retryMs: number
  /** Called when one more segment is stored without a gap. It has no commit that is newer than `at`. */
  onStored(shipped: Shipped, at: number): void
  onFailed(error: unknown): void
}

/** A process that ends does not wait for it. */
const pause = (ms: number): Promise<void> => new Promise(resolve => void setTimeout(resolve, ms).unref())

/** Segments on their way to the store, several at a time. What is stored without a gap counts. */
export class Line {
  #segments: Segment[] = []
  #coveredAt: number | null = null
  /** what the next segment continues */
  #sealed: { sequence: number; hash: string; at: number }
  #sealing: Promise<void> = Promise.resolve()
  #isClosed = false
  #waiting: (() => void)[] = []

  constructor(
    private readonly options: LineOptions,
    private shipped: Shipped,
    at: number,
  ) {
    this.#sealed = { sequence: shipped.sequence, hash: shipped.hash, at }
  }

  /** Everything before this moment is stored; null if that is not known yet. */
  coveredAt = (): number | null => this.#coveredAt

  isFull = (): boolean => this.#segments.length >= IN_FLIGHT_MAX

  /** What is not stored, oldest first. */
  waiting = (): readonly Captured[] => this.#segments

  add(captured: Captured, coveredAt: number | null): void {
    const segment = { ...captured, coveredAt, sequence: 0, hash: '', isStored: false }
    this.#segments.push(segment)
    this.#sealing = this.#sealing.then(() => this.#send(segment)).catch(this.options.onFailed)
  }

  /** There were no further changes at a moment. */
  cover(at: number): void {
    const last = this.#segments.at(-1)
    if (last) last.coveredAt = at
    else this.#coveredAt = at
  }

  /** Where the log is after the last segment. */
  moveLog(log: KnownLog): void {
    const last = this.#segments.at(-1)
    if (last) last.log = log
    else this.shipped = { ...this.shipped, log }
  }

  last = (): Shipped => this.shipped

  /** Waits until everything that was added is stored. Returns the last of it; null if the line was closed. */
  async empty(): Promise<{ sequence: number; hash: string } | null> {
    const last = this.#segments.at(-1) ?? this.shipped
    while (!this.#isClosed && this.#segments.some(segment => segment === last)) {
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
    return this.#isClosed ? null : last
  }

  /** What is not stored no longer counts. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Each segment names the hash of the one before, so they are sealed one after another. */
  async #send(segment: Segment): Promise<void> {
    if (this.#isClosed) return
    const { generation } = this.shipped
    const { changes, at } = segment
    const before = this.#sealed
    const head: SegmentHead = {
      generation,
      sequence: before.sequence + 1,
      previous: before.hash,
      stored: this.shipped.sequence,
      databasePages: changes.databasePages,
      at: Math.max(at, before.at),
    }
    const name = segmentName(generation, this.options.run, head.sequence)
    const { pageSize, pages } = changes
    const sealed = await seal(this.options.key, name, encodePages({ head, pageSize, pages }))
    segment.sequence = head.sequence
    segment.hash = hashOf(sealed)
    this.#sealed = { sequence: segment.sequence, hash: segment.hash, at: head.at }
    void this.#store(segment, name, sealed)
  }

  async #store(segment: Segment, name: string, sealed: Uint8Array): Promise<void> {
    for (let pauseMs = RETRY_MS; !this.#isClosed; pauseMs = Math.min(2 * pauseMs, this.options.retryMs)) {
      try {
        await this.options.store.put(name, sealed)
        segment.isStored = true
        this.#advance()
        return
      } catch (error) {
        if (!this.#isClosed) this.options.onFailed(error)
        await pause(pauseMs)
      }
    }
  }

  #advance(): void {
    for (let [first] = this.#segments; first?.isStored && !this.#isClosed; [first] = this.#segments) {
      const { sequence, hash, log, coveredAt, at } = first
      this.#segments.shift()
      const { generation } = this.shipped
      this.shipped = { generation, run: this.options.run, sequence, hash, log }
      this.#coveredAt = coveredAt ?? this.#coveredAt
      this.options.onStored(this.shipped, at)
    }
    this.#wake()
  }
}
