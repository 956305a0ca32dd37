import { CRYPTO } from './payment-methods.ts'

/* The words of Greenfield, the API of BTCPay Server. */

/**
 * The name of a way to pay: BTC-CHAIN, BTC-LN, USDC-POLYGON, or the key of a method of a provider, such as
 * STRIPE.
 */
export function paymentMethodOf({ methodKey, assetId }: { methodKey: string; assetId: string }): string {
  if (methodKey !== CRYPTO) return methodKey.toUpperCase()
  if (assetId === 'lightning') return 'BTC-LN'
  const [chain = '', token] = assetId.toUpperCase().split('/')
  return token === undefined ? `${chain}-CHAIN` : `${token}-${chain}`
}
