/** What PostgreSQL writes differently, in the order in which it is replaced. */
const rules: [pattern: RegExp, replacement: string][] = [
  [/SELECT value FROM json_each\(\?\)/g, 'SELECT value FROM json_array_elements_text(?::text::json)'],
  [/json_each\(\?\)/g, 'json_array_elements(?::text::json)'],
  [/\binstr\(/g, 'strpos('],
  [/\bchar\(/g, 'chr('],
  // The signs only keep SQLite from using an index, or from planning again.
  [/\+(?=[?"])/g, ''],
  // Only A to Z, as in SQLite; the columns have this collation.
  [/\blower\(\?\)/g, 'lower(? COLLATE "C")'],
  // SQLite has one connection that writes.
  [/\/\* (FOR UPDATE SKIP LOCKED) \*\//g, '$1'],
]

/** The text of a query for SQLite, as PostgreSQL reads it. */
export function rewritten(text: string): string {
  let query = text
  for (const [pattern, replacement] of rules) query = query.replaceAll(pattern, replacement)
  let position = 0
  return query.replaceAll('?', () => `$${++position}`)
}
