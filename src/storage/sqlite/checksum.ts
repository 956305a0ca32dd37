import type { Database } from 'bun:sqlite'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'

// SQLite has no checksums of its pages: a bit that flips in a text or a number is another text or number. So
// a backup carries the checksum of its file, in the number that SQLite leaves to programs (user_version). It
// is zero in a database that is in use.

const OFFSET = 60
const LENGTH = 4
const CHUNK_BYTES = 1024 * 1024

/** The checksum of a file in which the place of the checksum is zero. Never zero, which stands for none. */
function checksumOf(handle: number): number {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  let sum = 0
  for (let at = 0, read = -1; read !== 0; at += read) {
    read = readSync(handle, chunk, 0, CHUNK_BYTES, at)
    if (at === 0) chunk.fill(0, OFFSET, OFFSET + LENGTH)
    sum = Bun.hash.crc32(chunk.subarray(0, read), sum)
  }
  return sum || 1
}

function write(handle: number, checksum: number): void {
  const bytes = Buffer.alloc(LENGTH)
  bytes.writeUInt32BE(checksum)
  writeSync(handle, bytes, 0, LENGTH, OFFSET)
}

/** Gives a database file its checksum. No connection may have it open. */
export function addChecksum(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    write(handle, checksumOf(handle))
  } finally {
    closeSync(handle)
  }
}

/**
 * Removes the checksum of a file, so that it can be used as a database. Returns false if the file has another
 * content than when it got the checksum. No connection may have it open.
 */
export function removeChecksum(file: string): boolean {
  const handle = openSync(file, 'r+')
  try {
    const bytes = Buffer.alloc(LENGTH)
    if (readSync(handle, bytes, 0, LENGTH, OFFSET) < LENGTH) return true
    const checksum = bytes.readUInt32BE()
    if (checksum === 0) return true
    const isSame = checksum === checksumOf(handle)
    write(handle, 0)
    return isSame
  } finally {
    closeSync(handle)
  }
}

/** Removes the checksum of a backup that somebody put in the place of the database: it is about to change. */
export function dropChecksum(database: Database): void {
  const [row] = database.query<{ user_version: number }, []>('PRAGMA user_version').all()
  if (row?.user_version !== 0) database.run('PRAGMA user_version = 0')
}
