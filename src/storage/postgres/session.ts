import type { Query } from 'drizzle-orm'
import { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { SelectedFieldsOrdered } from 'drizzle-orm/sqlite-core/query-builders/select.types'
import { type SQLiteExecuteMethod, SQLitePreparedQuery, SQLiteSession } from 'drizzle-orm/sqlite-core/session'
import { Analysis, type Values } from '../analysed.ts'
import type { Db } from '../tables/db.ts'
import type { Answer } from './connection.ts'
import { PostgresDialect } from './dialect.ts'

/** Runs queries on the current connection. The result of `insert` has neither rows nor a count. */
export interface Runner {
  query(text: string, values: unknown[]): Promise<Answer>
  insert(text: string, values: unknown[]): Promise<void>
}

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
    private readonly runner: Runner,
    query: Query,
    selected: SelectedFieldsOrdered | undefined,
    method: SQLiteExecuteMethod,
    private readonly isInsertion: boolean,
  ) {
    super('async', method, query)
    this.#text = query.sql
    this.#analysis = new Analysis(query, selected)
  }

  override async run(values?: Values) {
    if (!this.isInsertion) return this.#answer(values)
    await this.runner.insert(this.#text, this.#analysis.bind(values))
    return uncounted
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
    return this.runner.query(this.#text, this.#analysis.bind(values))
  }
}

/** The result of an insertion, which has no count of changes. */
const uncounted = {
  get changes(): never {
    throw new Error('To count the rows of an insertion without RETURNING is a bug')
  },
}

class Session extends SQLiteSession<'async', never, Record<string, never>, Record<string, never>> {
  constructor(
    private readonly runner: Runner,
    dialect: PostgresDialect,
    private readonly isOfInsertions = false,
  ) {
    super(dialect)
  }

  override prepareQuery(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    method: SQLiteExecuteMethod,
  ): never {
    const isInsertion = this.isOfInsertions && method === 'run'
    return new AnalysedQuery(this.runner, query, fields, method, isInsertion) as never
  }

  /** Always throws: the writer begins and ends transactions. */
  override transaction(): never {
    throw new Error('A transaction inside a transaction is a bug')
  }
}

/**
 * Returns the query builder on a connection of a server. Insertions use a separate session, because drizzle
 * does not show a session which statements are insertions.
 */
export function queryBuilder(runner: Runner): Db {
  const dialect = new PostgresDialect()
  const builderOn = (session: Session) =>
    new BaseSQLiteDatabase('async', dialect, session as never, undefined)
  const insertions = builderOn(new Session(runner, dialect, true))
  const insert = insertions.insert.bind(insertions)
  return Object.assign(builderOn(new Session(runner, dialect)), { dialect, insert }) as unknown as Db
}
