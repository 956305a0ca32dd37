import { bech32, bech32m } from '@scure/base'
import { assert } from '../../domain/errors.ts'

/** The human-readable parts of the main chains. */
export const hrps = { btc: 'bc', ltc: 'ltc' } as const

interface WitnessProgram {
  version: number
  program: Uint8Array
}

const VERSION_MAX = 16

const lengthFits = (version: number, bytes: number): boolean => {
  if (version === 0) return bytes === 20 || bytes === 32
  if (version === 1) return bytes === 32
  return bytes >= 2 && bytes <= 40
}

/** Version 0: a program of 20 bytes pays to a public key hash, one of 32 bytes to a script hash. */
export function encodeSegwit(hrp: string, program: Uint8Array): string {
  assert(lengthFits(0, program.length), 'a version 0 witness program has 20 or 32 bytes')
  return bech32.encode(hrp, [0, ...bech32.toWords(program)])
}

/** BIP141 and BIP350: version 0 has a bech32 checksum, each later one bech32m's. Null for all else. */
export function readSegwit(hrp: string, address: string): WitnessProgram | null {
  const plain = bech32.decodeUnsafe(address)
  const found = plain ?? bech32m.decodeUnsafe(address)
  if (!found || found.prefix !== hrp) return null
  const [version, ...words] = found.words
  if (version === undefined || version > VERSION_MAX || (version === 0) !== (plain !== undefined)) return null
  const program = bech32.fromWordsUnsafe(words)
  return program && lengthFits(version, program.length) ? { version, program } : null
}
