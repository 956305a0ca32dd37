import type { PaidWith, Sums } from '../../domain/statistics.ts'

export interface StatisticsChange {
  merchantId: string
  currency: string
  at: number
  delta: Partial<Sums>
  paidWith: PaidWith | undefined
}

/** Rows that are kept at most; a group of writes may still need more. */
const ROWS_MAX = 1000

/**
 * What writes share: rows that each of them needs, and sums that are stored once for each commit. Nobody else
 * can change the database during a transaction. Between two, an engine may say that nobody did.
 */
export class WriteGroup {
  /** rows by table and ID; emptied by every change of their tables */
  readonly rows = new Map<string, unknown>()
  /** rows of statistics as they are stored, by table and key */
  readonly sums = new Map<string, unknown>()
  #changes: StatisticsChange[] = []
  #kept: StatisticsChange[] = []
  #version: number | null = null
  #isCommitted = false

  /**
   * Called when a transaction begins. `version` changes whenever another process has changed the database;
   * null if the engine cannot tell.
   */
  begin(version: number | null = null): void {
    const isSame = version !== null && version === this.#version && this.#isCommitted
    if (!isSame || this.rows.size > ROWS_MAX || this.sums.size > ROWS_MAX) this.#forget()
    this.#version = version
    this.#isCommitted = false
    this.#changes = []
    this.#kept = []
  }

  /** Called after each write: its changes stay, or are rolled back. */
  end(isKept: boolean): void {
    if (isKept) this.#kept.push(...this.#changes)
    else this.#forget()
    this.#changes = []
  }

  /** Called once the transaction is on disk. Otherwise, nothing of it is kept for the next one. */
  committed(): void {
    this.#isCommitted = true
  }

  addStatistics(change: StatisticsChange): void {
    this.#changes.push(change)
  }

  /** The changes of statistics that have to be stored before the commit. */
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

/** The same repository, whose `find` asks the database once in each commit. */
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

/** The same repository, which reports every call that may change it. */
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
