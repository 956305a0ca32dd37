/*
 * Rules for migrations that expand. Servers of older versions keep running during and after such migrations.
 * So they may only add what older versions can ignore, and may lock no table for long. Each statement must be
 * repeatable, because a try may be interrupted.
 */

const LITERAL = "(?:'[^']*'|-?\\d+)"
const TYPE = '(?:TEXT COLLATE "C"|BIGINT|BYTEA)'
const COLUMN = new RegExp(
  `^ALTER TABLE \\w+ ADD COLUMN IF NOT EXISTS \\w+ ${TYPE}(?:(?: NOT NULL)? DEFAULT ${LITERAL})?$`,
)
const TABLE = /^CREATE TABLE IF NOT EXISTS (\w+) \(/
const INDEX = /^CREATE (UNIQUE )?INDEX IF NOT EXISTS (\w+) (ON (\w+) .*)$/s
/** A trigger that refuses deletions and gets a condition, so that it refuses fewer than before. */
const NARROWED = /^CREATE OR REPLACE TRIGGER (\w+)_no_delete BEFORE DELETE ON \1 FOR EACH ROW\nWHEN \(/
const TRIGGER = /^CREATE OR REPLACE TRIGGER \w+ BEFORE [\w ,]+? ON (\w+)/

/** Splits a migration into statements, without comments. Each statement ends at the end of a line. */
const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/--[^\n]*$/gm, '')
    .split(/;[ \t]*(?:\n|$)/)
    .map(statement => statement.trim())
    .filter(statement => statement !== '')

/** An index of a table that may be large. It is built after the other changes. */
export interface LaterIndex {
  name: string
  /** the rest of the statement after the name of the index */
  definition: string
}

interface Expansion {
  /** statements that add tables and columns, which are run at once */
  additions: string[]
  indexes: LaterIndex[]
  /** statements that would break or block older servers */
  refused: string[]
}

/** Classifies the statements of a migration that expands. */
export function expansionOf(sql: string): Expansion {
  const made = new Set<string>()
  const found: Expansion = { additions: [], indexes: [], refused: [] }
  for (const statement of statementsOf(sql)) {
    const [, unique, name = '', definition = '', table = ''] = INDEX.exec(statement) ?? []
    if (name !== '' && !made.has(table) && unique === undefined) found.indexes.push({ name, definition })
    else found[isAddition(statement, made) ? 'additions' : 'refused'].push(statement)
  }
  return found
}

function isAddition(statement: string, made: Set<string>): boolean {
  const [, table] = TABLE.exec(statement) ?? []
  if (table !== undefined) {
    made.add(table)
    // A foreign key to an existing table would keep older servers from deleting its rows.
    const others = [...statement.matchAll(/\bREFERENCES (\w+)/g)].map(([, other]) => other ?? '')
    return others.every(other => made.has(other))
  }
  if (NARROWED.test(statement)) return true
  const watched = INDEX.exec(statement)?.[4] ?? TRIGGER.exec(statement)?.[1]
  return watched === undefined ? COLUMN.test(statement) : made.has(watched)
}
