import { asserted } from '../../domain/errors.ts'
import type { Provider } from '../../providers/port.ts'
import type { Context } from '../context.ts'
import { fetchMethods } from './steps/catalogue.ts'

/** How many methods a provider offers now. Throws ProviderError. */
export const diagnoseProvider = async (provider: Provider): Promise<number> =>
  (await fetchMethods(provider)).length

/** For how many milliseconds the longest overdue job has been waiting; 0 if no job is due. */
export async function diagnoseJobs({ storage, clock }: Pick<Context, 'storage' | 'clock'>): Promise<number> {
  const dueAt = await storage.read(tables => tables.jobs.nextDueAt([]))
  return dueAt === null ? 0 : Math.max(0, clock() - dueAt)
}

/**
 * Verifies that the endpoints of every chain serve it, so that the log shows at the start what buyers
 * could not be offered later. Never throws.
 */
export async function verifyChains({ networks, log }: Pick<Context, 'networks' | 'log'>): Promise<void> {
  const chains = Map.groupBy(networks.assets, ({ chain }) => chain)
  await Promise.all(
    [...chains].map(async ([chain, [asset]]) => {
      const reason = await networks.of(chain)?.unavailableReason(asserted(asset, 'a chain has assets'))
      if (reason) log.warn({ chain, reason }, 'network.unavailable')
    }),
  )
}
