import type { Log } from '../domain/log.ts'
import type { ChangeSource } from '../storage/change-source.ts'
import { newId } from './lease.ts'
import type { Generation, Snapshot } from './manifest.ts'
import { copySnapshot, partsOf } from './snapshot.ts'
import type { ReplicaKey, Store } from './store.ts'

interface CopyOptions {
  store: Store
  key: ReplicaKey
  log: Log
  /** Called when a copy is stored. */
  onWhole(): void
  onFailed(error: unknown): void
}

/** Copies of the whole database, one at a time. */
export class Copies {
  #current: Snapshot | null = null
  /** the last one that the log names */
  #announced = ''

  constructor(
    private readonly source: ChangeSource,
    private readonly options: CopyOptions,
  ) {}

  isRunning = (): boolean => this.#current !== null

  /** Copies the database as it is after a segment. The file has to stay so until the copy is stored. */
  start(
    generation: Generation,
    { sequence, hash }: { sequence: number; hash: string },
    at: number,
    isWanted: () => boolean,
  ): void {
    const size = this.source.size()
    const snapshot: Snapshot = { id: newId(), sequence, hash, at, parts: partsOf(size), digest: null }
    generation.snapshots.push(snapshot)
    this.#current = snapshot
    const { store, key, onWhole, onFailed } = this.options
    const copy = async () => {
      try {
        const parts = { source: this.source, store, key }
        snapshot.digest = await copySnapshot(parts, generation.id, snapshot, size, isWanted)
        if (snapshot.digest !== null) onWhole()
      } catch (error) {
        onFailed(error)
      } finally {
        if (this.#current === snapshot) this.#current = null
      }
    }
    void copy()
  }

  /** Logs the newest copy, once. */
  announce({ id, snapshots }: Generation): void {
    const whole = snapshots.findLast(({ digest }) => digest !== null)
    if (!whole || whole.id === this.#announced) return
    this.#announced = whole.id
    this.options.log.info({ generation: id, parts: whole.parts }, 'replica.snapshot')
  }
}
