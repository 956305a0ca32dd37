import { isObject, type JsonObject } from '../answer.ts'
import { type ProviderAttempt, ProviderError } from '../port.ts'
import { type CallApi, malformed, PayPalRefusal } from './api.ts'
import { isId, own } from './credentials.ts'

export const ordersPath = '/v2/checkout/orders'

/** The part of an order that has its amount and its payments. Florin's orders have one such part. */
export function unitOf({ purchase_units: units }: JsonObject): JsonObject {
  const [unit] = Array.isArray(units) ? units : []
  return isObject(unit) ? unit : {}
}

/** The payments or refunds in the part of an order that `unitOf` returns. */
export const rowsOf = (unit: JsonObject, name: string): JsonObject[] => {
  const rows = isObject(unit.payments) ? unit.payments[name] : []
  return Array.isArray(rows) ? rows.filter(isObject) : []
}

/** Throws unless an order or a capture belongs to this attempt, and pays its account. */
export function check({ custom_id, payee }: JsonObject, { charge }: ProviderAttempt): void {
  if (charge === undefined || custom_id !== charge.attemptId) throw malformed('another payment')
  if (!isObject(payee) || payee.merchant_id !== charge.account)
    throw malformed('a payment to another account')
}

/** The order of an attempt; null if PayPal has forgotten it, as it forgets orders that nobody paid. */
export async function fetchOrder(call: CallApi, attempt: ProviderAttempt): Promise<JsonObject | null> {
  const { reference } = attempt
  if (!isId(reference)) throw new ProviderError('refused', 'the reference is no order')
  try {
    const path = `${ordersPath}/${reference}`
    const order = await call({ keys: own.at(attempt), method: 'GET', path })
    if (order.id !== reference || order.intent !== 'CAPTURE') throw malformed('another order')
    check(unitOf(order), attempt)
    return order
  } catch (error) {
    if (error instanceof PayPalRefusal && error.status === 404) return null
    throw error
  }
}
