import type { Database } from 'bun:sqlite'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'

// SQLite has no checksums of pages: if a bit flips in a text or number, it reads as another text or number.
// So a backup contains a checksum of its file, in the number that SQLite reserves for applications
// (user_version). In a database that is in use, that number is zero.

const OFFSET = 60
const LENGTH = 4
const CHUNK_BYTES = 1024 * 1024

/**
 * Computes the checksum of a file, as if the bytes for the checksum were zero. The result is never zero,
 * because zero means that there is no checksum.
 */
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

/** Writes the checksum of a database file into it. No connection may have the file open. */
export function addChecksum(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    write(handle, checksumOf(handle))
  } finally {
    closeSync(handle)
  }
}

/**
 * Removes the checksum of a file, so that it can be used as a database. Returns false if the content has
 * changed since the checksum was added. No connection may have the file open.
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

/**
 * Removes the checksum from a database, which has one if it is a backup that was copied there by hand. It
 * would not match after the next change.
 */
export function dropChecksum(database: Database): void {
  const [row] = database.query<{ user_version: number }, []>('PRAGMA user_version').all()
  if (row?.user_version !== 0) database.run('PRAGMA user_version = 0')
}
