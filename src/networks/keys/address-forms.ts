import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import type { Script } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { encodeBase58Check, encodeZcash, type Version, versions } from '../addresses/base58-check.ts'
import { encodeCashAddr } from '../addresses/cash-addr.ts'
import { checksumAddress } from '../addresses/evm.ts'
import { encodeSegwit, hrps } from '../addresses/segwit.ts'
import { encodeTron } from '../addresses/tron.ts'

/** One way in which a network writes the address of a public key. */
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

/** BIP141: the script that pays to a public key hash by witness, of which P2SH takes the hash. */
const witnessScript = (hash: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(WITNESS_VERSION, HASH_BYTES), hash)

const byHash = (encode: (hash: Uint8Array) => string): AddressForm => ({
  script: 'p2pkh',
  encode: publicKey => encode(hash160(publicKey)),
})

const segwitCoin = (prefix: { p2pkh: Version; p2sh: Version }, hrp: string): AddressForm[] => [
  { script: 'p2wpkh', encode: publicKey => encodeSegwit(hrp, hash160(publicKey)) },
  {
    script: 'p2sh-p2wpkh',
    encode: publicKey => encodeBase58Check(prefix.p2sh, hash160(witnessScript(hash160(publicKey)))),
  },
  byHash(hash => encodeBase58Check(prefix.p2pkh, hash)),
]

/** The 20 bytes by which EVM chains, and TRON, know the holder of a key. */
const evmAccount = (publicKey: Uint8Array): Uint8Array =>
  keccak_256(secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)).slice(-ACCOUNT_BYTES)

/**
 * All that each network can derive from an extended public key. The first form is what is meant where nothing
 * names one: a plain xpub is taken for native segwit, as BTCPay does.
 */
export const forms: Record<WalletNetwork, readonly AddressForm[]> = {
  btc: segwitCoin(versions.btc, hrps.btc),
  ltc: segwitCoin(versions.ltc, hrps.ltc),
  doge: [byHash(hash => encodeBase58Check(versions.doge.p2pkh, hash))],
  bitcoincash: [byHash(hash => encodeCashAddr('p2pkh', hash))],
  zec: [byHash(encodeZcash)],
  evm: [{ script: null, encode: publicKey => checksumAddress(evmAccount(publicKey)) }],
  trc20: [{ script: null, encode: publicKey => encodeTron(evmAccount(publicKey)) }],
  solana: [],
  xmr: [],
}
