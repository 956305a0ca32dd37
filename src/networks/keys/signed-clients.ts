import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'
import type { SignedClients } from '../../domain/signed-client.ts'
import { curves } from './curves.ts'

/** The two bytes with which the ID of each client begins. */
const ID_PREFIX = Uint8Array.of(0x0f, 0x02)

const isPublicKey = /^0[23][0-9a-f]{64}$/i

const base58check = createBase58check(sha256)

export const signedClients: SignedClients = {
  idOf(publicKey) {
    if (!isPublicKey.test(publicKey)) return null
    return base58check.encode(concatBytes(ID_PREFIX, ripemd160(sha256(hexToBytes(publicKey)))))
  },
  isSigned({ publicKey, signature, text }) {
    // Low and high S values are accepted: both are valid for a signature, and some clients do not normalize
    // them.
    const options = { format: 'der', lowS: false } as const
    try {
      const [key, signed] = [hexToBytes(publicKey), hexToBytes(signature)]
      return curves.secp256k1.verify(signed, utf8ToBytes(text), key, options)
    } catch {
      return false
    }
  },
}
