import { type WalletNetwork, walletNetworks } from '../../../domain/asset.ts'
import { readMistake } from '../../../domain/pasted-wallet.ts'
import type { WalletFault } from '../../../domain/wallet-fault.ts'
import { walletRefusal } from '../../../domain/wallet-refusal.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'

/** The mistake in a text that is not an address of the network. */
function mistakeIn({ networks }: Pick<Context, 'networks'>, text: string): WalletFault {
  const others = walletNetworks.filter(other => networks.isAddress(other, text))
  if (others.length > 0) return { kind: 'addressOfOther', networks: others }
  return { kind: readMistake(text) ?? 'notAnAddress' }
}

/** Refuses text that is not an address, and an address that nobody could spend from. */
export function checkPayoutAddress(
  context: Pick<Context, 'networks'>,
  network: WalletNetwork,
  address: string,
  path: string,
): void {
  const { networks } = context
  if (!networks.isAddress(network, address)) {
    throw walletRefusal(path, mistakeIn(context, address))
  }
  const reason = networks.unspendable(network, address)
  if (reason) throw walletRefusal(path, reason)
}

/** An address that a merchant enters as a payout wallet. */
interface EnteredAddress {
  merchantId: string
  network: WalletNetwork
  address: string
  /** path of the property that contains the address */
  path: string
}

/**
 * Refuses an address that any buyer was given, or that another merchant may allocate: other deposits to a
 * payout wallet would be mistaken for the buyer's payment, and money would go in circles. Addresses that
 * accounts will allocate in the future are not known, so they are not refused.
 */
export async function refuseGivenAddress(
  { networks }: Pick<Context, 'networks'>,
  tables: Tables,
  { merchantId, network, address, path }: EnteredAddress,
): Promise<void> {
  const canonical = networks.canonical(network, address)
  const known = await tables.sources.findAddress(network, canonical)
  if (known && known.merchantId !== merchantId) throw walletRefusal(path, { kind: 'inUse' })
  const isGiven = (known?.attemptId ?? null) !== null || (await tables.attempts.isGiven(canonical))
  if (isGiven) throw walletRefusal(path, { kind: 'givenToBuyer' })
}
