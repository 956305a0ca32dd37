import type { Query } from 'drizzle-orm'
import { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { SelectedFieldsOrdered } from 'drizzle-orm/sqlite-core/query-builders/select.types'
import { type SQLiteExecuteMethod, SQLitePreparedQuery, SQLiteSession } from 'drizzle-orm/sqlite-core/session'
import { Analysis, type Values } from '../analysed.ts'
import type { Db } from '../tables/db.ts'
import type { Answer } from './connection.ts'
import { PostgresDialect } from './dialect.ts'

/** Runs a query on the connection of the moment. */
type Run = (text: string, values: unknown[]) => Promise<Answer>

interface Config {
  type: 'async'
  run: { changes: number }
  all: unknown[]
  get: unknown
  values: unknown[][]
  execute: unknown
}

class AnalysedQuery extends SQLitePreparedQuery<Config> {
  readonly #analysis: Analysis
  readonly #text: string

  constructor(
    private readonly send: Run,
    query: Query,
    selected: SelectedFieldsOrdered | undefined,
    method: SQLiteExecuteMethod,
  ) {
    super('async', method, query)
    this.#text = query.sql
    this.#analysis = new Analysis(query, selected)
  }

  override async run(values?: Values) {
    const { changes } = await this.#answer(values)
    return { changes }
  }

  override async all(values?: Values) {
    return this.#analysis.objectsOf(await this.values(values))
  }

  override async get(values?: Values) {
    return (await this.all(values))[0]
  }

  override async values(values?: Values) {
    return (await this.#answer(values)).rows
  }

  #answer(values?: Values): Promise<Answer> {
    return this.send(this.#text, this.#analysis.bind(values))
  }
}

class Session extends SQLiteSession<'async', never, Record<string, never>, Record<string, never>> {
  constructor(
    private readonly send: Run,
    dialect: PostgresDialect,
  ) {
    super(dialect)
  }

  override prepareQuery(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    method: SQLiteExecuteMethod,
  ): never {
    return new AnalysedQuery(this.send, query, fields, method) as never
  }

  /** The writer begins and ends transactions. */
  override transaction(): never {
    throw new Error('A transaction inside a transaction is a bug')
  }
}

/** The query builder on a connection of a server. */
export function queryBuilder(run: Run): Db {
  const dialect = new PostgresDialect()
  const builder = new BaseSQLiteDatabase('async', dialect, new Session(run, dialect) as never, undefined)
  return Object.assign(builder, { dialect }) as unknown as Db
}
