import { CATALOGUE_FRESH_MS } from '../../domain/catalogue.ts'
import { Refusal } from '../../domain/errors.ts'
import type { World } from '../context.ts'
import { readCatalogue } from './steps/catalogue.ts'

const RATES_PAUSE_MS = 60_000
const RETRY_MS = 60_000

/** Keeps a provider's catalogue warm, so that no buyer waits for it. */
export async function refreshCatalogue(world: World, providerId: string): Promise<number | null> {
  const provider = world.providers.find(providerId)
  if (!provider) return null
  try {
    const { fetchedAt } = await readCatalogue(world, provider)
    return Math.max(world.clock() + RETRY_MS, fetchedAt + CATALOGUE_FRESH_MS)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return world.clock() + RETRY_MS
  }
}

export async function refreshRates(world: World): Promise<number> {
  await world.rates.refresh()
  return world.clock() + RATES_PAUSE_MS
}

/** The jobs that every server has. */
export async function scheduleRefreshes(world: World): Promise<void> {
  await world.storage.write(async tables => {
    const dueAt = world.clock()
    await tables.jobs.schedule({ kind: 'rates.refresh', subject: 'all', lane: 'rates', dueAt })
    for (const { id } of world.providers.all) {
      await tables.jobs.schedule({ kind: 'catalogue.refresh', subject: id, lane: `catalogue:${id}`, dueAt })
    }
  })
}
