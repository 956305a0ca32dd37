import type { Database } from 'bun:sqlite'

/** Ratios are integers of this unit. Rounding loses less than one unit in each step. */
const UNIT = 10n ** 40n
const LOST_MAX = 1000n
const RATE_RANGE_MS = 10 * 60_000
const MINED_WITHIN_MS = 6 * 3600_000

interface LateRow {
  order_id: string
  amount: string
  currency: string
  attempt_id: string
  asset_id: string
  decimals: number
  due_atomic: string
  threshold_atomic: string
  kind: string
  locked_until: number
  grace_until: number
  watch_until: number
  evidence: string
}

interface PaymentRow {
  source: string
  tx_id: string
  tx_index: string
  amount: string
  paid_at: number
  mined_at: number | null
}

type Evidence = { source: string; txId: string; txIndex: string; lateRate?: string | null }

function isInTime(row: LateRow, { paid_at, mined_at }: PaymentRow): boolean {
  if (row.kind === 'redirect') return paid_at <= row.watch_until
  const minedBy = Math.max(row.grace_until, row.locked_until + MINED_WITHIN_MS)
  return paid_at <= row.grace_until && (mined_at === null || mined_at <= minedBy)
}

/** What a late payment covers of its order, at a rate. */
function shareAt({ amount, decimals }: LateRow, atomic: bigint, rate: string): bigint {
  const [whole = '', part = ''] = rate.split('.')
  const [, cents = ''] = amount.split('.')
  const value = atomic * BigInt(whole + part) * 10n ** BigInt(cents.length) * UNIT
  return value / (BigInt(amount.replace('.', '')) * 10n ** BigInt(part.length + decimals))
}

/** Checks every order that late payments paid: they cover it, each at a rate of its own time. */
function auditLate(database: Database): string[] {
  const late = database
    .query<LateRow, []>(
      `SELECT s.order_id, o.amount, o.currency, a.id AS attempt_id, a.asset_id, a.decimals, a.due_atomic,
       a.threshold_atomic, a.kind, a.locked_until, a.grace_until, a.watch_until, s.evidence
       FROM settlements s JOIN orders o ON o.id = s.order_id JOIN attempts a ON a.id = s.attempt_id
       WHERE s.verdict = 'late'`,
    )
    .all()
  return late.flatMap(row => auditLateOrder(database, row))
}

function auditLateOrder(database: Database, row: LateRow): string[] {
  const payments = database
    .query<PaymentRow, [string, string]>(
      `SELECT source, tx_id, tx_index, amount_atomic AS amount, paid_at, mined_at FROM incoming_payments
       WHERE attempt_id = ? AND settles = 1 AND asset_id = ?`,
    )
    .all(row.attempt_id, row.asset_id)
  const { incomingPayments } = JSON.parse(row.evidence) as { incomingPayments: Evidence[] }
  const [due, threshold] = [BigInt(row.due_atomic), BigInt(row.threshold_atomic)]
  const problems: string[] = []
  let covered = 0n
  for (const payment of payments) {
    const { amount, tx_id } = payment
    if (isInTime(row, payment)) {
      covered += (BigInt(amount) * UNIT) / due
      continue
    }
    const found = incomingPayments.find(
      one => one.source === payment.source && one.txId === tx_id && one.txIndex === payment.tx_index,
    )
    const rate = found?.lateRate ?? null
    // Without a rate it counts nothing, such as a part that came after the settlement.
    if (rate === null) continue
    if (!isKept(database, row, payment, rate)) {
      problems.push(`order ${row.order_id}: the late payment ${tx_id} was not worth ${rate} at its time`)
    }
    covered += shareAt(row, BigInt(amount), rate)
  }
  if (covered + LOST_MAX < (threshold * UNIT) / due) {
    problems.push(`order ${row.order_id} was paid late, but the payments do not cover it`)
  }
  return problems
}

/** Whether a rate is one that was stored near the time of a payment, as far as such rates are still stored. */
function isKept(
  database: Database,
  { asset_id, currency }: LateRow,
  { paid_at, mined_at }: PaymentRow,
  rate: string,
): boolean {
  const at = mined_at ?? paid_at
  const near = database
    .query<{ value: string }, [string, string, number, number]>(
      'SELECT value FROM rates WHERE asset_id = ? AND currency = ? AND at BETWEEN ? AND ?',
    )
    .all(asset_id, currency, at - RATE_RANGE_MS, at + RATE_RANGE_MS)
  return near.length === 0 || near.some(({ value }) => value === rate)
}

/** Checks that every order whose payments were accepted has the decision in the audit log. */
function auditAccepted(database: Database): string[] {
  const undecided = database
    .query<{ order_id: string }, []>(
      `SELECT s.order_id FROM settlements s WHERE s.verdict = 'accepted' AND NOT EXISTS (SELECT 1 FROM audit_log l
       WHERE l.action = 'unmatched.accepted' AND l.subject = 'order:' || s.order_id
       AND l.merchant_id = s.merchant_id AND json_array_length(l.after, '$.payments') =
       (SELECT COUNT(*) FROM unmatched_payments u WHERE u.order_id = s.order_id AND u.status = 'accepted'))`,
    )
    .all()
  return undecided.map(({ order_id }) => `order ${order_id} was accepted, but the audit log has no decision`)
}

export const auditSettlements = (database: Database): string[] => [
  ...auditLate(database),
  ...auditAccepted(database),
]
