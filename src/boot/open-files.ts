import { readdirSync, readFileSync } from 'node:fs'
import type { ServiceFacts } from '../domain/notification-facts.ts'

/** The lowest limit that is enough: each buyer's browser keeps a connection open, and so do upstreams. */
const LEAST = 1024
const FULL_PERCENT = 90

interface OpenFiles {
  limit: number
  used: number
}

/** Open files and connections of this process, and their limit; null if unknown. */
export function readOpenFiles(): OpenFiles | null {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? null : { limit: Number(limit), used: readdirSync('/proc/self/fd').length }
  } catch {
    return null
  }
}

export const OPEN_FILES_REMEDY =
  'Raise the limit: LimitNOFILE=65536 in the systemd unit, or ulimit -n before the start.'

/**
 * Describes a limit on open files that is too low; null if it is fine. At the limit, new connections wait
 * without an error.
 */
export function openFilesProblem({ limit, used }: OpenFiles): string | null {
  if (limit < LEAST) return `Only ${limit} files and connections can be open, so buyers may have to wait.`
  if (used * 100 < limit * FULL_PERCENT) return null
  return `${used} of ${limit} possible files and connections are open, so buyers may have to wait.`
}

/** The same problem as facts for a notification; null if there is none. */
export const openFilesFacts = (files: OpenFiles): ServiceFacts | null =>
  openFilesProblem(files) === null
    ? null
    : { about: 'files_low', used: files.limit < LEAST ? null : files.used, limit: files.limit }
