import type { Json, OpenedFact, PageSaying, StatusSaying } from '../facts.ts'
import { type KnownAttempt, type KnownOrder, type KnownTransfer, placedPrice } from './book.ts'
import { coverageOf } from './coverage.ts'
import { floor, isLess, minorOf, plus, ratio } from './exact.ts'
import { cardSum, providerMost } from './provider.ts'
import { broken, type MakeRule, nameOf } from './rule.ts'

/**
 * Rule 15: a page never shows more credit than was sent, and never asks for more than the rest of the order.
 */

const SECOND_MS = 1_000
const RECENT_MS = 5 * SECOND_MS
/** A chain is read within this time, although the page does not say when. */
const READ_WITHIN_MS = 3 * 3_600 * SECOND_MS

export const makePages: MakeRule = book => {
  /** 15a: the amounts on the page. */
  function sumProblems(order: KnownOrder, json: Json, at: number): string[] {
    const name = nameOf(order)
    const price = placedPrice(order)
    if (price === null) return []
    const { currency } = order.first
    const [credited, settled] = [
      minorOf(json.credited, currency) ?? -1n,
      minorOf(json.settledCredit, currency) ?? -1n,
    ]
    const left = minorOf(json.left.amount, currency) ?? -1n
    const provider = providerMost(book, order)
    const isInvented = [...order.attempts, ...justOpened(order, json, at)].some(({ asset, openedAt }) =>
      book.wasLiedTo(asset.chain, openedAt, at, lie => /^(?:invent|forge|inflate)$/.test(lie)),
    )
    // A debit that is on its way is shown like an unconfirmed payment.
    const onItsWay = ratio(cardSum(order, 'pending'))
    const most = floor(plus(plus(coverageOf(book, order).most, provider), onItsWay))
    const mostSettled = floor(
      plus(coverageOf(book, order, one => one.block !== null && one.block.time <= at).most, provider),
    )
    const isStale = order.transfers.some(one => one.gone !== null && one.goneAt >= knownTo(one, json, at))
    const isPaid = json.status === 'PAID'
    // Until a transfer is final, its page shows the amount in its log.
    const isTaxed = order.transfers.some(({ sent }) => sent.logged !== undefined)
    return broken([
      [credited + left === price, `15a: ${name} of ${price} says ${credited} paid and ${left} left`],
      [!isPaid || left === 0n, `15a: ${name} is paid, and ${left} are left`],
      [
        isPaid || isInvented || isStale || isTaxed || credited <= most,
        `15a: ${name} says ${credited} paid, but at most ${most} were sent`,
      ],
      [
        isInvented || isStale || settled <= mostSettled,
        `15a: ${name} says ${settled} confirmed, of at most ${mostSettled}`,
      ],
    ])
  }

  /**
   * The time up to which the server knows a payment: it finds out at its next check that one has left its chain.
   * A page says, by the server's clock, when the chain of the payment that it shows was read.
   */
  function knownTo({ attempt: { asset } }: KnownTransfer, { attempt }: Json, at: number): number {
    const readAt = Date.parse(attempt?.chainReadAt ?? '1970-01-01')
    if (attempt && book.assetOf(attempt.assetId)?.chain !== asset.chain) return at - READ_WITHIN_MS
    return readAt - book.skewIn(at, at)
  }

  /** The payment that a page shows, if it was opened a moment ago: the record has the page before the opening. */
  function justOpened(
    { attempts }: KnownOrder,
    { attempt }: Json,
    at: number,
  ): Pick<KnownAttempt, 'asset' | 'openedAt'>[] {
    const asset = book.assetOf(attempt?.assetId ?? '')
    const isKnown = attempts.some(({ address }) => address === attempt?.address)
    return asset && !isKnown ? [{ asset, openedAt: at }] : []
  }

  /** 15b: the amounts that the page asks for. */
  function quoteProblems(order: KnownOrder, { attempt }: Json, at: number): string[] {
    if (!attempt) return []
    const known = order.attempts.find(({ address }) => address === attempt.address)
    const name = nameOf(order)
    if (!known)
      return book.attemptOf.has(attempt.address) ? [`15b: ${name} shows another order's address`] : []
    const isEnded = order.decisions.some(({ what }) => what === 'end')
    const isLocked = !isEnded && at + book.aheadMs < known.lockedUntil
    const awaySince = book.awaySince(known.asset.chain)
    const isRight = book.isClockRightSince(order.createdAt)
    const isUnread = !isRight || !attempt.chainReadAt || known.isForwarded
    const isNear = Math.abs(at + book.aheadMs - known.lockedUntil) < SECOND_MS
    return broken([
      [
        attempt.assetId === known.asset.id,
        `15b: ${name} shows ${attempt.assetId} for an address of ${known.asset.id}`,
      ],
      [isEnded || Date.parse(attempt.lockedUntil) >= known.lockedUntil, `15b: ${name} shows a shorter lock`],
      [isUnread || !isAfter(attempt.chainReadAt, awaySince), `15h: ${name} was read while nobody could`],
      [
        isNear || !isLocked || attempt.isLocked,
        `15b: ${name} says that the time to pay is over, before it is`,
      ],
    ])
  }

  function told({ order: id, json, at }: StatusSaying): string[] {
    const order = book.orders.get(id)
    if (!order || !json) return []
    const name = nameOf(order)
    const isOver = !book.isCrowded && order.last !== null && !/^(?:UNPAID|EXPIRED)$/.test(order.last.status)
    return [
      ...broken([
        [json.orderUUID === id, `15: ${name} is told as ${json.orderUUID}`],
        [
          !isOver || json.status === order.last.status,
          `15: ${name} is ${order.last?.status}, its page says ${json.status}`,
        ],
      ]),
      ...sumProblems(order, json, at),
      ...quoteProblems(order, json, at),
    ]
  }

  /** the choices of buyers in this step, by order: of simultaneous choices, the page shows the last one */
  const choices = new Map<string, string[]>()

  /** 15d: the page shows the coin that a buyer chooses, even if it was chosen before. */
  function noteChoice({ order: id, asset, at, status, shown }: OpenedFact): void {
    const order = book.orders.get(id)
    const isOpen = status === 303 && book.assetOf(asset) && shown?.attempt && shown.status === 'UNPAID'
    if (!order || !isOpen || order.transfers.length + order.provider.length + order.cards.length > 0) return
    // While a payment that an endpoint invented is unconfirmed, the page asks for nothing more.
    const isInvented = order.attempts.some(one =>
      book.wasLiedTo(one.asset.chain, one.openedAt, at, lie => lie === 'invent'),
    )
    if (isInvented || /[1-9]/.test(shown.credited)) return
    const { assetId, isLocked } = shown.attempt
    const other = `15d: ${nameOf(order)}: ${asset} is chosen, ${assetId} is shown`
    const over = `15d: ${nameOf(order)}: ${asset} is chosen, but its time to pay is over`
    choices.set(id, [...(choices.get(id) ?? []), assetId !== asset ? other : isLocked ? '' : over])
  }

  function wrongChoices(): string[] {
    const alone = [...choices.values()].filter(problems => problems.length === 1).flat()
    choices.clear()
    return book.isCrowded ? [] : alone.filter(problem => problem !== '')
  }

  /** orders whose only payment the server has reported as seen */
  const seenOnly = new Set<string>()

  function noteSeen({ order: id, json }: StatusSaying): void {
    const order = book.orders.get(id)
    const [only, ...others] = order?.transfers ?? []
    if (!only || others.length > 0 || only.block !== null || only.gone !== null) return
    if (json?.credited !== undefined && /[1-9]/.test(json.credited)) seenOnly.add(id)
  }

  /**
   * 15e: if the only payment was seen and can never be mined, the page says so once the server knows, unless the
   * order has been paid in another way since the last status: at a provider, or by a payment that an endpoint
   * invented.
   */
  const mustMention = ({ id, transfers: [only, ...others] }: KnownOrder, html: string): boolean =>
    /<title>Pay/.test(html) &&
    !/\bReceived .+ of /.test(textOf(html)) &&
    seenOnly.has(id) &&
    others.length === 0 &&
    only?.gone === 'double-spent' &&
    lastStatus.get(id)?.status === 'UNPAID' &&
    isKnownGone(id)

  const isKnownGone = (id: string): boolean => {
    const json = lastStatus.get(id)
    return json !== undefined && !/[1-9]/.test(json.credited)
  }

  /** 15f: if a part was paid and the grace is running, the page shows the address for the rest. */
  function mustShow(order: KnownOrder, at: number): string | null {
    const [attempt, ...others] = order.attempts
    const status = lastStatus.get(order.id)
    const graceEnd = attempt ? attempt.lockedUntil + (book.server?.graceMs ?? 0) : 0
    const isInGrace = attempt !== undefined && at > attempt.lockedUntil && at < graceEnd - 60_000
    const isPart = /[1-9]/.test(status?.credited ?? '') && /[1-9]/.test(status?.left.amount ?? '')
    const isRight = book.isClockRightSince(order.createdAt)
    // A payment in another coin may wait for the shop, and then the buyer is asked to send nothing more.
    const isOneCoin = order.transfers.every(({ sent }) => sent.asset === attempt?.asset.id)
    const isPlain = others.length === 0 && order.decisions.length === 0 && isRight && isOneCoin
    const isExpected =
      isInGrace && isPart && isPlain && status?.status === 'UNPAID' && status.attempt?.state === 'underpaid'
    return isExpected && !isSmall(status.left.amount) ? attempt.address : null
  }

  const lastStatus = new Map<string, Json>()
  /** pages without the address, until the next status shows whether more had arrived by then */
  const hidden = new Map<string, { at: number; credited: string }>()

  function hiddenProblems({ order: id, json, at }: StatusSaying): string[] {
    const page = hidden.get(id)
    hidden.delete(id)
    const isSame = page && json?.credited === page.credited && json.attempt?.state === 'underpaid'
    const isHidden = isSame && at - page.at <= 60 * SECOND_MS
    return isHidden ? [`15f: the page of the order ${id} hides the address that takes the rest`] : []
  }

  function pageProblems({ order: id, html, at }: PageSaying): string[] {
    const order = book.orders.get(id)
    if (!order) return []
    const name = nameOf(order)
    const text = textOf(html)
    const others = order.attempts.length > 0 ? [] : foreignAddresses(html)
    const address = mustShow(order, at)
    const isHidden = address !== null && !html.includes(address)
    if (isHidden) hidden.set(id, { at, credited: lastStatus.get(id)?.credited })
    const [attempt, ...more] = order.attempts
    const awaySince = attempt ? book.awaySince(attempt.asset.chain) : null
    // The page of a provider tells when the provider was asked, whatever the state of the chain.
    const isOfProvider = /\bdata-state="redirect"/.test(html)
    const isAlone = attempt !== undefined && !attempt.isForwarded && more.length === 0 && !order.hasOthers
    // A check that was made a moment ago is not repeated, so the page may show the time of the last
    // successful one for a while.
    const isAway = isAlone && !isOfProvider && awaySince !== null && at - awaySince > RECENT_MS
    const [, checkedAt] = /\bChecked at <time datetime="([^"]+)"/.exec(html) ?? []
    const isToldLater =
      checkedAt !== undefined && isAfter(checkedAt, awaySince) && book.isClockRightSince(order.createdAt)
    return broken([
      [others.length === 0, `15b: the page of ${name} shows another order's address`],
      [!isAway || !isToldLater, `15h: ${name} says that it was checked while nobody could`],
      [!/\b(?:undefined|NaN|\[object Object\])\b/.test(text), `15c: the page of ${name} is broken`],
      [
        !mustMention(order, html) || /no longer/.test(text),
        `15e: ${name}: the page does not say that a payment vanished`,
      ],
    ])
  }

  /** 15g: at the end, the page shows exactly the amount that was paid. */
  function endProblems(order: KnownOrder): string[] {
    const json = lastStatus.get(order.id)
    const isUnpaid = json?.status === 'UNPAID' || json?.status === 'EXPIRED'
    const isPlain =
      order.decisions.length === 0 &&
      order.provider.length + order.cards.length === 0 &&
      book.isClockRightSince(order.createdAt)
    const isInvented = order.attempts.some(({ asset }) =>
      book.wasLiedTo(asset.chain, 0, Number.POSITIVE_INFINITY, lie =>
        /^(?:invent|forge|dust|inflate)$/.test(lie),
      ),
    )
    const { least, most } = coverageOf(book, order)
    if (!isUnpaid || !isPlain || isInvented || isLess(least, most)) return []
    const credited = minorOf(json.credited, order.first?.currency ?? 'USD')
    // An order that two endpoints have to confirm may never be PAID, and its page shows no more than its price.
    const [price, sent] = [placedPrice(order) ?? 0n, floor(least)]
    const expected = sent < price ? sent : price
    return broken([
      [credited === expected, `15g: ${nameOf(order)} says ${credited} paid, but ${expected} were`],
    ])
  }

  return {
    step: wrongChoices,
    end: () => [...book.orders.values()].flatMap(endProblems),
    hear(saying) {
      if (saying.says === 'status') {
        noteSeen(saying)
        lastStatus.set(saying.order, saying.json)
        return [...told(saying), ...hiddenProblems(saying)]
      }
      return saying.says === 'page' && saying.status === 200 ? pageProblems(saying) : []
    },
    note(fact) {
      if (fact.fact !== 'opened' || !fact.shown) return []
      noteChoice(fact)
      return told({ ...fact, says: 'status', json: fact.shown })
    },
  }

  function foreignAddresses(html: string): string[] {
    const words = html.match(/[A-Za-z0-9]{25,100}/g) ?? []
    return words.filter(word => book.attemptOf.has(word))
  }
}

const isAfter = (time: string, since: number | null): boolean =>
  since !== null && Date.parse(time) > since + SECOND_MS

const textOf = (html: string): string =>
  html.replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<[^>]*>/g, ' ')

/**
 * True if less than a dollar is left, or a similar amount in another currency: a page need not ask for so
 * little.
 */
const isSmall = (amount: string): boolean => /^0*(?:[.]|$)/.test(amount)
