/*
 * What a migration that expands may contain. Servers of older versions go on while it is applied and
 * afterwards, so it only adds what they need not know, and holds up no table for long. Each statement can be
 * repeated, because a try may be interrupted.
 */

const LITERAL = "(?:'[^']*'|-?\\d+)"
const TYPE = '(?:TEXT COLLATE "C"|BIGINT|BYTEA)'
const COLUMN = new RegExp(
  `^ALTER TABLE \\w+ ADD COLUMN IF NOT EXISTS \\w+ ${TYPE}(?:(?: NOT NULL)? DEFAULT ${LITERAL})?$`,
)
const TABLE = /^CREATE TABLE IF NOT EXISTS (\w+) \(/
const INDEX = /^CREATE (UNIQUE )?INDEX IF NOT EXISTS (\w+) (ON (\w+) .*)$/s
const TRIGGER = /^CREATE OR REPLACE TRIGGER \w+ BEFORE [\w ,]+? ON (\w+)/

/** The statements of a migration, without comments. Each ends at the end of a line. */
const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/--[^\n]*$/gm, '')
    .split(/;[ \t]*(?:\n|$)/)
    .map(statement => statement.trim())
    .filter(statement => statement !== '')

/** An index of a table that may have many rows. */
export interface LaterIndex {
  name: string
  /** what follows the name */
  definition: string
}

interface Expansion {
  /** what takes no time: tables and columns */
  additions: string[]
  indexes: LaterIndex[]
  /** statements that older servers could not live with, or would wait for */
  refused: string[]
}

/** Sorts the statements of a migration that expands. */
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
    // An older server could not delete a row to which a new table refers.
    const others = [...statement.matchAll(/\bREFERENCES (\w+)/g)].map(([, other]) => other ?? '')
    return others.every(other => made.has(other))
  }
  const watched = INDEX.exec(statement)?.[4] ?? TRIGGER.exec(statement)?.[1]
  return watched === undefined ? COLUMN.test(statement) : made.has(watched)
}
