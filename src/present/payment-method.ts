import type { ProviderMethod } from '../domain/catalogue.ts'
import { CRYPTO } from '../domain/payment-methods.ts'
import type { Methods } from '../operations/payments/list-methods.ts'

/** Of a method that names no minimum: the smallest amount there is. */
const LEAST = { amount: '0.01', currency: 'USD' }

const presentMethod = ({ key, name, minimum }: Pick<ProviderMethod, 'key' | 'name' | 'minimum'>) => ({
  key,
  displayName: name,
  minimumAmount: (minimum ?? LEAST).amount,
  minimumCurrency: (minimum ?? LEAST).currency,
  status: 'AVAILABLE' as const,
})

const crypto = { key: CRYPTO, name: 'Crypto', minimum: null }

/** The methods as spec 2.7 and 4.5 show them. */
export function presentMethods({ providerMethods, crypto: offersCrypto }: Methods) {
  const paymentMethods = [...providerMethods, ...(offersCrypto ? [crypto] : [])].map(presentMethod)
  return { paymentMethods, paymentMethodsKeys: paymentMethods.map(({ key }) => key) }
}
