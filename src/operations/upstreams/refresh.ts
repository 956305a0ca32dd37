import { CATALOGUE_FRESH_MS } from '../../domain/catalogue.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Job } from '../../domain/job.ts'
import { advance } from '../../domain/retention.ts'
import type { Networks } from '../../networks/port.ts'
import type { Tables, WatchedPair } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { type CatalogueContext, fetchCatalogue } from './steps/catalogue.ts'
import { forgetForcedFetches } from './steps/stale-cache.ts'

const RATES_PAUSE_MS = 60_000
/**
 * Time between the rates that are stored for late payments: a late payment takes a rate at most 10 minutes
 * away.
 */
const LATE_RATES_PAUSE_MS = 600_000
/** Rates are stored for this long, which is a little longer than a payment is watched. */
const RATES_KEPT_MS = 8 * 24 * 3600_000
/**
 * The period of rates that is deleted at once, oldest first. If the clock is briefly far ahead, only the
 * oldest rates are lost.
 */
const PRUNED_AT_ONCE_MS = 3600_000
const RETRY_MS = 60_000
/**
 * Delay of the first check of services. A starting server makes none, because the first payment shows if they
 * work.
 */
const WATCH_DELAY_MS = 10 * 60_000
/** Delay of the first check that shops can be paid: a server that starts has fetched no rates yet. */
const PAYABLE_DELAY_MS = 2 * 60_000
/** Delay of the first check of skipped addresses. By then the endpoints have been verified. */
const SKIPPED_DELAY_MS = 60_000
/** Delay of the first check of funds to be moved, because payments come first. */
const FUNDS_DELAY_MS = 3 * 60_000
/** Delay of the first deletion of old data, because a starting server has more urgent work. */
const RETENTION_DELAY_MS = 600_000

/** Fetches a provider's catalogue before it expires, so that no buyer waits for it. */
export async function refreshCatalogue(
  context: CatalogueContext & Pick<Context, 'providers'>,
  providerId: string,
): Promise<number | null> {
  const provider = context.providers.find(providerId)
  if (!provider) return null
  try {
    const { fetchedAt } = await fetchCatalogue(context, provider)
    const now = context.clock()
    return Math.max(now + RETRY_MS, Math.min(fetchedAt, now) + CATALOGUE_FRESH_MS)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return context.clock() + RETRY_MS
  }
}

type RatesContext = Pick<Context, 'rates' | 'clock' | 'storage' | 'networks'>

/** Fetches rates before they expire, and stores those that may value late payments. */
export async function refreshRates(context: RatesContext): Promise<number> {
  await context.rates.refresh()
  await keepRates(context)
  return context.clock() + RATES_PAUSE_MS
}

async function keepRates({ rates, clock, storage, networks }: RatesContext): Promise<void> {
  const now = clock()
  const { pairs, oldest } = await storage.read(async tables => ({
    pairs: await duePairs(tables, networks, now),
    oldest: await tables.rates.oldest(),
  }))
  const keptSince = now - RATES_KEPT_MS
  const isOld = oldest !== null && oldest < keptSince
  if (pairs.length === 0 && !isOld) return
  const rateOf = pairs.length > 0 ? await rates.latest(true) : () => null
  const found = pairs.map(({ assetId, currency }) => ({ assetId, rate: rateOf(assetId, currency) }))
  await storage.write(async tables => {
    for (const { assetId, rate } of found) if (rate) await tables.rates.keep({ ...rate, assetId, at: now })
    if (isOld) await tables.rates.prune(Math.min(keptSince, oldest + PRUNED_AT_ONCE_MS))
  })
}

/**
 * The pairs whose rates are stored now: every minute while buyers see the rate, and less often for late
 * payments or payments in another coin.
 */
async function duePairs(tables: Tables, networks: Networks, now: number): Promise<WatchedPair[]> {
  const since = now - (now % RATES_PAUSE_MS) - LATE_RATES_PAUSE_MS + RATES_PAUSE_MS
  const due: WatchedPair[] = []
  for (const pair of withOthers(networks, await tables.rates.watched(now))) {
    const isLocked = now < pair.lockedUntil
    if (isLocked || (await tables.rates.nearest(pair, now, now - since)) === null) due.push(pair)
  }
  return due
}

/**
 * Adds the other coins that can be sent to the same addresses on any chain: buyers send the wrong coin, or
 * use the wrong network.
 */
function withOthers(networks: Networks, watched: WatchedPair[]): WatchedPair[] {
  const keyOf = ({ assetId, currency }: Pick<WatchedPair, 'assetId' | 'currency'>) => `${assetId} ${currency}`
  const all = new Map(watched.map(pair => [keyOf(pair), pair]))
  for (const { assetId, currency, until } of watched) {
    const asked = networks.asset(assetId)
    for (const { id, chain, network } of networks.assets) {
      const other = { assetId: id, currency, until, lockedUntil: 0 }
      if (network === asked?.network && networks.of(chain) && !all.has(keyOf(other)))
        all.set(keyOf(other), other)
    }
  }
  return [...all.values()]
}

/** Lets the next forced refresh contact the providers even if the last one is recent. */
export function allowForcedRefresh({ providers }: Pick<Context, 'providers'>): void {
  for (const provider of providers.all) forgetForcedFetches(provider)
}

export async function scheduleRegularJobs({
  storage,
  clock,
  providers,
}: Pick<Context, 'storage' | 'clock' | 'providers'>): Promise<void> {
  await storage.write(async tables => {
    const dueAt = clock()
    // These jobs keep a due time that they have already, so that a server that restarts often does not
    // postpone them forever.
    const first = (job: Job) => tables.jobs.scheduleFirst(job, dueAt)
    await tables.jobs.schedule({ kind: 'rates.refresh', subject: 'all', lane: 'rates', dueAt })
    const watch = { kind: 'services.watch', subject: 'all', lane: 'watch' } as const
    await first({ ...watch, dueAt: dueAt + WATCH_DELAY_MS })
    const payable = { kind: 'payable.watch', subject: 'all', lane: 'payable' } as const
    await first({ ...payable, dueAt: dueAt + PAYABLE_DELAY_MS })
    const skipped = { kind: 'skipped.watch', subject: 'all', lane: 'skipped' } as const
    await first({ ...skipped, dueAt: dueAt + SKIPPED_DELAY_MS })
    const funds = { kind: 'funds.watch', subject: 'all', lane: 'funds' } as const
    await first({ ...funds, dueAt: dueAt + FUNDS_DELAY_MS })
    const retention = { kind: 'retention.apply', subject: 'all', lane: 'retention' } as const
    await first({ ...retention, dueAt: dueAt + RETENTION_DELAY_MS })
    if (!(await tables.retention.progress())) await tables.retention.noteProgress(advance(null, dueAt))
    for (const { id, hasOwnAccounts } of providers.all) {
      if (hasOwnAccounts) continue
      await tables.jobs.schedule({ kind: 'catalogue.refresh', subject: id, lane: `catalogue:${id}`, dueAt })
    }
  })
}
