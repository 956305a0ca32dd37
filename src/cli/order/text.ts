import type { ShownHistory } from '../../present/order-history.ts'
import { nextStep } from './next-step.ts'

/** A heading with its lines; nothing if there are no lines. */
const section = (title: string, lines: string[]): string[] =>
  lines.length > 0 ? ['', title, ...lines.map(line => `  ${line}`)] : []

function confirmedText(count: number | null): string {
  if (count === null) return ''
  return count === 1 ? ', 1 confirmation' : `, ${count} confirmations`
}

const checkText = ({ checkedAt, checkedBy }: ShownHistory['attempts'][number]): string =>
  checkedAt === null ? 'never' : checkedAt + (checkedBy === null ? '' : `, by ${checkedBy}`)

function attemptLines({ attempts }: ShownHistory): string[] {
  return attempts.flatMap(attempt => {
    const confirmed = confirmedText(attempt.confirmations)
    const sums =
      attempt.due === null ? 'not opened' : `${attempt.received} of ${attempt.due} ${attempt.assetId}`
    return [
      `${attempt.methodKey}  ${attempt.state}  ${sums}${confirmed}`,
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
  unmatched.map(row => `${row.id}  ${row.status}  ${row.reason}  ${row.amount} ${row.assetId}`)

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

/** Everything about an order for a person. */
export function textOf(shown: ShownHistory): string {
  const { order } = shown
  return [
    `Order ${order.orderUUID} is ${order.status}`,
    `  amount        ${order.amount} ${order.currency}`,
    `  customer      ${order.customerEmail}`,
    ...(order.externalId ? [`  external ID   ${order.externalId}`] : []),
    `  created       ${order.createdAt}`,
    ...(order.paidAt ? [`  paid          ${order.paidAt}`] : [`  expires       ${order.expiresAt}`]),
    `  checkout      ${order.checkoutUrl}`,
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
