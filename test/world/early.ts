import type { AddressSource } from '../../src/domain/address-source.ts'
import type { Step } from './steps.ts'
import type { World } from './world.ts'

type DerivingSource = Pick<AddressSource, 'network' | 'key' | 'script' | 'payoutAddress' | 'nextIndex'>

const SOURCE = `SELECT network, key, script, payout_address AS payoutAddress, next_index AS nextIndex
  FROM address_sources WHERE merchant_id = ? AND network = ? AND key IS NOT NULL AND active = 1`
/** In the smallest unit: more than dust in any asset. */
const AMOUNT = 10n ** 13n

/**
 * Pays to the next address that a shop derives for an asset. The order of a buyer who is given the address
 * later is not paid by that. Does nothing for assets whose addresses the shop does not derive, and while an
 * endpoint lies: one that is behind when the address is given out makes the server count what came before.
 */
export function payEarly(world: World, { shop, asset }: Extract<Step, { do: 'pay-early' }>): void {
  const { shops, assets, machine, chains, transfers } = world
  const chosen = assets[asset % assets.length]!
  const chain = chains.all.find(one => one.assets.some(({ id }) => id === chosen.id))
  const [source] = world.read(rows =>
    rows.query<DerivingSource, [string, string]>(SOURCE).all(shops[shop]!.id, chosen.network),
  )
  if (!(chain?.endpoints.every(one => one.isHonest) && source)) return
  const to = machine.context.networks.derive(source, source.nextIndex)
  transfers.add({ chain, to, order: null, asset: chosen.id, amount: AMOUNT })
}
