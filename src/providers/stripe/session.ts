import { isUnreachable } from '../../domain/buyer-mail.ts'
import { cutText } from '../../domain/cut-text.ts'
import { fiatAssetId } from '../../domain/fiat.ts'
import { evidenceOf, idempotencyKeyOf, isObject, type JsonObject } from '../answer.ts'
import {
  type Charge,
  type ChargeRequest,
  type ProviderAttempt,
  ProviderError,
  type ProviderPayment,
} from '../port.ts'
import { fromStripe, toStripe } from './amounts.ts'
import { type CallApi, type Params, StripeRefusal } from './api.ts'
import { isId, modeOf, own } from './credentials.ts'
import { fetchReversals } from './reversals.ts'

const MINUTE_MS = 60_000
const TITLE_MAX = 250
/** The shortest and the longest life of a session, each with a margin for clocks that differ. */
const LIFE_MIN_MS = 31 * MINUTE_MS
const LIFE_MAX_MS = 23 * 60 * MINUTE_MS
/**
 * The time within which repeated tries ask for the same end of a session. Stripe then opens the same session
 * again, because the requests are equal.
 */
const SAME_MS = 20 * MINUTE_MS

const locales = new Map([
  ['zh-Hans', 'zh'],
  ['zh-Hant', 'zh-TW'],
  ...['de', 'en', 'es', 'fr', 'id', 'it', 'ja', 'ko', 'nl', 'pl', 'pt-BR', 'ru', 'th', 'tr', 'vi'].map(
    (tag): [string, string] => [tag, tag],
  ),
])

/**
 * The end of a session, which is the end of the order as far as Stripe allows. If needed, Florin closes the
 * session earlier.
 */
function endOf({ startedAt, expiresAt }: ChargeRequest, now: number): number {
  const from = now - startedAt < SAME_MS ? startedAt + SAME_MS : now
  return Math.min(Math.max(expiresAt, from + LIFE_MIN_MS), from + LIFE_MAX_MS - SAME_MS)
}

function paramsOf(request: ChargeRequest, units: string, endsAt: number): Params {
  const { attemptId, currency, title, email, language, returnUrl, cancelUrl } = request
  return {
    mode: 'payment',
    ui_mode: 'hosted_page',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': currency.toLowerCase(),
    'line_items[0][price_data][unit_amount]': units,
    'line_items[0][price_data][product_data][name]': cutText(title, TITLE_MAX),
    client_reference_id: attemptId,
    'metadata[florin_attempt]': attemptId,
    'payment_intent_data[metadata][florin_attempt]': attemptId,
    // Buyers cannot change an address that is given here.
    ...(!isUnreachable(email) && { customer_email: email }),
    locale: locales.get(language) ?? 'auto',
    success_url: returnUrl,
    cancel_url: cancelUrl,
    expires_at: String(Math.floor(endsAt / 1000)),
    'adaptive_pricing[enabled]': 'false',
  }
}

export async function openSession(call: CallApi, request: ChargeRequest, now: number): Promise<Charge> {
  const { attemptId, amount, currency } = request
  const { key, account } = own.of(request.credentials)
  const units = toStripe(amount, currency)
  if (units === null)
    throw new ProviderError('refused', `Stripe cannot charge ${amount} ${currency} exactly.`)
  const params = paramsOf(request, units, endOf(request, now))
  const idempotencyKey = idempotencyKeyOf(attemptId, params)
  const session = await call({ key, method: 'POST', path: '/v1/checkout/sessions', params, idempotencyKey })
  const { id, url } = session
  check(session, { id: attemptId, reference: id, key })
  if (typeof url !== 'string' || !URL.canParse(url)) throw malformed('it has no page')
  return { url, reference: String(id), account }
}

const malformed = (why: string): ProviderError =>
  new ProviderError('unavailable', `Stripe answered with a session that cannot be used: ${why}.`, 'malformed')

/** Throws unless a session belongs to this attempt, and has the mode of the key. */
function check(session: JsonObject, of: { id: unknown; reference: unknown; key: string }): void {
  if (!isId('cs', session.id) || session.id !== of.reference) throw malformed('it has another ID')
  if (session.client_reference_id !== of.id) throw malformed('it is of another payment')
  if (session.livemode !== (modeOf(of.key) === 'live')) throw malformed('it has another mode')
}

const pathOf = (reference: string): string => {
  if (!isId('cs', reference)) throw new ProviderError('refused', 'the reference is no session')
  return `/v1/checkout/sessions/${reference}`
}

/**
 * Expires a session. Stripe refuses this for a session that is complete or expired already; a look-up shows
 * which.
 */
export async function closeSession(call: CallApi, attempt: ProviderAttempt): Promise<void> {
  const [{ key }, path] = [own.at(attempt), `${pathOf(attempt.reference)}/expire`]
  try {
    await call({ key, method: 'POST', path })
  } catch (error) {
    if (!(error instanceof StripeRefusal) || error.status !== 400) throw error
  }
}

/** Looks up the payment of a session. Only this proves anything: events may be old, or out of order. */
export async function lookUpSession(
  call: CallApi,
  attempt: ProviderAttempt,
  isAboutReversals = false,
): Promise<ProviderPayment[]> {
  const { reference } = attempt
  const { key } = own.at(attempt)
  const params = { 'expand[]': 'payment_intent.latest_charge' }
  const session = await call({ key, method: 'GET', path: pathOf(reference), params })
  check(session, { id: attempt.charge?.attemptId, reference, key })
  const { status, payment_status: paid, payment_intent: intent } = session
  const sum = fromStripe(session.amount_total, session.currency)
  if (sum === null) throw malformed('its amount')
  const report = (state: ProviderPayment['status'], amount = '0', currency = sum.currency) => ({
    status: state,
    proof: 'status_lookup' as const,
    txIn: isObject(intent) && isId('pi', intent.id) ? intent.id : null,
    txOut: null,
    assetId: fiatAssetId(currency),
    amount,
    evidence: evidenceOf(factsOf(session)),
  })
  if (status === 'expired') return [report('expired')]
  if (status !== 'complete') return []
  if (!isObject(intent) || !isId('pi', intent.id)) throw malformed('it has no payment')
  if (paid !== 'paid') return [isFailed(intent) ? report('failed') : report('pending', sum.amount)]
  const received = fromStripe(intent.amount_received, intent.currency)
  if (received === null || intent.status !== 'succeeded') throw malformed('its payment has not succeeded')
  const settled = report('settled', received.amount, received.currency)
  const reversals = await fetchReversals(call, key, { intent, isAsked: isAboutReversals })
  return [{ ...settled, ...(reversals.length > 0 && { reversals }) }]
}

/**
 * True if a payment has failed for good. After a debit was returned, the payment waits for another means,
 * which a complete session cannot take.
 */
const isFailed = ({ status }: JsonObject): boolean =>
  status === 'requires_payment_method' || status === 'canceled'

function factsOf(session: JsonObject): JsonObject {
  const { id, status, payment_status, amount_total, currency, livemode, payment_intent: intent } = session
  const of = isObject(intent) ? intent : {}
  return {
    ...{ session: id, status, payment_status, amount_total, currency, livemode },
    ...{ payment_intent: of.id, intent_status: of.status, amount_received: of.amount_received },
  }
}
