import { bech32, bech32m } from '@scure/base'
import { assert } from '../../domain/errors.ts'

export interface WitnessProgram {
  version: number
  program: Uint8Array
}

const VERSION_MAX = 16

const lengthFits = (version: number, bytes: number): boolean => {
  if (version === 0) return bytes === 20 || bytes === 32
  if (version === 1) return bytes === 32
  return bytes >= 2 && bytes <= 40
}

/**
 * Returns the address of a witness program: in version 0, the hash of a public key (20 bytes) or of a script
 * (32 bytes); in version 1, a taproot key (32 bytes).
 */
export function encodeSegwit(hrp: string, program: Uint8Array, version = 0): string {
  assert(lengthFits(version, program.length), 'a witness program has the length that its version asks for')
  const { encode } = version === 0 ? bech32 : bech32m
  return encode(hrp, [version, ...bech32.toWords(program)])
}

/**
 * Reads an address; null for any other text. Version 0 has a bech32 checksum (BIP141), others bech32m
 * (BIP350).
 */
export function readSegwit(hrp: string, address: string): WitnessProgram | null {
  const plain = bech32.decodeUnsafe(address)
  const found = plain ?? bech32m.decodeUnsafe(address)
  if (!found || found.prefix !== hrp) return null
  const [version, ...words] = found.words
  if (version === undefined || version > VERSION_MAX || (version === 0) !== (plain !== undefined)) return null
  const program = bech32.fromWordsUnsafe(words)
  return program && lengthFits(version, program.length) ? { version, program } : null
}
