import { type Attempt, isOpen } from '../../../domain/attempt.ts'
import { type BlindChain, failedAgain, isNews, isWorthNotice } from '../../../domain/blind-chain.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { notifyOf } from '../../notices/notify.ts'

type LookContext = Pick<Context, 'storage' | 'clock' | 'ids'>

/** A check of some attempts on one chain. */
interface Look {
  chain: string
  attempts: readonly Attempt[]
  /** true if the chain could not be read */
  hasFailed: boolean
}

/** The chains that could not be read, as all servers know them. */
export const listBlindChains = async ({ storage }: Pick<Context, 'storage'>): Promise<BlindChain[]> =>
  storage.remember(['blindChains'], 'blind chains', tables => tables.blindChains.list())

/**
 * Notes whether a chain could be read. Each merchant who waits for a payment on it is notified once when it
 * could not be read for long, and once when it can be read again.
 */
export async function noteLook(context: LookContext, look: Look): Promise<void> {
  const { chain, hasFailed } = look
  const now = context.clock()
  const remembered = (await listBlindChains(context)).find(one => one.chain === chain) ?? null
  if (!isNews(remembered, hasFailed, now)) return
  await context.storage.write(async tables => {
    const known = await tables.blindChains.find(chain)
    if (!isNews(known, hasFailed, now)) return
    await (hasFailed ? noteFailure(context, tables, look, known) : noteSuccess(context, tables, known))
  })
}

async function noteFailure(
  context: LookContext,
  tables: Tables,
  { chain, attempts }: Look,
  before: BlindChain | null,
): Promise<void> {
  const now = context.clock()
  const known = failedAgain(before, chain, now)
  const waiting = isWorthNotice(known, now) ? await listWaiting(tables, attempts, known) : []
  for (const merchantId of waiting) {
    await notifyOf(context, tables, merchantId, { about: 'chain_blind', chain, since: known.since })
  }
  await tables.blindChains.put({ ...known, notified: [...known.notified, ...waiting] })
}

/** The merchants who wait for a payment that cannot be seen, and have not been notified of that. */
async function listWaiting(
  tables: Tables,
  attempts: readonly Attempt[],
  { since, notified }: BlindChain,
): Promise<string[]> {
  const found = new Set(notified)
  for (const attempt of attempts) {
    const { merchantId, orderId, state, graceUntil } = attempt
    const isAwaited = isOpen(attempt) && (state === 'confirming' || graceUntil > since)
    if (!isAwaited || found.has(merchantId)) continue
    const status = (await tables.orders.find(orderId))?.order.status
    if (status === 'UNPAID' || status === 'EXPIRED') found.add(merchantId)
  }
  return [...found].slice(notified.length)
}

async function noteSuccess(context: LookContext, tables: Tables, known: BlindChain | null): Promise<void> {
  if (known === null) return
  const { chain } = known
  for (const merchantId of known.notified) {
    await notifyOf(context, tables, merchantId, { about: 'chain_readable', chain })
  }
  await tables.blindChains.put({ ...known, readAt: context.clock(), notified: [] })
}
