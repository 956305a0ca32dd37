import { type Book, type KnownAttempt, type KnownOrder, type KnownTransfer, placedPrice } from './book.ts'
import {
  between,
  exactly,
  hull,
  isLess,
  lesser,
  NOTHING,
  type Range,
  ratio,
  sumOfRanges,
  times,
  ZERO,
} from './exact.ts'
import { isAcceptedBy } from './known.ts'
import { valueAt } from './prices.ts'

/** Rule 4: the value of a payment to its order. The letters below are those of README.md. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** 4d: a payment that was seen in time has to be mined at most this long after the lock ends. */
const MINED_WITHIN_MS = 6 * HOUR_MS
const WATCH_MS = 7 * 24 * HOUR_MS
/** 4e: an unreadable chain extends the lock and the grace by at most this time. */
const BLIND_MAX_MS = 24 * HOUR_MS

/** Lies with which an endpoint cannot be read: such time does not count towards lock and grace. */
const BLINDING =
  /^(?:throttle|fail|hang|page|truncate|unknown|unhealthy|missing|lostTip|refuseLogs|lag|blank|omit|farTip|farHead|ahead)$/

export const isBlinding = (lie: string): boolean => BLINDING.test(lie)

/** True if the server may have been unable to read a chain. A clock that is ahead makes all blocks look old. */
const wasBlind = (book: Book, { sent, attempt: { openedAt } }: KnownTransfer, until: number): boolean =>
  book.wasLiedTo(sent.chain, openedAt, until, isBlinding) || book.skewIn(openedAt, until) > 0

/** The value of an amount at the quoted rate of an attempt. */
const quoted = ({ due, priced }: KnownAttempt, amount: bigint): Range => {
  if (priced === null || due === 0n) return NOTHING
  const share = ratio(amount, due)
  return between(times(share, priced.least), times(share, priced.most))
}

/** 4b: the value of a transfer, or of a part of it, at the rate of its block. */
function valued(
  book: Book,
  { sent }: KnownTransfer,
  at: number,
  currency: string,
  amount = sent.amount,
): Range {
  const asset = book.assetOf(sent.asset)
  const price = asset && book.prices.valuedAt(asset.ticker, currency, at, book.skewIn(at, at))
  return price ? valueAt(amount, asset.decimals, price) : NOTHING
}

/**
 * The time when endpoints first listed a payment. A replacement has the time of the payment that it replaces,
 * for that payment's amount.
 */
function seenAt(book: Book, transfer: KnownTransfer): number {
  const { replaces } = transfer.sent
  const before = replaces === null ? undefined : book.transfers.get(replaces)
  return Math.min(transfer.sent.seenAt, before ? seenAt(book, before) : Infinity)
}

/**
 * 4d: the amount of a transfer that was listed at a time. Before the transfer itself was listed, this is at
 * most the amount that it replaces. The server may not know transfers that were replaced later, so the most is
 * the largest amount that was listed before.
 */
function knownBy(book: Book, { sent }: KnownTransfer, at: number): { least: bigint; most: bigint } {
  if (sent.seenAt <= at) return { least: sent.amount, most: sent.amount }
  const before = sent.replaces === null ? undefined : book.transfers.get(sent.replaces)
  if (!before) return { least: 0n, most: 0n }
  const { least, most } = knownBy(book, before, at)
  return { least: least < sent.amount ? least : sent.amount, most }
}

/**
 * The value of a transfer that was in time: the quoted value, except for an amount that a replacement added
 * too late.
 */
function worthInTime(book: Book, order: KnownOrder, transfer: KnownTransfer, minedAt: number): Range {
  const { attempt, sent } = transfer
  const graceEnd = attempt.lockedUntil + (book.server?.graceMs ?? 0)
  const blind = wasBlind(book, transfer, minedAt) ? BLIND_MAX_MS : 0
  if (minedAt <= graceEnd + blind || sent.replaces === null) return quoted(attempt, sent.amount)
  const { least, most } = knownBy(book, transfer, graceEnd + blind)
  const worths = [least, most < sent.amount ? most : sent.amount].map(known => {
    const added = valued(book, transfer, minedAt, currencyOf(order), sent.amount - known)
    return sumOfRanges([quoted(attempt, known), added])
  })
  return worths.reduce(hull)
}

/**
 * The value of a transfer to its order: exact once the transfer is mined and the facts leave no doubt;
 * otherwise a range, for the reasons given below.
 */
export function worthOf(book: Book, order: KnownOrder, transfer: KnownTransfer): Range {
  const { sent, attempt, block, gone } = transfer
  const currency = currencyOf(order)
  if (gone !== null && !transfer.wasFinal) return NOTHING
  // 4a: a transfer that only looks like a payment has no value. Dust is stored by block, and a node may omit
  // it.
  if (sent.kind === 'dust') return between(ZERO, quoted(attempt, sent.amount).most)
  if (sent.kind !== 'payment') return NOTHING
  if (block === null || attempt.isForwarded) {
    const now = valued(book, transfer, sent.at, currency)
    return between(ZERO, hull(quoted(attempt, sent.amount), now).most)
  }
  const value = valued(book, transfer, block.time, currency)
  const late = afterWatch(book, order, transfer, value)
  const isAsked = sent.asset === attempt.asset.id
  const inTime = isAsked ? worthInTime(book, order, transfer, block.time) : value
  const isKept = isAsked && isUnread(book, order, transfer) && !hasFallen(value, quoted(attempt, sent.amount))
  const time = isKept ? 'in time' : timeOf(book, order, transfer)
  const worth = time === 'in time' ? inTime : time === 'late' ? late : hull(inTime, late)
  return isAsked ? worth : otherCoin(transfer, worth)
}

/**
 * 4c: a late payment waits for the decision of a shop that wants to be asked, and after the watch of any
 * shop. It counts for at most its value once the shop accepts it.
 */
function afterWatch(book: Book, order: KnownOrder, { block, attempt }: KnownTransfer, late: Range): Range {
  const watchEnd = attempt.lockedUntil + WATCH_MS
  const asked = book.shopHistory.get(order.shop)?.map(shop => shop.late) ?? []
  if (isAcceptedBy(order)) return between(ZERO, late.most)
  if (block!.time > watchEnd + BLIND_MAX_MS || asked.every(one => one === 'ask')) return NOTHING
  return block!.time > watchEnd || asked.includes('ask') ? between(ZERO, late.most) : late
}

/**
 * 4f: another coin counts at its value when it was mined, never at a quote. On the chain of the requested
 * coin, it is found like any payment. On another chain, the server may find it only at the end.
 */
function otherCoin({ sent, attempt }: KnownTransfer, worth: Range): Range {
  return sent.chain === attempt.asset.chain ? worth : between(ZERO, worth.most)
}

type Time = 'in time' | 'late' | 'either'

/** 4d and 4e: whether a payment in the requested coin is in time. */
function timeOf(book: Book, order: KnownOrder, transfer: KnownTransfer): Time {
  const { attempt, block, sent } = transfer
  const { lockedUntil } = attempt
  const minedAt = block!.time
  const isEnded = order.decisions.some(({ what }) => what === 'end')
  // A node accepts no payment of an expired invoice. The server may learn of the payment after the shop has
  // ended the order, and then cannot tell which came first.
  if (book.chainOf(sent.chain).family === 'lightning') return isEnded ? 'either' : 'in time'
  if (minedAt <= lockedUntil && !endedBefore(book, order, minedAt)) return 'in time'
  const graceEnd = lockedUntil + (book.server?.graceMs ?? 0)
  const isBlind = wasBlind(book, transfer, minedAt)
  // The lock and the grace end by the server's clock, which may be wrong.
  const blind = (isBlind ? BLIND_MAX_MS : 0) + book.skewIn(attempt.openedAt, minedAt + HOUR_MS)
  const seen = seenAt(book, transfer)
  const latest = Math.max(graceEnd, seen <= graceEnd + blind ? lockedUntil + MINED_WITHIN_MS : 0)
  if (minedAt > latest + blind) return 'late'
  if (isEnded || order.hasOthers || !isOrderSure(book, order, attempt)) return 'either'
  if (minedAt <= graceEnd && isNewest(order, attempt, minedAt)) return 'in time'
  if (
    blind === 0 &&
    seen > lockedUntil &&
    !isNewest(order, attempt, lockedUntil) &&
    !hadCredit(book, order, attempt)
  )
    return 'late'
  return 'either'
}

/**
 * 4e: true if the payment is in time because nobody could read the chain for a while, beginning before the lock
 * ended. The server forgets failed checks when it starts, and needs some time to read the chain again.
 */
function isUnread(book: Book, order: KnownOrder, { sent, attempt, block }: KnownTransfer): boolean {
  const { openedAt, lockedUntil } = attempt
  const span = book.awayIn(sent.chain, openedAt, lockedUntil)
  const lostMs = span ? span.until - span.from : 0
  if (span === null || lostMs < HOUR_MS || lostMs > BLIND_MAX_MS) return false
  const isPlain = order.attempts.length === 1 && !order.hasOthers && sent.replaces === null
  const isQuiet =
    book.skewIn(openedAt, span.until) === 0 &&
    !book.stops.some(({ at }) => at >= openedAt && at <= span.until + HOUR_MS) &&
    !order.decisions.some(({ what }) => what === 'end')
  const graceEnd = lockedUntil + (book.server?.graceMs ?? 0) + lostMs
  return isPlain && isQuiet && block!.time < graceEnd - MINUTE_MS
}

/** True if the value of a payment may have fallen so far that it does not keep its quote in time that is added. */
const hasFallen = (value: Range, atQuote: Range): boolean =>
  isLess(times(value.least, ratio(100n, 96n)), atQuote.most)

/**
 * True if the shop may have ended the order before, so that its lock and its grace were over: they end by the
 * server's clock, which may be wrong.
 */
const endedBefore = (book: Book, order: KnownOrder, at: number): boolean =>
  order.decisions.some(one => one.what === 'end' && one.at - book.skewIn(one.at, one.at) < at)

/** True if the server knows which attempt is newer: each was opened at its own time, by a clock that was right. */
const isOrderSure = (book: Book, { attempts }: KnownOrder, attempt: KnownAttempt): boolean =>
  attempts.length === 1 ||
  attempts.every(
    one =>
      (one === attempt || one.openedAt !== attempt.openedAt) && book.skewIn(one.openedAt, one.openedAt) === 0,
  )

/** True if this was the newest attempt, which has the grace. */
const isNewest = (order: KnownOrder, attempt: KnownAttempt, at: number): boolean =>
  !order.attempts.some(
    other => other !== attempt && other.openedAt > attempt.openedAt && other.openedAt <= at,
  )

/** True if money for an older attempt was known before its lock ended: only then does it keep its grace. */
const hadCredit = (book: Book, order: KnownOrder, attempt: KnownAttempt): boolean =>
  order.transfers.some(
    one =>
      one.attempt === attempt &&
      (seenAt(book, one) <= attempt.lockedUntil ||
        (one.block !== null && one.block.time <= attempt.lockedUntil)),
  )

export const currencyOf = ({ first }: KnownOrder): string => first?.currency ?? 'USD'

/** The value of all payments of an order that `includes` selects. */
export const coverageOf = (
  book: Book,
  order: KnownOrder,
  includes: (transfer: KnownTransfer) => boolean = () => true,
): Range => sumOfRanges(order.transfers.filter(includes).map(one => worthOf(book, order, one)))

/**
 * 4g: the amount of an order that may stay unpaid: the shop's percentage, at most 5 dollars. It is fixed when
 * the first payment is opened.
 */
export function toleranceOf(book: Book, order: KnownOrder): Range {
  const price = placedPrice(order)
  const first = order.firstOpenedAt
  if (price === null || first === null) return NOTHING
  const shares = sharesAt(book, order.shop, first).map(share => times(ratio(price), share))
  const most = times(ratio(5n), book.prices.perDollar(currencyOf(order)))
  const capped = shares.map(share => lesser(share, most))
  return capped.map(exactly).reduce(hull)
}

/** The shop's tolerances before a time and around it, because a change may have taken effect or not. */
function sharesAt(book: Book, shop: number, at: number): ReturnType<typeof ratio>[] {
  const history = book.shopHistory.get(shop) ?? []
  const before = history.filter(one => one.at < at).at(-1)
  const near = history.filter(one => Math.abs(one.at - at) <= 60_000)
  const found = [...(before ? [before] : []), ...near].map(({ tolerance }) => tolerance)
  return [...new Set(found.length > 0 ? found : ['0'])].map(percent => {
    const [whole = '0', fraction = ''] = percent.split('.')
    return ratio(BigInt(whole + fraction), 100n * 10n ** BigInt(fraction.length))
  })
}

/** True if a payment in the requested coin certainly counts at its quote. */
export const isSurelyInTime = (book: Book, order: KnownOrder, transfer: KnownTransfer): boolean =>
  transfer.block !== null && timeOf(book, order, transfer) === 'in time'
