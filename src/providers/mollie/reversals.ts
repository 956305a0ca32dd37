import type { Json } from '../../domain/metadata.ts'
import type { ReversalStatus } from '../../domain/reversal.ts'
import { isObject, type JsonObject } from '../answer.ts'
import { type ChargeRefund, type PaymentReversal, ProviderError, type ProviderReversal } from '../port.ts'
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

/** A refund in an answer, or null if it cannot be read. */
function readRefund(row: unknown): ProviderReversal | null {
  if (!isObject(row)) return null
  const [sum, status] = [readSum(row.amount), refundStatuses.get(row.status)]
  if (sum === null || status === undefined || !isId('re', row.id)) return null
  const asked = isObject(row.metadata) ? row.metadata.florin_refund : null
  return {
    ...sum,
    reference: row.id,
    kind: 'refund',
    status,
    refundId: typeof asked === 'string' ? asked : null,
  }
}

/**
 * A chargeback in an answer, or null if it cannot be read. It takes the money at once; the money comes back
 * if the chargeback is reversed.
 */
function readDispute(row: unknown): ProviderReversal | null {
  if (!isObject(row)) return null
  const sum = readSum(row.amount)
  if (sum === null || !isId('chb', row.id)) return null
  const status = row.reversedAt ? 'failed' : 'succeeded'
  return { ...sum, reference: row.id, kind: 'dispute', status, refundId: null }
}

function legible(reversal: ProviderReversal | null): ProviderReversal {
  if (reversal === null) throw malformed()
  return reversal
}

const rowsIn = (embedded: unknown, name: string): unknown[] => {
  const rows = isObject(embedded) ? embedded[name] : undefined
  return Array.isArray(rows) ? rows : []
}

/** The refunds and chargebacks that a payment embeds. */
export const toReversals = ({ _embedded: embedded }: JsonObject): ProviderReversal[] => [
  ...rowsIn(embedded, 'refunds').map(row => legible(readRefund(row))),
  ...rowsIn(embedded, 'chargebacks').map(row => legible(readDispute(row))),
]

/** Max rows that Mollie returns at once. */
const PAGE_ROWS = 250
const PAGES_MAX = 40

/**
 * The place where the next page of a list begins; null after the last page. Nothing else of the link is used.
 */
function nextIn({ _links: links }: JsonObject): string | null {
  const { href } = isObject(links) && isObject(links.next) ? links.next : {}
  return typeof href === 'string' && URL.canParse(href) ? new URL(href).searchParams.get('from') : null
}

/** All rows of a list since a time. Mollie lists the newest first, and cannot filter rows by time. */
async function listSince(call: CallApi, key: string, name: string, since: number): Promise<JsonObject[]> {
  const isNew = ({ createdAt }: JsonObject) => Date.parse(String(createdAt)) >= since
  const found: JsonObject[] = []
  let from = ''
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await call({ key, method: 'GET', path: `/${name}?limit=${PAGE_ROWS}${from}` })
    const rows = rowsIn(answer._embedded, name).filter(isObject)
    found.push(...rows.filter(isNew))
    const next = nextIn(answer)
    if (next === null || !rows.some(isNew)) break
    from = `&from=${encodeURIComponent(next)}`
  }
  return found
}

/**
 * The refunds and chargebacks of a profile since a time, including those of payments that are not Florin's.
 */
export async function listReversals(
  call: CallApi,
  credentials: Json,
  since: number,
): Promise<PaymentReversal[]> {
  const { key } = own.of(credentials)
  const found: PaymentReversal[] = []
  for (const [name, read] of [
    ['refunds', readRefund],
    ['chargebacks', readDispute],
  ] as const) {
    for (const row of await listSince(call, key, name, since)) {
      const reversal = read(row)
      if (reversal && isId('tr', row.paymentId)) found.push({ ...reversal, paymentId: row.paymentId })
    }
  }
  return found
}

/**
 * Refunds a part of a payment or all of it. A repeated request returns the first refund, even after the hour
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
  return legible(readRefund(row))
}
