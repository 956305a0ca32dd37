/*
 * The part of DER (ITU-T X.690) that is needed to write certificate signing requests, and to read those
 * fields of a certificate for which node:crypto has no method.
 */

export const SEQUENCE = 0x30
export const SET = 0x31
export const INTEGER = 0x02
export const BIT_STRING = 0x03
export const OCTET_STRING = 0x04
const OBJECT_ID = 0x06

function lengthOf(size: number): number[] {
  if (size < 0x80) return [size]
  const bytes = size < 0x100 ? [size] : [size >> 8, size & 0xff]
  return [0x80 | bytes.length, ...bytes]
}

/** Encodes a value of up to 64 KB. */
export function encode(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  if (content.length > 0xffff) throw new RangeError('too long for DER')
  return Buffer.concat([Uint8Array.from([tag, ...lengthOf(content.length)]), content])
}

const septets = (arc: number): number[] =>
  arc < 0x80 ? [arc] : [...septets(arc >> 7).map(byte => byte | 0x80), arc & 0x7f]

/** Encodes an object identifier, such as "1.2.840.10045.2.1". */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return encode(OBJECT_ID, Uint8Array.from([first * 40 + second, ...rest.flatMap(septets)]))
}

/** An encoded value: its tag, its content, and all its bytes. */
export interface Encoded {
  tag: number
  content: Buffer
  whole: Buffer
}

/** Splits bytes into the values that they consist of. Throws a RangeError if a value is truncated. */
export function decode(bytes: Uint8Array): Encoded[] {
  const found: Encoded[] = []
  const all = Buffer.from(bytes)
  for (let at = 0; at < all.length; ) {
    const tag = all.readUInt8(at)
    const short = all.readUInt8(at + 1)
    const sizes = short < 0x80 ? 0 : short & 0x7f
    const start = at + 2 + sizes
    const size = sizes === 0 ? short : all.readUIntBE(at + 2, sizes)
    if (start + size > all.length) throw new RangeError('the DER is cut')
    found.push({ tag, content: all.subarray(start, start + size), whole: all.subarray(at, start + size) })
    at = start + size
  }
  return found
}
