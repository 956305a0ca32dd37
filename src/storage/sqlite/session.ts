import type { Database, Statement } from 'bun:sqlite'
import type { Query } from 'drizzle-orm'
import { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { SelectedFieldsOrdered } from 'drizzle-orm/sqlite-core/query-builders/select.types'
import { type SQLiteExecuteMethod, SQLitePreparedQuery, SQLiteSession } from 'drizzle-orm/sqlite-core/session'
import { Analysis, type Values } from '../analysed.ts'
import type { Db } from '../tables/db.ts'
import { SqliteDialect } from './dialect.ts'

/** Max compiled statements. Florin has fewer, except for queries with a varying number of conditions. */
const STATEMENTS_MAX = 500

interface Config {
  type: 'sync'
  run: { changes: number }
  all: unknown[]
  get: unknown
  values: unknown[][]
  execute: unknown
}

class AnalysedQuery extends SQLitePreparedQuery<Config> {
  readonly #analysis: Analysis

  constructor(
    private readonly statement: Statement,
    query: Query,
    selected: SelectedFieldsOrdered | undefined,
    private readonly method: SQLiteExecuteMethod,
  ) {
    super('sync', method, query)
    this.#analysis = new Analysis(query, selected)
  }

  override run(values?: Values) {
    return this.statement.run(this.#bind(values))
  }

  override all(values?: Values) {
    return this.#analysis.objectsOf(this.values(values))
  }

  override get(values?: Values) {
    return this.all(values)[0]
  }

  override values(values?: Values) {
    return this.statement.values(this.#bind(values)) as unknown[][]
  }

  /** Returns the rows themselves. Drizzle would return a promise, although the rows are already there. */
  override execute(values?: Values): never {
    return this[this.method](values) as never
  }

  /** Returns the parameters as one array. Passing each as an argument takes longer, as an order has 56. */
  #bind(values?: Values): never {
    return this.#analysis.bind(values) as never
  }
}

/** Compiles each SQL text once. Drizzle would compile a query that is not prepared each time. */
class Session extends SQLiteSession<'sync', never, Record<string, never>, Record<string, never>> {
  readonly #statements = new Map<string, Statement>()

  constructor(
    private readonly database: Database,
    dialect: SqliteDialect,
  ) {
    super(dialect)
  }

  override prepareQuery(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    method: SQLiteExecuteMethod,
  ): never {
    return new AnalysedQuery(this.#statement(query.sql), query, fields, method) as never
  }

  /** Always throws: the writer begins and ends transactions. */
  override transaction(): never {
    throw new Error('A transaction inside a transaction is a bug')
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

/** All connections share the dialect, which keeps the names of the columns. */
const dialect = new SqliteDialect()

/**
 * Returns the query builder on a connection. Its queries run synchronously, and are compiled and analysed
 * once.
 */
export function queryBuilder(database: Database): Db {
  const builder = new BaseSQLiteDatabase('sync', dialect, new Session(database, dialect) as never, undefined)
  return Object.assign(builder, { dialect }) as unknown as Db
}
