import type { MethodTerms, PaymentMeans } from '../../domain/catalogue.ts'
import { isObject, type JsonObject } from '../answer.ts'
import { chargeable } from './sums.ts'

/**
 * Mollie's methods as buyers know them, the most usual first. Other methods are only shown on Mollie's page.
 */
const means: readonly [id: RegExp, means: PaymentMeans][] = [
  [/^ideal$/, 'ideal'],
  [/^creditcard$/, 'card'],
  [/^paypal$/, 'paypal'],
  [/^klarna/, 'klarna'],
  [/^(bancontact|banktransfer|belfius|directdebit|eps|kbc|mybank|paybybank|przelewy24|trustly)$/, 'bank'],
  [/^applepay$/, 'applepay'],
  [/^googlepay$/, 'googlepay'],
]

/** The IDs of the methods that are switched on for a profile. */
export function methodIdsIn({ _embedded: embedded }: JsonObject): string[] {
  const rows = isObject(embedded) && Array.isArray(embedded.methods) ? embedded.methods : []
  return rows.flatMap(row => (isObject(row) && typeof row.id === 'string' ? [row.id] : []))
}

/**
 * The terms for a profile with these methods. Mollie's page shows the methods for the buyer's country and
 * amount. Cards and iDEAL have no minimum there.
 */
export function methodWith(ids: readonly string[]): MethodTerms {
  const known = means.flatMap(([id, name]) => (ids.some(one => id.test(one)) ? [name] : []))
  const name = known[0] === 'ideal' ? 'iDEAL' : 'Mollie'
  return { key: 'mollie', name, means: known, minimum: null, currencies: chargeable }
}

/** The terms for a profile whose methods were not stored. */
export const usualMethod = methodWith(['ideal', 'creditcard', 'banktransfer', 'paypal', 'applepay'])
