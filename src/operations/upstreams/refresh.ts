import { CATALOGUE_FRESH_MS } from '../../domain/catalogue.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { fetchCatalogue } from './steps/catalogue.ts'

const RATES_PAUSE_MS = 60_000
const RETRY_MS = 60_000

/** Keeps a provider's catalogue warm, so that no buyer waits for it. */
export async function refreshCatalogue(context: Context, providerId: string): Promise<number | null> {
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

export async function refreshRates(context: Context): Promise<number> {
  await context.rates.refresh()
  return context.clock() + RATES_PAUSE_MS
}

/** The jobs that every server has. */
export async function scheduleRefreshes(context: Context): Promise<void> {
  await context.storage.write(async tables => {
    const dueAt = context.clock()
    await tables.jobs.schedule({ kind: 'rates.refresh', subject: 'all', lane: 'rates', dueAt })
    for (const { id } of context.providers.all) {
      await tables.jobs.schedule({ kind: 'catalogue.refresh', subject: id, lane: `catalogue:${id}`, dueAt })
    }
  })
}
