import type { Database, Statement } from 'bun:sqlite'
import type { KeptTable } from '../port.ts'

const KEPT_MAX = 2000

interface CacheEntry {
  found: unknown
  /** version of the repositories when the value was read from them */
  version: number
}

/** Freezes a value, because several callers share it. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) freeze(part)
  return value
}

/**
 * Caches what was read from repositories that seldom change, until one of them does. `changed` and
 * `committed` report changes by this process. SQLite's data version shows those by other processes.
 */
export class KeptRows {
  readonly #kept = new Map<string, CacheEntry>()
  readonly #dataVersion: Statement<{ data_version: number }, []>
  /** number of changes of each repository */
  readonly #changes = new Map<KeptTable, number>()
  readonly #changing = new Set<KeptTable>()
  /** number of changes by other processes */
  #foreignChanges = 0
  #foreignVersion = 0
  #isChecked = false

  /**
   * `writing` is the connection with which this process writes: its data version counts only commits of other
   * processes.
   */
  constructor(writing: Database) {
    this.#dataVersion = writing.prepare('PRAGMA data_version')
  }

  async find<T>(names: readonly KeptTable[], key: string, read: () => Promise<T>): Promise<T> {
    this.#noticeForeignChanges()
    const version = this.#versionOf(names)
    const known = this.#kept.get(key)
    if (known?.version === version) return known.found as T
    return this.#read(names, key, version, read)
  }

  /** Must be called when a write changes a repository. */
  changed(name: KeptTable): void {
    this.#changing.add(name)
  }

  committed(): void {
    for (const name of this.#changing) this.#changes.set(name, (this.#changes.get(name) ?? 0) + 1)
    this.#changing.clear()
  }

  /**
   * Reads a value and caches it, unless a change began meanwhile. Does not cache null: clients can ask for
   * any number of things that do not exist.
   */
  async #read<T>(names: readonly KeptTable[], key: string, version: number, read: () => Promise<T>) {
    const found = freeze(await read())
    if (found === null || version !== this.#versionOf(names)) return found
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear()
    this.#kept.set(key, { found, version })
    return found
  }

  /** Returns the sum of the counters of repositories. They only grow, so any change changes the sum. */
  #versionOf(names: readonly KeptTable[]): number {
    let version = this.#foreignChanges
    for (const name of names) version += this.#changes.get(name) ?? 0
    return version
  }

  /** Checks for changes by other processes, once for all requests in a turn of the event loop. */
  #noticeForeignChanges(): void {
    if (this.#isChecked) return
    this.#isChecked = true
    setImmediate(() => {
      this.#isChecked = false
    })
    const version = this.#dataVersion.get()?.data_version ?? 0
    if (version !== this.#foreignVersion) this.#foreignChanges++
    this.#foreignVersion = version
  }
}
