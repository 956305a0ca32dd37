import { cutText } from '../../domain/cut-text.ts'
import type { Json } from '../../domain/metadata.ts'
import type { ReversalStatus } from '../../domain/reversal.ts'
import { isObject, type JsonObject } from '../answer.ts'
import { type ChargeRefund, type PaymentReversal, ProviderError, type ProviderReversal } from '../port.ts'
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

/**
 * The outcomes of a dispute after which the merchant pays. After any other outcome, the money stays with the
 * merchant.
 */
const lost = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED']

const NOTE_MAX = 255

/**
 * The form of Florin's IDs of refunds. A refund that was made at PayPal may have the ID of its payment
 * instead.
 */
const refundIdFormat = /^([0-9a-f]{64}|unmatched-[0-9a-f-]{36})$/
const refundIdIn = (custom: unknown): string | null =>
  typeof custom === 'string' && refundIdFormat.test(custom) ? custom : null

function toRefund(row: JsonObject): ProviderReversal {
  const [sum, status] = [readSum(row.amount), refundStatuses.get(row.status)]
  if (sum === null || status === undefined || !isId(row.id)) throw malformed('a refund')
  return { ...sum, reference: row.id, kind: 'refund', status, refundId: refundIdIn(row.custom_id) }
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
/** The longest time whose transactions PayPal searches at once: 31 days. */
const SEARCH_MS = 31 * 24 * 3600_000
const PAGES_MAX = 40

const objectsIn = (rows: unknown): JsonObject[] => (Array.isArray(rows) ? rows.filter(isObject) : [])

/** The result of calls that an app may lack the right to make. Without the right, the result is empty. */
async function ifAllowed<T>(calls: () => Promise<T[]>): Promise<T[]> {
  try {
    return await calls()
  } catch (error) {
    if (error instanceof PayPalRefusal && (error.status === 403 || error.status === 404)) return []
    throw error
  }
}

/**
 * The place where the next page of a list begins; null after the last page. Nothing else of the link is used.
 */
function nextIn({ links }: JsonObject): string | null {
  const href = objectsIn(links).find(({ rel }) => rel === 'next')?.href
  return typeof href === 'string' && URL.canParse(href)
    ? new URL(href).searchParams.get('next_page_token')
    : null
}

/**
 * The disputes that a filter finds. The list does not say how they were decided and which payments they are
 * about, so each is read.
 */
const findDisputes = (call: CallApi, keys: Keys, filter: Record<string, string>): Promise<JsonObject[]> =>
  ifAllowed(async () => {
    const found: JsonObject[] = []
    let next: string | null = ''
    for (let page = 0; page < PAGES_MAX && next !== null; page++) {
      const query = new URLSearchParams({ ...filter, ...(next && { next_page_token: next }) })
      const answer = await call({ keys, method: 'GET', path: `${disputesPath}?${query}` })
      for (const { dispute_id: id } of objectsIn(answer.items)) {
        if (isId(id)) found.push(await call({ keys, method: 'GET', path: `${disputesPath}/${id}` }))
      }
      next = nextIn(answer)
    }
    return found
  })

/** The disputes of a payment. */
export const fetchDisputes = async (call: CallApi, keys: Keys, paymentId: string) =>
  (await findDisputes(call, keys, { disputed_transaction_id: paymentId })).map(toDispute)

/** The code of refunds among the transactions of an account. */
const REFUND_CODE = 'T1107'
const transactionStatuses = new Map<unknown, Status>([
  ['S', 'succeeded'],
  ['P', 'pending'],
  ['D', 'failed'],
  ['V', 'failed'],
])
/** A refund that is a transaction of the account; null if it cannot be read. */
function readTransaction({ transaction_info: info }: JsonObject): PaymentReversal | null {
  if (!isObject(info) || !isObject(info.transaction_amount)) return null
  const { transaction_id: reference, paypal_reference_id: paymentId, custom_field: custom } = info
  const { currency_code: currency, value } = info.transaction_amount
  const sum = readSum({ currency_code: currency, value: String(value).replace(/^-/, '') })
  const status = transactionStatuses.get(info.transaction_status)
  if (sum === null || status === undefined || !isId(reference) || !isId(paymentId)) return null
  return { ...sum, reference, kind: 'refund', status, refundId: refundIdIn(custom), paymentId }
}

/** The refunds of an account between two times. */
async function listRefunds(call: CallApi, keys: Keys, from: number, to: number): Promise<PaymentReversal[]> {
  const found: PaymentReversal[] = []
  const filter = {
    ...{ transaction_type: REFUND_CODE, fields: 'transaction_info', page_size: '500' },
    ...{ start_date: new Date(from).toISOString(), end_date: new Date(to).toISOString() },
  }
  for (let page = 1, pages = 1; page <= Math.min(pages, PAGES_MAX); page++) {
    const query = new URLSearchParams({ ...filter, page: String(page) })
    const answer = await call({ keys, method: 'GET', path: `/v1/reporting/transactions?${query}` })
    found.push(...objectsIn(answer.transaction_details).flatMap(row => readTransaction(row) ?? []))
    pages = Number(answer.total_pages) || 1
  }
  return found
}

/** A dispute with the payment that it is about; null if it cannot be read. */
function readDispute(row: JsonObject): PaymentReversal | null {
  const [transaction] = objectsIn(row.disputed_transactions)
  const paymentId = transaction?.seller_transaction_id
  if (!isId(paymentId) || readSum(row.dispute_amount) === null) return null
  return { ...toDispute(row), paymentId }
}

/**
 * The refunds and disputes of an account between two times, including those of payments that are not
 * Florin's.
 */
export async function listReversals(
  call: CallApi,
  credentials: Json,
  { from, to }: { from: number; to: number },
): Promise<PaymentReversal[]> {
  const keys = own.of(credentials)
  const refunds = await ifAllowed(async () => {
    const found: PaymentReversal[] = []
    for (let at = from; at < to; at += SEARCH_MS)
      found.push(...(await listRefunds(call, keys, at, Math.min(at + SEARCH_MS, to))))
    return found
  })
  const disputes = await findDisputes(call, keys, { start_time: new Date(from).toISOString() })
  return [...refunds, ...disputes.flatMap(row => readDispute(row) ?? [])]
}

/**
 * Refunds a part of a payment or all of it. A repeated request returns the first refund, even after the weeks
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
    body: { amount, custom_id: refundId, ...(reason && { note_to_payer: cutText(reason, NOTE_MAX) }) },
    requestId: refundId,
  })
  return toRefund(row)
}
