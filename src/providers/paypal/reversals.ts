import type { ReversalStatus } from '../../domain/reversal.ts'
import { isObject, type JsonObject } from '../answer.ts'
import { type ChargeRefund, ProviderError, type ProviderReversal } from '../port.ts'
import { type CallApi, malformed, PayPalRefusal } from './api.ts'
import { isId, type Keys, own } from './credentials.ts'
import { fetchOrder, rowsOf, unitOf } from './fetch-order.ts'
import { readSum, toPayPal } from './sums.ts'

type Status = Exclude<ReversalStatus, 'asked'>

const refundStatuses = new Map<unknown, Status>([
  ['PENDING', 'pending'],
  ['COMPLETED', 'succeeded'],
  ['FAILED', 'failed'],
  ['CANCELLED', 'failed'],
])

/** Of a dispute that was decided: the merchant pays, or it stays as it is. */
const lost = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED']

const NOTE_MAX = 255

function toRefund(row: JsonObject): ProviderReversal {
  const [sum, status] = [readSum(row.amount), refundStatuses.get(row.status)]
  if (sum === null || status === undefined || !isId(row.id)) throw malformed('a refund')
  const asked = typeof row.custom_id === 'string' ? row.custom_id : null
  return { ...sum, reference: row.id, kind: 'refund', status, refundId: asked }
}

export const refundsOf = (rows: JsonObject[]): ProviderReversal[] => rows.map(toRefund)

function toDispute(row: JsonObject): ProviderReversal {
  const sum = readSum(row.dispute_amount)
  if (sum === null || !isId(row.dispute_id)) throw malformed('a dispute')
  const outcome = isObject(row.dispute_outcome) ? String(row.dispute_outcome.outcome_code) : ''
  const decided = lost.includes(outcome) ? 'succeeded' : 'failed'
  const status = row.status === 'RESOLVED' ? decided : 'pending'
  return { ...sum, reference: row.dispute_id, kind: 'dispute', status, refundId: null }
}

const disputesPath = '/v1/customer/disputes'

/** The disputes of a payment. An app without the right to read them finds none. */
export async function fetchDisputes(
  call: CallApi,
  keys: Keys,
  paymentId: string,
): Promise<ProviderReversal[]> {
  try {
    const path = `${disputesPath}?disputed_transaction_id=${paymentId}`
    const { items } = await call({ keys, method: 'GET', path })
    const ids = (Array.isArray(items) ? items : []).flatMap(one => (isObject(one) ? [one.dispute_id] : []))
    // Only a dispute alone says how it was decided.
    const rows = ids
      .filter(isId)
      .map(id => call({ keys, method: 'GET', path: `${disputesPath}/${id}` }).then(toDispute))
    return await Promise.all(rows)
  } catch (error) {
    if (error instanceof PayPalRefusal && (error.status === 403 || error.status === 404)) return []
    throw error
  }
}

/**
 * Refunds a part of a payment or all of it. A repeated request returns the first refund, also after the weeks
 * for which PayPal remembers the request.
 */
export async function sendRefund(call: CallApi, refund: ChargeRefund): Promise<ProviderReversal> {
  const { refundId, reference, attempt, paymentId, currency, reason } = refund
  const keys = own.at(attempt, 'refused')
  const amount = toPayPal(refund.amount, currency)
  if (amount === null || !isId(paymentId))
    throw new ProviderError('refused', `PayPal cannot refund ${refund.amount} ${currency} of this payment.`)
  if (isId(reference)) {
    return toRefund(await call({ keys, method: 'GET', path: `/v2/payments/refunds/${reference}` }))
  }
  const order = await fetchOrder(call, attempt)
  const refunds = order === null ? [] : refundsOf(rowsOf(unitOf(order), 'refunds'))
  const known = refunds.find(one => one.refundId === refundId)
  if (known) return known
  const row = await call({
    keys,
    method: 'POST',
    path: `/v2/payments/captures/${paymentId}/refund`,
    body: { amount, custom_id: refundId, ...(reason && { note_to_payer: reason.slice(0, NOTE_MAX) }) },
    requestId: refundId,
  })
  return toRefund(row)
}
