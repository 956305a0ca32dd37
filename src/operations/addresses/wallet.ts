import { listedNetworks, type WalletNetwork, walletNetworks } from '../../domain/asset.ts'
import type { AuditFields } from '../../domain/audit.ts'
import { invalid } from '../../domain/errors.ts'
import { type CryptoWallets, emptyWallet, type Wallet } from '../../domain/wallet.ts'
import type { Tables } from '../../storage/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'
import { authorOf } from '../notices/author.ts'
import { notifyOf } from '../notices/notify.ts'
import { checkPayoutAddress, refuseGivenAddress } from './steps/check-payout.ts'
import { inspectPayout, type PayoutContext } from './steps/payout-checks.ts'

export interface WalletChange {
  payoutWallet?: string | undefined
  cryptoWallets?: CryptoWallets | undefined
  orderWalletOverrideEnabled?: boolean | undefined
  includeCrypto?: boolean | undefined
}

export async function getWallet(context: Pick<Context, 'storage'>, merchantId: string): Promise<Wallet> {
  const merchant = await getMerchant(context, merchantId)
  const wallet = await context.storage.read(tables => tables.wallets.find(merchantId))
  return wallet ?? emptyWallet(merchantId, merchant.createdAt)
}

/** Networks that the API lists, each with a payout wallet or an active address source. */
export async function listConfiguredNetworks(
  { storage }: Pick<Context, 'storage'>,
  { merchantId, addresses }: Pick<Wallet, 'merchantId' | 'addresses'>,
): Promise<WalletNetwork[]> {
  const sources = await storage.read(tables => tables.sources.listOf(merchantId))
  const hasSource = new Set(sources.filter(({ active }) => active).map(({ network }) => network))
  return listedNetworks.filter(network => addresses[network] !== undefined || hasSource.has(network))
}

/** Replaces the given properties; "" removes an address. Existing orders keep their snapshots. */
export async function changeWallet(
  context: AuditContext & PayoutContext,
  merchantId: string,
  input: WalletChange,
): Promise<Wallet> {
  const addresses = named(input)
  for (const network of walletNetworks) {
    const address = addresses[network]
    if (address) checkPayoutAddress(context, network, address, pathOf(input, network))
  }
  const merchant = await getMerchant(context, merchantId)
  const { before, wallet } = await context.storage.write(async tables => {
    const now = context.clock()
    const known = (await tables.wallets.find(merchantId)) ?? emptyWallet(merchantId, merchant.createdAt)
    for (const network of walletNetworks) {
      const address = addresses[network]
      if (!address || address === known.addresses[network]) continue
      const path = pathOf(input, network)
      await refuseGivenAddress(context, tables, { merchantId, network, address, path })
    }
    const merged = Object.entries({ ...known.addresses, ...addresses }).filter(
      ([, address]) => address !== '',
    )
    const wallet: Wallet = {
      ...known,
      addresses: Object.fromEntries(merged),
      includeCrypto: input.includeCrypto ?? known.includeCrypto,
      orderWalletOverride: input.orderWalletOverrideEnabled ?? known.orderWalletOverride,
      updatedAt: now,
    }
    await tables.wallets.put(wallet)
    await recordChange(context, tables, known, wallet)
    return { before: known, wallet }
  })
  await inspectChanged(context, before, wallet)
  return wallet
}

/** Notifies the merchant if a chain cannot pay out to a new wallet. The wallet is set anyway. */
async function inspectChanged(context: PayoutContext, before: Wallet, { merchantId, addresses }: Wallet) {
  await Promise.all(
    walletNetworks.map(network => {
      const address = addresses[network]
      if (!address || address === before.addresses[network]) return null
      return inspectPayout(context, merchantId, network, address, { isNew: true })
    }),
  )
}

const auditFields = ({ addresses, includeCrypto, orderWalletOverride }: Wallet): AuditFields => ({
  ...addresses,
  includeCrypto,
  orderWalletOverrideEnabled: orderWalletOverride,
})

async function recordChange(
  context: AuditContext,
  tables: Tables,
  known: Wallet,
  wallet: Wallet,
): Promise<void> {
  const { merchantId } = wallet
  const [before, after] = [auditFields(known), auditFields(wallet)]
  await recordAudit(context, tables, {
    merchantId,
    action: 'wallet.changed',
    subject: 'wallet',
    before,
    after,
  })
  const changes = walletNetworks
    .filter(network => known.addresses[network] !== wallet.addresses[network])
    .map(network => {
      const [from, to] = [known.addresses[network], wallet.addresses[network]]
      return { network, from: from ?? null, to: to ?? null }
    })
  if (changes.length === 0) return
  const author = await authorOf(context, tables)
  await notifyOf(context, tables, merchantId, { about: 'wallets_changed', ...author, changes })
}

const pathOf = ({ cryptoWallets }: WalletChange, network: WalletNetwork): string =>
  cryptoWallets?.[network] === undefined ? '/payoutWallet' : `/cryptoWallets/${network}`

/** The addresses in a body. payoutWallet is an alias of cryptoWallets.evm. */
function named({ payoutWallet, cryptoWallets = {} }: WalletChange): CryptoWallets {
  if (payoutWallet === undefined) return cryptoWallets
  const { evm } = cryptoWallets
  if (evm !== undefined && evm.toLowerCase() !== payoutWallet.toLowerCase()) {
    throw invalid('/payoutWallet', 'must equal cryptoWallets.evm when both are sent')
  }
  return { ...cryptoWallets, evm: payoutWallet }
}
