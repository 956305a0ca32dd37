import type { AddressSource } from '../../domain/address-source.ts'
import { type WalletNetwork, walletNetworks } from '../../domain/asset.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { UnpaidRun } from '../../domain/unpaid-run.ts'
import type { CryptoWallets } from '../../domain/wallet.ts'
import type { Tables } from '../../storage/port.ts'
import { listOwnMoney, type OwnMoney } from '../addresses/own-money.ts'
import { skippedIndices } from '../addresses/skipped.ts'
import { unpaidRun } from '../addresses/steps/unpaid-run.ts'
import { listUnpaidAttempts, type UnpaidAttempt } from '../addresses/unpaid-attempts.ts'
import type { Context } from '../context.ts'
import { countOpen } from '../payments/browse-unmatched.ts'
import { readWebhookHealth, type WebhookHealth } from '../webhooks/health.ts'

const UNMATCHED_MAX = 500

/** Everything that decides if a merchant can receive payments and events. */
export interface MerchantState {
  merchant: Merchant
  networks: WalletNetwork[]
  payouts: CryptoWallets
  /** networks with a configured address source */
  setUp: WalletNetwork[]
  /** active sources whose addresses are used up, or soon will be */
  sources: SourceState[]
  /** newest attempts of unpaid orders */
  unpaid: UnpaidAttempt[]
  /** money in the merchant's own wallet for unpaid orders */
  ownMoney: OwnMoney[]
  hasLiveKey: boolean
  webhooks: WebhookHealth[]
  /** number of open unmatched payments */
  unmatched: number
}

/** The remaining addresses of a source. */
export interface SourceState extends Pick<AddressSource, 'network' | 'kind'> {
  /** addresses left in a pool; null for an account */
  free: number | null
  run: UnpaidRun
  /** number of addresses that a restore skipped, and its time; null if none */
  skipped: { count: number; at: number } | null
}

async function sourceState(tables: Tables, source: AddressSource): Promise<SourceState> {
  const { network, kind, id } = source
  const { free } = await tables.sources.countAddresses(id)
  const { length: count } = await skippedIndices(tables, source)
  const skipped = source.skippedAt === null ? null : { count, at: source.skippedAt }
  return { network, kind, free: kind === 'pool' ? free : null, run: await unpaidRun(tables, source), skipped }
}

export function diagnoseMerchants({ storage }: Pick<Context, 'storage'>): Promise<MerchantState[]> {
  return storage.read(async tables => {
    const all = await tables.merchants.list()
    return Promise.all(
      all.map(async merchant => {
        const wallet = await tables.wallets.find(merchant.id)
        const sources = await tables.sources.listOf(merchant.id)
        const keys = await tables.keys.listOf(merchant.id)
        const unpaid = await listUnpaidAttempts(tables, merchant.id)
        return {
          merchant,
          payouts: wallet?.addresses ?? {},
          networks: walletNetworks.filter(network => wallet?.addresses[network] !== undefined),
          setUp: sources.filter(({ active }) => active).map(({ network }) => network),
          sources: await Promise.all(
            sources.filter(({ active }) => active).map(source => sourceState(tables, source)),
          ),
          unpaid,
          ownMoney: await listOwnMoney(tables, merchant.id, unpaid),
          hasLiveKey: keys.some(({ mode, revokedAt }) => mode === 'live' && revokedAt === null),
          webhooks: await readWebhookHealth(tables, merchant.id),
          unmatched: await countOpen(tables, merchant.id, UNMATCHED_MAX),
        }
      }),
    )
  })
}
