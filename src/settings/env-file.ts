import { type Environment, SettingsError } from './read.ts'

const assignment = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/

const withoutQuotes = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value

/**
 * Parses lines NAME=value. Values may be quoted; empty lines and lines that start with # are skipped. Throws
 * a SettingsError that names the line and never its content, which may be a secret.
 */
export function parseEnvFile(file: string, content: string): Environment {
  const entries = content.split(/\r?\n/).flatMap((line, at) => {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) return []
    const [, name, value] = assignment.exec(trimmed) ?? []
    if (name === undefined || value === undefined)
      throw new SettingsError(`Line ${at + 1} of ${file} must have the form NAME=value.`)
    return [[name, withoutQuotes(value)] as const]
  })
  return Object.fromEntries(entries)
}
