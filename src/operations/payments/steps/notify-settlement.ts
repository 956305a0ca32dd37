import type { Attempt } from '../../../domain/attempt.ts'
import { receivedSum } from '../../../domain/fiat.ts'
import type { Notification } from '../../../domain/notification.ts'
import type { Order } from '../../../domain/order.ts'
import { isShort } from '../../../domain/settlement.ts'
import type { SettlementOutcome } from '../../../domain/settlement-outcome.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { notifyMerchant } from '../../merchants/steps/notify.ts'

/** Notifies the merchant of a settlement that was late, short or too much. */
export async function notifySettlement(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  order: Order,
  attempt: Attempt,
  confirmed: bigint,
  { late, shortfall }: SettlementOutcome,
): Promise<void> {
  const sum = (atomic: bigint) => {
    const { receivedAmount, receivedCurrency } = receivedSum(atomic, attempt)
    return `${receivedAmount} ${receivedCurrency}`
  }
  const sums = `${sum(confirmed)} arrived, ${sum(attempt.dueAtomic)} was due.`
  const notify = (kind: Notification['kind'], text: string) =>
    notifyMerchant(context, tables, order, kind, text)
  if (late) await notify('payment_late', `This order was paid after its locked amount had expired: ${sums}`)
  if (isShort(attempt, confirmed)) {
    const missing = `${shortfall} ${order.currency} is missing.`
    await notify('payment_short', `This order was settled short: ${sums} ${missing}`)
  }
  if (confirmed > attempt.dueAtomic) {
    const advice = `Decide whether to return ${sum(confirmed - attempt.dueAtomic)}.`
    await notify('payment_over', `The buyer paid too much: ${sums} ${advice}`)
  }
}
