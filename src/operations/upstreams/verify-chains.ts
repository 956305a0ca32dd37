import type { Context } from '../context.ts'

/**
 * Has the endpoints of every chain prove themselves, so that an operator reads at the start what a buyer
 * would not be offered later. Never throws.
 */
export async function examineNetworks({ networks, log }: Context): Promise<void> {
  const chains = Map.groupBy(networks.assets, ({ chain }) => chain)
  await Promise.all(
    [...chains].map(async ([chain, [asset]]) => {
      const fault = await networks.of(chain)?.unavailableReason(asset!)
      if (fault) log.warn({ chain, fault }, 'a network cannot be offered now')
    }),
  )
}
