import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'

type Bindings = SQLQueryBindings | SQLQueryBindings[]
// biome-ignore lint/suspicious/noExplicitAny: the type that Database has
type Prepared<Result, Params extends Bindings> = Statement<Result, Params extends any[] ? Params : [Params]>

/**
 * A read-only connection. It compiles each query once; Bun's own cache has 20 entries, fewer than one check
 * of all tables needs.
 */
export class Reader extends Database {
  readonly #statements = new Map<string, Statement>()
  readonly #found = new Map<string, unknown>()
  #version: number | undefined

  override query<Result, Params extends Bindings>(sql: string): Prepared<Result, Params> {
    const known = this.#statements.get(sql) ?? this.prepare(sql)
    this.#statements.set(sql, known)
    return known as unknown as Prepared<Result, Params>
  }

  /** The result of a query. It runs again only after another connection has committed. */
  found<T>(name: string, look: (database: Database) => T): T {
    const version = this.query<{ data_version: number }, []>('PRAGMA data_version').get()?.data_version
    if (version !== this.#version) this.#found.clear()
    this.#version = version
    if (!this.#found.has(name)) this.#found.set(name, look(this))
    return this.#found.get(name) as T
  }
}
