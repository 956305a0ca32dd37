import type { Attempt } from '../../../domain/attempt.ts'
import type { Coverage } from '../../../domain/coverage.ts'
import { amountOf } from '../../../domain/money.ts'
import type { NotificationFacts } from '../../../domain/notification-facts.ts'
import type { Order } from '../../../domain/order.ts'
import { VALUE_UNIT } from '../../../domain/quote.ts'
import type { Assessment } from '../../../domain/settlement.ts'
import type { SettlementOutcome } from '../../../domain/settlement-outcome.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { notifyMerchant } from '../../merchants/steps/notify.ts'
import { sumText } from './sum-text.ts'

/** Notifies those who asked for it that an order was paid. */
export async function notifyPaid(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  order: Order,
): Promise<void> {
  const channels = await tables.personChannels.listOfMerchant(order.merchantId)
  if (channels.every(({ muted }) => muted.includes('order_paid'))) return
  const { amount, currency, externalId } = order
  await notifyMerchant(context, tables, order, {
    about: 'order_paid',
    amount: `${amount} ${currency}`,
    number: externalId,
  })
}

/** Whether a settlement has more than was due. */
export const isOverpaid = (
  { dueAtomic }: Attempt,
  { confirmedAtomic }: Assessment,
  { shortfall }: SettlementOutcome,
): boolean => confirmedAtomic > dueAtomic && shortfall === null

/** Notifies the merchant of a settlement that was late, short or too much. */
export async function notifySettlement(
  context: Pick<Context, 'clock' | 'ids' | 'networks'>,
  tables: Tables,
  order: Order,
  attempt: Attempt,
  assessment: Assessment,
  outcome: SettlementOutcome,
): Promise<void> {
  const { confirmedAtomic, coverage } = assessment
  const { late, shortfall } = outcome
  const sum = (atomic: bigint) => sumText(context, atomic, attempt)
  const sums = { arrived: sum(confirmedAtomic), due: sum(attempt.dueAtomic) }
  const notify = (facts: NotificationFacts) => notifyMerchant(context, tables, order, facts)
  if (late) await notify({ about: 'settled_late', ...sums, value: lateValueOf(attempt, order, coverage) })
  if (shortfall !== null) {
    await notify({ about: 'settled_short', ...sums, missing: `${shortfall} ${order.currency}` })
  }
  if (isOverpaid(attempt, assessment, outcome)) {
    await notify({ about: 'settled_over', ...sums, extra: sum(confirmedAtomic - attempt.dueAtomic) })
  }
}

/** What late payments were worth; null where the page of a provider was paid after the order had expired. */
const lateValueOf = (attempt: Attempt, { currency }: Order, { lateValue }: Coverage): string | null =>
  attempt.kind === 'redirect' ? null : `${amountOf(lateValue / VALUE_UNIT, currency)} ${currency}`
