const HEADER_LENGTH = 8
const ENTRY_LENGTH = 12
const ORIENTATION = 0x0112
const SHORT = 3
/** The EXIF orientation of an image that is shown as it is stored. */
export const UPRIGHT = 1
const ORIENTATIONS = 8

/** Reads the orientation of EXIF data, which is a TIFF file. */
export function orientationOf(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < HEADER_LENGTH || (order !== 'II' && order !== 'MM')) return UPRIGHT
  const short = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (first + 2 > tiff.length) return UPRIGHT
  const entries = short(first)
  for (let entry = 0; entry < entries; entry++) {
    const at = first + 2 + entry * ENTRY_LENGTH
    if (at + ENTRY_LENGTH > tiff.length) return UPRIGHT
    if (short(at) !== ORIENTATION || short(at + 2) !== SHORT) continue
    const value = short(at + 8)
    return value >= UPRIGHT && value <= ORIENTATIONS ? value : UPRIGHT
  }
  return UPRIGHT
}

/** EXIF data that contain only the orientation. */
export function exifOf(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a0000000800010112000300000001000000000000' + '0000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}
