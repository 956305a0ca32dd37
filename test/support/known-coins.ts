import { registry } from '../../src/coins/registry.ts'
import { makeAddressSources } from '../../src/networks/address-sources.ts'
import { makeAddresses } from '../../src/networks/addresses/index.ts'
import { makeAccounts } from '../../src/networks/keys/derive.ts'

const addresses = makeAddresses(registry)

/** Addresses and keys of the coins that Florin knows. */
export const { isAddress, canonicalAddress } = addresses
export const { address: addressOf, sourceKinds } = makeAddressSources(registry, addresses)
export const { readExtendedKey, openKey, deriveAddress, alternatives } = makeAccounts(registry)
