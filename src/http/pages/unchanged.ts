import { type Attempt, hasPayments } from '../../domain/attempt.ts'
import { LruCache } from '../../domain/lru-cache.ts'
import { allOf } from '../../domain/opening.ts'
import type { PaymentStatus } from '../../operations/payments/load-checkout.ts'

/**
 * Max time for which a page counts as unchanged, and so the delay with which it shows new rates or a new name
 * of its shop.
 */
const HOLD_MS = 30_000
/** Max pages that are remembered, of about 300 bytes each. */
const PAGES_MAX = 10_000

interface Page {
  stamp: string
  until: number
}

/**
 * Open pages that equal what their browser shows. Until money arrives, such a page is unchanged as long as a
 * few fields of the order are. Comparing these fields takes a third of the time of drawing the page again.
 */
export class UnchangedPages {
  readonly #pages = new LruCache<Page>(PAGES_MAX)

  constructor(private readonly blindSince: (attempt: Attempt) => number | null) {}

  has(fingerprint: string, status: PaymentStatus, now: number): boolean {
    const key = keyOf(fingerprint, status)
    // Anybody can ask for pages that were never drawn, so such pages are not added.
    if (!this.#pages.has(key)) return false
    const { stamp, until } = this.#pages.get(key, never)
    return now < until && stamp === this.#stampOf(status)
  }

  note(fingerprint: string, status: PaymentStatus, now: number): void {
    if (status.attempts.some(hasPayments)) return
    const until = Math.min(now + HOLD_MS, ...endsOf(status).filter(end => end > now))
    Object.assign(this.#pages.get(keyOf(fingerprint, status), never), {
      stamp: this.#stampOf(status),
      until,
    })
  }

  /**
   * The fields on which a page depends. The time of the last check is left out, because a check that finds
   * nothing changes only that time.
   */
  #stampOf({ order, session, attempts, openings }: PaymentStatus): string {
    const attempted = attempts.map(attempt => {
      const { id, state, chosenAt, lockedUntil, graceUntil, refundAddress } = attempt
      const since = this.blindSince(attempt)
      return [id, state, chosenAt, lockedUntil, graceUntil, refundAddress, since, hasPayments(attempt)].join()
    })
    const opened = openings.map(({ id, state, chosenAt }) => [id, state, chosenAt].join())
    return [order.status, order.updatedAt, session.status, ...attempted, ...opened].join(' ')
  }
}

const keyOf = (fingerprint: string, { order }: PaymentStatus): string => `${order.id} ${fingerprint}`
const never = (): Page => ({ stamp: '', until: 0 })

/** The times at which the page changes without an event. */
const endsOf = (status: PaymentStatus): number[] => [
  status.order.expiresAt,
  ...allOf(status).flatMap(({ lockedUntil, graceLimit }) => [lockedUntil, graceLimit]),
  ...status.attempts.flatMap(({ graceUntil, watchUntil }) => [graceUntil, watchUntil]),
]
