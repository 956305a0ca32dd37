import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { filled } from '../../../../views/texts/message.ts'
import { walletNetworks } from '../../../domain/asset.ts'
import type { PayoutProblem } from '../../../domain/payout-check.ts'
import type { WalletFault, WalletFaultKind } from '../../../domain/wallet-fault.ts'
import type { Context } from '../../../operations/context.ts'

type Names = Record<string, string>

/** The values of a fault as people read them, with the names of networks. */
type ValuesOf<Fault> = Omit<Fault, 'networks'> &
  (Fault extends { networks: unknown } ? { networks: string } : object)
type Sentences = { [Kind in WalletFaultKind]: string | ((values: ValuesOf<WalletFault<Kind>>) => string) }

/** The sentence about what is wrong with an address or a key, in the language of a page. */
export function faultText({ texts }: DashboardLocale, fault: WalletFault): string {
  const names: Names = texts.payouts.networks
  const named = (network: string): string =>
    walletNetworks.some(known => known === network) ? (names[network] ?? network) : network
  const shown = {
    ...fault,
    ...('network' in fault && { network: named(fault.network) }),
    ...('networks' in fault && { networks: fault.networks.map(named).join(', ') }),
  }
  // The compiler checks that every kind has a sentence, but not that this sentence fits its kind.
  const sentences: Sentences = texts.walletFaults
  return filled(sentences[fault.kind] as string | ((values: object) => string), shown)
}

/** The sentence about why a payout wallet cannot take all payments, in the language of a page. */
export function payoutProblemText(
  { upstreams }: Pick<Context, 'upstreams'>,
  { texts: { payouts } }: DashboardLocale,
  { isCoinOnly, chain, deployedOn }: PayoutProblem,
): string {
  const names = new Map(upstreams.chains().map(({ chain: id, name }) => [id, name]))
  const named = (id: string): string => names.get(id) ?? id
  const kind = isCoinOnly ? 'coin' : deployedOn.length > 0 ? 'elsewhere' : 'unknown'
  return payouts.walletProblems[kind]({ chain: named(chain), others: deployedOn.map(named).join(', ') })
}
