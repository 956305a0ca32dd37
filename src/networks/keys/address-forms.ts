import { bytesToNumberBE } from '@noble/curves/utils.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { AddressFormat, BitcoinAddressFormat } from '../../coins/types.ts'
import type { Script } from '../../domain/address-source.ts'
import { encodeKeyHash, encodeScriptHash, encodeWitness } from '../addresses/bitcoin.ts'
import { checksumAddress } from '../addresses/evm.ts'
import { encodeTron } from '../addresses/tron.ts'
import { curves } from './curves.ts'

/** One form of address for a public key. */
export interface AddressForm {
  /** the kind of script; null where the network has no scripts */
  script: Script | null
  /** Returns the address for a compressed public key of 33 bytes. */
  encode: (publicKey: Uint8Array) => string
}

const WITNESS_VERSION = 0x00
const TAPROOT_VERSION = 0x01
const EVEN_KEY = 0x02
const HASH_BYTES = 20
const ACCOUNT_BYTES = 20

const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes))

/**
 * The script that pays a public key hash by witness (BIP141). A P2SH address contains the hash of this
 * script.
 */
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

const tapTweak = sha256(utf8ToBytes('TapTweak'))

/**
 * The key of a BIP86 address: it has an even y, and is tweaked by its own hash, so that no script can spend
 * the money instead.
 */
function taprootKey(publicKey: Uint8Array): Uint8Array {
  const { Point } = curves.secp256k1
  const x = publicKey.subarray(1)
  const tweak = Point.Fn.create(bytesToNumberBE(sha256(concatBytes(tapTweak, tapTweak, x))))
  const internal = Point.fromBytes(concatBytes(Uint8Array.of(EVEN_KEY), x))
  return internal.add(Point.BASE.multiply(tweak)).toBytes().subarray(1)
}

const p2tr = (format: BitcoinAddressFormat): AddressForm => ({
  script: 'p2tr',
  encode: publicKey => encodeWitness(format, taprootKey(publicKey), TAPROOT_VERSION),
})

/** The 20 bytes that identify the owner of a key on EVM chains and TRON. */
const evmAccount = (publicKey: Uint8Array): Uint8Array =>
  keccak_256(curves.secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)).slice(-ACCOUNT_BYTES)

const otherForms: Record<Exclude<AddressFormat['kind'], 'bitcoin'>, readonly AddressForm[]> = {
  evm: [{ script: null, encode: publicKey => checksumAddress(evmAccount(publicKey)) }],
  tron: [{ script: null, encode: publicKey => encodeTron(evmAccount(publicKey)) }],
  solana: [],
  monero: [],
}

/**
 * The forms of addresses that can be derived from an extended public key, the default first. A plain xpub
 * means native segwit if the chain has it, as in BTCPay Server.
 */
export function formsOf(format: AddressFormat): readonly AddressForm[] {
  if (format.kind !== 'bitcoin') return otherForms[format.kind]
  if (format.segwit === null) return [p2pkh(format)]
  return [...segwitForms(format), p2pkh(format), ...(format.hasTaprootAccounts ? [p2tr(format)] : [])]
}
