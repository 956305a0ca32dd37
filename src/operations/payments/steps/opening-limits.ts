import { holdsMost } from '../../../domain/attempt.ts'
import { Refusal } from '../../../domain/errors.ts'
import { areBeside } from '../../../domain/lightning.ts'
import type { Started } from '../../../domain/opening.ts'
import { LOCK_MS } from '../../../domain/quote.ts'
import type { Context } from '../../context.ts'
import type { Checkout } from '../load-checkout.ts'

/** Max attempts of an order: more than a buyer ever needs, and few enough that nobody fills the disk. */
const ATTEMPTS_MAX = 50
/** Max buyers of one merchant who have not paid yet: each costs look-ups for 7 days. */
const WAITING_MAX = 2000
/**
 * The lower limit for orders that were created on public pages: anybody can create those, and they must not
 * use up the limit for orders of the API.
 */
const WAITING_PUBLIC_MAX = 1500
/**
 * From this number on, each client can open fewer payments, so that a stranger cannot block other buyers.
 */
export const WAITING_SCARCE = 1000
const WAITING_RETRY_SECONDS = 60

/**
 * Refuses if an order has too many attempts, or too many that hold a price. An attempt in the same QR code as
 * the new one shares its price.
 */
export function checkAttemptLimit({ attempts, openings }: Started, assetId: string, now: number): void {
  const others = attempts.filter(one => one.kind !== 'address' || !areBeside(one.assetId, assetId))
  const isMost = holdsMost(others, now)
  if (attempts.length + openings.length < ATTEMPTS_MAX && !isMost) return
  const message = 'Too many payments are open for this order. Pay one of them, or try again in 30 minutes.'
  const retryAfterSeconds = LOCK_MS / 1000
  if (!isMost) throw new Refusal('rate_limited', message, { retryAfterSeconds })
  throw new Refusal('rate_limited', message, { reason: { kind: 'payments_open' }, retryAfterSeconds })
}

/**
 * Counts a merchant's unpaid attempts whose quote is still valid. Refuses if there are too many.
 */
export async function countWaiting(
  { storage, clock, log }: Pick<Context, 'storage' | 'clock' | 'log'>,
  { order, merchant: { id: merchantId } }: Checkout,
): Promise<number> {
  const waiting = await storage.read(tables => tables.attempts.countWaiting(merchantId, clock(), WAITING_MAX))
  if (waiting < (order.source === 'api' ? WAITING_MAX : WAITING_PUBLIC_MAX)) return waiting
  log.warn({ merchantId, waiting }, 'attempt.open.limited')
  const message = 'Too many payments of this shop are open. Try again in a minute.'
  throw new Refusal('rate_limited', message, { retryAfterSeconds: WAITING_RETRY_SECONDS })
}
