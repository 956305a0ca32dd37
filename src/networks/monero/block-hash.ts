import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import type { Json } from '../../domain/metadata.ts'
import { readCount } from '../rpc/json.ts'
import { readHash } from './responses.ts'
import { varint } from './varint.ts'

const FORM = 'the header of a block'
const NONCE_BYTES = 4

/** The fields of a header from which, with the transactions, the block's hash is computed. */
interface HashedHeader {
  major_version?: Json
  minor_version?: Json
  timestamp?: Json
  prev_hash?: Json
  nonce?: Json
  miner_tx_hash?: Json
}

/** Computes the hash of a block. `transactions` are without the miner's reward. Throws NetworkError. */
export function blockHash(header: HashedHeader, transactions: readonly string[]): string {
  const leaves = [readHash(header.miner_tx_hash, FORM), ...transactions].map(hexToBytes)
  const block = concatBytes(
    varint(readCount(header.major_version, FORM)),
    varint(readCount(header.minor_version, FORM)),
    varint(readCount(header.timestamp, FORM)),
    hexToBytes(readHash(header.prev_hash, FORM)),
    nonce(readCount(header.nonce, FORM)),
    treeHash(leaves),
    varint(leaves.length),
  )
  return bytesToHex(keccak_256(concatBytes(varint(block.length), block)))
}

function nonce(value: number): Uint8Array {
  const bytes = new Uint8Array(NONCE_BYTES)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

/**
 * Computes the root of Monero's Merkle tree. The first leaves move up one level as they are, so that the size
 * of the next level is a power of two.
 */
function treeHash(leaves: Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return leaves[0]!
  const width = 2 ** Math.ceil(Math.log2(leaves.length) - 1)
  const alone = 2 * width - leaves.length
  let level = [...leaves.slice(0, alone), ...pairs(leaves.slice(alone))]
  while (level.length > 1) level = pairs(level)
  return level[0]!
}

const pairs = (hashes: Uint8Array[]): Uint8Array[] =>
  Array.from({ length: hashes.length / 2 }, (_, index) =>
    keccak_256(concatBytes(hashes[2 * index]!, hashes[2 * index + 1]!)),
  )
