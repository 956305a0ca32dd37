import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type Changes, ChangesLost, type LogPosition } from '../change-source.ts'
import { errorCode } from './files.ts'

/** Sizes from https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const MAGIC_LITTLE = 0x377f0682
const MAGIC_BIG = 0x377f0683
const PAGE_MAX = 65_536
const FRAMES_READ = 64

type Pair = readonly [number, number]

interface Header {
  pageSize: number
  salts: Pair
  checksum: Pair
  isBigEndian: boolean
}

const pairAt = (bytes: Buffer, at: number): Pair => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
const isSame = (a: Pair, b: Pair): boolean => a[0] === b[0] && a[1] === b[1]

/** Opens the log for some work. Its file handles hold no locks of SQLite. Returns null if there is no log. */
function withLog<T>(file: string, work: (handle: number) => T): T | null {
  let handle: number
  try {
    handle = openSync(`${file}-wal`, 'r')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
  try {
    return work(handle)
  } finally {
    closeSync(handle)
  }
}

function readHeader(handle: number): Header | null {
  const bytes = Buffer.alloc(HEADER_BYTES)
  if (readSync(handle, bytes, 0, HEADER_BYTES, 0) < HEADER_BYTES) return null
  const magic = bytes.readUInt32BE(0)
  if (magic !== MAGIC_LITTLE && magic !== MAGIC_BIG) return null
  return {
    pageSize: bytes.readUInt32BE(8),
    salts: pairAt(bytes, 16),
    checksum: pairAt(bytes, 24),
    isBigEndian: magic === MAGIC_BIG,
  }
}

const frameBytes = ({ pageSize }: Header): number => FRAME_HEADER_BYTES + pageSize

const start = ({ salts, checksum }: Header): LogPosition => ({ salts, offset: HEADER_BYTES, checksum })

/** Continues SQLite's checksum, which is computed over pairs of 32-bit words. */
function checksumOf(bytes: Uint8Array, [first, second]: Pair, isBigEndian: boolean): Pair {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let [a, b] = [first | 0, second | 0]
  for (let at = 0; at < bytes.byteLength; at += 8) {
    a = (a + words.getInt32(at, !isBigEndian) + b) | 0
    b = (b + words.getInt32(at + 4, !isBigEndian) + a) | 0
  }
  return [a >>> 0, b >>> 0]
}

/** Returns the position after a number of frames of the current log; null if there is no log. */
export function positionAfter(file: string, frames: number): LogPosition | null {
  return withLog(file, handle => {
    const header = readHeader(handle)
    if (!header || frames === 0) return header && start(header)
    const offset = HEADER_BYTES + frames * frameBytes(header)
    const bytes = Buffer.alloc(FRAME_HEADER_BYTES)
    readSync(handle, bytes, 0, FRAME_HEADER_BYTES, offset - frameBytes(header))
    if (!isSame(pairAt(bytes, 8), header.salts))
      throw new ChangesLost('the log has fewer frames than it says')
    return { salts: header.salts, offset, checksum: pairAt(bytes, 16) }
  })
}

/** Returns true if the first `frames` frames of the log still contain all that was read up to a position. */
export function hasPosition(file: string, position: LogPosition, frames: number): boolean {
  const { salts, offset, checksum } = position
  const found = withLog(file, handle => {
    const header = readHeader(handle)
    if (!header || salts === null || !isSame(header.salts, salts)) return false
    if (offset === HEADER_BYTES) return isSame(header.checksum, checksum)
    if (offset > HEADER_BYTES + frames * frameBytes(header)) return false
    const bytes = Buffer.alloc(FRAME_HEADER_BYTES)
    readSync(handle, bytes, 0, FRAME_HEADER_BYTES, offset - frameBytes(header))
    return isSame(pairAt(bytes, 8), salts) && isSame(pairAt(bytes, 16), checksum)
  })
  return found ?? false
}

/**
 * Returns the position at which reading continues. When SQLite restarts the log, it increments the first
 * salt. It may do so only after the whole log was read. Throws ChangesLost otherwise.
 */
function continued(header: Header, before: LogPosition, mayRestart: boolean): LogPosition {
  if (before.salts === null) return start(header)
  if (isSame(before.salts, header.salts)) return before
  if (mayRestart && header.salts[0] === (before.salts[0] + 1) >>> 0) return start(header)
  throw new ChangesLost('another program began the write-ahead log again')
}

interface ReadCommits {
  changes: Changes | null
  position: LogPosition
}

/**
 * Reads whole commits from a position, within the first `frames` frames of the log: at least one, and further
 * ones up to `bytesMax`.
 */
export function readCommits(
  file: string,
  before: LogPosition,
  { frames, mayRestart, bytesMax }: { frames: number; mayRestart: boolean; bytesMax: number },
): ReadCommits {
  const read = withLog(file, handle => {
    const header = readHeader(handle)
    if (!header || header.pageSize > PAGE_MAX) return null
    // The log was restarted, but nothing was written yet, so that the header is still the old one.
    if (frames === 0 && (mayRestart || before.salts === null)) return null
    const from = continued(header, before, mayRestart)
    const end = HEADER_BYTES + frames * frameBytes(header)
    if (end < from.offset) throw new ChangesLost('the write-ahead log became shorter')
    if (fstatSync(handle).size < end) throw new ChangesLost('the write-ahead log was cut')
    return readFrames(handle, header, from, end, bytesMax)
  })
  return read ?? { changes: null, position: before }
}

/** Returns a function that reads frames one by one, from chunks of several frames. */
function frameReader(handle: number, header: Header, from: number, end: number) {
  const chunkBytes = FRAMES_READ * frameBytes(header)
  let chunk = Buffer.alloc(0)
  return (offset: number): Buffer => {
    const at = (offset - from) % chunkBytes
    if (at === 0) {
      chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end - offset))
      readSync(handle, chunk, 0, chunk.length, offset)
    }
    return chunk.subarray(at, at + frameBytes(header))
  }
}

function readFrames(
  handle: number,
  header: Header,
  from: LogPosition,
  end: number,
  bytesMax: number,
): ReadCommits {
  const { pageSize, salts, isBigEndian } = header
  let position = from
  let databasePages = 0
  const pages = new Map<number, Uint8Array>()
  let uncommitted: [number, Uint8Array][] = []
  let checksum = from.checksum
  const frameAt = frameReader(handle, header, from.offset, end)
  for (let offset = from.offset; offset < end; offset += frameBytes(header)) {
    if (databasePages > 0 && uncommitted.length === 0 && offset - from.offset >= bytesMax) break
    const frame = frameAt(offset)
    const page = frame.subarray(FRAME_HEADER_BYTES)
    checksum = checksumOf(page, checksumOf(frame.subarray(0, 8), checksum, isBigEndian), isBigEndian)
    if (!isSame(pairAt(frame, 8), salts) || !isSame(pairAt(frame, 16), checksum)) {
      throw new ChangesLost('the write-ahead log does not continue what was read')
    }
    uncommitted.push([frame.readUInt32BE(0), page])
    const size = frame.readUInt32BE(4)
    if (size === 0) continue
    databasePages = size
    for (const [number, bytes] of uncommitted) pages.set(number, bytes)
    uncommitted = []
    position = { salts, offset: offset + frameBytes(header), checksum }
  }
  if (databasePages === 0) return { changes: null, position: from }
  for (const number of pages.keys()) if (number > databasePages) pages.delete(number)
  return { changes: { pageSize, databasePages, pages, isAll: position.offset === end }, position }
}
