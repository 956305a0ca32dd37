import type { Query } from 'drizzle-orm'
import { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { SelectedFieldsOrdered } from 'drizzle-orm/sqlite-core/query-builders/select.types'
import {
  type SQLiteExecuteMethod,
  SQLitePreparedQuery,
  SQLiteSession,
  type SQLiteTransaction,
} from 'drizzle-orm/sqlite-core/session'
import * as utils from 'drizzle-orm/utils'
import { type Bind, binder, type Row, rowMapper, type Values } from '../analysed.ts'
import type { Db } from '../tables/db.ts'
import type { Answer } from './connection.ts'
import { PostgresDialect } from './dialect.ts'

/** Runs a query on the connection of the moment. */
type Run = (text: string, values: unknown[]) => Promise<Answer>

/** Drizzle maps selections of expressions and of outer joins with this, and does not declare it. */
const { mapResultRow } = utils as unknown as {
  mapResultRow(fields: SelectedFieldsOrdered, row: unknown[], nullable: unknown): unknown
}

interface Config {
  type: 'async'
  run: { changes: number }
  all: unknown[]
  get: unknown
  values: unknown[][]
  execute: unknown
}

/** A query whose parameters and columns are analysed once. */
class AnalysedQuery extends SQLitePreparedQuery<Config> {
  readonly #binders: Bind[]
  readonly #map: ((row: unknown[]) => Row) | null
  readonly #text: string

  constructor(
    private readonly send: Run,
    query: Query,
    private readonly selected: SelectedFieldsOrdered | undefined,
    method: SQLiteExecuteMethod,
  ) {
    super('async', method, query)
    this.#text = query.sql
    this.#binders = query.params.map(binder)
    this.#map = selected ? rowMapper(selected) : null
  }

  override async run(values: Values = {}) {
    const { changes } = await this.#answer(values)
    return { changes }
  }

  override async all(values: Values = {}) {
    const { rows } = await this.#answer(values)
    return this.#rowsOf(rows)
  }

  override async get(values: Values = {}) {
    const { rows } = await this.#answer(values)
    return this.#rowsOf(rows.slice(0, 1))[0]
  }

  override async values(values: Values = {}) {
    return (await this.#answer(values)).rows
  }

  #rowsOf(rows: unknown[][]): unknown[] {
    const [map, selected] = [this.#map, this.selected]
    if (map) return rows.map(map)
    if (!selected) return rows
    const { joinsNotNullableMap } = this as unknown as { joinsNotNullableMap?: unknown }
    return rows.map(row => mapResultRow(selected, row, joinsNotNullableMap))
  }

  #answer(values: Values): Promise<Answer> {
    return this.send(
      this.#text,
      this.#binders.map(bind => bind(values)),
    )
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

  /** Transactions are made around all queries of a write. */
  override transaction<T>(
    _: (tx: SQLiteTransaction<'async', never, Record<string, never>, Record<string, never>>) => Promise<T>,
  ): never {
    throw new Error('A transaction inside a transaction is a bug')
  }
}

/** The query builder on a connection of a server. */
export function queryBuilder(run: Run): Db {
  const dialect = new PostgresDialect()
  const builder = new BaseSQLiteDatabase('async', dialect, new Session(run, dialect) as never, undefined)
  return Object.assign(builder, { dialect }) as unknown as Db
}
