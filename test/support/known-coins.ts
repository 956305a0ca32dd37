import { registry } from '../../src/coins/registry.ts'
import { makeAddresses } from '../../src/networks/addresses/index.ts'
import { makeAccounts } from '../../src/networks/keys/derive.ts'
import { makePaymentUri } from '../../src/networks/payment-uri.ts'

/** The addresses, keys and payment URIs of the coins that Florin knows. */
export const { isAddress, canonicalAddress } = makeAddresses(registry)
export const { readExtendedKey, openKey, deriveAddress, alternatives } = makeAccounts(registry)
export const paymentUri = makePaymentUri(registry)
