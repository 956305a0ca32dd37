/*
 * What a migration that expands may contain. Servers of older versions go on while it is applied and
 * afterwards, so it only adds what they need not know, and holds up no table for long.
 */

const LITERAL = "(?:'[^']*'|-?\\d+)"
const COLUMN = new RegExp(
  `^ALTER TABLE \\w+ ADD COLUMN \\w+ (?:TEXT|INTEGER|BLOB)(?:(?: NOT NULL)? DEFAULT ${LITERAL})?$`,
)
const TABLE = /^CREATE TABLE (\w+) \(/
const INDEX = /^CREATE (UNIQUE )?INDEX \w+ ON (\w+)/
const TRIGGER = /^CREATE TRIGGER \w+ BEFORE [\w ,]+? ON (\w+)/

/** The statements of a migration, without comments. Each ends at the end of a line. */
const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/--[^\n]*$/gm, '')
    .split(/;[ \t]*(?:\n|$)/)
    .map(statement => statement.trim())
    .filter(statement => statement !== '')

interface Expansion {
  /** what takes no time: tables and columns */
  additions: string[]
  /** of tables that may have many rows */
  indexes: string[]
  /** statements that older servers could not live with, or would wait for */
  refused: string[]
}

/** Sorts the statements of a migration that expands, written for SQLite. */
export function expansionOf(sql: string): Expansion {
  const made = new Set<string>()
  const found: Expansion = { additions: [], indexes: [], refused: [] }
  for (const statement of statementsOf(sql)) found[placeOf(statement, made)].push(statement)
  return found
}

function placeOf(statement: string, made: Set<string>): keyof Expansion {
  const [, table] = TABLE.exec(statement) ?? []
  if (table !== undefined) {
    made.add(table)
    // An older server could not delete a row to which a new table refers.
    const others = [...statement.matchAll(/\bREFERENCES (\w+)/g)].map(([, other]) => other ?? '')
    return others.every(other => made.has(other)) ? 'additions' : 'refused'
  }
  const [index, unique, indexed = ''] = INDEX.exec(statement) ?? []
  if (index !== undefined && made.has(indexed)) return 'additions'
  if (index !== undefined) return unique === undefined ? 'indexes' : 'refused'
  const [trigger, watched = ''] = TRIGGER.exec(statement) ?? []
  if (trigger !== undefined) return made.has(watched) ? 'additions' : 'refused'
  return COLUMN.test(statement) ? 'additions' : 'refused'
}
