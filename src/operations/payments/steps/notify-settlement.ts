import type { Attempt } from '../../../domain/attempt.ts'
import type { Coverage } from '../../../domain/coverage.ts'
import { amountOf } from '../../../domain/money.ts'
import type { Notification } from '../../../domain/notification.ts'
import type { Order } from '../../../domain/order.ts'
import { VALUE_UNIT } from '../../../domain/quote.ts'
import type { Assessment } from '../../../domain/settlement.ts'
import type { SettlementOutcome } from '../../../domain/settlement-outcome.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { notifyMerchant } from '../../merchants/steps/notify.ts'
import { sumText } from './sum-text.ts'

/** Notifies the merchant of a settlement that was late, short or too much. */
export async function notifySettlement(
  context: Pick<Context, 'clock' | 'ids' | 'networks'>,
  tables: Tables,
  order: Order,
  attempt: Attempt,
  { confirmedAtomic, coverage }: Assessment,
  { late, shortfall }: SettlementOutcome,
): Promise<void> {
  const sum = (atomic: bigint) => sumText(context, atomic, attempt)
  const sums = `${sum(confirmedAtomic)} arrived, ${sum(attempt.dueAtomic)} was due.`
  const notify = (kind: Notification['kind'], text: string) =>
    notifyMerchant(context, tables, order, kind, text)
  if (late) await notify('payment_late', `${lateText(attempt, order, coverage)}: ${sums}`)
  if (shortfall !== null) {
    const missing = `${shortfall} ${order.currency} is missing.`
    await notify('payment_short', `This order was settled short: ${sums} ${missing}`)
  }
  if (confirmedAtomic > attempt.dueAtomic && shortfall === null) {
    const advice = `Decide whether to return ${sum(confirmedAtomic - attempt.dueAtomic)}.`
    await notify('payment_over', `The buyer paid too much: ${sums} ${advice}`)
  }
}

function lateText(attempt: Attempt, { currency }: Order, { lateValue }: Coverage): string {
  if (attempt.kind === 'redirect') return 'This order was paid after it had expired'
  const worth = `${amountOf(lateValue / VALUE_UNIT, currency)} ${currency}`
  const late = 'This order was paid after its locked amount had expired'
  return `${late}, by payments worth ${worth} when they arrived`
}
