import type { DashboardLocale } from '../../views/dashboard/locale.ts'
import type { TimelineEntry } from '../../views/dashboard/timeline.ts'
import type { Actor } from '../domain/audit.ts'
import { asserted } from '../domain/errors.ts'
import { fiatCurrency } from '../domain/fiat.ts'
import type { Json } from '../domain/metadata.ts'
import type { NotificationFacts } from '../domain/notification-facts.ts'
import { allOf } from '../domain/opening.ts'
import type { Refund } from '../domain/refund.ts'
import type { Settlement } from '../domain/transaction.ts'
import type { OrderHistory } from '../operations/orders/inspect.ts'
import type { TransactionContext } from './explorer.ts'
import { presentTransactionLink } from './explorer.ts'
import { amountIn, sumOf } from './payment-amounts.ts'
import { withoutReports } from './settlement.ts'

/** Dependencies of the timeline's entries, besides the order's own rows. */
export interface TimelineContext extends TransactionContext {
  nameOf(actor: Actor): string
  locale: DashboardLocale
}

interface HistoryContext extends TimelineContext {
  said(facts: NotificationFacts): string
}

/** An amount of an asset, with its ticker. */
export function withTicker(
  { asset, locale }: Pick<TimelineContext, 'asset' | 'locale'>,
  amount: string,
  assetId: string,
): string {
  const currency = fiatCurrency(assetId)
  if (currency !== null) return locale.money({ amount, currency })
  return `${locale.coins(amount)} ${asset(assetId)?.ticker ?? assetId.toUpperCase()}`
}

/** Audit actions that another entry of the timeline already shows. */
const shownElsewhere = new Set(['order.forced', 'order.ended'])

/** The name of a key or a person, or the name as it was entered. */
export const byName = ({ nameOf }: Pick<TimelineContext, 'nameOf'>, by: string): string =>
  by === 'cli' || by === 'server' || /^(key|user):./.test(by) ? nameOf(by as Actor) : by

export const evidenceText = (evidence: Json): string => JSON.stringify(withoutReports(evidence), null, 2)

/** An amount with the name of its asset: "USDC on Solana" for a token, "BTC" for a chain's own coin. */
function withName({ asset, locale }: TimelineContext, amount: string, assetId: string): string {
  const known = asset(assetId)
  const hasName = known && assetId.includes('/')
  return hasName ? `${locale.coins(amount)} ${known.name}` : withTicker({ asset, locale }, amount, assetId)
}

/** The entry of the settlement, from its evidence. */
function settledEntry(
  context: TimelineContext,
  { attempts, unmatched }: OrderHistory,
  { attemptId, verdict, rule, evidence, createdAt: at }: Settlement,
): TimelineEntry {
  const attempt = attempts.find(({ id }) => id === attemptId)
  const fields = new Map(Object.entries(evidence ?? {}))
  const atomicIn = (name: string): bigint => BigInt(String(fields.get(name) ?? 0))
  const sumIn = (name: string): string | null =>
    attempt && fields.has(name) ? withName(context, sumOf(atomicIn(name), attempt), attempt.assetId) : null
  const isEnough = atomicIn('confirmedAtomic') >= atomicIn('thresholdAtomic')
  const accepted = unmatched.find(({ payment }) => payment.status === 'accepted')?.payment
  return {
    ...{ at, kind: 'settled', verdict, rule, evidence: evidenceText(evidence) },
    confirmed: sumIn('confirmedAtomic'),
    // A late payment counts by its value, and a tolerance or another payment can replace a part of the sum.
    needed: verdict === 'late' || !isEnough ? null : sumIn('thresholdAtomic'),
    by: accepted?.decidedBy ? byName(context, accepted.decidedBy) : null,
    reason: accepted?.note ?? null,
  }
}

/** The entry for ending an order before its expiry; null if nobody ended it. */
function endedEntry({ nameOf }: TimelineContext, { audit }: OrderHistory): TimelineEntry | null {
  const ended = audit.find(({ action }) => action === 'order.ended')
  return ended ? { at: ended.at, kind: 'ended', by: nameOf(ended.actor) } : null
}

function ofOrder(context: TimelineContext, history: OrderHistory): TimelineEntry[] {
  const { order, session, settlement } = history
  const { createdAt, openedAt, expiredAt, forcedAt, cancelledAt, status } = order
  const entries: (TimelineEntry | false | null)[] = [
    { at: createdAt, kind: 'created' },
    openedAt !== null && { at: openedAt, kind: 'opened' },
    settlement && settledEntry(context, history, settlement),
    forcedAt !== null && {
      at: forcedAt,
      kind: 'forced',
      by: byName(context, order.forcedBy ?? ''),
      reason: order.forceReason,
    },
    expiredAt !== null && (endedEntry(context, history) ?? { at: expiredAt, kind: 'expired' }),
    // The session ends together with its order.
    status === 'FAILED' && { at: session.updatedAt, kind: 'failed' },
  ]
  const cancelled = { by: byName(context, order.cancelledBy ?? ''), reason: order.cancelReason }
  if (cancelledAt !== null) entries.push({ at: cancelledAt, kind: 'cancelled', ...cancelled })
  return entries.filter(entry => entry !== false && entry !== null)
}

function ofPayments(context: TimelineContext, history: OrderHistory): TimelineEntry[] {
  const { attempts, payments, unmatched } = history
  const started = allOf(history)
  const byId = new Map(attempts.map(attempt => [attempt.id, attempt]))
  return [
    ...started.map((one): TimelineEntry => {
      const { createdAt: at, methodName: method } = one
      const due = one.kind === 'opening' ? null : withTicker(context, sumOf(one.dueAtomic, one), one.assetId)
      return { at, kind: 'attempt', method, due }
    }),
    ...started
      .filter(({ state }) => state === 'failed')
      .map(({ updatedAt: at, methodName: method }): TimelineEntry => ({ at, kind: 'attemptFailed', method })),
    ...payments.map((payment): TimelineEntry => {
      const attempt = asserted(byId.get(payment.attemptId), 'a payment has its attempt')
      const transaction = presentTransactionLink(payment, context)
      return {
        at: payment.createdAt,
        kind: 'payment',
        // What is paid on a provider's page, such as a bank debit, is on no chain.
        state: payment.state === 'gone' && attempt.kind === 'redirect' ? 'failed' : payment.state,
        amount: withTicker(context, amountIn(context, attempt, payment), payment.assetId),
        txId: transaction?.id ?? null,
        txUrl: transaction?.url ?? null,
        confirmations: payment.confirmations,
        required: attempt.requiredConfirmations,
      }
    }),
    ...unmatched.map(({ payment, incoming }): TimelineEntry => {
      const amount = amountIn(
        context,
        asserted(byId.get(payment.attemptId), 'a payment has its attempt'),
        incoming,
      )
      const { createdAt: at, reason } = payment
      return { at, kind: 'unmatched', reason, amount: withTicker(context, amount, incoming.assetId) }
    }),
  ]
}

const ofEvents = ({ events }: OrderHistory): TimelineEntry[] =>
  events.flatMap(({ event: { type, createdAt }, delivery }): TimelineEntry[] => [
    { at: createdAt, kind: 'event', type },
    ...delivery.tries.map(
      ({ at, outcome, httpStatus }) => ({ at, kind: 'delivery', type, outcome, httpStatus }) as const,
    ),
  ])

function refundEntry(context: HistoryContext, { transactions }: OrderHistory, refund: Refund): TimelineEntry {
  const { createdAt: at, amount, currency, reason, createdBy, sentAmount, txId, sentAssetId } = refund
  const paid = transactions.find(({ transaction }) => transaction.id === refund.transactionId)
  const assetId = sentAssetId ?? paid?.transaction.receivedCurrency ?? ''
  const link = txId && presentTransactionLink({ assetId, txId, txIn: null }, context)
  return {
    at,
    kind: 'refund',
    amount: context.locale.money({ amount, currency }),
    sent: sentAmount && withTicker(context, sentAmount, assetId),
    txId,
    txUrl: link ? link.url : null,
    reason,
    by: byName(context, createdBy),
  }
}

function ofPeople(context: HistoryContext, history: OrderHistory): TimelineEntry[] {
  const { nameOf } = context
  const { refunds, notes, audit, notifications } = history
  return [
    ...refunds.map(one => refundEntry(context, history, one)),
    ...notes.map(
      ({ createdAt: at, text, actor }): TimelineEntry => ({ at, kind: 'note', text, by: nameOf(actor) }),
    ),
    ...notifications.map(
      ({ createdAt: at, facts }): TimelineEntry => ({ at, kind: 'notified', text: context.said(facts) }),
    ),
    ...audit
      .filter(({ action }) => !shownElsewhere.has(action))
      .map(({ at, action, actor }): TimelineEntry => ({ at, kind: 'change', action, by: nameOf(actor) })),
  ]
}

/** Order of entries with the same time: a cause before its consequences. */
const causes: TimelineEntry['kind'][] = [
  ...(['created', 'opened', 'attempt', 'payment', 'attemptFailed'] as const),
  ...(['unmatched', 'settled', 'forced', 'cancelled', 'ended'] as const),
  ...(['expired', 'failed', 'refund', 'change', 'notified', 'event', 'delivery', 'note'] as const),
]

/** Everything that happened to an order, oldest first. */
export const orderTimeline = (context: HistoryContext, history: OrderHistory): TimelineEntry[] =>
  [
    ...ofOrder(context, history),
    ...ofPayments(context, history),
    ...ofEvents(history),
    ...ofPeople(context, history),
  ].sort((a, b) => a.at - b.at || causes.indexOf(a.kind) - causes.indexOf(b.kind))
