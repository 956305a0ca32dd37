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

/** A version 0 address: 20 bytes are the hash of a public key, 32 bytes the hash of a script. */
export function encodeSegwit(hrp: string, program: Uint8Array): string {
  assert(lengthFits(0, program.length), 'a version 0 witness program has 20 or 32 bytes')
  return bech32.encode(hrp, [0, ...bech32.toWords(program)])
}

/** BIP141 and BIP350: version 0 has a bech32 checksum, later versions have a bech32m one. */
export function readSegwit(hrp: string, address: string): WitnessProgram | null {
  const plain = bech32.decodeUnsafe(address)
  const found = plain ?? bech32m.decodeUnsafe(address)
  if (!found || found.prefix !== hrp) return null
  const [version, ...words] = found.words
  if (version === undefined || version > VERSION_MAX || (version === 0) !== (plain !== undefined)) return null
  const program = bech32.fromWordsUnsafe(words)
  return program && lengthFits(version, program.length) ? { version, program } : null
}
