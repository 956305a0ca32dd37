import type { BooksSaying, CardFact } from '../facts.ts'
import { type KnownOrder, placedPrice } from './book.ts'
import { minorOf } from './exact.ts'
import { cardSum } from './provider.ts'
import { broken, type MakeRule, nameOf } from './rule.ts'

/** Rule 17: payments on a shop's own account with a provider. */

const SOON_MS = 25 * 60_000
/**
 * An approved payment is captured within this time: the server looks it up every ten minutes, or later if a
 * look-up failed.
 */
const TAKEN_WITHIN_MS = 3 * 3_600_000

/** When an order is paid, its other pages are closed within this time. */
const CLOSED_WITHIN_MS = 2 * 60_000
/** Providers whose pages nobody can close: buyers can pay there until the provider ends the page. */
const unclosable: ReadonlySet<string> = new Set(['mollie'])

interface ChargeRow {
  order_id: string
  amount: string
}

interface ReversalRow extends ChargeRow {
  kind: 'refund' | 'dispute'
  currency: string
}

const CHARGES = `SELECT p.order_id, p.amount_atomic AS amount FROM incoming_payments p
  JOIN attempts a ON a.id = p.attempt_id WHERE a.provider IN ('stripe', 'mollie', 'paypal') AND p.state = 'final'`

/** Refunds and disputes that were not refused. */
const REVERSALS = `SELECT order_id, kind, amount, currency FROM reversals WHERE status IN ('pending', 'succeeded')`

const sessionsOf = ({ cards }: KnownOrder): CardFact[][] => [
  ...Map.groupBy(cards, ({ session }) => session).values(),
]

const listed = (all: string[]): string => all.toSorted().join(' and ') || 'nothing'

const has = (facts: readonly CardFact[], what: CardFact['what']): boolean =>
  facts.some(fact => fact.what === what)

export const makeCards: MakeRule = book => {
  let charges: Map<string, ChargeRow[]> | null = null
  let reversals = new Map<string, ReversalRow[]>()
  /** providers that failed or reported something false at some time */
  const troubled = new Set<string>()

  /**
   * True if `last` came soon after the order was created, and nothing else happened that could end the order.
   */
  function isPlain(order: KnownOrder, last: CardFact | undefined): boolean {
    const { attempts, provider, decisions, calls, createdAt } = order
    const isAlone = attempts.length + provider.length + decisions.length + calls.length === 0
    return isAlone && last !== undefined && last.at < createdAt + SOON_MS && book.isClockRightSince(createdAt)
  }

  /**
   * 17a: charges that cover an order pay it, unless they were taken back before the server learned of them: all
   * of one charge, or any of several. 17b: a payment that the buyer approved is captured, if the provider was
   * always honest.
   */
  function unpaid(order: KnownOrder): string[] {
    const price = placedPrice(order)
    const [paid, status] = [cardSum(order, 'charged'), order.last?.status]
    const charged = order.cards.findLast(({ what }) => what === 'charged')
    const [approved] = order.cards.filter(({ what }) => what === 'approved')
    const back = cardSum(order, 'refunded') + cardSum(order, 'disputed')
    const isKept = sessionsOf(order).length === 1 ? back < paid : back === 0n
    const mustBePaid = price !== null && isPlain(order, charged) && paid >= price && isKept
    const isUntouched = sessionsOf(order).length === 1 && !has(order.cards, 'failed')
    const lasts = Date.parse(order.first?.expiresAt) - (approved?.at ?? 0) > TAKEN_WITHIN_MS
    const isQuiet = approved !== undefined && !troubled.has(approved.provider)
    const mustBeTaken = isUntouched && isPlain(order, approved) && lasts && isQuiet
    const isTaken = has(order.cards, 'charged') || has(order.cards, 'pending')
    return broken([
      [!mustBePaid || status === 'PAID', `17a: ${nameOf(order)} is ${status}, but ${paid} were charged`],
      [
        !mustBeTaken || isTaken,
        `17b: ${nameOf(order)} is ${status}: its buyer approved the payment, and nobody took it`,
      ],
    ])
  }

  /** 17c: a payment that the buyer approved is captured once, and only while the order can be paid. */
  function takenWrongly({ order: id, session, what, minor }: CardFact): string[] {
    const order = book.orders.get(id)
    if (!order || (what !== 'charged' && what !== 'pending')) return []
    const own = order.cards.filter(one => one.session === session)
    const isTaken = own.filter(one => one.what === what).length > 1
    if (!has(own, 'approved') || has(own, 'pending') !== (what === 'pending')) return []
    const status = order.last?.status
    return broken([
      [!isTaken, `17c: ${nameOf(order)}: ${minor} are taken twice`],
      [
        status === undefined || status === 'UNPAID',
        `17c: ${nameOf(order)} is ${status}, and ${minor} are taken from its buyer`,
      ],
    ])
  }

  /** 17g: a buyer cannot pay on a page that can be closed, some time after the order ended in another way. */
  function paidAgain({ order: id, session, provider, what, isAsked, at }: CardFact): string[] {
    const order = book.orders.get(id)
    const { status, paidAt, updatedAt } = order?.last ?? {}
    const endedAt = status === 'PAID' ? paidAt : status === 'EXPIRED' ? updatedAt : null
    if (!order || endedAt === null || what !== 'charged' || isAsked) return []
    const own = order.cards.filter(one => one.session === session)
    const isOver = !unclosable.has(provider) && at > Date.parse(endedAt) + CLOSED_WITHIN_MS
    const isQuiet =
      !troubled.has(provider) &&
      book.isClockRightSince(order.createdAt) &&
      !book.stops.some(stop => stop.at >= order.createdAt)
    return broken([
      [!isOver || !isQuiet || has(own, 'pending'), `17g: ${nameOf(order)} is ${status}, and is paid by card`],
    ])
  }

  /** 17d: every charge is recorded once, with its amount, whether it pays the order or waits for the shop. */
  function unknown(order: KnownOrder): string[] {
    if (order.cards.length === 0 || charges === null || !book.isClockRightSince(order.createdAt)) return []
    const happened = order.cards.filter(({ what }) => what === 'charged').map(({ minor }) => `${minor}`)
    const known = (charges.get(order.id) ?? []).map(({ amount }) => amount)
    const [one, other] = [happened, known].map(listed)
    return broken([[one === other, `17d: ${nameOf(order)}: ${one} was charged, and ${other} is recorded`]])
  }

  /**
   * 17e: every refund and dispute is recorded once, no matter who made it. 17f: a refund that the server is to send is
   * sent once, and recorded.
   */
  function takenBack(order: KnownOrder): string[] {
    if (order.cards.length === 0 || charges === null || !book.isClockRightSince(order.createdAt)) return []
    const back = order.cards.filter(({ what }) => what === 'refunded' || what === 'disputed')
    const happened = back.map(({ what, minor }) => `${what} ${minor}`)
    const known = (reversals.get(order.id) ?? []).map(
      ({ kind, amount, currency }) => `${kind}${kind === 'refund' ? 'ed' : 'd'} ${minorOf(amount, currency)}`,
    )
    const [one, other] = [happened, known].map(listed)
    const forms = order.decisions.filter(({ what }) => what === 'send-refund').map(({ form }) => form.token)
    const asked = new Set(forms).size
    const paidBack = back.filter(({ what, isAsked }) => what === 'refunded' && isAsked)
    const sum = paidBack.reduce((all, { minor }) => all + minor, 0n)
    const said = minorOf(order.last?.refundedAmount ?? '0', order.last?.currency) ?? 0n
    return broken([
      [one === other, `17e: ${nameOf(order)}: ${one} at the provider, and ${other} is recorded`],
      [
        paidBack.length <= asked,
        `17f: ${nameOf(order)} was to be refunded ${asked} times, and was ${paidBack.length} times`,
      ],
      [said >= sum, `17f: ${nameOf(order)}: ${sum} were sent back, and ${said} are recorded`],
    ])
  }

  function read({ rows }: BooksSaying): void {
    const hasCards = [...book.orders.values()].some(({ cards }) => cards.length > 0)
    if (!hasCards) return
    charges = Map.groupBy(rows<ChargeRow>(CHARGES), row => row.order_id)
    reversals = Map.groupBy(rows<ReversalRow>(REVERSALS), row => row.order_id)
  }

  return {
    note(fact) {
      if (fact.fact === 'card-service' && fact.mood !== 'honest') troubled.add(fact.provider)
      return fact.fact === 'card' ? [...takenWrongly(fact), ...paidAgain(fact)] : []
    },
    hear(saying) {
      if (saying.says === 'books') read(saying)
      return []
    },
    end: () =>
      [...book.orders.values()].flatMap(order => [...unpaid(order), ...unknown(order), ...takenBack(order)]),
  }
}
