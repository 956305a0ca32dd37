import { invalid } from './errors.ts'

/** The key that stands for every available method. */
export const ANY = '*'
/** The key for hosted crypto checkout. */
export const CRYPTO = 'crypto'

const METHOD_KEYS_MAX = 64
const methodKeyPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/
const reservedKeys = new Set(['all', 'hosted'])

export const isMethodKey = (key: string): boolean => methodKeyPattern.test(key) && !reservedKeys.has(key)

export function checkMethodKeys(keys: string[], path = '/paymentMethodsKeys'): string[] {
  if (keys.length === 1 && keys[0] === ANY) return keys
  if (keys.length === 0 || keys.length > METHOD_KEYS_MAX)
    throw invalid(path, `must have 1 to ${METHOD_KEYS_MAX} keys`)
  if (new Set(keys).size !== keys.length) throw invalid(path, 'must not contain duplicates')
  if (!keys.every(isMethodKey)) {
    throw invalid(path, 'must be ["*"], or a list of method keys ("all" and "hosted" are not keys)')
  }
  return keys
}

export const offersCrypto = (keys: string[]): boolean => keys.includes(ANY) || keys.includes(CRYPTO)
export const offersProviders = (keys: string[]): boolean => keys.some(key => key !== CRYPTO)
export const isCryptoOnly = (keys: string[]): boolean => !offersProviders(keys)
export const offersMethod = (keys: string[], key: string): boolean => keys.includes(ANY) || keys.includes(key)

/** The provider of an order that offers exactly one provider and nothing else; null otherwise. */
export const soleProvider = ([key, ...others]: string[]): string | null =>
  key === undefined || others.length > 0 || key === ANY || key === CRYPTO ? null : key

/** The reason why buyers cannot pay with a coin now. */
export type CoinLack =
  /** no endpoint of its chain is configured */
  | 'endpoint'
  /** the endpoints cannot be used for it */
  | 'unusable'
  /** no address can be made for it */
  | 'source'
  /** the payout wallet cannot take it */
  | 'payout'
  /** there is no fresh rate */
  | 'rate'

/** The reason why buyers can pay a shop with nothing now. */
export type PayLack =
  | CoinLack
  /** the shop has not said where its money goes */
  | 'wallet'
  /** a provider does not answer */
  | 'provider'
  /** no method is switched on */
  | 'method'
