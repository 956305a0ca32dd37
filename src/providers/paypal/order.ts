import { cutText } from '../../domain/cut-text.ts'
import { fiatAssetId } from '../../domain/fiat.ts'
import { evidenceOf, idempotencyKeyOf, isObject, type JsonObject } from '../answer.ts'
import type { Mode } from '../own-account.ts'
import {
  type Charge,
  type ChargeRequest,
  type ProviderAttempt,
  ProviderError,
  type ProviderPayment,
} from '../port.ts'
import { type CallApi, isRefusedFor, malformed, PayPalRefusal } from './api.ts'
import { type Credentials, isId, own } from './credentials.ts'
import { check, fetchOrder, ordersPath, rowsOf, unitOf } from './fetch-order.ts'
import { fetchDisputes, refundsOf } from './reversals.ts'
import { readSum, toPayPal } from './sums.ts'

const TITLE_MAX = 127

const locales = new Map<string, string>([
  ['zh-Hans', 'zh-CN'],
  ['zh-Hant', 'zh-TW'],
  ...[
    ...'ar-EG cs-CZ da-DK de-DE el-GR en-US es-ES fi-FI fr-FR he-IL hu-HU id-ID it-IT ja-JP'.split(' '),
    ...'ko-KR nl-NL no-NO pl-PL pt-BR ru-RU sk-SK sv-SE th-TH'.split(' '),
  ].map((tag): [string, string] => [tag === 'pt-BR' ? tag : tag.slice(0, 2), tag]),
])

/** The URL of the page on which a buyer approves a payment. */
export function pageOf({ links }: JsonObject): string {
  const link = (Array.isArray(links) ? links : []).find(
    one => isObject(one) && (one.rel === 'payer-action' || one.rel === 'approve'),
  )
  if (isObject(link) && typeof link.href === 'string' && URL.canParse(link.href)) return link.href
  throw malformed('an order has no page')
}

/** The mode of a page of PayPal's; null for a page on another host, such as a test server. */
export function modeOf(page: string): Mode | null {
  const { hostname } = new URL(page)
  if (!/(^|\.)paypal\.com$/.test(hostname)) return null
  return /(^|\.)sandbox\.paypal\.com$/.test(hostname) ? 'test' : 'live'
}

export async function openOrder(call: CallApi, mode: Mode, request: ChargeRequest): Promise<Charge> {
  const { attemptId, currency, title, language, returnUrl, cancelUrl } = request
  const { account, ...keys } = own.of(request.credentials)
  const amount = toPayPal(request.amount, currency)
  if (amount === null)
    throw new ProviderError('refused', `PayPal cannot charge ${request.amount} ${currency} exactly.`)
  const locale = locales.get(language)
  const page = {
    ...{ return_url: returnUrl, cancel_url: cancelUrl, user_action: 'PAY_NOW' },
    shipping_preference: 'NO_SHIPPING',
    ...(locale && { locale }),
  }
  const body = {
    intent: 'CAPTURE',
    purchase_units: [{ custom_id: attemptId, description: cutText(title, TITLE_MAX), amount }],
    payment_source: { paypal: { experience_context: page } },
  }
  const requestId = idempotencyKeyOf(attemptId, body)
  const order = await call({ keys, method: 'POST', path: ordersPath, body, requestId })
  if (!isId(order.id)) throw malformed('an order has no ID')
  if (unitOf(order).custom_id !== attemptId) throw malformed('an order of another payment')
  const url = pageOf(order)
  // The URL of the API may have changed since the account was connected.
  if ((modeOf(url) ?? mode) !== mode) throw new ProviderError('refused', 'the account has another mode')
  return { url, reference: order.id, account }
}

/**
 * Looks up the state of a payment. Only this proves anything: webhooks only name an order. First captures the
 * payment if the buyer has approved it and it is still wanted, because PayPal moves no money before that.
 */
export async function lookUpOrder(call: CallApi, attempt: ProviderAttempt): Promise<ProviderPayment[]> {
  const order = await fetchOrder(call, attempt)
  if (order === null) return lookUpForgotten(call, attempt)
  if (order.status !== 'APPROVED') return read(call, attempt, order)
  if (!(await attempt.charge?.isWanted())) return []
  if ((await take(call, attempt, order)) === 'declined') return [expired(attempt, order)]
  const taken = await fetchOrder(call, attempt)
  return taken === null ? [] : read(call, attempt, taken)
}

/**
 * Looks up an order that nobody should pay any more. If it was not paid, it counts as expired, and is never
 * captured.
 */
export async function closeOrder(call: CallApi, attempt: ProviderAttempt): Promise<ProviderPayment[]> {
  const payments = await lookUpOrder(call, attempt)
  return payments.length > 0 ? payments : [expired(attempt, {})]
}

/**
 * Captures an approved payment. An order is captured at most once, because PayPal refuses a second capture.
 * Returns `waits` if the buyer has to do something first.
 */
async function take(
  call: CallApi,
  attempt: ProviderAttempt,
  { id, update_time: approvedAt }: JsonObject,
): Promise<'taken' | 'waits' | 'declined'> {
  const path = `${ordersPath}/${id}/capture`
  // The ID differs after another approval; otherwise PayPal would repeat its answer to an earlier request.
  const requestId = idempotencyKeyOf(`${attempt.charge?.attemptId}-capture`, { approvedAt })
  try {
    await call({ keys: own.at(attempt), method: 'POST', path, body: {}, requestId })
    return 'taken'
  } catch (error) {
    if (!(error instanceof PayPalRefusal) || error.status !== 422) throw error
    if (isRefusedFor(error, 'ORDER_ALREADY_CAPTURED')) return 'taken'
    return isRefusedFor(error, 'ORDER_NOT_APPROVED', 'PAYER_ACTION_REQUIRED') ? 'waits' : 'declined'
  }
}

/**
 * Looks up the payment of an order that PayPal has forgotten. Such an order was not paid, unless its payment
 * is known, which PayPal still returns.
 */
async function lookUpForgotten(call: CallApi, attempt: ProviderAttempt): Promise<ProviderPayment[]> {
  const paymentId = (await attempt.charge?.paymentId()) ?? null
  if (!isId(paymentId)) return [expired(attempt, {})]
  const capture = await call({
    keys: own.at(attempt),
    method: 'GET',
    path: `/v2/payments/captures/${paymentId}`,
  })
  if (capture.id !== paymentId) throw malformed('another capture')
  check(capture, attempt)
  return [paymentOf(capture, { id: attempt.reference })]
}

/** The report of a payment that nobody made. A new page can be opened for it. */
const expired = ({ assetId }: ProviderAttempt, order: JsonObject): ProviderPayment => ({
  ...{ status: 'expired', amount: '0', assetId, proof: 'status_lookup', txIn: null, txOut: null },
  evidence: evidenceOf({ order: order.id, status: order.status }),
})

const states: Record<string, ProviderPayment['status']> = {
  COMPLETED: 'settled',
  PARTIALLY_REFUNDED: 'settled',
  REFUNDED: 'settled',
  PENDING: 'pending',
  // The buyer can pay again, on a new page.
  DECLINED: 'expired',
  FAILED: 'expired',
}
/** The statuses in the order in which they count. After a refusal, an order can have several captures. */
const ranks: ProviderPayment['status'][] = ['settled', 'pending', 'expired']

async function read(call: CallApi, attempt: ProviderAttempt, order: JsonObject): Promise<ProviderPayment[]> {
  if (order.status === 'VOIDED') return [expired(attempt, order)]
  const unit = unitOf(order)
  const payments = rowsOf(unit, 'captures').map(capture => paymentOf(capture, order))
  const payment = ranks.flatMap(rank => payments.find(({ status }) => status === rank) ?? [])[0]
  if (!payment) {
    if (order.status === 'COMPLETED') throw malformed('an order without its payment')
    return []
  }
  if (payment.status !== 'settled') return [payment]
  const reversals = [
    ...refundsOf(rowsOf(unit, 'refunds')),
    ...(await disputesOf(call, own.at(attempt), { attempt, payment })),
  ]
  return [{ ...payment, ...(reversals.length > 0 && { reversals }) }]
}

/**
 * The disputes of a payment. They are only fetched for a payment that was reported before: one that was just
 * made has no disputes, and its buyer waits.
 */
const disputesOf = async (
  call: CallApi,
  keys: Credentials,
  { attempt: { charge }, payment: { txIn } }: { attempt: ProviderAttempt; payment: ProviderPayment },
) => (txIn !== null && (await charge?.paymentId()) === txIn ? fetchDisputes(call, keys, txIn) : [])

function paymentOf(capture: JsonObject, order: JsonObject): ProviderPayment {
  const [sum, status] = [readSum(capture.amount), states[String(capture.status)]]
  if (!isId(capture.id) || sum === null || status === undefined) throw malformed('a capture')
  const facts = { order: order.id, status: order.status, capture: capture.id, captureStatus: capture.status }
  return {
    ...{ status, amount: sum.amount, assetId: fiatAssetId(sum.currency), proof: 'status_lookup' },
    ...{ txIn: capture.id, txOut: null },
    evidence: evidenceOf({ ...facts, amount: sum.amount, currency: sum.currency, at: capture.create_time }),
  }
}
