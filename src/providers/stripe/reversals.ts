import type { Json } from '../../domain/metadata.ts'
import type { ReversalStatus } from '../../domain/reversal.ts'
import { isObject, type JsonObject } from '../answer.ts'
import { type ChargeRefund, type PaymentReversal, ProviderError, type ProviderReversal } from '../port.ts'
import { fromStripe, toStripe } from './amounts.ts'
import type { CallApi, Params } from './api.ts'
import { isId, own } from './credentials.ts'

type Status = Exclude<ReversalStatus, 'asked'>

const refundStatuses = new Map<unknown, Status>([
  ['pending', 'pending'],
  ['requires_action', 'pending'],
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
])

/**
 * The statuses of decided disputes. A dispute takes the money at once; the money comes back if the dispute is
 * won.
 */
const disputeStatuses = new Map<unknown, Status>([
  ['lost', 'succeeded'],
  ['won', 'failed'],
  ['prevented', 'failed'],
  ['warning_closed', 'failed'],
])

/** Max pages of a list, which have a hundred rows each. */
const PAGES_MAX = 50

const malformed = (): ProviderError =>
  new ProviderError(
    'unavailable',
    'Stripe answered with a refund or dispute that cannot be read.',
    'malformed',
  )

function readReversal(row: unknown, kind: ProviderReversal['kind']): ProviderReversal | null {
  if (!isObject(row)) return null
  const sum = fromStripe(row.amount, row.currency)
  const isRefund = kind === 'refund'
  const status = isRefund ? refundStatuses.get(row.status) : (disputeStatuses.get(row.status) ?? 'pending')
  if (sum === null || status === undefined || typeof row.id !== 'string') return null
  const asked = isRefund && isObject(row.metadata) ? row.metadata.florin_refund : null
  return { ...sum, reference: row.id, kind, status, refundId: typeof asked === 'string' ? asked : null }
}

function toReversal(row: unknown, kind: ProviderReversal['kind']): ProviderReversal {
  const reversal = readReversal(row, kind)
  if (reversal === null) throw malformed()
  return reversal
}

async function listPage(call: CallApi, key: string, path: string, params: Params) {
  const page = await call({ key, method: 'GET', path, params: { ...params, limit: '100' } })
  if (!Array.isArray(page.data)) throw malformed()
  return { rows: page.data as unknown[], hasMore: page.has_more === true }
}

const list = async (call: CallApi, key: string, path: string, intent: string): Promise<unknown[]> =>
  (await listPage(call, key, path, { payment_intent: intent })).rows

/** All rows of a list since a time, the newest first. */
async function listSince(call: CallApi, key: string, path: string, since: number): Promise<unknown[]> {
  const found: unknown[] = []
  const created = { 'created[gte]': String(Math.floor(since / 1000)) }
  let after: Params = {}
  for (let page = 0; page < PAGES_MAX; page++) {
    const { rows, hasMore } = await listPage(call, key, path, { ...created, ...after })
    found.push(...rows)
    const last = rows.at(-1)
    if (!hasMore || !isObject(last) || typeof last.id !== 'string') break
    after = { starting_after: last.id }
  }
  return found
}

/** The refunds and disputes of an account since a time, including those of payments that are not Florin's. */
export async function listReversals(
  call: CallApi,
  credentials: Json,
  since: number,
): Promise<PaymentReversal[]> {
  const { key } = own.of(credentials)
  const kinds = { refund: '/v1/refunds', dispute: '/v1/disputes' } as const
  const found: PaymentReversal[] = []
  for (const kind of ['refund', 'dispute'] as const) {
    for (const row of await listSince(call, key, kinds[kind], since)) {
      const paymentId = isObject(row) ? row.payment_intent : null
      const reversal = readReversal(row, kind)
      if (reversal && isId('pi', paymentId)) found.push({ ...reversal, paymentId })
    }
  }
  return found
}

/**
 * The refunds and disputes of a payment. They are only fetched if the payment's charge says that there are
 * any, or after an event about them, because a charge does not show refunds that failed.
 */
export async function fetchReversals(
  call: CallApi,
  key: string,
  { intent, isAsked }: { intent: JsonObject; isAsked: boolean },
): Promise<ProviderReversal[]> {
  const charge = isObject(intent.latest_charge) ? intent.latest_charge : {}
  const id = String(intent.id)
  const [refunds, disputes] = await Promise.all([
    charge.amount_refunded === 0 && !isAsked ? [] : list(call, key, '/v1/refunds', id),
    charge.disputed === true ? list(call, key, '/v1/disputes', id) : [],
  ])
  return [
    ...refunds.map(row => toReversal(row, 'refund')),
    ...disputes.map(row => toReversal(row, 'dispute')),
  ]
}

/**
 * Refunds a part of a payment or all of it. A repeated request returns the first refund, even after the day
 * for which Stripe remembers its idempotency key.
 */
export async function sendRefund(call: CallApi, refund: ChargeRefund): Promise<ProviderReversal> {
  const { refundId, reference, attempt, paymentId, amount, currency } = refund
  const { key } = own.at(attempt, 'refused')
  const units = toStripe(amount, currency)
  if (units === null || !isId('pi', paymentId)) {
    throw new ProviderError('refused', `Stripe cannot refund ${amount} ${currency} of this payment.`)
  }
  const path = '/v1/refunds'
  if (isId('re', reference)) {
    return toReversal(await call({ key, method: 'GET', path: `${path}/${reference}` }), 'refund')
  }
  const known = (await list(call, key, path, paymentId)).map(one => toReversal(one, 'refund'))
  const made = known.find(one => one.refundId === refundId)
  if (made) return made
  const row = await call({
    key,
    method: 'POST',
    path,
    params: {
      payment_intent: paymentId,
      amount: units,
      reason: 'requested_by_customer',
      'metadata[florin_refund]': refundId,
    },
    idempotencyKey: refundId,
  })
  return toReversal(row, 'refund')
}
