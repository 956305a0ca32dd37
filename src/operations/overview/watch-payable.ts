import type { Merchant } from '../../domain/merchant.ts'
import { type Outage, unpayableId } from '../../domain/outage.ts'
import type { PayLack } from '../../domain/payment-methods.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { notifyOf } from '../notices/notify.ts'
import { listPayLacks } from '../payments/can-pay.ts'
import type { PayoutsContext } from '../payments/read-payouts.ts'

const EVERY_MS = 10 * 60_000
/** Time between checks while the buyers of a shop cannot pay at all. */
const AWAY_MS = 2 * 60_000
/**
 * Time without a way to pay after which a shop is notified. A restart of the server, or one failed request,
 * is no news.
 */
const AFTER_MS = 5 * 60_000
/** Shops without an order for this long are not checked: they are still being set up, or have closed. */
const SELLING_MS = 30 * 24 * 3600_000

type WatchContext = PayoutsContext & Pick<Context, 'storage' | 'clock' | 'ids' | 'log'>

/**
 * Checks that the buyers of each shop can pay with something. A shop is notified once when they could not pay
 * for five minutes, and once when they can pay again. Returns the time of the next check.
 */
export async function watchPayable(context: WatchContext): Promise<number> {
  const now = context.clock()
  const selling = await context.storage.read(tables => listSelling(tables, now))
  let next = now + EVERY_MS
  for (const merchant of selling) {
    const lacks = await listPayLacks({ ...context, rates: once(context) }, merchant)
    const outage = await context.storage.write(tables => recordState(context, tables, merchant, lacks))
    if (outage) next = Math.min(next, now + AWAY_MS)
    if (outage?.notifiedAt === null) next = Math.min(next, Math.max(outage.since + AFTER_MS, now + 1000))
  }
  return next
}

/** The rates for a single check. They are fetched, but not kept fresh afterwards. */
const once = ({ rates }: Pick<Context, 'rates'>): Context['rates'] => ({
  ...rates,
  latest: () => rates.latest(true),
})

async function listSelling(tables: Tables, now: number): Promise<Merchant[]> {
  const selling: Merchant[] = []
  for (const merchant of await tables.merchants.list()) {
    const [newest] = await tables.orders.list({ merchantId: merchant.id }, 1, null)
    if (merchant.status === 'active' && newest && newest.order.createdAt > now - SELLING_MS)
      selling.push(merchant)
  }
  return selling
}

/** Records whether a shop can be paid. Returns its outage, or null if it can be paid. */
async function recordState(
  context: WatchContext,
  tables: Tables,
  { id: merchantId }: Merchant,
  reasons: PayLack[],
): Promise<Outage | null> {
  const now = context.clock()
  const id = unpayableId(merchantId)
  const known = (await tables.outages.list()).find(outage => outage.id === id) ?? null
  if (reasons.length === 0) {
    if (known === null) return null
    await tables.outages.remove(id)
    if (known.notifiedAt !== null) await notifyOf(context, tables, merchantId, { about: 'payable' })
    return null
  }
  // An outage never begins in the future, even if the clock was ahead and was set back.
  const since = Math.min(known?.since ?? now, now)
  const isDue = (known?.notifiedAt ?? null) === null && now - since >= AFTER_MS
  const outage = { id, since, notifiedAt: isDue ? now : (known?.notifiedAt ?? null) }
  if (known === null || isDue || since !== known.since) await tables.outages.put(outage)
  if (isDue) {
    context.log.warn({ merchantId, reasons }, 'shop.unpayable')
    await notifyOf(context, tables, merchantId, { about: 'unpayable', since, reasons })
  }
  return outage
}
