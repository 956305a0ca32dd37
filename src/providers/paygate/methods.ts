import type { MethodTerms } from '../../domain/catalogue.ts'
import { currencyDecimals } from '../../domain/currency.ts'
import type { LosslessJson } from '../../domain/lossless-json.ts'
import { amountOf } from '../../domain/money.ts'
import { CRYPTO, isMethodKey } from '../../domain/payment-methods.ts'
import { type CallApi, unavailable } from './api.ts'
import { parseDecimal, roundUp } from './decimal.ts'
import { isObject, type JsonObject } from './json.ts'
import { meansOf } from './means.ts'

/**
 * The currencies of methods that take only certain currencies, which the gateway's catalogue does not say.
 */
const methodCurrencies = new Map<string, readonly string[]>([
  ['wert', ['USD']],
  ['transfi', ['USD']],
  ['robinhood', ['USD']],
  ['bitnovo', ['USD']],
  ['paypal', ['USD']],
  ['rampnetwork', ['USD']],
  ['stripe', ['USD', 'EUR']],
  ['upi', ['INR']],
  ['interac', ['CAD']],
  ['klarna', ['SEK']],
  ['ideal', ['EUR']],
])

/**
 * The shares of methods with low fees, in millionths. These methods require a larger share than card
 * payments. The catalogue has no fees, so the shares are estimates with a margin.
 */
const methodShares = new Map<string, bigint>([
  ['robinhood', 950_000n],
  ['revolut', 930_000n],
  ['interac', 930_000n],
  ['ideal', 930_000n],
  ['upi', 930_000n],
])

/** The share of the amount due that settles a payment by a method, in millionths. It is at least `least`. */
export function minimumShareOf(methodKey: string, least: bigint): bigint {
  const share = methodShares.get(methodKey) ?? 0n
  return share > least ? share : least
}

const AMOUNT_BOUND = 10n ** 18n

export const pageTakes = (methodKey: string, currency: string): boolean =>
  methodCurrencies.get(methodKey)?.includes(currency) ?? true

/**
 * The currencies of orders that a method takes; null for all. A page that takes US dollars takes orders in
 * any currency, because the gateway converts the amount.
 */
function orderCurrencies(methodKey: string): string[] | null {
  if (pageTakes(methodKey, 'USD')) return null
  return [...(methodCurrencies.get(methodKey) ?? [])]
}

export async function listMethods(callApi: CallApi): Promise<MethodTerms[]> {
  const { providers } = await callApi('/control/provider-status', {})
  if (!Array.isArray(providers)) throw malformed()
  const found = new Map<string, MethodTerms>()
  for (const entry of providers.map(parseEntry)) {
    if (entry.status !== 'active' || !isMethodKey(entry.id) || entry.id === CRYPTO) continue
    if (!found.has(entry.id)) found.set(entry.id, parseMethod(entry))
  }
  return [...found.values()]
}

const malformed = () => unavailable('The list of methods of the gateway is malformed.')

type Entry = JsonObject & { id: string; status: string }

function parseEntry(json: LosslessJson): Entry {
  if (!isObject(json) || typeof json.id !== 'string' || typeof json.status !== 'string') throw malformed()
  return json as Entry
}

function parseMethod(entry: Entry): MethodTerms {
  const name = entry.provider_name ?? ''
  if (typeof name !== 'string') throw malformed()
  return {
    key: entry.id,
    name: name.trim() || entry.id,
    means: meansOf(entry.id),
    minimum: parseMinimum(entry),
    currencies: orderCurrencies(entry.id),
  }
}

function parseMinimum({ minimum_amount: amount, minimum_currency: currency }: Entry): MethodTerms['minimum'] {
  if (amount === null || amount === undefined) return null
  const decimal = typeof amount === 'string' ? parseDecimal(amount) : null
  if (decimal === null) throw malformed()
  const code = typeof currency === 'string' ? currency.toUpperCase() : ''
  const decimals = currencyDecimals(code)
  if (decimals === undefined || decimal.digits === 0n) return null
  const minor = roundUp(decimal, decimals)
  if (minor >= AMOUNT_BOUND * 10n ** BigInt(decimals)) throw malformed()
  return { amount: amountOf(minor, code), currency: code }
}
