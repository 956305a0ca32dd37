import type { KnownLog } from '../storage/change-source.ts'
import type { Captured, Line, Shipped } from './line.ts'
import { dropRest, keepRest, Notes, type ReplicaNote, type Rest, readRest } from './notes.ts'

/** How far the copies are, also for the next process. */
export class Progress {
  /** the last segment that is stored, and how far the log was read with it; null: begin a generation */
  shipped: Shipped | null
  /** the newest moment that can be restored; null if none can */
  restorableAt: number | null
  /** what the next process continues if this one ends before the contents name it */
  #before: Shipped | null
  /** what was not stored when the log could be begun again */
  #rest: Rest | null
  readonly #notes: Notes

  /** What the process before noted; null if there was none. */
  readonly found: ReplicaNote | null

  constructor(
    private readonly dataDir: string,
    store: string,
    everyMs: number,
  ) {
    this.#notes = new Notes(dataDir, store, everyMs)
    this.found = this.#notes.read()
    this.shipped = this.found?.shipped ?? null
    this.#before = this.shipped
    this.#rest = this.found?.rest ?? null
    this.restorableAt = this.found?.restorableAt ?? null
    if (!this.#rest) dropRest(dataDir)
  }

  /** How far the log was read, with what waits in a file. */
  log = (): KnownLog | null => this.#rest?.log ?? this.shipped?.log ?? null

  hasRest = (): boolean => this.#rest !== null

  /** What waits in a file; null if it is not there or not whole. */
  rest = (): Captured | null => this.#rest && readRest(this.dataDir, this.#rest)

  /** Lets changes wait in a file. `log` is how far the log was read with them. */
  keep(waiting: readonly Captured[], log: KnownLog): void {
    this.#rest = keepRest(this.dataDir, waiting, log)
  }

  /** What is stored is not continued. */
  lose(): void {
    this.shipped = null
    this.#before = null
    this.#rest = null
    dropRest(this.dataDir)
  }

  /** Notes what the next process has to know. `isNamed`: the contents name what this process stores. */
  note(
    line: Line | null,
    isNamed: boolean,
    facts: Pick<ReplicaNote, 'serial' | 'problem' | 'notedAt'>,
    isNow: boolean,
  ): void {
    const rest = this.#rest
    const isOver =
      isNamed && rest !== null && line !== null && !line.waiting().some(({ log }) => log === rest.log)
    if (isNamed) this.#before = this.shipped
    if (isOver) this.#rest = null
    const { restorableAt } = this
    this.#notes.write({ ...facts, shipped: this.#before, rest: this.#rest, restorableAt }, isNow || isOver)
    if (isOver) dropRest(this.dataDir)
  }
}
