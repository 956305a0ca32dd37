import { join } from 'node:path'
import { SettingsError } from '../../settings/read.ts'
import { hashOf, textOf, writeText } from './files.ts'
import type { Host } from './host.ts'

const FILE = '/etc/florin.setup.json'

/** The changes that setup made to this machine. Its removal takes back only these. */
export interface SetupRecord {
  /** the user that runs the server */
  user: string
  /** true if setup made the user */
  madeUser: boolean
  dataDir: string
  backupDir: string
  /** the copy of the executable; null if it runs from where it was */
  executable: string | null
  /** SHA-256 hashes of the unit texts that setup wrote: two for a unit while one text replaces the other */
  units: Record<string, string[]>
}

export function readRecord({ root }: Host): SetupRecord | null {
  const file = join(root, FILE)
  const text = textOf(file)
  if (text === null) return null
  try {
    return JSON.parse(text) as SetupRecord
  } catch {
    throw new SettingsError(`${file} is damaged. Restore it, or remove it and the units of Florin by hand.`)
  }
}

/**
 * Writes the record. Call it before making what the record names, so that a killed setup can be taken back.
 */
export const writeRecord = ({ root }: Host, record: SetupRecord): void =>
  writeText(join(root, FILE), `${JSON.stringify(record, null, 2)}\n`, 0o644)

export const recordFile = ({ root }: Host): string => join(root, FILE)

/** True if a unit has a text that setup wrote. */
export const isOwnUnit = (record: SetupRecord | null, name: string, text: string): boolean =>
  record?.units[name]?.includes(hashOf(text)) ?? false
