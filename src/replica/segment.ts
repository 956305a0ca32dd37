import { concatBytes } from '@noble/ciphers/utils.js'
import { type Changes, ChangesLost, type KnownLog } from '../storage/change-source.ts'
import { TooLarge } from './answer.ts'
import { IN_FLIGHT_MAX, segmentName } from './manifest.ts'
import { type EncryptedStore, hashOf, seal } from './store.ts'

/** The unencrypted content of an object: a head, and pages of a database by number, from 1. */
export interface PageSet<Head> {
  head: Head
  pageSize: number
  pages: ReadonlyMap<number, Uint8Array>
}

/** The head of a segment. Stored as JSON with these field names. */
export interface SegmentHead {
  generation: string
  sequence: number
  /** hash of the previous sealed segment; for the first segment of a run, the hash that the run names */
  previous: string
  /** all segments up to this number were uploaded before this one was sent */
  stored: number
  /** size of the database after the segment, in pages; the file is truncated to it */
  databasePages: number
  /** upper bound of the times of all commits in the segment; Unix time in milliseconds */
  at: number
}

const WORD_BYTES = 4

/**
 * Encodes pages: the length of the head's JSON, the JSON, the page numbers, the pages. Integers are
 * big-endian.
 */
export function encodePages<Head>({ head, pageSize, pages }: PageSet<Head>): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify({ head, pageSize, count: pages.size }))
  const length = new DataView(new ArrayBuffer(WORD_BYTES))
  length.setUint32(0, text.length)
  const numbers = new DataView(new ArrayBuffer(WORD_BYTES * pages.size))
  for (const [index, number] of [...pages.keys()].entries()) numbers.setUint32(WORD_BYTES * index, number)
  return concatBytes(new Uint8Array(length.buffer), text, new Uint8Array(numbers.buffer), ...pages.values())
}

/** Decodes the output of `encodePages`. The pages share its memory. */
export function decodePages<Head>(bytes: Uint8Array): PageSet<Head> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = WORD_BYTES + view.getUint32(0)
  const { head, pageSize, count } = JSON.parse(new TextDecoder().decode(bytes.subarray(WORD_BYTES, end)))
  const first = end + WORD_BYTES * count
  const pages = new Map<number, Uint8Array>()
  for (let index = 0; index < count; index++) {
    const from = first + index * pageSize
    pages.set(view.getUint32(end + WORD_BYTES * index), bytes.subarray(from, from + pageSize))
  }
  return { head, pageSize, pages }
}

/** Changes that were read from the write-ahead log. `log` is the position in it after them. */
export interface PendingChanges {
  changes: Changes
  log: KnownLog
  at: number
}

/** The newest uploaded segment before which none is missing. Stored as JSON with these field names. */
export interface ReplicaPosition {
  generation: string
  /** the process that uploaded the segment */
  run: string
  sequence: number
  hash: string
  log: KnownLog
}

interface Segment extends PendingChanges {
  /** All commits before this time are in this segment or an earlier one; null if unknown */
  coveredAt: number | null
  sequence: number
  hash: string
  isUploaded: boolean
}

interface QueueOptions extends EncryptedStore {
  run: string
  /** longest pause between tries */
  retryMs: number
  /** Called each time the position advances. No commit up to it is newer than `at`. */
  onUploaded(position: ReplicaPosition, at: number): void
  onFailed(error: unknown): void
}

/** Max segments that wait to be read back. Beyond it, the oldest are checked only by the trial restore. */
const UNREAD_MAX = 2000

/** Pause after the first failed upload. It doubles with each further failure. */
const RETRY_MS = 100

/** Sleeps without keeping the process alive. */
const pause = (ms: number): Promise<void> => new Promise(resolve => void setTimeout(resolve, ms).unref())

/**
 * Makes segments of changes and uploads several at the same time, retrying until each succeeds. A segment is
 * confirmed once it and all segments before it are uploaded.
 */
export class SegmentQueue {
  #segments: Segment[] = []
  #coveredAt: number | null = null
  /** the newest sealed segment */
  #sealed: { sequence: number; hash: string; at: number }
  #sealing: Promise<void> = Promise.resolve()
  #isClosed = false
  #waiting: (() => void)[] = []
  /** uploaded segments that have not been read back yet, oldest first */
  #unread: { name: string; hash: string }[] = []
  #isReading = false

  /** Continues after the position `uploaded`, whose newest commit is not later than `at`. */
  constructor(
    private readonly options: QueueOptions,
    private uploaded: ReplicaPosition,
    at: number,
  ) {
    this.#sealed = { sequence: uploaded.sequence, hash: uploaded.hash, at }
  }

  /** Time before which all commits are uploaded; null if unknown. */
  coveredAt = (): number | null => this.#coveredAt

  position = (): ReplicaPosition => this.uploaded

  isFull = (): boolean => this.#segments.length >= IN_FLIGHT_MAX

  /** Unconfirmed changes, oldest first. */
  pending = (): readonly PendingChanges[] => this.#segments

  /** Adds a segment. `coveredAt` is a time up to which no further changes follow; null if some do. */
  add(pending: PendingChanges, coveredAt: number | null): void {
    const segment = { ...pending, coveredAt, sequence: 0, hash: '', isUploaded: false }
    this.#segments.push(segment)
    this.#sealing = this.#sealing.then(() => this.#send(segment)).catch(this.options.onFailed)
  }

  /** Notes that no changes follow the newest segment until the time `at`. */
  cover(at: number): void {
    const newest = this.#segments.at(-1)
    if (newest) newest.coveredAt = at
    else this.#coveredAt = at
  }

  /** Notes the new position in the write-ahead log after the newest segment. Needed after a checkpoint. */
  moveLog(log: KnownLog): void {
    const newest = this.#segments.at(-1)
    if (newest) newest.log = log
    else this.uploaded = { ...this.uploaded, log }
  }

  /**
   * Waits until everything that was added is confirmed. Returns the newest segment, or null if the queue was
   * closed.
   */
  async drain(): Promise<{ sequence: number; hash: string } | null> {
    const newest = this.#segments.at(-1) ?? this.uploaded
    while (!this.#isClosed && this.#segments.some(segment => segment === newest)) {
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
    return this.#isClosed ? null : newest
  }

  /**
   * Reads uploaded segments back in the background, each once. If the store has lost or changed one,
   * `onFailed` is called with ChangesLost.
   */
  readBack(): void {
    if (this.#isReading) return
    this.#isReading = true
    void this.#readBack()
      .catch(error => {
        // A store that cannot be reached is reported by the uploads.
        if (error instanceof ChangesLost && !this.#isClosed) this.options.onFailed(error)
      })
      .finally(() => {
        this.#isReading = false
      })
  }

  async #readBack(): Promise<void> {
    const { store } = this.options
    for (let [next] = this.#unread; next && !this.#isClosed; [next] = this.#unread) {
      const found = await store.get(next.name).catch(error => {
        if (error instanceof TooLarge) return null
        throw error
      })
      if (found === null || hashOf(found) !== next.hash) {
        throw new ChangesLost(`${store.name} has lost or changed the object ${next.name}`)
      }
      // Uploads continue meanwhile, and may have dropped the segment.
      if (this.#unread[0] === next) this.#unread.shift()
    }
  }

  /** Closes the queue and drops unconfirmed changes. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /**
   * Seals a segment and begins its upload. Runs for one segment at a time, because each contains the hash of
   * the previous one.
   */
  async #send(segment: Segment): Promise<void> {
    if (this.#isClosed) return
    const { generation } = this.uploaded
    const { changes, at } = segment
    const before = this.#sealed
    const head: SegmentHead = {
      generation,
      sequence: before.sequence + 1,
      previous: before.hash,
      stored: this.uploaded.sequence,
      databasePages: changes.databasePages,
      at: Math.max(at, before.at),
    }
    const name = segmentName(generation, this.options.run, head.sequence)
    const { pageSize, pages } = changes
    const sealed = await seal(this.options.key, name, encodePages({ head, pageSize, pages }))
    segment.sequence = head.sequence
    segment.hash = hashOf(sealed)
    this.#sealed = { sequence: segment.sequence, hash: segment.hash, at: head.at }
    void this.#upload(segment, name, sealed)
  }

  async #upload(segment: Segment, name: string, sealed: Uint8Array): Promise<void> {
    for (let pauseMs = RETRY_MS; !this.#isClosed; pauseMs = Math.min(2 * pauseMs, this.options.retryMs)) {
      try {
        await this.options.store.put(name, sealed)
        segment.isUploaded = true
        this.#advance()
        return
      } catch (error) {
        if (!this.#isClosed) this.options.onFailed(error)
        await pause(pauseMs)
      }
    }
  }

  #advance(): void {
    for (let [first] = this.#segments; first?.isUploaded && !this.#isClosed; [first] = this.#segments) {
      const { sequence, hash, log, coveredAt, at } = first
      this.#segments.shift()
      this.uploaded = { ...this.uploaded, run: this.options.run, sequence, hash, log }
      if (this.#unread.length >= UNREAD_MAX) this.#unread.shift()
      this.#unread.push({ name: segmentName(this.uploaded.generation, this.options.run, sequence), hash })
      this.#coveredAt = coveredAt ?? this.#coveredAt
      this.options.onUploaded(this.uploaded, at)
    }
    this.#wake()
  }
}
