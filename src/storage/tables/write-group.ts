import type { PaidWith, Sums } from '../../domain/statistics.ts'

export interface StatisticsChange {
  merchantId: string
  currency: string
  at: number
  delta: Partial<Sums>
  paidWith: PaidWith | undefined
}

/** Max cached rows between transactions. A group of writes may need more. */
const ROWS_MAX = 1000

/**
 * State that is shared by the writes of a group: rows that each of them needs, and sums that are stored once
 * per commit. No other process can change the database during a transaction. Between two transactions, an
 * engine may report that no other process did.
 */
export class WriteGroup {
  /** cached rows, by table and ID; all of them are removed when one of their tables may have changed */
  readonly rows = new Map<string, unknown>()
  /** stored rows of statistics, by table and key */
  readonly sums = new Map<string, unknown>()
  #changes: StatisticsChange[] = []
  #kept: StatisticsChange[] = []
  #version: number | null = null
  #isCommitted = false

  /**
   * Must be called when a transaction begins. `version` changes whenever another process has changed the
   * database; null if the engine cannot find that out.
   */
  begin(version: number | null = null): void {
    const isSame = version !== null && version === this.#version && this.#isCommitted
    if (!isSame || this.rows.size > ROWS_MAX || this.sums.size > ROWS_MAX) this.#forget()
    this.#version = version
    this.#isCommitted = false
    this.#changes = []
    this.#kept = []
  }

  /** Must be called after each write. `isKept` is false if the write was rolled back. */
  end(isKept: boolean): void {
    if (isKept) this.#kept.push(...this.#changes)
    else this.#forget()
    this.#changes = []
  }

  /** Must be called once the transaction is on disk. Otherwise, no rows are kept for the next one. */
  committed(): void {
    this.#isCommitted = true
  }

  addStatistics(change: StatisticsChange): void {
    this.#changes.push(change)
  }

  /** Returns the statistics that must be stored before the commit, and removes them from the group. */
  takeStatistics(): StatisticsChange[] {
    const kept = this.#kept
    this.#kept = []
    return kept
  }

  #forget(): void {
    this.rows.clear()
    this.sums.clear()
  }
}

type Finder = { find(id: string): Promise<unknown> }
type Method = (...args: never[]) => Promise<unknown>

/** Wraps a repository so that `find` asks the database for a row once per commit. */
export function rememberFinds<R extends Finder>(name: string, repository: R, { rows }: WriteGroup): R {
  const find = async (id: string) => {
    const key = `${name} ${id}`
    if (rows.has(key)) return rows.get(key)
    const row = await repository.find(id)
    rows.set(key, row === null ? null : Object.freeze(row))
    return row
  }
  const others = Object.entries(repository as Record<string, Method>).map(([method, run]) => {
    const forgetting: Method = async (...args) => {
      rows.clear()
      return run(...args).finally(() => rows.clear())
    }
    return [method, forgetting]
  })
  return { ...Object.fromEntries(others), find }
}

const READ_NAME = /^(find|list|count|has|is|last)([A-Z]|$)/

/** Wraps a repository so that every call that may change it is reported. */
export function notifying<R extends object>(repository: R, onCall: () => void): R {
  const methods = Object.entries(repository as Record<string, Method>).map(([name, run]) => {
    const reporting: Method = (...args) => {
      onCall()
      return run(...args)
    }
    return [name, READ_NAME.test(name) ? run : reporting]
  })
  return Object.fromEntries(methods) as R
}
