import { type Registry, registry } from '../../coins/registry.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { assert } from '../../domain/errors.ts'
import { type AddressCodec, codecOf } from './codecs.ts'

/**
 * The length of the longest address, an integrated address of Monero. Longer texts would take long to decode.
 */
const ADDRESS_MAX = 106

export interface Addresses {
  /**
   * True if a text is an address of the network's main chain that may be paid, by the network's rules and
   * checksums. Says nothing about whether anybody has the key. Never throws.
   */
  isAddress(network: WalletNetwork, address: string): boolean
  /** Returns the canonical spelling of an address that `isAddress` accepted. */
  canonicalAddress(network: WalletNetwork, address: string): string
  /** Makes an address in the network's usual form from 32 bytes. */
  addressFromSeed(network: WalletNetwork, seed: Uint8Array): string
}

export function makeAddresses({ wallets }: Registry): Addresses {
  const codecs = new Map(wallets.map(({ network, address }) => [network, codecOf(address)]))
  const codec = (network: WalletNetwork): AddressCodec => {
    const found = codecs.get(network)
    assert(found, `${network} is the network of a chain`)
    return found
  }
  return {
    isAddress: (network, address) => address.length <= ADDRESS_MAX && codec(network).isAddress(address),
    canonicalAddress: (network, address) => codec(network).canonical(address),
    addressFromSeed: (network, seed) => codec(network).fromSeed(seed),
  }
}

export const { addressFromSeed } = makeAddresses(registry)
