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
import type { CallApi } from './api.ts'
import { isId, modeOf, own } from './credentials.ts'
import { toReversals } from './reversals.ts'
import { readSum } from './sums.ts'

/** Max characters of a title. Some banks show fewer. */
const TITLE_MAX = 255

const locales = new Map(
  ['en_US', 'de_DE', 'nl_NL', 'fr_FR', 'es_ES', 'it_IT', 'pl_PL'].map(one => [one.slice(0, 2), one]),
).set('pt-BR', 'pt_PT')

export async function openPayment(call: CallApi, request: ChargeRequest): Promise<Charge> {
  const { attemptId, amount: value, currency, title, language, returnUrl, cancelUrl, callbackUrl } = request
  const { key, account } = own.of(request.credentials)
  const locale = locales.get(language)
  const body = {
    amount: { value, currency },
    description: cutText(title, TITLE_MAX),
    redirectUrl: returnUrl,
    cancelUrl,
    webhookUrl: callbackUrl,
    metadata: { florin_attempt: attemptId },
    ...(locale && { locale }),
  }
  const idempotencyKey = idempotencyKeyOf(attemptId, body)
  const payment = await call({ key, method: 'POST', path: '/payments', body, idempotencyKey })
  const { id } = payment
  if (!isId('tr', id)) throw malformed('it has no ID')
  check(payment, { id: attemptId, reference: id, account, key })
  const links = isObject(payment._links) ? payment._links : {}
  const { href } = isObject(links.checkout) ? links.checkout : {}
  if (typeof href !== 'string' || !URL.canParse(href)) throw malformed('it has no page')
  return { url: href, reference: id, account }
}

const malformed = (why: string): ProviderError =>
  new ProviderError('unavailable', `Mollie answered with a payment that cannot be used: ${why}.`, 'malformed')

interface Expected {
  /** ID of the attempt */
  id: string | undefined
  reference: string
  account: string
  key: string
}

/** Throws unless a payment belongs to this attempt and this profile, and has the mode of the key. */
function check({ id, metadata, profileId, mode }: JsonObject, of: Expected): void {
  if (id !== of.reference) throw malformed('it has another ID')
  const attemptId = isObject(metadata) ? metadata.florin_attempt : undefined
  if (of.id === undefined || attemptId !== of.id) throw malformed('it is another payment')
  if (profileId !== of.account) throw malformed('it belongs to another account')
  if (mode !== modeOf(of.key)) throw malformed('it has another mode')
}

/** The statuses of a payment that was not made. Its page can be replaced by a new one. */
const ended = ['canceled', 'expired', 'failed']
/**
 * The statuses of a payment that may still succeed. `authorized` is a promise to pay later, which the
 * merchant has to collect.
 */
const running = ['pending', 'authorized']

/** Looks up the state of a payment. Only this proves anything: webhooks name a payment, and say no more. */
export async function lookUpPayment(call: CallApi, attempt: ProviderAttempt): Promise<ProviderPayment[]> {
  const { reference, charge } = attempt
  const { key } = own.at(attempt)
  if (!isId('tr', reference)) throw new ProviderError('refused', 'the reference is no payment')
  const path = `/payments/${reference}?embed=refunds,chargebacks`
  const payment = await call({ key, method: 'GET', path })
  check(payment, { id: charge?.attemptId, reference, account: charge?.account ?? '', key })
  const sum = readSum(payment.amount)
  if (sum === null) throw malformed('its amount')
  const report = (status: ProviderPayment['status'], amount: string) => ({
    ...{ status, amount, assetId: fiatAssetId(sum.currency), proof: 'status_lookup' as const },
    ...{ txIn: reference, txOut: null, evidence: evidenceOf(factsOf(payment)) },
  })
  const status = String(payment.status)
  if (ended.includes(status)) return [report('expired', '0')]
  if (running.includes(status)) return [report('pending', sum.amount)]
  if (status === 'open') return []
  if (status !== 'paid') throw malformed(`its status is ${status}`)
  const reversals = toReversals(payment)
  return [{ ...report('settled', sum.amount), ...(reversals.length > 0 && { reversals }) }]
}

function factsOf({ id, status, mode, method, amount, paidAt, profileId }: JsonObject): JsonObject {
  const { value, currency } = isObject(amount) ? amount : {}
  return { payment: id, status, mode, method, profile: profileId, paidAt, amount: value, currency }
}
