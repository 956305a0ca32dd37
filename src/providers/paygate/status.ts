import { fromUnitsShort } from '../../domain/money.ts'
import type { ProviderAttempt, ProviderPayment } from '../port.ts'
import { type CallApi, unavailable } from './api.ts'
import { assetOf } from './coins.ts'
import { formatDecimal, parseDecimal } from './decimal.ts'
import type { JsonObject } from './json.ts'

/** The statuses of a payment that has failed for good. */
const failures = new Set(['failed', 'expired', 'canceled', 'cancelled'])

export const isFailure = (status: string): boolean => failures.has(status.toLowerCase())

const amountPattern = /^([0-9]{1,30})(?:[.]([0-9]{1,30}))?$/

/** A positive number of whole coins, without unnecessary zeros; null for any other string. */
export function parseCoinAmount(text: string): string | null {
  const match = amountPattern.exec(text)
  if (!match) return null
  const [, whole, fraction = ''] = match
  const units = BigInt(`${whole}${fraction}`)
  return units === 0n ? null : fromUnitsShort(units, fraction.length)
}

const txIdPattern = /^[A-Za-z0-9_:.+/=-]{1,200}$/
const hexPattern = /^0x[0-9a-f]+$/i

/** A transaction ID in one spelling, so that duplicates are found; null if it is malformed. */
export function parseTxId(text: string): string | null {
  if (!txIdPattern.test(text)) return null
  return hexPattern.test(text) ? text.toLowerCase() : text
}

/** Fetches the current state of a payment; empty while the payment is unpaid. */
export async function lookup(callApi: CallApi, attempt: ProviderAttempt): Promise<ProviderPayment[]> {
  const response = await callApi('/control/payment-status.php', { ipn_token: attempt.reference })
  const status = typeof response.status === 'string' ? response.status.toLowerCase() : ''
  if (status === 'unpaid') return []
  if (status === 'paid') return [parsePaid(response)]
  if (isFailure(status)) return [failedPayment(attempt.assetId, status)]
  throw unavailable('The gateway answered with an unknown status.')
}

const stringOf = (response: JsonObject, name: string): string => {
  const value = response[name]
  return typeof value === 'string' ? value : ''
}

function parsePaid(response: JsonObject): ProviderPayment {
  const number = parseDecimal(stringOf(response, 'value_coin'))
  const amount = number && parseCoinAmount(formatDecimal(number))
  const assetId = assetOf(stringOf(response, 'coin'))
  const txOut = parseTxId(stringOf(response, 'txid_out'))
  if (amount === null || assetId === null || txOut === null) {
    throw unavailable('The gateway reported a payment without its amount, coin or transaction.')
  }
  const proof = 'status_lookup'
  const names = ['status', 'value_coin', 'coin', 'txid_out']
  const answer = Object.fromEntries(names.map(name => [name, stringOf(response, name)]))
  const evidence = { proof, answer }
  return { status: 'settled', proof, txIn: null, txOut, assetId, amount, evidence }
}

const failedPayment = (assetId: string, status: string): ProviderPayment => ({
  status: 'failed',
  proof: 'status_lookup',
  txIn: null,
  txOut: null,
  assetId,
  amount: '0',
  evidence: { proof: 'status_lookup', answer: { status } },
})
