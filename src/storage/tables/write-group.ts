import type { PaidWith, Sums } from '../../domain/statistics.ts'

export interface StatisticsChange {
  merchantId: string
  currency: string
  at: number
  delta: Partial<Sums>
  paidWith: PaidWith | undefined
}

/**
 * What the writes of one commit share: rows that each of them needs, and sums that are stored once. Nobody
 * else can change the database meanwhile.
 */
export class WriteGroup {
  /** rows by table and ID; emptied by every change of their tables */
  readonly rows = new Map<string, unknown>()
  #changes: StatisticsChange[] = []
  #kept: StatisticsChange[] = []

  /** Called when a transaction begins. */
  begin(): void {
    this.rows.clear()
    this.#changes = []
    this.#kept = []
  }

  /** Called after each write: its changes stay, or are rolled back. */
  end(isKept: boolean): void {
    if (isKept) this.#kept.push(...this.#changes)
    else this.rows.clear()
    this.#changes = []
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

/** The same repository, which reports every call that is not `find`. */
export function notifying<R extends Finder>(repository: R, onCall: () => void): R {
  const methods = Object.entries(repository as Record<string, Method>).map(([name, run]) => {
    const reporting: Method = (...args) => {
      if (name !== 'find') onCall()
      return run(...args)
    }
    return [name, reporting]
  })
  return Object.fromEntries(methods) as R
}
