import { concatBytes } from '@noble/ciphers/utils.js'
import type { Changes, KnownLog } from '../storage/change-source.ts'
import { IN_FLIGHT_MAX, segmentName } from './manifest.ts'
import { type EncryptedStore, hashOf, seal } from './store.ts'

/** Pages of a database by number, from 1, and what they belong to: the plain content of an object. */
export interface PageSet<Head> {
  head: Head
  pageSize: number
  pages: ReadonlyMap<number, Uint8Array>
}

/** What a segment says about itself. Field names are stored. */
export interface SegmentHead {
  generation: string
  sequence: number
  /** the hash of the sealed segment before it; of the first one, what its run names */
  previous: string
  /** all segments up to this one were uploaded before this one was sent */
  stored: number
  /** pages of the database after it: the file is cut to this size */
  databasePages: number
  /** no commit in it is newer; Unix time in milliseconds */
  at: number
}

const WORD_BYTES = 4

/** Encodes the length of a JSON text, the text, the page numbers, and the pages. Numbers are big-endian. */
export function encodePages<Head>({ head, pageSize, pages }: PageSet<Head>): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify({ head, pageSize, count: pages.size }))
  const length = new DataView(new ArrayBuffer(WORD_BYTES))
  length.setUint32(0, text.length)
  const numbers = new DataView(new ArrayBuffer(WORD_BYTES * pages.size))
  for (const [index, number] of [...pages.keys()].entries()) numbers.setUint32(WORD_BYTES * index, number)
  return concatBytes(new Uint8Array(length.buffer), text, new Uint8Array(numbers.buffer), ...pages.values())
}

/** Decodes what `encodePages` made. The pages share its memory. */
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

/** Changes that were read from the write-ahead log. `log`: how far it was read with them. */
export interface PendingChanges {
  changes: Changes
  log: KnownLog
  at: number
}

/** The newest segment up to which all segments are uploaded. Field names are stored in the local state. */
export interface ReplicaPosition {
  generation: string
  /** the process that uploaded the segment */
  run: string
  sequence: number
  hash: string
  log: KnownLog
}

interface Segment extends PendingChanges {
  /** everything before this moment is in this segment or an earlier one; null if that is not known */
  coveredAt: number | null
  sequence: number
  hash: string
  isUploaded: boolean
}

interface QueueOptions extends EncryptedStore {
  run: string
  /** the longest pause between two tries */
  retryMs: number
  /** Called each time the position moves. No commit up to it is newer than `at`. */
  onUploaded(position: ReplicaPosition, at: number): void
  onFailed(error: unknown): void
}

/** After a segment could not be uploaded; twice as long each time. */
const RETRY_MS = 100

/** Sleeps without keeping the process alive. */
const pause = (ms: number): Promise<void> => new Promise(resolve => void setTimeout(resolve, ms).unref())

/**
 * Makes segments of changes and uploads them, several at the same time, until it succeeds. A segment counts
 * once it and all segments before it are uploaded.
 */
export class SegmentQueue {
  #segments: Segment[] = []
  #coveredAt: number | null = null
  /** the newest sealed segment */
  #sealed: { sequence: number; hash: string; at: number }
  #sealing: Promise<void> = Promise.resolve()
  #isClosed = false
  #waiting: (() => void)[] = []

  /** Continues after a position, whose newest commit is of `at` at the latest. */
  constructor(
    private readonly options: QueueOptions,
    private uploaded: ReplicaPosition,
    at: number,
  ) {
    this.#sealed = { sequence: uploaded.sequence, hash: uploaded.hash, at }
  }

  /** Everything before this moment is uploaded; null if that is not known yet. */
  coveredAt = (): number | null => this.#coveredAt

  position = (): ReplicaPosition => this.uploaded

  isFull = (): boolean => this.#segments.length >= IN_FLIGHT_MAX

  /** The changes that do not count yet, oldest first. */
  pending = (): readonly PendingChanges[] => this.#segments

  /** Adds a segment. `coveredAt`: there were no further changes at this moment; null if there were. */
  add(pending: PendingChanges, coveredAt: number | null): void {
    const segment = { ...pending, coveredAt, sequence: 0, hash: '', isUploaded: false }
    this.#segments.push(segment)
    this.#sealing = this.#sealing.then(() => this.#send(segment)).catch(this.options.onFailed)
  }

  /** Notes that there were no changes after the newest segment until a moment. */
  cover(at: number): void {
    const newest = this.#segments.at(-1)
    if (newest) newest.coveredAt = at
    else this.#coveredAt = at
  }

  /** Notes where the write-ahead log is after the newest segment, when a checkpoint moved it. */
  moveLog(log: KnownLog): void {
    const newest = this.#segments.at(-1)
    if (newest) newest.log = log
    else this.uploaded = { ...this.uploaded, log }
  }

  /** Waits until everything that was added counts. Returns the newest segment of it, or null once closed. */
  async drain(): Promise<{ sequence: number; hash: string } | null> {
    const newest = this.#segments.at(-1) ?? this.uploaded
    while (!this.#isClosed && this.#segments.some(segment => segment === newest)) {
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
    return this.#isClosed ? null : newest
  }

  /** Gives up what does not count yet. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Runs for one segment after another, because each names the hash of the one before. */
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
      this.#coveredAt = coveredAt ?? this.#coveredAt
      this.options.onUploaded(this.uploaded, at)
    }
    this.#wake()
  }
}
