import { CATALOGUE_FRESH_MS } from '../../domain/catalogue.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { type CatalogueContext, fetchCatalogue } from './steps/catalogue.ts'
import { forgetForcedFetches } from './steps/stale-cache.ts'

const RATES_PAUSE_MS = 60_000
const RETRY_MS = 60_000
/** A server has more urgent things to do when it starts. */
const RETENTION_DELAY_MS = 600_000

/** Fetches a provider's catalogue before it is too old, so that no buyer waits for it. */
export async function refreshCatalogue(
  context: CatalogueContext & Pick<Context, 'providers'>,
  providerId: string,
): Promise<number | null> {
  const provider = context.providers.find(providerId)
  if (!provider) return null
  try {
    const { fetchedAt } = await fetchCatalogue(context, provider)
    return Math.max(context.clock() + RETRY_MS, fetchedAt + CATALOGUE_FRESH_MS)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return context.clock() + RETRY_MS
  }
}

export async function refreshRates({ rates, clock }: Pick<Context, 'rates' | 'clock'>): Promise<number> {
  await rates.refresh()
  return clock() + RATES_PAUSE_MS
}

/** Lets the next forced refresh ask the providers, although the last one is recent. */
export function allowForcedRefresh({ providers }: Pick<Context, 'providers'>): void {
  for (const provider of providers.all) forgetForcedFetches(provider)
}

/** Schedules the jobs that every server has. */
export async function scheduleRefreshes({
  storage,
  clock,
  providers,
}: Pick<Context, 'storage' | 'clock' | 'providers'>): Promise<void> {
  await storage.write(async tables => {
    const dueAt = clock()
    await tables.jobs.schedule({ kind: 'rates.refresh', subject: 'all', lane: 'rates', dueAt })
    const retention = { kind: 'retention.apply', subject: 'all', lane: 'retention' } as const
    await tables.jobs.schedule({ ...retention, dueAt: dueAt + RETENTION_DELAY_MS })
    for (const { id } of providers.all) {
      await tables.jobs.schedule({ kind: 'catalogue.refresh', subject: id, lane: `catalogue:${id}`, dueAt })
    }
  })
}
