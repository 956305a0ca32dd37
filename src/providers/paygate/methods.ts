import type { ProviderMethod } from '../../domain/catalogue.ts'
import { currencyDecimals } from '../../domain/currency.ts'
import { amountOf } from '../../domain/money.ts'
import { CRYPTO, isMethodKey } from '../../domain/payment-methods.ts'
import { type Ask, unavailable } from './api.ts'
import { readDecimal, roundUp } from './decimal.ts'
import { isObject, type Told, type ToldObject } from './json.ts'

/** The catalogue does not tell which methods take certain currencies only. */
const locks = new Map<string, readonly string[]>([
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

const AMOUNT_BOUND = 10n ** 18n

/** The only currencies that a method takes; null for any. */
export const lockOf = (key: string): readonly string[] | null => locks.get(key) ?? null

export async function methods(ask: Ask): Promise<ProviderMethod[]> {
  const { providers } = await ask('/control/provider-status', {})
  if (!Array.isArray(providers)) throw misshapen()
  const found = new Map<string, ProviderMethod>()
  for (const entry of providers.map(shapeOf)) {
    if (entry.status !== 'active' || !isMethodKey(entry.id) || entry.id === CRYPTO) continue
    if (!found.has(entry.id)) found.set(entry.id, methodOf(entry))
  }
  return [...found.values()]
}

const misshapen = () => unavailable('The gateway told its methods in another shape than expected.')

type Entry = ToldObject & { id: string; status: string }

function shapeOf(entry: Told): Entry {
  if (!isObject(entry) || typeof entry.id !== 'string' || typeof entry.status !== 'string') throw misshapen()
  return entry as Entry
}

function methodOf(entry: Entry): ProviderMethod {
  const name = entry.provider_name ?? ''
  if (typeof name !== 'string') throw misshapen()
  const lock = lockOf(entry.id)
  return {
    key: entry.id,
    name: name.trim() || entry.id,
    minimum: minimumOf(entry),
    currencies: lock && [...lock],
  }
}

function minimumOf({ minimum_amount: amount, minimum_currency: currency }: Entry): ProviderMethod['minimum'] {
  if (amount === null || amount === undefined) return null
  const decimal = typeof amount === 'string' ? readDecimal(amount) : null
  if (decimal === null) throw misshapen()
  const code = typeof currency === 'string' ? currency.toUpperCase() : ''
  const decimals = currencyDecimals(code)
  if (decimals === undefined || decimal.digits === 0n) return null
  const minor = roundUp(decimal, decimals)
  if (minor >= AMOUNT_BOUND * 10n ** BigInt(decimals)) throw misshapen()
  return { amount: amountOf(minor, code), currency: code }
}
