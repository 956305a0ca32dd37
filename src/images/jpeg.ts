/** Each scan is a pass over every pixel, so thousands of them would take minutes. Encoders write ten. */
const SCANS_MAX = 100

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

/** The position of the marker that ends the data of a scan. */
function scanEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1]
    if (marker === undefined) break
    if (marker !== 0 && marker !== 0xff && !isRestart(marker)) return at
  }
  return bytes.length
}

/** Finds what the decoder accepts: a JPEG that is cut short, or has too many scans. */
export function jpegProblem(bytes: Uint8Array): string | null {
  let scans = 0
  for (let at = 2; at + 4 <= bytes.length || bytes[at + 1] === END_OF_IMAGE; ) {
    if (bytes[at] !== 0xff) break
    const marker = bytes[at + 1]!
    if (marker === END_OF_IMAGE) return scans > 0 ? null : 'contain an image'
    if (marker === 0xff) {
      at++
      continue
    }
    at += 2 + ((bytes[at + 2]! << 8) | bytes[at + 3]!)
    if (marker !== START_OF_SCAN) continue
    if (++scans > SCANS_MAX) return `contain at most ${SCANS_MAX} scans`
    at = scanEnd(bytes, at)
  }
  return 'be a complete JPEG file'
}
