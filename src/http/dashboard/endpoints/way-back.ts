import { walletNetworks } from '../../../domain/asset.ts'

/**
 * The page of a wallet from which a person came here. They return to it as soon as the wallet has what it
 * needs.
 */
export interface WayBack {
  network: (typeof walletNetworks)[number]
  isSetup: boolean
}

/** The way back in the query of a page, or in a hidden field of a form; null if a person came another way. */
export function wayBackIn({ back }: Record<string, unknown>): WayBack | null {
  const [, setup, name] = /^(setup-)?([a-z0-9]+)$/.exec(String(back ?? '')) ?? []
  const network = walletNetworks.find(known => known === name)
  return network ? { network, isSetup: setup !== undefined } : null
}

export const wayBackUrl = ({ network, isSetup }: WayBack): string =>
  `/dashboard/payouts/${network}?chosen${isSetup ? '&from=setup' : ''}`
