import { exifOf, orientationOf, UPRIGHT } from './orientation.ts'

/**
 * Max scans of a file. Each scan is a pass over every pixel, so thousands of them would take minutes.
 * Encoders write about ten.
 */
const SCANS_MAX = 100

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP14 = 0xee
const APP15 = 0xef
const COMMENT = 0xfe

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

interface Segment {
  marker: number
  payload: Buffer
  /** the whole segment; for a scan, this includes its data */
  bytes: Buffer
}

/** Position of the marker that ends the data of a scan. */
function scanEnd(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const marker = file[at + 1]
    if (marker === undefined) break
    if (marker !== 0 && marker !== 0xff && !isRestart(marker)) return at
  }
  return file.length
}

/** The segments up to the end of the image. In a truncated file, the last segment does not end the image. */
function* segmentsOf(file: Buffer): Generator<Segment> {
  for (let at = 2; file[at] === 0xff; ) {
    const marker = file[at + 1]
    if (marker === 0xff) at++
    else if (marker === END_OF_IMAGE) {
      yield { marker, payload: Buffer.alloc(0), bytes: file.subarray(at, at + 2) }
      return
    } else {
      if (marker === undefined || at + 4 > file.length) return
      const headerEnd = at + 2 + file.readUInt16BE(at + 2)
      const end = marker === START_OF_SCAN ? scanEnd(file, headerEnd) : headerEnd
      yield { marker, payload: file.subarray(at + 4, headerEnd), bytes: file.subarray(at, end) }
      at = end
    }
  }
}

/** Finds faults that the decoder would accept: a truncated file, or too many scans. */
export function jpegProblem(file: Buffer): string | null {
  let scans = 0
  for (const { marker } of segmentsOf(file)) {
    if (marker === END_OF_IMAGE) return scans > 0 ? null : 'contain an image'
    if (marker === START_OF_SCAN && ++scans > SCANS_MAX) return `contain at most ${SCANS_MAX} scans`
  }
  return 'be a complete JPEG file'
}

const segment = (marker: number, payload: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(payload.length + 2, 2)
  return Buffer.concat([head, payload])
}

/**
 * Functions that reduce an application segment to what decoders need. Segments of all other kinds are left
 * out.
 */
const cleanSegments: Record<number, (segment: Segment) => Buffer> = {
  [APP0]: ({ payload }) => (startsWith(payload, 'JFIF\0') ? segment(APP0, withoutThumbnail(payload)) : none),
  [APP1]: ({ payload }) => {
    if (!startsWith(payload, EXIF)) return none
    const orientation = orientationOf(payload.subarray(EXIF.length))
    if (orientation === UPRIGHT) return none
    return segment(APP1, Buffer.concat([Buffer.from(EXIF), exifOf(orientation)]))
  },
  [APP2]: ({ payload, bytes }) => (startsWith(payload, 'ICC_PROFILE\0') ? bytes : none),
  [APP14]: ({ payload }) => (startsWith(payload, 'Adobe') ? segment(APP14, payload.subarray(0, 12)) : none),
}

const EXIF = 'Exif\0\0'
const none = Buffer.alloc(0)

const startsWith = (payload: Buffer, text: string): boolean =>
  payload.subarray(0, text.length).equals(Buffer.from(text, 'latin1'))

/** Keeps the pixel density and sets the size of the thumbnail to zero. */
const withoutThumbnail = (payload: Buffer): Buffer =>
  Buffer.concat([payload.subarray(0, 12), Buffer.alloc(2)])

const isRemovable = (marker: number): boolean => (marker >= APP0 && marker <= APP15) || marker === COMMENT

/** Removes metadata and trailing data from a JPEG. Keeps its colour profile and orientation. */
export function cleanJpeg(file: Buffer): Buffer {
  const parts = [file.subarray(0, 2)]
  for (const found of segmentsOf(file)) {
    parts.push(isRemovable(found.marker) ? (cleanSegments[found.marker]?.(found) ?? none) : found.bytes)
  }
  return Buffer.concat(parts)
}
