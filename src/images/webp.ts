import { exifOf, orientationOf, UPRIGHT } from './orientation.ts'

const RIFF_LENGTH = 12
const EXIF_FLAG = 0x08
const XMP_FLAG = 0x04

interface Chunk {
  name: string
  payload: Buffer
}

/** The chunks inside the RIFF container, up to the first truncated one. */
function* chunksOf(file: Buffer): Generator<Chunk> {
  const end = Math.min(file.length, 8 + file.readUInt32LE(4))
  for (let at = RIFF_LENGTH; at + 8 <= end; ) {
    const length = file.readUInt32LE(at + 4)
    const payload = file.subarray(at + 8, at + 8 + length)
    if (at + 8 + length > end) return
    yield { name: file.toString('latin1', at, at + 4), payload }
    // A chunk of odd length is followed by a byte of padding.
    at += 8 + length + (length % 2)
  }
}

function chunkOf(name: string, payload: Buffer): Buffer {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(payload.length, 4)
  return Buffer.concat([head, payload, Buffer.alloc(payload.length % 2)])
}

/** The header of an extended file, with only the flags of the metadata that stays. */
function cleanHeader(payload: Buffer, isTurned: boolean): Buffer {
  const header = Buffer.from(payload)
  header[0] = (header[0]! & ~(EXIF_FLAG | XMP_FLAG)) | (isTurned ? EXIF_FLAG : 0)
  return chunkOf('VP8X', header)
}

/** Returns EXIF data without the name of a JPEG segment, which some encoders put before the data. */
const tiffOf = (payload: Buffer): Buffer =>
  payload.toString('latin1', 0, 6) === 'Exif\0\0' ? payload.subarray(6) : payload

/** Removes metadata and trailing data from a WebP. Keeps its colour profile and orientation. */
export function cleanWebp(file: Buffer): Buffer {
  const chunks = new Map<string, Buffer>()
  for (const { name, payload } of chunksOf(file)) if (!chunks.has(name)) chunks.set(name, payload)
  const exif = chunks.get('EXIF')
  const orientation = exif ? orientationOf(tiffOf(exif)) : UPRIGHT
  const isTurned = orientation !== UPRIGHT && chunks.has('VP8X')
  const parts = [...chunks].map(([name, payload]) => {
    if (name === 'VP8X') return cleanHeader(payload, isTurned)
    if (name === 'EXIF' && isTurned) return chunkOf(name, exifOf(orientation))
    return ['VP8 ', 'VP8L', 'ALPH', 'ICCP'].includes(name) ? chunkOf(name, payload) : Buffer.alloc(0)
  })
  const clean = Buffer.concat([file.subarray(0, RIFF_LENGTH), ...parts])
  clean.writeUInt32LE(clean.length - 8, 4)
  return clean
}
