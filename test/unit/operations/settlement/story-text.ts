import { fromUnitsShort } from '../../../../src/domain/money.ts'
import type { IncomingPayment } from '../../../../src/domain/payment.ts'
import type { Case, Change } from '../../../../src/operations/settlement/case.ts'
import { coin, leftOf } from './model.ts'

/** A decision in words: the order, its attempts, and the changes. */
export function textOf(before: Case, after: Case, changes: readonly Change[]): string {
  return [
    orderText(after, changes),
    ...after.attempts.map(({ attempt: { id, state } }) => `${id} ${state}`),
    ...changes.flatMap(change => changeText(after, change)),
    ...movedText(before, after),
  ].join(', ')
}

function orderText({ order, attempts, ...of }: Case, changes: readonly Change[]): string {
  const { status, paymentState } = order
  const state = paymentState === null ? '' : ` (${paymentState.toLowerCase().replace('_', ' ')})`
  const paid = changes.find(change => change.do === 'pay')
  if (!paid) {
    const isPayable = status === 'UNPAID' || status === 'EXPIRED'
    const waits = attempts.some(({ attempt }) => attempt.awaited === null)
    const left = waits ? 'nothing asked' : `${leftOf({ order, attempts, ...of })} left`
    return isPayable ? `${status} ${left}${state}` : `${status}${state}`
  }
  const { settlement, outcome, received, attempt } = paid.paying
  const shortfall = outcome.shortfall === null ? '' : ` by ${outcome.shortfall}`
  const both = outcome.late && settlement.verdict !== 'late' ? ' and late' : ''
  return `PAID ${settlement.verdict}${shortfall}${both} with ${received.receivedAmount} ${attempt.id}${state}`
}

const amountText = ({ amountAtomic, assetId }: IncomingPayment): string =>
  fromUnitsShort(amountAtomic, coin(assetId).decimals)

function amountOfPayment({ attempts }: Case, id: string): string {
  const payments = attempts.flatMap(one => one.payments)
  return amountText(payments.find(payment => payment.id === id)!)
}

function changeText(of: Case, change: Change): string[] {
  if (change.do === 'add unmatched') {
    const { row, facts } = change
    const missing = row.shortfall === null ? '' : `, ${row.shortfall} missing`
    const value = row.value === null ? 'of unknown value' : `worth ${row.value}`
    const choice = facts.choice === 'none' ? '' : `, may ${facts.choice}`
    return [
      `${amountOfPayment(of, row.incomingPaymentId)} unmatched: ${row.reason} (${value}${missing}${choice})`,
    ]
  }
  if (change.do === 'change unmatched') {
    const row = of.unmatched.find(({ id }) => id === change.id)!
    const { status, shortfall } = change.change
    const amount = amountOfPayment(of, row.incomingPaymentId)
    if (status !== undefined) return [`${amount} ${status}`]
    return [shortfall === null ? `${amount} leaves nothing missing` : `${amount} leaves ${shortfall} missing`]
  }
  if (change.do === 'record event')
    return [`event ${change.attempt.id} ${change.type.replace('payment.', '')}`]
  return []
}

/** The changes to the settlement of an order that was paid before. */
function movedText(before: Case, after: Case): string[] {
  if (before.order.status !== 'PAID') return []
  const settled = new Set(
    before.attempts.flatMap(({ payments }) => payments.flatMap(one => (one.settles ? [one.id] : []))),
  )
  return after.attempts
    .flatMap(({ payments }) => payments)
    .filter(({ id, settles }) => settles && !settled.has(id))
    .map(payment => `${amountText(payment)} joins`)
}
