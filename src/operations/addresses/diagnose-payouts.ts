import { walletNetworks } from '../../domain/asset.ts'
import { payoutProblems } from '../../domain/payout-check.ts'
import type { CryptoWallets } from '../../domain/wallet.ts'
import { askAll, type PayoutContext, sentenceOf } from './steps/payout-checks.ts'

/** Asks the chains about payout wallets. Records nothing. */
export async function diagnosePayouts(
  context: Pick<PayoutContext, 'networks' | 'clock' | 'log'>,
  addresses: CryptoWallets,
): Promise<{ asked: number; sentences: string[] }> {
  const checks = await Promise.all(
    walletNetworks.map(network => {
      const address = addresses[network]
      return address ? askAll(context, network, address) : []
    }),
  )
  const sentences = checks.flatMap(own => payoutProblems(own).map(sentenceOf))
  return { asked: checks.flat().length, sentences }
}
