import type { OpenedFact } from '../facts.ts'
import { type Book, type KnownAttempt, type KnownOrder, placedPrice } from './book.ts'
import { isSurelyInTime } from './coverage.ts'
import { between, ceil, exactly, greater, isLess, lesser, type Range, ratio, tenTo, times } from './exact.ts'
import { broken, type MakeRule, nameOf } from './rule.ts'

/** Rule 3: a quote is the smallest amount of a coin that covers the rest of the order at a current price. */

const LOCK_SLACK_MS = 60_000
/** A price that was read with a wrong clock may be used for this long after the clock was set. */
const RATES_MS = 10 * 60_000
/**
 * The number of locked quotes of an order is limited, because a quote is an option that costs the buyer
 * nothing.
 */
const LOCKED_MAX = 10

/**
 * The price of the smallest unit of a coin when it was quoted, in the smallest unit of the order's currency.
 */
function unitPrice(book: Book, { asset }: KnownAttempt, currency: string, at: number): Range | null {
  const price = book.prices.quotedAt(asset.ticker, currency, at)
  if (price === null) return null
  const perUnit = (one: Range['least']) => ratio(one.over, one.under * tenTo(asset.decimals))
  return between(perUnit(price.least), perUnit(price.most))
}

/**
 * 3b: a quote is for the rest of the order when it was opened. The page was read afterwards, and a check in
 * between may have found money: then the quote is for the earlier rest.
 */
function pricedIn(book: Book, order: KnownOrder, attempt: KnownAttempt): Range | null {
  const price = placedPrice(order)
  if (price === null) return null
  const hasMoney = order.transfers.length + order.provider.length + order.cards.length > 0
  if (!hasMoney) return exactly(ratio(price))
  const unit = unitPrice(book, attempt, order.first?.currency, attempt.openedAt)
  // A payment that is in no block stops counting hours after its lock, and no page may have said so. It may
  // count again once it is mined.
  const isUnconfirmed = order.transfers.some(
    ({ block, attempt: { lockedUntil } }) =>
      block === null || block.time > Math.max(lockedUntil, order.left.beforeAt),
  )
  const known = [order.left.minor ?? price, order.left.before ?? price]
  const lefts = [...known, ...(isUnconfirmed ? [price] : [])].map(left => ratio(left))
  if (unit === null) return between(ratio(1n), lefts.reduce(greater))
  // Money that waits for the shop's decision is not credited, but not asked for again either. Then only the
  // quote shows how much was asked for.
  const step = tenTo(attempt.asset.decimals - attempt.asset.quoteDecimals)
  const asked = between(times(ratio(attempt.due - step), unit.least), times(ratio(attempt.due), unit.most))
  const matching = lefts.filter(left => !isLess(left, asked.least) && !isLess(asked.most, left))
  const certain = isAllCredited(book, order, attempt.openedAt) ? lefts : []
  const some = matching.length > 0 ? matching : certain
  if (some.length > 0) return between(some.reduce(lesser), some.reduce(greater))
  return between(asked.least, lesser(lefts.reduce(greater), asked.most))
}

/**
 * True if the server certainly credits all money of an order once it knows of it: its only payment was in time
 * and in the requested coin, and no endpoint reported a false one.
 */
function isAllCredited(book: Book, order: KnownOrder, at: number): boolean {
  const [only, ...others] = order.transfers
  const isOnChain = order.provider.length + order.cards.length + order.pages.length === 0
  if (!only || others.length > 0 || !isOnChain || order.hasOthers || order.decisions.length > 0) return false
  const { sent, gone, attempt } = only
  const isPlain = sent.kind === 'payment' && gone === null && sent.asset === attempt.asset.id
  const isInvented = order.attempts.some(({ asset, openedAt }) =>
    book.wasLiedTo(asset.chain, openedAt, at, lie => /^(?:invent|forge|dust|inflate)$/.test(lie)),
  )
  return isPlain && !isInvented && isSurelyInTime(book, order, only)
}

export const makeQuotes: MakeRule = book => {
  function quoteProblems(order: KnownOrder, attempt: KnownAttempt, priced: Range): string[] {
    const { asset, due, openedAt } = attempt
    const name = `${nameOf(order)}: the quote of ${due} ${asset.id}`
    const unit = unitPrice(book, attempt, order.first?.currency, openedAt)
    if (unit === null || !book.isClockRightSince(openedAt - RATES_MS)) return []
    const step = tenTo(asset.decimals - asset.quoteDecimals)
    const covering = (value: Range['least'], price: Range['least']) =>
      (ceil(ratio(value.over * price.under, value.under * price.over * step)) || 1n) * step
    const [least, most] = [covering(priced.least, unit.most), covering(priced.most, unit.least)]
    return broken([
      [due >= least, `3a: ${name} is less than ${least}, which covers what is left`],
      [due <= most, `3a: ${name} is more than ${most}, which covers what is left`],
    ])
  }

  /** 3c: the amount and the address stay the same for half an hour. */
  function lockProblems(
    order: KnownOrder,
    { lockedUntil, openedAt }: KnownAttempt,
    together: number | null,
  ): string[] {
    const holdsFor = lockedUntil - openedAt - book.aheadMs - (book.server?.lockMs ?? 0)
    return broken([
      [holdsFor <= 1_000, `3c: ${nameOf(order)}: a quote holds ${holdsFor} ms too long`],
      // The shop may end the order at the same time.
      [
        holdsFor >= -LOCK_SLACK_MS || together !== null,
        `3c: ${nameOf(order)}: a quote holds ${-holdsFor} ms too short`,
      ],
    ])
  }

  /**
   * The attempt was opened earlier, at the same time as others, and appears only now: the rest and the price
   * of that moment are unknown.
   */
  const isOlder = (
    { hasOthers }: KnownOrder,
    { asset, lockedUntil, openedAt }: KnownAttempt,
    chosen: string,
  ) =>
    hasOthers &&
    (asset.id !== chosen ||
      lockedUntil < openedAt + book.aheadMs + (book.server?.lockMs ?? 0) - LOCK_SLACK_MS)

  function opened({ order: id, asset, shown, together }: OpenedFact): string[] {
    const order = book.orders.get(id)
    const attempt = order?.attempts.find(({ address }) => address === shown?.attempt?.address)
    if (!order || !attempt || attempt.priced !== null) return []
    const price = placedPrice(order)
    if (price !== null && isOlder(order, attempt, asset)) {
      attempt.priced = between(ratio(1n), ratio(price))
      return []
    }
    attempt.priced = pricedIn(book, order, attempt)
    if (attempt.priced === null) return []
    const other = book.attemptOf.get(attempt.address)
    const locked = order.attempts.filter(one => one.lockedUntil > attempt.openedAt + book.aheadMs)
    const isPlain =
      order.transfers.length + order.provider.length + order.cards.length === 0 &&
      book.isClockRightSince(order.createdAt)
    const same = locked.filter(one => one.asset === attempt.asset)
    const isClosed = order.last !== null && /^(?:PAID|CANCELLED|FAILED)$/.test(order.last.status)
    return [
      ...broken([
        [
          !isClosed || book.isCrowded,
          `3e: ${nameOf(order)} is ${order.last?.status}, and a payment is opened`,
        ],
        [
          !isPlain || same.length <= 1,
          `3f: ${nameOf(order)} has ${same.length} quotes of ${attempt.asset.id}`,
        ],
        [locked.length <= LOCKED_MAX, `3e: ${nameOf(order)} has ${locked.length} quotes that hold`],
        [other?.order === order, `3d: ${nameOf(order)} got the address of order ${other?.order.number}`],
      ]),
      ...quoteProblems(order, attempt, attempt.priced),
      ...lockProblems(order, attempt, together),
    ]
  }

  return {
    note(fact) {
      return fact.fact === 'opened' ? opened(fact) : []
    },
  }
}
