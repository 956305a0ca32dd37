import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import type { Chance } from './random.ts'

const HEADER = 32
const FRAME_HEADER = 24
/**
 * The offset in the shared memory of the number of frames that a checkpoint may have copied to the database.
 */
const BACKFILL_AT = 128

/** SQLite's write-ahead log. */
export interface Wal {
  file: string
  /** the position before which the log may already be in the database file */
  safeEnd: number
  /** the positions at which the later transactions end */
  commits: number[]
  /** the position at which the last frame of this log ends; frames of an older log may follow */
  end: number
}

/** Reads the log of a database whose process was killed. */
export function readWal(database: string): Wal {
  const file = `${database}-wal`
  const log = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
  if (log.length < HEADER) return { file, safeEnd: log.length, commits: [], end: log.length }
  const size = FRAME_HEADER + log.readUInt32BE(8)
  const salts = log.subarray(16, 24)
  const backfilled = readFileSync(`${database}-shm`).readUInt32LE(BACKFILL_AT)
  const safeEnd = HEADER + backfilled * size
  const commits: number[] = []
  let end = HEADER
  for (; end + size <= log.length; end += size) {
    if (!log.subarray(end + 8, end + 16).equals(salts)) break
    const isCommit = log.readUInt32BE(end + 4) > 0
    if (isCommit && end + size > safeEnd) commits.push(end + size)
  }
  return { file, safeEnd, commits, end }
}

export const cutAt = (file: string, at: number): void => truncateSync(file, at)

/** Overwrites the log from `at` to its end with random bytes. */
export function overwrite(file: string, at: number, end: number, chance: Chance): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, chance.bytes(Math.max(1, end - at)), 0, Math.max(1, end - at), at)
  closeSync(descriptor)
}
