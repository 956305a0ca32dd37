import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'

/** Computes the Merkle root of a block from the IDs of its transactions; null without transactions. */
export function merkleRoot(ids: readonly string[]): string | null {
  // IDs and roots are written with their bytes in reverse order, unlike the hashes that are computed.
  let level: Uint8Array[] = ids.map(id => hexToBytes(id).reverse())
  while (level.length > 1) level = parents(level)
  return level[0] ? bytesToHex(level[0].reverse()) : null
}

const HASH_BYTES = 32

/** Uses Bun's native hash: in JavaScript, a full block would block the server for a tenth of a second. */
function sha256(bytes: Uint8Array): Uint8Array {
  const hash = new Uint8Array(HASH_BYTES)
  Bun.SHA256.hash(bytes, hash)
  return hash
}

/** Hashes pairs. The last hash of an odd number is paired with itself. */
const parents = (hashes: Uint8Array[]): Uint8Array[] =>
  Array.from({ length: Math.ceil(hashes.length / 2) }, (_, index) => {
    const left = hashes[2 * index]!
    return sha256(sha256(concatBytes(left, hashes[2 * index + 1] ?? left)))
  })
