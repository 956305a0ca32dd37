import { type WalletNetwork, walletNetworks } from '../../domain/asset.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { CryptoWallets } from '../../domain/wallet.ts'
import type { Webhook } from '../../domain/webhook.ts'
import type { Context } from '../context.ts'

const UNMATCHED_MAX = 500

/** What decides whether a merchant can receive payments and events. */
export interface MerchantState {
  merchant: Merchant
  /** networks with a payout wallet */
  networks: WalletNetwork[]
  payouts: CryptoWallets
  /** networks with a configured address source */
  setUp: WalletNetwork[]
  hasLiveKey: boolean
  webhook: Webhook | null
  /** open unmatched payments */
  unmatched: number
}

export function diagnoseMerchants({ storage }: Pick<Context, 'storage'>): Promise<MerchantState[]> {
  return storage.read(async tables => {
    const all = await tables.merchants.list()
    return Promise.all(
      all.map(async merchant => {
        const wallet = await tables.wallets.find(merchant.id)
        const sources = await tables.sources.listOf(merchant.id)
        const keys = await tables.keys.listOf(merchant.id)
        const unmatched = await tables.unmatched.list(merchant.id, UNMATCHED_MAX)
        return {
          merchant,
          payouts: wallet?.addresses ?? {},
          networks: walletNetworks.filter(network => wallet?.addresses[network] !== undefined),
          setUp: sources.filter(({ active }) => active).map(({ network }) => network),
          hasLiveKey: keys.some(({ mode, revokedAt }) => mode === 'live' && revokedAt === null),
          webhook: await tables.webhooks.find(merchant.id),
          unmatched: unmatched.filter(({ payment }) => payment.status === 'open').length,
        }
      }),
    )
  })
}
