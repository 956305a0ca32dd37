import { type WalletNetwork, walletNetworks } from '../../../domain/asset.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { ShopVisit } from '../visit.ts'

/** The network in the path of a page. */
export function networkOf({ network }: { network: string }): WalletNetwork {
  const known = walletNetworks.find(name => name === network)
  if (!known) throw new Refusal('not_found')
  return known
}

/** True if a person comes from the setup of the shop, to which they then return. */
export const isSetup = ({ from }: Record<string, string | undefined>): boolean => from === 'setup'

/** The owner of a draft: a person in a shop. */
export const ownerOf = ({ user, merchant }: ShopVisit): string => `${user.id} ${merchant.id}`
