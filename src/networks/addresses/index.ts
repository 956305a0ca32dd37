import { type Registry, registry } from '../../coins/registry.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { assert } from '../../domain/errors.ts'
import { type AddressCodec, codecOf } from './codecs.ts'

/** The longest address is Monero's integrated one; longer strings would take long to decode. */
const ADDRESS_MAX = 106

export interface Addresses {
  /**
   * Whether a string is an address of the network's main chain that may be paid to, by the network's own
   * rules and checksums. Never throws. It does not tell whether anybody has the key.
   */
  isAddress(network: WalletNetwork, address: string): boolean
  /** The one spelling of an address that `isAddress` accepted. */
  canonicalAddress(network: WalletNetwork, address: string): string
  /** An address in the network's usual form, made from 32 bytes. */
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
