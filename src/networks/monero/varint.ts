/** Encodes a number as Monero does, in seven bits of each byte, the lowest first. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = []
  for (let left = value; ; left = Math.floor(left / 0x80)) {
    if (left < 0x80) return Uint8Array.from([...bytes, left])
    bytes.push((left % 0x80) + 0x80)
  }
}
