import type { TransferFact } from '../facts.ts'
import { type Book, type KnownAttempt, type KnownOrder, type KnownTransfer, placedPrice } from './book.ts'
import { coverageOf, toleranceOf } from './coverage.ts'
import {
  isLess,
  minorOf,
  minus,
  placesOf,
  plus,
  type Ratio,
  ratio,
  shown,
  tenTo,
  times,
  ZERO,
} from './exact.ts'
import { isAcceptedBy } from './known.ts'
import { providerLeast, providerMost } from './provider.ts'
import { broken, type MakeRule, nameOf } from './rule.ts'

/** Rule 5: an order is PAID as soon as final payments cover it, and not before. */

const HOUR_MS = 3_600_000
/** After its quote ends, an address is checked once an hour. A failed check is repeated within an hour. */
const FOUND_WITHIN_MS = 3 * HOUR_MS
/** A check that a person requests may wait for other checks, but not until the server’s own next check. */
const DEMANDED_WITHIN_MS = 120_000
/** After a start, the server needs no longer than this until it answers a demand. */
const SETTLED_MS = 300_000

/** How long a server keeps the height of a chain in memory. */
const KNOWN_FOR_MS = 15 * 60_000

/** True for lies about payments that do not exist, or about blocks above the newest real one. */
const isInventing = (lie: string): boolean => lie === 'invent' || lie === 'forge'

/**
 * True if an order is worth more than `factor` times the amount above which two endpoints have to agree about
 * each payment.
 */
function isAboveQuorum({ server }: Book, { first }: KnownOrder, factor: Ratio): boolean {
  if (!server?.quorumAbove || !first) return false
  const { amount, currency } = first
  const minor = ratio(minorOf(amount, currency) ?? 0n, tenTo(placesOf(currency)))
  const dollars = times(minor, ratio(10n, server.crossTenths[currency] ?? 10n))
  return isLess(times(factor, ratio(minorOf(server.quorumAbove.amount, 'USD') ?? 0n, 100n)), dollars)
}

const TWICE = ratio(2n)
const HALF = ratio(1n, 2n)

/** True if two endpoints have to agree, but fewer are honest: payments are then never final. */
function lacksSecond(book: Book, order: KnownOrder, assetId: string): boolean {
  const asset = book.assetOf(assetId)
  return asset !== undefined && isAboveQuorum(book, order, HALF) && book.honestEndpointsOf(asset) < 2
}

/** True if one endpoint alone could make the server accept a payment that does not exist. */
export function isMisled(book: Book, order: KnownOrder, at: number): boolean {
  const isFalse = (lie: string): boolean =>
    isInventing(lie) || (lie === 'inflate' && !isAboveQuorum(book, order, TWICE))
  return order.attempts.some(one => book.wasLiedTo(one.asset.chain, one.openedAt, at, isFalse))
}
const isAheadOf = (lie: string): boolean => /^(?:ahead|farTip|farHead)$/.test(lie)

/** True if the shop may have marked this payment as resolved, so that it does not count any more. */
export const mayBeHandled = (order: KnownOrder, { sent }: KnownTransfer): boolean =>
  order.decisions.some(
    ({ what, transfers }) => what === 'resolve' && (transfers === null || transfers.includes(sent.transfer)),
  )

/** True if the shop certainly marked this payment as resolved: there was no other when it did. */
const isHandled = (order: KnownOrder, transfer: KnownTransfer): boolean =>
  order.decisions.some(({ what, status, at, together }) => {
    const known = order.transfers.filter(({ sent }) => sent.at <= at)
    return (
      what === 'resolve' && status === 303 && together === null && known.length === 1 && known[0] === transfer
    )
  })

/**
 * True if the server had just started: without a known height of the chain, it cannot recognize a false one.
 */
const isTrusting = (book: Book, { asset, openedAt }: KnownAttempt): boolean =>
  book.stops.some(({ at }) => at <= openedAt && at > openedAt - KNOWN_FOR_MS) &&
  book.wasLiedTo(asset.chain, openedAt, openedAt, isAheadOf)

/** Rule 5a: the highest value that the final payments of an order can have by now. */
function mostFinal(book: Book, order: KnownOrder, at: number): Ratio {
  const isFinal = (transfer: KnownTransfer): boolean => {
    if (isHandled(order, transfer)) return false
    if (book.isFinal(transfer, at)) return true
    const isMined = transfer.block !== null && transfer.block.time <= at
    const liars = isMined ? book.liarsOf(transfer.sent.chain, transfer.block!.time, at, isAheadOf) : 0
    return liars >= (isAboveQuorum(book, order, TWICE) ? 2 : 1)
  }
  return plus(coverageOf(book, order, isFinal).most, providerMost(book, order))
}

/** The value below which an order certainly cannot be PAID. */
const neededMost = (book: Book, order: KnownOrder, price: bigint): Ratio =>
  minus(ratio(price), toleranceOf(book, order).most)

/** Why an order cannot be paid; null if it can. */
export function whyNotPaid(book: Book, order: KnownOrder, at: number): string | null {
  const price = placedPrice(order)
  if (price === null || isMisled(book, order, at) || isAcceptedBy(order)) return null
  const most = mostFinal(book, order, at)
  if (!isLess(most, neededMost(book, order, price))) return null
  return `its final payments count for at most ${shown(most)} of ${price}`
}

/** The time until which endpoints did not list a transfer; 0 if they listed it from the start. */
export const hiddenUntil = (sent: TransferFact): number =>
  'hiddenUntil' in sent && typeof sent.hiddenUntil === 'number' ? sent.hiddenUntil : 0

/** The least value of an order’s payments that were final by `finalBy`, on chains without disturbances. */
function certain(book: Book, order: KnownOrder, finalBy: number, undisturbedUntil: number | null): Ratio {
  const isCertain = (transfer: KnownTransfer): boolean => {
    const { sent, attempt } = transfer
    const from = book.finalFrom(transfer)
    if (from === null || mayBeHandled(order, transfer) || isTrusting(book, attempt)) return false
    if (lacksSecond(book, order, sent.asset)) return false
    const isDisturbed =
      undisturbedUntil !== null &&
      (hiddenUntil(sent) > finalBy ||
        book.wasLiedTo(sent.chain, attempt.openedAt, undisturbedUntil, () => true))
    return from <= finalBy && !isDisturbed
  }
  const onChain = coverageOf(book, order, isCertain).least
  // Payments at providers count only at the end: their callbacks may arrive at any time before.
  return undisturbedUntil === null ? plus(onChain, providerLeast(book, order)) : onChain
}

export const makePaid: MakeRule = book => {
  /** by order, the times when a person requested a check of its payments */
  const demands = new Map<string, number[]>()

  /** The problem of an order that should be PAID and is not. */
  function unpaidProblem(rule: string, order: KnownOrder, status: string, counted: Ratio): string[] {
    const price = placedPrice(order)
    if (price === null || (status !== 'UNPAID' && status !== 'EXPIRED')) return []
    const needed = minus(ratio(price), toleranceOf(book, order).least)
    if (isLess(counted, needed) || !isLess(ZERO, counted)) return []
    return [`${rule}: ${nameOf(order)} is ${status}, but ${shown(counted)} of ${price} have been paid`]
  }

  /** Rules 5b and 5c: the problem of an order that should be PAID by now. */
  function overdue(order: KnownOrder, status: string, at: number): string[] {
    const isQuietSince = (time: number): boolean =>
      book.isClockRightSince(time) && !book.stops.some(stop => stop.at >= time)
    if (book.isCrowded) return []
    const found = isQuietSince(at - FOUND_WITHIN_MS)
      ? unpaidProblem('5b', order, status, certain(book, order, at - FOUND_WITHIN_MS, at))
      : []
    const demanded = demands.get(order.id)?.findLast(demandedAt => demandedAt + DEMANDED_WITHIN_MS <= at)
    const isAnswered = demanded !== undefined && isQuietSince(demanded - SETTLED_MS)
    if (!isAnswered || found.length > 0) return found
    return unpaidProblem('5c', order, status, certain(book, order, demanded, at))
  }

  return {
    note(fact) {
      const isDemand =
        fact.fact === 'visit' && fact.what === 'check' && fact.status !== null && fact.status < 400
      if (isDemand) demands.set(fact.order, [...(demands.get(fact.order) ?? []), fact.at])
      return []
    },
    hear(saying) {
      const order = saying.says === 'status' ? book.orders.get(saying.order) : undefined
      return order && saying.says === 'status' ? overdue(order, saying.json.status, saying.at) : []
    },
    told({ order, json, at }) {
      const isNew = json.status === 'PAID' && order.last?.status !== 'PAID' && json.forced !== true
      const why = isNew ? whyNotPaid(book, order, at) : null
      return [
        ...broken([[why === null, `5a: ${nameOf(order)} is PAID, but ${why}`]]),
        ...overdue(order, json.status, at),
      ]
    },
    end(at) {
      return [...book.orders.values()].flatMap(order =>
        unpaidProblem('5b', order, order.last?.status, certain(book, order, at, null)),
      )
    },
  }
}
