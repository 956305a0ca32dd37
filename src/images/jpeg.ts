/** Each scan is a pass over every pixel: thousands of empty ones would cost minutes. Encoders write ten. */
const SCANS_MAX = 100

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

/** Where the next marker stands that ends the data of a scan. */
function scanEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1]
    if (marker === undefined) break
    if (marker !== 0 && marker !== 0xff && !isRestart(marker)) return at
  }
  return bytes.length
}

/** What the decoder lets pass: a JPEG without its end, or one of more scans than anybody needs. */
export function jpegFault(bytes: Uint8Array): string | null {
  let scans = 0
  for (let at = 2; at + 4 <= bytes.length || bytes[at + 1] === END_OF_IMAGE; ) {
    if (bytes[at] !== 0xff) break
    const marker = bytes[at + 1]!
    if (marker === END_OF_IMAGE) return scans > 0 ? null : 'hold a picture'
    if (marker === 0xff) {
      at++
      continue
    }
    at += 2 + ((bytes[at + 2]! << 8) | bytes[at + 3]!)
    if (marker !== START_OF_SCAN) continue
    if (++scans > SCANS_MAX) return `hold at most ${SCANS_MAX} scans`
    at = scanEnd(bytes, at)
  }
  return 'be a whole JPEG file'
}
