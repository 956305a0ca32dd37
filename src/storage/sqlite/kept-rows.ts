import type { Database, Statement } from 'bun:sqlite'
import type { KeptTable } from '../port.ts'

const KEPT_MAX = 2000

interface CacheEntry {
  found: unknown
  /** version of its repositories when they were read */
  version: number
}

/** Freezes a value that several callers share. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) freeze(part)
  return value
}

/**
 * Caches what was read from repositories that seldom change, until one of them does. `changed` and
 * `committed` report changes of this process; SQLite's data version shows commits of other processes.
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

  /** `writing` is the connection of this process's writes: its data version does not count them. */
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

  /** Called when a write changes a repository. */
  changed(name: KeptTable): void {
    this.#changing.add(name)
  }

  committed(): void {
    for (const name of this.#changing) this.#changes.set(name, (this.#changes.get(name) ?? 0) + 1)
    this.#changing.clear()
  }

  /** Doesn't cache a read that began before a change, nor null: anybody can ask for what does not exist. */
  async #read<T>(names: readonly KeptTable[], key: string, version: number, read: () => Promise<T>) {
    const found = freeze(await read())
    if (found === null || version !== this.#versionOf(names)) return found
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear()
    this.#kept.set(key, { found, version })
    return found
  }

  /** Counters only grow, so any change changes the sum. */
  #versionOf(names: readonly KeptTable[]): number {
    let version = this.#foreignChanges
    for (const name of names) version += this.#changes.get(name) ?? 0
    return version
  }

  /** Requests in the same turn of the event loop share one look at the data version. */
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
