import type { Context } from '../context.ts'

/**
 * Verifies that the endpoints of every chain serve it, so that the log shows at the start what buyers
 * could not be offered later. Never throws.
 */
export async function verifyChains({ networks, log }: Pick<Context, 'networks' | 'log'>): Promise<void> {
  const chains = Map.groupBy(networks.assets, ({ chain }) => chain)
  await Promise.all(
    [...chains].map(async ([chain, [asset]]) => {
      const reason = await networks.of(chain)?.unavailableReason(asset!)
      if (reason) log.warn({ chain, reason }, 'network.unavailable')
    }),
  )
}
