import type { ShownHistory } from '../../present/order-history.ts'
import { nextStep } from './next-step.ts'

/** A heading with its lines; nothing if there are none. */
const section = (title: string, lines: string[]): string[] =>
  lines.length > 0 ? ['', title, ...lines.map(line => `  ${line}`)] : []

function confirmedText(count: number | null): string {
  if (count === null) return ''
  return count === 1 ? ', 1 confirmation' : `, ${count} confirmations`
}

const checkText = ({ checkedAt, checkedBy }: ShownHistory['attempts'][number]): string =>
  checkedAt === null ? 'never' : checkedAt + (checkedBy === null ? '' : `, by ${checkedBy}`)

const isSome = (amount: string): boolean => /[1-9]/.test(amount)

function attemptLines({ attempts, order }: ShownHistory): string[] {
  return attempts.flatMap(attempt => {
    const confirmed = confirmedText(attempt.confirmations)
    const sums =
      attempt.due === null ? 'not opened' : `${attempt.received} of ${attempt.due} ${attempt.assetId}`
    return [
      `${attempt.methodKey}  ${attempt.state}  ${sums}${confirmed}`,
      ...(isSome(attempt.credited)
        ? [`  credited      ${attempt.credited} of ${attempt.priced} ${order.currency}`]
        : []),
      ...(attempt.address ? [`  address       ${attempt.address}`] : []),
      `  amount holds  until ${attempt.lockedUntil}`,
      `  last checked  ${checkText(attempt)}`,
    ]
  })
}

const paymentLines = ({ payments, order }: ShownHistory): string[] =>
  payments.map(payment => {
    const value = payment.value === null ? '' : ` (${payment.value} ${order.currency})`
    const what = `${payment.amount} ${payment.assetId}${value}`
    return `${payment.seenAt}  ${payment.state}  ${what}  ${payment.txId ?? 'no transaction ID'}`
  })

const unmatchedLines = ({ unmatched }: ShownHistory): string[] =>
  unmatched.map(({ id, status, reason, amount, assetId, value, shortfall, currency }) => {
    const worth = value === null ? '' : ` (${value} ${currency})`
    const missing = shortfall === null ? '' : `, ${shortfall} ${currency} missing`
    return `${id}  ${status}  ${reason}  ${amount} ${assetId}${worth}${missing}`
  })

const eventLines = ({ events }: ShownHistory): string[] =>
  events.map(({ createdAt, type, status, attempts, id }) => {
    const last = attempts.at(-1)
    const tries = attempts.length === 1 ? '1 try' : `${attempts.length} tries`
    const answer = last ? `, last answer ${last.httpStatus ?? last.outcome}` : ''
    return `${createdAt}  ${type}  ${status}  ${tries}${answer}  ${id}`
  })

const refundLines = ({ refunds }: ShownHistory): string[] =>
  refunds.map(({ createdAt, amount, currency, reason }) => `${createdAt}  ${amount} ${currency}  ${reason}`)

const auditLines = ({ audit }: ShownHistory): string[] =>
  audit.map(({ at, actor, action }) => `${at}  ${actor}  ${action}`)

/** Lines about what arrived, the rest, and the payments that wait for the merchant's decision. */
function receivedLines({ order, credited, settledCredit, awaited, left }: ShownHistory): string[] {
  const { currency } = order
  const arrived = order.status === 'PAID' ? settledCredit : credited
  const confirmed = settledCredit === arrived ? '' : ` (${settledCredit} ${currency} confirmed)`
  const rest = isSome(left.amount) ? `, ${left.amount} ${currency} left` : ''
  const waiting = awaited === null ? 'a payment of unknown value' : `${awaited} ${currency}`
  return [
    ...(isSome(arrived) && !order.forced
      ? [`  received      ${arrived} ${currency}${confirmed}${rest}`]
      : []),
    ...(awaited === null || isSome(awaited) ? [`  waiting       ${waiting}, for your decision`] : []),
  ]
}

function settledLines({ order, settlement }: ShownHistory): string[] {
  if (settlement === null) return []
  const { verdict, late, shortfall, acceptedBy } = settlement
  const by = acceptedBy ?? order.forcedBy
  const how = [
    `${verdict}${by ? ` by ${by}` : ''}${order.forceReason ? `: ${order.forceReason}` : ''}`,
    ...(late && verdict !== 'late' ? ['late'] : []),
    ...(shortfall === null ? [] : [`${shortfall} ${order.currency} missing`]),
  ]
  return [`  settled       ${how.join(', ')}`]
}

/** Lists the parts of a payment. A single part is what the order received, so it is not repeated. */
function partLines({ order, settlement }: ShownHistory): string[] {
  const { parts = [] } = settlement ?? {}
  if (parts.length < 2) return []
  return parts.map(
    ({ credited, methodKey, amount, assetId }) =>
      `${credited} ${order.currency}  ${methodKey}  ${amount} ${assetId}`,
  )
}

/** Everything about an order, for a person. */
export function textOf(shown: ShownHistory): string {
  const { order } = shown
  return [
    `Order ${order.orderUUID} is ${order.status}`,
    `  amount        ${order.amount} ${order.currency}`,
    `  customer      ${order.customerEmail}`,
    ...(order.externalId ? [`  external ID   ${order.externalId}`] : []),
    `  created       ${order.createdAt}`,
    ...(order.paidAt ? [`  paid          ${order.paidAt}`] : [`  expires       ${order.expiresAt}`]),
    ...receivedLines(shown),
    ...settledLines(shown),
    `  checkout      ${order.checkoutUrl}`,
    ...section('Settled by', partLines(shown)),
    ...section('Attempts', attemptLines(shown)),
    ...section('Payments', paymentLines(shown)),
    ...section('Unmatched payments', unmatchedLines(shown)),
    ...section('Refunds', refundLines(shown)),
    ...section('Webhook events', eventLines(shown)),
    ...section(
      'Notifications and notes',
      shown.notes.map(({ createdAt, text }) => `${createdAt}  ${text}`),
    ),
    ...section('Changes', auditLines(shown)),
    '',
    nextStep(shown),
  ].join('\n')
}
