import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import type { Chance } from './random.ts'

const HEADER = 32
const FRAME_HEADER = 24
/** Where the shared memory says how many frames a checkpoint may have brought into the database file. */
const BACKFILL_AT = 128

/** SQLite's write-ahead log, as far as it counts. */
export interface Wal {
  file: string
  /** up to here it may be in the database file already, which a disk has before the log is overwritten */
  safeEnd: number
  /** where the transactions end that came after */
  commits: number[]
  /** where the last frame ends that belongs to this log and not to an older one */
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

/** Overwrites the log from here to its end. */
export function garble(file: string, at: number, end: number, chance: Chance): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, chance.bytes(Math.max(1, end - at)), 0, Math.max(1, end - at), at)
  closeSync(descriptor)
}
