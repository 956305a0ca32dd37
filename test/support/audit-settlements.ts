import type { Database } from 'bun:sqlite'

/** Values are integers of this fraction of a minor unit. Each rounding loses less than one of them. */
const UNIT = 10n ** 40n
/** The largest loss by the product's rounding: of values, and of payments that were partly late. */
const LOST_MAX = 2n * UNIT
const TOLERANCE_UNIT = 10n ** 72n
const RATE_RANGE_MS = 10 * 60_000

interface SettledRow {
  order_id: string
  amount: string
  currency: string
  evidence: string
}

interface AttemptRow {
  id: string
  kind: string
  asset_id: string
  decimals: number
  priced: string
  due_atomic: string
  threshold_atomic: string
  floor_atomic: string
  dust: string
  tolerance: string
}

interface PaymentRow {
  attempt_id: string
  source: string
  tx_id: string
  tx_index: string
  asset_id: string
  amount: string
  tx_in: string | null
  paid_at: number
  mined_at: number | null
  opened_at: number
}

interface Evidence {
  source: string
  txId: string
  txIndex: string
  value: string | null
  lateRate?: string | null
}

const minorOf = (amount: string): bigint => BigInt(amount.replace('.', ''))

/**
 * Checks that payments cover every order that was paid without a decision. Late payments count at a rate of
 * their own time.
 */
function auditCovered(database: Database): string[] {
  const settled = database
    .query<SettledRow, []>(
      `SELECT s.order_id, o.amount, o.currency, s.evidence FROM settlements s JOIN orders o ON o.id = s.order_id
       WHERE s.verdict <> 'accepted'`,
    )
    .all()
  return settled.flatMap(row => auditOrder(database, row))
}

const isOf = (one: Evidence, { source, tx_id, tx_index }: PaymentRow): boolean =>
  one.source === source && one.txId === tx_id && one.txIndex === tx_index

function auditOrder(database: Database, row: SettledRow): string[] {
  const attempts = database
    .query<AttemptRow, [string]>('SELECT * FROM attempts WHERE order_id = ? ORDER BY created_at, id')
    .all(row.order_id)
  const payments = database
    .query<PaymentRow, [string]>(
      `SELECT attempt_id, source, tx_id, tx_index, asset_id, amount_atomic AS amount, tx_in, paid_at, mined_at,
         (SELECT created_at FROM attempts a WHERE a.id = attempt_id) AS opened_at
       FROM incoming_payments WHERE order_id = ? AND settles = 1`,
    )
    .all(row.order_id)
  const { incomingPayments } = JSON.parse(row.evidence) as { incomingPayments: Evidence[] }
  const problems: string[] = []
  let covered = 0n
  for (const attempt of attempts) {
    const own = payments.filter(({ attempt_id }) => attempt_id === attempt.id)
    // A page that its provider has not opened yet has no amount.
    if (own.length === 0) continue
    if (attempt.kind === 'redirect') {
      covered += ofPage(attempt, own)
      continue
    }
    for (const payment of own) {
      const found = incomingPayments.find(one => isOf(one, payment))
      const rate = found?.lateRate ?? null
      if (rate !== null && !isKept(database, row, payment, rate)) {
        problems.push(`order ${row.order_id}: the payment ${payment.tx_id} was not worth ${rate} at its time`)
      }
      covered += creditOf(attempt, payment, found)
    }
  }
  const tolerance = (BigInt(attempts[0]?.tolerance ?? '0') * UNIT) / TOLERANCE_UNIT
  if (covered + LOST_MAX + tolerance < minorOf(row.amount) * UNIT) {
    problems.push(`order ${row.order_id} was paid, but its payments do not cover it`)
  }
  return problems
}

function creditOf(attempt: AttemptRow, payment: PaymentRow, found: Evidence | undefined): bigint {
  if (found && found.lateRate !== null) return minorOf(found.value ?? '0') * UNIT
  return payment.asset_id === attempt.asset_id ? locked(attempt, BigInt(payment.amount)) : 0n
}

const locked = ({ priced, due_atomic }: AttemptRow, atomic: bigint): bigint =>
  (atomic * minorOf(priced) * UNIT) / BigInt(due_atomic)

/**
 * The value of the payments on a provider's page. An attempt counts as whole from its share on, or from its
 * floor if the rest is not asked for. A status look-up may report the total of its callbacks.
 */
function ofPage(attempt: AttemptRow, own: PaymentRow[]): bigint {
  const sum = (some: PaymentRow[]) => some.reduce((all, { amount }) => all + BigInt(amount), 0n)
  const most = own
    .filter(({ tx_in }) => tx_in === null)
    .reduce((all, { amount }) => (BigInt(amount) > all ? BigInt(amount) : all), 0n)
  const reported = sum(own.filter(({ tx_in }) => tx_in !== null))
  const received = reported > most ? reported : most
  const value = locked(attempt, received)
  const whole = minorOf(attempt.priced) * UNIT
  const isAsked = (whole - value) * TOLERANCE_UNIT >= BigInt(attempt.dust) * UNIT
  const least = BigInt(isAsked ? attempt.threshold_atomic : attempt.floor_atomic)
  return received >= least && value < whole && received > 0n ? whole : value
}

/** True if a rate was stored near the time of a payment, or if rates of that time are no longer stored. */
function isKept(
  database: Database,
  { currency }: SettledRow,
  { asset_id, paid_at, mined_at, opened_at }: PaymentRow,
  rate: string,
): boolean {
  const near = (mined_at === null ? [paid_at, opened_at] : [mined_at]).flatMap(at =>
    database
      .query<{ value: string }, [string, string, number, number]>(
        'SELECT value FROM rates WHERE asset_id = ? AND currency = ? AND at BETWEEN ? AND ?',
      )
      .all(asset_id, currency, at - RATE_RANGE_MS, at + RATE_RANGE_MS),
  )
  return near.length === 0 || near.some(({ value }) => value === rate)
}

/** Checks that the audit log has the decision for every order with an accepted payment. */
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
  ...auditCovered(database),
  ...auditAccepted(database),
]
