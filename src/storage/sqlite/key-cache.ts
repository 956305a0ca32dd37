import type { Database, Statement } from 'bun:sqlite'
import type { KeyWithMerchant } from '../port.ts'

const KEYS_MAX = 1000

/**
 * Remembers API keys until a key or a merchant changes. Changes of this process are reported by `changed` and
 * `committed`; SQLite's data version shows commits of other processes.
 */
export class KeyCache {
  readonly #found = new Map<string, KeyWithMerchant>()
  readonly #dataVersion: Statement<{ data_version: number }, []>
  #version = 0
  /** raised whenever the keys are forgotten, so that a read that began before is not remembered */
  #generation = 0
  #isChanged = false
  #isChecked = false

  /** `writing` is the connection of this process's writes: its data version ignores them. */
  constructor(writing: Database) {
    this.#dataVersion = writing.prepare('PRAGMA data_version')
  }

  async find(id: string, read: () => Promise<KeyWithMerchant | null>): Promise<KeyWithMerchant | null> {
    this.#forgetForeignChanges()
    const known = this.#found.get(id)
    if (known) return known
    const generation = this.#generation
    const found = await read()
    if (found && generation === this.#generation) this.#remember(id, found)
    return found
  }

  /** A write changes a key or a merchant. */
  changed(): void {
    this.#isChanged = true
  }

  committed(): void {
    if (this.#isChanged) this.#forget()
    this.#isChanged = false
  }

  /** Requests that are handled in the same turn of the event loop share one look at the data version. */
  #forgetForeignChanges(): void {
    if (this.#isChecked) return
    this.#isChecked = true
    setImmediate(() => {
      this.#isChecked = false
    })
    const version = this.#dataVersion.get()?.data_version ?? 0
    if (version !== this.#version) this.#forget()
    this.#version = version
  }

  #remember(id: string, found: KeyWithMerchant): void {
    if (this.#found.size >= KEYS_MAX) this.#found.clear()
    this.#found.set(id, found)
  }

  #forget(): void {
    this.#found.clear()
    this.#generation++
  }
}
