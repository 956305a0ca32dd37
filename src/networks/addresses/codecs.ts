import { sha256 } from '@noble/hashes/sha2.js'
import type { AddressFormat, BitcoinAddressFormat } from '../../coins/types.ts'
import { curves } from '../keys/curves.ts'
import { canonicalBitcoin, encodeKeyHash, encodeWitness, readBitcoin } from './bitcoin.ts'
import { checksumAddress, isEvmAddress } from './evm.ts'
import { encodeMonero, readMonero } from './monero.ts'
import { encodeSolana, readSolana } from './solana.ts'
import { encodeTron, readTron } from './tron.ts'

/** Reads and writes the addresses of a network. */
export interface AddressCodec {
  isAddress(address: string): boolean
  /** Returns the canonical spelling of an address that `isAddress` accepted. */
  canonical(address: string): string
  /** Makes an address in the network's usual form from 32 bytes. */
  fromSeed(seed: Uint8Array): string
}

const HASH_BYTES = 20

/**
 * The highest accepted version of a witness program. Later versions have no rules yet, so anybody could take
 * money that is sent to their addresses.
 */
const WITNESS_VERSION_MAX = 1

const unchanged = (address: string): string => address

const hashOf = (seed: Uint8Array): Uint8Array => seed.slice(0, HASH_BYTES)

const pointOf = (seed: Uint8Array): Uint8Array => curves.ed25519.getPublicKey(seed)

const bitcoinCodec = (format: BitcoinAddressFormat): AddressCodec => ({
  isAddress(address) {
    const found = readBitcoin(format, address)
    return found !== null && (found.type !== 'witness' || found.version <= WITNESS_VERSION_MAX)
  },
  canonical: address => canonicalBitcoin(format, address),
  fromSeed: seed =>
    format.segwit === null ? encodeKeyHash(format, hashOf(seed)) : encodeWitness(format, hashOf(seed)),
})

const codecs: Record<Exclude<AddressFormat['kind'], 'bitcoin'>, AddressCodec> = {
  evm: {
    isAddress: isEvmAddress,
    canonical: checksumAddress,
    fromSeed: seed => checksumAddress(hashOf(seed)),
  },
  tron: {
    isAddress: address => readTron(address) !== null,
    canonical: unchanged,
    fromSeed: seed => encodeTron(hashOf(seed)),
  },
  solana: {
    isAddress: address => readSolana(address) !== null,
    canonical: unchanged,
    fromSeed: seed => encodeSolana(pointOf(seed)),
  },
  monero: {
    isAddress: address => readMonero(address) !== null,
    canonical: unchanged,
    fromSeed: seed => encodeMonero(pointOf(seed), pointOf(sha256(seed))),
  },
}

export const codecOf = (format: AddressFormat): AddressCodec =>
  format.kind === 'bitcoin' ? bitcoinCodec(format) : codecs[format.kind]
