import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import type { AddressFormat, BitcoinAddressFormat } from '../../coins/types.ts'
import type { Script } from '../../domain/address-source.ts'
import { encodeKeyHash, encodeScriptHash, encodeWitness } from '../addresses/bitcoin.ts'
import { checksumAddress } from '../addresses/evm.ts'
import { encodeTron } from '../addresses/tron.ts'
import { curves } from './curves.ts'

/** One way to write the address of a public key. */
export interface AddressForm {
  /** null where the network has no scripts */
  script: Script | null
  /** from the 33 bytes of a compressed public key */
  encode: (publicKey: Uint8Array) => string
}

const WITNESS_VERSION = 0x00
const HASH_BYTES = 20
const ACCOUNT_BYTES = 20

const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes))

/** BIP141: the script that pays a public key hash by witness; P2SH contains the hash of this script. */
const witnessScript = (hash: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(WITNESS_VERSION, HASH_BYTES), hash)

const p2pkh = (format: BitcoinAddressFormat): AddressForm => ({
  script: 'p2pkh',
  encode: publicKey => encodeKeyHash(format, hash160(publicKey)),
})

const segwitForms = (format: BitcoinAddressFormat): AddressForm[] => [
  { script: 'p2wpkh', encode: publicKey => encodeWitness(format, hash160(publicKey)) },
  {
    script: 'p2sh-p2wpkh',
    encode: publicKey => encodeScriptHash(format, hash160(witnessScript(hash160(publicKey)))),
  },
]

/** The 20 bytes that EVM chains, and TRON, know the owner of a key by. */
const evmAccount = (publicKey: Uint8Array): Uint8Array =>
  keccak_256(curves.secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)).slice(-ACCOUNT_BYTES)

const otherForms: Record<Exclude<AddressFormat['kind'], 'bitcoin'>, readonly AddressForm[]> = {
  evm: [{ script: null, encode: publicKey => checksumAddress(evmAccount(publicKey)) }],
  tron: [{ script: null, encode: publicKey => encodeTron(evmAccount(publicKey)) }],
  solana: [],
  monero: [],
}

/**
 * The addresses that can be derived from an extended public key. The first form is the default: a plain xpub
 * means native segwit where a chain has it, as in BTCPay Server.
 */
export function formsOf(format: AddressFormat): readonly AddressForm[] {
  if (format.kind !== 'bitcoin') return otherForms[format.kind]
  return format.segwit === null ? [p2pkh(format)] : [...segwitForms(format), p2pkh(format)]
}
