import type { Asset } from '../../domain/asset.ts'
import { isWithin } from '../../domain/clock.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { loadCheckout } from '../../operations/payments/load-checkout.ts'

const SECOND_MS = 1000
/** The time for which a network is shown as unreachable. After that, it may be reachable again. */
const SHOWN_MS = 2 * 60_000

const pattern = /^([0-9]{10})[.](.{1,64})$/

/** Refusals that the choice page explains: with a parameter, or by the open payments. */
const shownThere: readonly string[] = ['network_away', 'payments_open']

/**
 * The path of the page to choose a payment method, with the reason why a coin could not be opened. Rethrows
 * every other error.
 */
export async function choiceWithout(
  context: Pick<Context, 'storage' | 'networks' | 'clock'>,
  orderId: string,
  assetId: string,
  error: unknown,
): Promise<string> {
  const kind = error instanceof Refusal ? error.reason?.kind : undefined
  if (kind === undefined || !shownThere.includes(kind)) throw error
  const { attempts, openings } = await loadCheckout(context, orderId)
  const choose = String(attempts.length + openings.length)
  const isAway = kind === 'network_away'
  const unreached = { unreached: `${Math.floor(context.clock() / SECOND_MS)}.${assetId}` }
  return `/pay/${orderId}?${new URLSearchParams({ choose, ...(isAway && unreached) })}`
}

/** The coin in the parameter `unreached`; null for any other value, or for an old one. */
export function unreachedIn(
  { networks, clock }: Pick<Context, 'networks' | 'clock'>,
  parameter: unknown,
): Asset | null {
  const [, seconds, assetId] = typeof parameter === 'string' ? (pattern.exec(parameter) ?? []) : []
  if (assetId === undefined || !isWithin(SHOWN_MS, Number(seconds) * SECOND_MS, clock())) return null
  return networks.asset(assetId) ?? null
}
