// Reads the imports and exports of a file with regular expressions, which suffice for the style of these
// files.
import { dirname, join, normalize } from 'node:path'

const FROM = /^(?:import|export)\s+(?:type\s+)?(\*(?:\s+as\s+\w+)?)?(?:\{([^}]*)\})?\s*from\s+'([^'\n]+)'/gm
const DYNAMIC = /(?:\{([^{}]*)\}\s*=\s*await\s+)?\bimport\('([^'\n]+)'\)(?:\)?\.(\w+))?/g
const EXPORT =
  /^export\s+(?:(?:abstract\s+)?(?:async\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+(\w+)|(?:const|type)?\s*(\{[^}]*\})(\s*from)?|default\b)/gm
const ALL = '*'

const resolved = (file: string, name: string): string =>
  name.startsWith('.') ? normalize(join(dirname(file), name)) : name

/** The imports of a file: our own files by their paths, packages by their names. */
export const importedFrom = (file: string, text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|^import|\b(?:import|require)\()\s*'([^'\n]+)'/gm)].map(([, name = '']) =>
    resolved(file, name),
  )

/** The names in `{a, type b as c}` or `{ a: b }`, as the other file spells them or as this file does. */
function namesIn(braces: string, side: 'theirs' | 'ours'): string[] {
  return braces
    .replace(/[{}]/g, '')
    .split(',')
    .map(part => part.trim().replace(/^type\s+/, ''))
    .filter(part => part !== '')
    .map(part => part.split(/\s+as\s+|\s*:\s*/).at(side === 'theirs' ? 0 : -1)!)
}

/** The names that `file` imports, as "path: name"; "path: *" if it re-exports everything. */
function importedBy(file: string, text: string): string[] {
  const found: string[] = []
  for (const [, star, braces = '', from = ''] of text.matchAll(FROM)) {
    const path = resolved(file, from)
    for (const name of namesIn(braces, 'theirs')) found.push(`${path}: ${name}`)
    if (star === ALL) found.push(`${path}: ${ALL}`)
    const alias = star?.split(/\s+as\s+/)[1]
    if (!alias) continue
    for (const [, name] of text.matchAll(new RegExp(`(?<!/)\\b${alias}\\.(\\w+)`, 'g'))) {
      found.push(`${path}: ${name}`)
    }
  }
  for (const [, braces = '', from = '', member] of text.matchAll(DYNAMIC)) {
    const names = member ? [member] : namesIn(braces, 'theirs')
    for (const name of names) found.push(`${resolved(file, from)}: ${name}`)
  }
  for (const [, from = '', name] of text.matchAll(/\brequire\('([^'\n]+)'\)\.(\w+)/g)) {
    found.push(`${resolved(file, from)}: ${name}`)
  }
  return found
}

/** The names that a file exports. */
export function exportedBy(text: string): string[] {
  return [...text.matchAll(EXPORT)].flatMap(([, name, braces]) => {
    if (name) return [name]
    return braces ? namesIn(braces, 'ours') : ['default']
  })
}

/** All imports by name, as "path: name", given the path and text of each file. */
export function importedNames(files: Iterable<readonly [string, string]>): Set<string> {
  const imports = [...files].map(([file, text]) => ({ file, names: importedBy(file, text) }))
  const all = new Set(imports.flatMap(({ names }) => names))
  for (const { file, names } of imports) {
    for (const passed of names.filter(name => name.endsWith(`: ${ALL}`))) {
      const path = passed.slice(0, -`: ${ALL}`.length)
      for (const name of all) {
        if (name.startsWith(`${file}: `)) all.add(`${path}: ${name.slice(file.length + 2)}`)
      }
    }
  }
  return all
}
