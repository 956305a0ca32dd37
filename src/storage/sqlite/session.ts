import type { Database, Statement } from 'bun:sqlite'
import { NoopLogger, type Query } from 'drizzle-orm'
import { PreparedQuery, SQLiteBunSession } from 'drizzle-orm/bun-sqlite/session'
import { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { SelectedFieldsOrdered } from 'drizzle-orm/sqlite-core/query-builders/select.types'
import type { SQLiteExecuteMethod } from 'drizzle-orm/sqlite-core/session'
import { type Bind, binder, type Row, rowMapper, type Values } from '../analysed.ts'
import type { Db } from '../tables/db.ts'
import { SqliteDialect } from './dialect.ts'

/** More than the product has, apart from lists of conditions of any length. */
const STATEMENTS_MAX = 500

/**
 * A query whose parameters and columns are analysed once. Drizzle does so for every run, which takes longer
 * than the query itself.
 */
class AnalysedQuery extends PreparedQuery {
  readonly #binders: Bind[]
  readonly #map: ((row: unknown[]) => Row) | null

  constructor(
    private readonly statement: Statement,
    query: Query,
    selected: SelectedFieldsOrdered | undefined,
    private readonly method: SQLiteExecuteMethod,
    ...rest: [isResponseInArrayMode: boolean, customResultMapper?: (rows: unknown[][]) => unknown]
  ) {
    super(statement, query, new NoopLogger(), selected, method, ...rest)
    this.#binders = query.params.map(binder)
    this.#map = selected && rest[1] === undefined ? rowMapper(selected) : null
  }

  override run(values: Values = {}) {
    return this.statement.run(...this.#bind(values))
  }

  override all(values: Values = {}): unknown {
    const map = this.#map
    if (!map) return super.all(values)
    return this.statement.values(...this.#bind(values)).map(row => map(row as unknown[]))
  }

  /** Returns the rows themselves; drizzle would return a promise for what is already there. */
  override execute(values?: Values): never {
    return this[this.method](values) as never
  }

  #bind(values: Values): never[] {
    return this.#binders.map(bind => bind(values)) as never[]
  }
}

/** Compiles each SQL text once. Drizzle compiles it for every query that is not prepared. */
class Session extends SQLiteBunSession<Record<string, never>, Record<string, never>> {
  readonly #statements = new Map<string, Statement>()

  constructor(
    private readonly database: Database,
    dialect: SqliteDialect,
  ) {
    super(database, dialect, undefined)
  }

  override prepareQuery(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    method: SQLiteExecuteMethod,
    ...rest: [isResponseInArrayMode: boolean, customResultMapper?: (rows: unknown[][]) => unknown]
  ): PreparedQuery<never> {
    return new AnalysedQuery(this.#statement(query.sql), query, fields, method, ...rest) as never
  }

  #statement(text: string): Statement {
    const known = this.#statements.get(text)
    if (known) return known
    const statement = this.database.prepare(text)
    this.#statements.set(text, statement)
    const [oldest] = this.#statements.keys()
    if (this.#statements.size > STATEMENTS_MAX && oldest !== undefined) this.#statements.delete(oldest)
    return statement
  }
}

/** The query builder on a connection. Its queries run at once, and are compiled and analysed once. */
export function queryBuilder(database: Database): Db {
  const dialect = new SqliteDialect()
  const builder = new BaseSQLiteDatabase('sync', dialect, new Session(database, dialect), undefined)
  return Object.assign(builder, { dialect }) as unknown as Db
}
