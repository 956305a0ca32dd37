import type { ProviderMethod } from '../domain/catalogue.ts'
import { CRYPTO } from '../domain/payment-methods.ts'
import type { Methods } from '../operations/payments/list-methods.ts'

/** The minimum of methods that have no minimum of their own. */
const DEFAULT_MINIMUM = { amount: '0.01', currency: 'USD' }

const presentMethod = ({ key, name, minimum }: Pick<ProviderMethod, 'key' | 'name' | 'minimum'>) => ({
  key,
  displayName: name,
  minimumAmount: (minimum ?? DEFAULT_MINIMUM).amount,
  minimumCurrency: (minimum ?? DEFAULT_MINIMUM).currency,
  status: 'AVAILABLE' as const,
})

const crypto = { key: CRYPTO, name: 'Crypto', minimum: null }

export function presentMethods({ providerMethods, crypto: offersCrypto }: Methods) {
  const paymentMethods = [...providerMethods, ...(offersCrypto ? [crypto] : [])].map(presentMethod)
  return { paymentMethods, paymentMethodsKeys: paymentMethods.map(({ key }) => key) }
}
