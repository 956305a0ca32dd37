import type { BooksSaying, TransferFact } from '../facts.ts'
import type { Book, KnownOrder, KnownTransfer } from './book.ts'
import { type MakeRule, nameOf } from './rule.ts'

/** Rule 6: no money is lost. The rule reads the stored payments at the end. */

const WATCH_MS = 7 * 24 * 3_600_000

interface PaymentRow {
  order_id: string
  asset_id: string
  amount: string
  state: string
  settles: number
  unmatched: number
  paid_at: number
  created_at: number
}

const PAYMENTS = `SELECT p.order_id, p.asset_id, p.amount_atomic AS amount, p.state, p.settles, p.paid_at, p.created_at,
  (SELECT COUNT(*) FROM unmatched_payments u WHERE u.incoming_payment_id = p.id) AS unmatched
  FROM incoming_payments p JOIN attempts a ON a.id = p.attempt_id WHERE a.provider IS NULL AND p.state <> 'gone'`

/** 6a: a payment that arrived while its address was watched must be recorded. */
const mustBeKnown = (book: Book, { sent, block, attempt, gone }: KnownTransfer, at: number): boolean =>
  sent.kind === 'payment' &&
  gone === null &&
  !attempt.isForwarded &&
  block !== null &&
  block.time <= Math.min(attempt.lockedUntil + WATCH_MS - 24 * 3_600_000, at) &&
  sent.chain === attempt.asset.chain &&
  block.time > attempt.openedAt &&
  book.isClockRightSince(attempt.openedAt)

const loggedIn = ({ amount, logged = amount }: TransferFact): bigint => (logged > amount ? logged : amount)

export const makeBooks: MakeRule = book => {
  let read: PaymentRow[] | null = null

  function heard({ rows }: BooksSaying): void {
    read = rows<PaymentRow>(PAYMENTS)
  }

  const isInvented = (order: KnownOrder, at: number): boolean =>
    order.attempts.some(({ asset, openedAt }) =>
      book.wasLiedTo(asset.chain, openedAt, at, lie => /^(?:invent|forge|dust|inflate)$/.test(lie)),
    )

  /**
   * 6c: payments that came after a single payment had paid the whole order. They wait for the shop's
   * decision. Times by a clock that was set do not show what came first.
   */
  function further({ attempts: [attempt, ...others], last }: KnownOrder, rows: PaymentRow[]): PaymentRow[] {
    if (last?.status !== 'PAID' || !attempt || others.length > 0 || !book.isClockRightSince(attempt.openedAt))
      return []
    const paidAt = Date.parse(last.paidAt)
    const isWhole = rows.some(
      row =>
        row.settles === 1 &&
        row.created_at <= paidAt &&
        row.paid_at <= attempt.lockedUntil &&
        row.asset_id === attempt.asset.id &&
        BigInt(row.amount) >= attempt.due,
    )
    return isWhole ? rows.filter(row => row.settles === 1 && row.created_at > paidAt) : []
  }

  /** 6a and 6b: every payment is recorded once, with its amount. */
  function paymentProblems(order: KnownOrder, rows: PaymentRow[], at: number): string[] {
    const name = nameOf(order)
    const certain = order.transfers.filter(one => mustBeKnown(book, one, at))
    const tooLittle = [...new Set(certain.map(({ sent }) => sent.asset))].filter(asset => {
      const arrived = certain.filter(({ sent }) => sent.asset === asset).map(({ sent }) => sent.amount)
      return knownOf(rows, asset) < sum(arrived)
    })
    const assets = new Set(rows.map(({ asset_id }) => asset_id))
    // Until a payment is final, it has the amount of its log, even if a token kept a part of that.
    const isSure = rows.every(({ state }) => state !== 'seen')
    const tooMuch = [...assets].filter(asset => {
      const arrived = order.transfers.filter(
        ({ sent, gone, wasFinal }) =>
          sent.asset === asset &&
          (gone === null || wasFinal) &&
          (sent.kind === 'payment' || sent.kind === 'dust'),
      )
      return knownOf(rows, asset) > sum(arrived.map(({ sent }) => (isSure ? sent.amount : loggedIn(sent))))
    })
    const idle = rows.filter(row => row.state === 'final' && row.settles === 0 && row.unmatched === 0)
    const isOver = order.last?.status !== 'UNPAID'
    return [
      ...tooLittle.map(
        asset => `6a: ${name}: more ${asset} arrived than ${knownOf(rows, asset)}, but nobody was told`,
      ),
      ...tooMuch.map(asset => `6b: ${name}: more ${asset} is recorded than arrived`),
      ...(isOver ? idle : []).map(
        row => `6c: ${name}: ${row.amount} ${row.asset_id} neither pay the order nor wait for the shop`,
      ),
      ...further(order, rows).map(
        row => `6c: ${name}: ${row.amount} ${row.asset_id} settle an order that was paid before`,
      ),
      ...rows
        .filter(row => row.settles === 1 && row.unmatched === 1 && order.last?.status !== 'PAID')
        .map(row => `6c: ${name}: ${row.amount} ${row.asset_id} settle an order that is not paid`),
    ]
  }

  return {
    hear(saying) {
      if (saying.says === 'books') heard(saying)
      return []
    },
    end(at) {
      if (read === null) return []
      const byOrder = Map.groupBy(read, row => row.order_id)
      return [...book.orders.values()].flatMap(order =>
        isInvented(order, at) ? [] : paymentProblems(order, byOrder.get(order.id) ?? [], at),
      )
    },
  }
}

const knownOf = (rows: PaymentRow[], asset: string): bigint =>
  sum(rows.filter(row => row.asset_id === asset).map(({ amount }) => BigInt(amount)))

const sum = (all: bigint[]): bigint => all.reduce((one, other) => one + other, 0n)
