import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { migrations } from '../../migrations/index.ts'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { type Connection, connect } from '../../src/storage/postgres/connection.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'

type Engine = 'sqlite' | 'postgres'

/** The precedence of operators, which differs between the engines. */
const strengths: Record<Engine, Record<string, number>> = {
  sqlite: { OR: 1, AND: 2, NOT: 3, '=': 4, '<>': 4, IS: 4, IN: 4, LIKE: 4, GLOB: 4, BETWEEN: 4, '<': 5 },
  postgres: { OR: 1, AND: 2, NOT: 3, IS: 4, '=': 5, '<>': 5, '<': 5, IN: 6, LIKE: 6, BETWEEN: 6, '~': 7 },
}
for (const own of Object.values(strengths)) Object.assign(own, { '+': 8, '-': 8, '*': 9, '/': 9, '%': 9 })
for (const same of ['<=', '>', '>=']) for (const own of Object.values(strengths)) own[same] = own['<']!
Object.assign(strengths.sqlite, { '||': 10 })
Object.assign(strengths.postgres, { '!~~': 7, '~~': 7, '||': 7, '::': 11 })

/** PostgreSQL's operators under SQLite's names. */
const sameOperators: Record<string, string> = { '!=': '<>', '~': 'GLOB', '~~': 'LIKE', '!~~': 'NOT LIKE' }
const sameFunctions: Record<string, string> = { strpos: 'instr', chr: 'char' }

const TOKEN = /\s*('(?:[^']|'')*'|"[^"]+"|[A-Za-z_][\w.]*|\d+|\|\||!~~|~~|::|<>|!=|<=|>=|[-+*/%<>=~(),[\]])/y

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  for (let at = 0; at < text.trimEnd().length; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(text)?.[1]
    if (token === undefined) throw new Error(`Not read: ${text.slice(at)}`)
    tokens.push(
      /^[A-Za-z_]+$/.test(token) && token.toUpperCase() === token ? token : token.replaceAll('"', ''),
    )
  }
  return tokens
}

/** Converts a regular expression back to the GLOB pattern that it was made from. */
const globOf = (expression: string): string =>
  expression
    .replace(/^'\^/, "'")
    .replace(/\$'$/, "'")
    .replaceAll('.*', '*')
    .replaceAll(/(?<!\\)\./g, '?')
    .replaceAll('\\.', '.')

/** Parses an expression of a schema, and prints it so that equal meanings give equal texts. */
class Reader {
  #at = 0

  constructor(
    private readonly tokens: string[],
    private readonly engine: Engine,
  ) {}

  #is(token: string): boolean {
    if (this.tokens[this.#at] !== token) return false
    this.#at++
    return true
  }

  #expect(token: string): void {
    if (!this.#is(token)) throw new Error(`${token} is missing before ${this.tokens.slice(this.#at)}`)
  }

  #list(end: string): string[] {
    const items: string[] = []
    while (!this.#is(end)) {
      items.push(this.read())
      this.#is(',')
    }
    return items
  }

  read(weakest = 0): string {
    let left = this.#operand()
    for (;;) {
      const isNot = this.tokens[this.#at] === 'NOT'
      const operator = this.tokens[this.#at + (isNot ? 1 : 0)] ?? ''
      const strength = strengths[this.engine][operator === '!=' ? '<>' : operator]
      if (strength === undefined || strength <= weakest) return left
      this.#at += isNot ? 2 : 1
      const joined = this.#join(left, operator, strength)
      left = isNot ? `(NOT ${joined})` : joined
    }
  }

  #join(left: string, operator: string, strength: number): string {
    if (operator === 'IS') {
      const isNot = this.#is('NOT')
      this.#expect('NULL')
      return `(${left} IS ${isNot ? 'NOT NULL' : 'NULL'})`
    }
    if (operator === 'BETWEEN') {
      const low = this.read(strength)
      this.#expect('AND')
      return `((${left} >= ${low}) AND (${left} <= ${this.read(strength)}))`
    }
    if (operator === 'IN') {
      this.#expect('(')
      return `(${left} IN ${this.#list(')')})`
    }
    // Types do not matter unless they check the value.
    if (operator === '::') return this.tokens[this.#at++] === 'json' ? `json(${left})` : left
    if (operator === '=' && this.#is('ANY')) return `(${left} IN ${this.#operand()})`
    const right = this.read(strength)
    if (operator === '!~~') return `(NOT (${left} LIKE ${right}))`
    return `(${left} ${sameOperators[operator] ?? operator} ${operator === '~' ? globOf(right) : right})`
  }

  #operand(): string {
    const token = this.tokens[this.#at++] ?? ''
    if (token === 'NOT') return `(NOT ${this.read(strengths[this.engine].NOT)})`
    if (token === 'ARRAY') {
      this.#expect('[')
      return this.#list(']').join()
    }
    if (token === '(') {
      const inner = this.read()
      this.#expect(')')
      return inner
    }
    if (!this.#is('(')) return token.startsWith("'") ? token : token.toLowerCase()
    const values = this.#list(')').join()
    const name = token.toLowerCase()
    return name === 'json_valid'
      ? `(json(${values}) IS NOT NULL)`
      : `${sameFunctions[name] ?? name}(${values})`
  }

  /** All expressions, separated by commas. */
  readAll(): string[] {
    const all = [this.read()]
    while (this.#is(',')) all.push(this.read())
    if (this.#at < this.tokens.length) throw new Error(`Not read: ${this.tokens.slice(this.#at)}`)
    return all
  }
}

/** Expressions of a schema, with all parentheses and the names of SQLite. */
const expressionsOf = (text: string, engine: Engine): string[] => new Reader(tokensOf(text), engine).readAll()

/** The content of the parentheses that open at `start`. */
function insideOf(text: string, start: number): string {
  let depth = 0
  for (const { 0: found, index } of text.slice(start).matchAll(/'(?:[^']|'')*'|[()]/g)) {
    if (found === '(') depth++
    if (found === ')' && --depth === 0) return text.slice(start + 1, start + index)
  }
  throw new Error(`No end of ${text.slice(start)}`)
}

const checksOf = (table: string): string[] =>
  [...table.replaceAll(/--[^\n]*/g, '').matchAll(/\bCHECK \(/g)].flatMap(({ index }) =>
    expressionsOf(insideOf(table.replaceAll(/--[^\n]*/g, ''), index + 'CHECK '.length), 'sqlite'),
  )

/** An index in a form that both engines share. */
function indexOf(sql: string, engine: Engine): string {
  const text = sql
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\s+/g, ' ')
    .replace('public.', '')
    .replace('USING btree ', '')
  const [head = ''] = text.split('(')
  const columns = insideOf(text, head.length)
  const condition = /^\s*WHERE ([\s\S]*)$/.exec(text.slice(head.length + columns.length + 2))?.[1]
  const where = condition === undefined ? '' : ` WHERE ${expressionsOf(condition, engine)}`
  return `${head.trim()} (${expressionsOf(columns, engine)})${where}`
}

/** A trigger that refuses a change, in a form that both engines share. */
function triggerOf(sql: string, engine: Engine): string {
  const text = sql.replace('public.', '').replace('FOR EACH ROW', '').replaceAll(/\s+/g, ' ')
  const parts = /^(CREATE TRIGGER .+? ON \w+) (?:WHEN (.*?) )?(?:BEGIN|EXECUTE) .*?('(?:[^']|'')*')/.exec(
    text,
  )
  if (!parts) throw new Error(`Not read: ${sql}`)
  const [, head, condition, message] = parts
  return `${head} ${condition ? `WHEN ${expressionsOf(condition, engine)} ` : ''}${message}`
}

// Each engine has its own migrations. Both have to make the same schema.

let sqlite: Database
let postgres: Connection
let drop: () => Promise<void>

beforeAll(async () => {
  sqlite = new Database(':memory:')
  for (const { sql } of migrations) sqlite.run(sql)
  const made = await newPostgresDatabase()
  drop = made.drop
  postgres = await connect(databaseUrl(made.url)!)
})
afterAll(async () => {
  sqlite.close()
  await postgres.close()
  await drop()
})

// biome-ignore lint/suspicious/noExplicitAny: rows of catalogues
type Row = Record<string, any>

const fromSqlite = (text: string): Row[] => sqlite.query<Row, []>(text).all()
const tablesOf = () =>
  fromSqlite(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  )
const types: Row = { INTEGER: 'bigint', TEXT: 'text', BLOB: 'bytea' }
test('both engines have the same tables and columns, with their types, defaults and nullability', async () => {
  const expected = tablesOf().flatMap(({ name }) =>
    fromSqlite(`SELECT name, type, "notnull", dflt_value FROM pragma_table_info('${name}')`).map(
      column =>
        `${name}.${column.name} ${types[column.type]} ${column.notnull ? 'not null' : 'null'} ` +
        `${column.dflt_value ?? 'none'}`,
    ),
  )
  const found = await postgres.rows(
    `SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'`,
  )
  expect(found.filter(row => row.data_type === 'text' && row.collation_name !== 'C')).toEqual([])
  const names = found.map(
    row =>
      `${row.table_name}.${row.column_name} ${row.data_type} ${row.is_nullable === 'NO' ? 'not null' : 'null'} ` +
      `${String(row.column_default ?? 'none').replace(/::\w+$/, '')}`,
  )
  expect(names.sort()).toEqual(expected.sort())
  expect(names.length).toBeGreaterThan(300)
})

/** With PostgreSQL, triggers enforce this reference; the migration gives the reason. */
const LOOSE = 'orders f customer_id customers id'

test('both engines have the same keys, references, unique columns and conditions', async () => {
  const expected = tablesOf().flatMap(({ name, sql }) => {
    const columns = fromSqlite(`SELECT name, pk FROM pragma_table_info('${name}')`)
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
    const references = fromSqlite(`SELECT * FROM pragma_foreign_key_list('${name}')`)
    const unique = fromSqlite(`SELECT name FROM pragma_index_list('${name}') WHERE origin = 'u'`)
    return [
      `${name} p ${key.map(column => column.name).join()}`,
      ...references.map(({ from, table, to }) => `${name} f ${from} ${table} ${to}`),
      ...unique.map(index => {
        const of = fromSqlite(`SELECT name FROM pragma_index_info('${index.name}')`)
        return `${name} u ${of.map(column => column.name).join()}`
      }),
      ...checksOf(sql).map(check => `${name} c ${check}`),
    ]
  })
  const rows = await postgres.rows(
    `SELECT c.relname AS name, k.contype AS kind, o.relname AS other,
       (SELECT string_agg(a.attname, ',' ORDER BY n.at) FROM unnest(k.conkey) WITH ORDINALITY n(num, at)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = n.num) AS columns,
       (SELECT string_agg(a.attname, ',' ORDER BY n.at) FROM unnest(k.confkey) WITH ORDINALITY n(num, at)
        JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = n.num) AS targets,
       pg_get_expr(k.conbin, k.conrelid) AS condition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid LEFT JOIN pg_class o ON o.oid = k.confrelid
     WHERE c.relname <> 'migrations' AND c.relkind = 'r' AND k.connamespace = 'public'::regnamespace`,
  )
  const found = rows.map(({ name, kind, columns, other, targets, condition }) => {
    if (kind === 'f') return `${name} f ${columns} ${other} ${targets}`
    return `${name} ${kind} ${kind === 'c' ? expressionsOf(String(condition), 'postgres') : columns}`
  })
  expect(expected).toContain(LOOSE)
  expect(found.sort()).toEqual(expected.filter(one => one !== LOOSE).sort())
})

test('both engines have the same indexes, with their columns and conditions', async () => {
  const expected = fromSqlite("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    .map(({ sql }) => indexOf(sql, 'sqlite'))
    .sort()
  const rows = await postgres.rows(
    `SELECT indexdef AS sql FROM pg_indexes WHERE schemaname = 'public'
     AND indexname NOT IN (SELECT conname FROM pg_constraint) AND tablename <> 'migrations'`,
  )
  expect(rows.map(({ sql }) => indexOf(String(sql), 'postgres')).sort()).toEqual(expected)
})

test('both engines have the same triggers, except the one against a statement that PostgreSQL lacks', async () => {
  const expected = fromSqlite("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .filter(({ name }) => name !== 'audit_log_no_replace')
    .map(({ sql }) => triggerOf(sql, 'sqlite'))
  const rows = await postgres.rows(
    `SELECT pg_get_triggerdef(oid) AS sql FROM pg_trigger WHERE NOT tgisinternal
     AND tgname NOT IN ('merchants_number', 'orders_customer', 'customers_of_orders')`,
  )
  expect(rows.map(({ sql }) => triggerOf(String(sql), 'postgres')).sort()).toEqual(expected.sort())
  expect(rows.length).toBeGreaterThan(10)
})
