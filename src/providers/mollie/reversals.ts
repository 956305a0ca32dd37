import type { ReversalStatus } from '../../domain/reversal.ts'
import { isObject, type JsonObject } from '../answer.ts'
import { type ChargeRefund, ProviderError, type ProviderReversal } from '../port.ts'
import type { CallApi } from './api.ts'
import { isId, own } from './credentials.ts'
import { readSum } from './sums.ts'

type Status = Exclude<ReversalStatus, 'asked'>

const refundStatuses = new Map<unknown, Status>([
  ['queued', 'pending'],
  ['pending', 'pending'],
  ['processing', 'pending'],
  ['refunded', 'succeeded'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
])

const malformed = (): ProviderError =>
  new ProviderError(
    'unavailable',
    'Mollie answered with a refund or chargeback that cannot be read.',
    'malformed',
  )

function toRefund(row: unknown): ProviderReversal {
  if (!isObject(row)) throw malformed()
  const [sum, status] = [readSum(row.amount), refundStatuses.get(row.status)]
  if (sum === null || status === undefined || !isId('re', row.id)) throw malformed()
  const asked = isObject(row.metadata) ? row.metadata.florin_refund : null
  return {
    ...sum,
    reference: row.id,
    kind: 'refund',
    status,
    refundId: typeof asked === 'string' ? asked : null,
  }
}

/** A chargeback takes the money at once. It comes back if it is reversed. */
function toDispute(row: unknown): ProviderReversal {
  if (!isObject(row)) throw malformed()
  const sum = readSum(row.amount)
  if (sum === null || !isId('chb', row.id)) throw malformed()
  const status = row.reversedAt ? 'failed' : 'succeeded'
  return { ...sum, reference: row.id, kind: 'dispute', status, refundId: null }
}

const rowsIn = (embedded: unknown, name: string): unknown[] => {
  const rows = isObject(embedded) ? embedded[name] : undefined
  return Array.isArray(rows) ? rows : []
}

/** The refunds and chargebacks that a payment embeds. */
export const toReversals = ({ _embedded: embedded }: JsonObject): ProviderReversal[] => [
  ...rowsIn(embedded, 'refunds').map(toRefund),
  ...rowsIn(embedded, 'chargebacks').map(toDispute),
]

/**
 * Refunds a part of a payment or all of it. A repeated request returns the first refund, also after the hour
 * for which Mollie remembers its idempotency key.
 */
export async function sendRefund(call: CallApi, refund: ChargeRefund): Promise<ProviderReversal> {
  const { refundId, reference, attempt, paymentId, amount: value, currency, reason } = refund
  const { key } = own.at(attempt, 'refused')
  if (!isId('tr', paymentId)) throw new ProviderError('refused', 'this is no payment at Mollie')
  const path = `/payments/${paymentId}`
  const known = toReversals(await call({ key, method: 'GET', path: `${path}?embed=refunds` }))
  const made = known.find(one => one.refundId === refundId || one.reference === reference)
  if (made) return made
  if (reference !== null) throw new ProviderError('unavailable', 'Mollie does not list the refund any more')
  const row = await call({
    key,
    method: 'POST',
    path: `${path}/refunds`,
    body: { amount: { value, currency }, description: reason, metadata: { florin_refund: refundId } },
    idempotencyKey: refundId,
  })
  return toRefund(row)
}
