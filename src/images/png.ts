import { promisify } from 'node:util'
import { crc32, inflate } from 'node:zlib'
import { exifOf, orientationOf, UPRIGHT } from './orientation.ts'

const SIGNATURE_LENGTH = 8

const inflated = promisify(inflate)

interface Chunk {
  name: string
  bytes: Buffer
}

/** The chunks of a PNG up to its end; null if the file is damaged or truncated. */
function chunksOf(file: Buffer): Chunk[] | null {
  const chunks: Chunk[] = []
  for (let at = SIGNATURE_LENGTH; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at)
    const end = at + 8 + length
    if (end + 4 > file.length) return null
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return null
    const name = file.toString('latin1', at + 4, at + 8)
    chunks.push({ name, bytes: file.subarray(at + 8, end) })
    if (name === 'IEND') return chunks
    at = end + 4
  }
  return null
}

const channels: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** The first pixel and the steps of each pass of an interlaced image: x, y, right, down. */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Size of the inflated pixels in bytes. Each row has one more byte for its filter. */
function pixelBytes(header: Buffer): number {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 0, colour = 0, , , interlace = 0] = header.subarray(8)
  const passes = interlace === 1 ? adam7 : ([[0, 0, 1, 1]] as const)
  let sum = 0
  for (const [x, y, right, down] of passes) {
    const pixels = Math.max(0, Math.ceil((width - x) / right))
    // A pass without pixels has no rows, and so no filter bytes.
    const rows = pixels && Math.max(0, Math.ceil((height - y) / down))
    sum += rows * (1 + Math.ceil((pixels * depth * (channels[colour] ?? 0)) / 8))
  }
  return sum
}

/** True if a stream inflates to exactly this many bytes. Stops as soon as there are more. */
async function inflatesTo(stream: Buffer, length: number): Promise<boolean> {
  try {
    // zlib treats a limit of zero as no limit.
    return (await inflated(stream, { maxOutputLength: Math.max(length, 1) })).length === length
  } catch {
    return false
  }
}

/**
 * Finds faults that the decoder would accept: a damaged or truncated file, or more pixels than the image's
 * size allows. The decoder itself limits compressed profiles and texts.
 */
export async function pngProblem(file: Buffer): Promise<string | null> {
  const chunks = chunksOf(file)
  if (chunks?.[0]?.name !== 'IHDR') return 'be a complete PNG file with correct checksums'
  if (chunks.some(({ name }) => name === 'acTL')) return 'be a still image'
  const pixels = Buffer.concat(chunks.filter(({ name }) => name === 'IDAT').map(chunk => chunk.bytes))
  const expected = pixelBytes(chunks[0].bytes)
  return (await inflatesTo(pixels, expected)) ? null : 'contain exactly the pixels of its size'
}

/** Chunks that change how a picture looks. All others are metadata. */
const visible = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD pHYs'.split(' '),
)

function chunkOf(name: string, bytes: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), bytes])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(bytes.length)
  chunk.set(body, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

function cleanChunk({ name, bytes }: Chunk): Buffer {
  if (visible.has(name)) return chunkOf(name, bytes)
  const orientation = name === 'eXIf' ? orientationOf(bytes) : UPRIGHT
  return orientation === UPRIGHT ? Buffer.alloc(0) : chunkOf(name, exifOf(orientation))
}

/** Removes metadata and trailing data from a PNG. Keeps its colour profile and orientation. */
export const cleanPng = (file: Buffer): Buffer =>
  Buffer.concat([file.subarray(0, SIGNATURE_LENGTH), ...(chunksOf(file) ?? []).map(cleanChunk)])
