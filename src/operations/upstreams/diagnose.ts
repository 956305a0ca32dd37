import { asserted } from '../../domain/errors.ts'
import { LIGHTNING } from '../../domain/lightning.ts'
import type { Provider } from '../../providers/port.ts'
import type { Context } from '../context.ts'
import { fetchMethods } from './steps/catalogue.ts'

/** Number of methods that a provider offers now. Throws ProviderError. */
export const diagnoseProvider = async (provider: Provider): Promise<number> =>
  (await fetchMethods(provider)).length

/** Milliseconds for which the longest overdue job has been waiting; 0 if no job is due. */
export async function diagnoseJobs({ storage, clock }: Pick<Context, 'storage' | 'clock'>): Promise<number> {
  const dueAt = await storage.read(tables => tables.jobs.nextDueAt([]))
  return dueAt === null ? 0 : Math.max(0, clock() - dueAt)
}

/**
 * Verifies when the server starts that the endpoints of every chain work, so that the log shows problems
 * before a buyer meets them. Lightning is left out: it uses accounts of shops instead of endpoints, and is
 * loaded with the first account. Never throws.
 */
export async function verifyChains({ networks, log }: Pick<Context, 'networks' | 'log'>): Promise<void> {
  const read = networks.assets.filter(({ chain }) => chain !== LIGHTNING)
  const chains = Map.groupBy(read, ({ chain }) => chain)
  await Promise.all(
    [...chains].map(async ([chain, [asset]]) => {
      const reason = await networks.of(chain)?.unavailableReason(asserted(asset, 'a chain has assets'))
      if (reason) log.warn({ chain, reason }, 'network.unavailable')
    }),
  )
}
