import type { Customer } from '../../../domain/customer.ts'
import { Refusal } from '../../../domain/errors.ts'
import { splitFee } from '../../../domain/fee.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { minorOf, parseAmount } from '../../../domain/money.ts'
import { type Order, type OrderSource, unpaid } from '../../../domain/order.ts'
import { type OrderTerms, productTerms, termsForAmount } from '../../../domain/order-terms.ts'
import type { OrderView } from '../../../domain/order-view.ts'
import { ANY, CRYPTO, isCryptoOnly, offersCrypto, offersProviders } from '../../../domain/payment-methods.ts'
import type { Session } from '../../../domain/session.ts'
import { type TaxClass, taxOfSale, taxWithin, unknownPayer } from '../../../domain/tax.ts'
import { isTestShop, shopOf } from '../../../domain/test-shop.ts'
import { emptyWallet, payoutWallets, type Wallet } from '../../../domain/wallet.ts'
import type { Provider } from '../../../providers/port.ts'
import type { Tables } from '../../../storage/port.ts'
import { refuseGivenAddress } from '../../addresses/steps/check-payout.ts'
import { loadAllSources, NO_LIMIT } from '../../addresses/steps/load-sources.ts'
import type { Context } from '../../context.ts'
import type { OrderRequest } from './parse-request.ts'

/** Checks the request against the current state and inserts the UNPAID order with its private session. */
export async function placeOrder(
  context: Pick<Context, 'clock' | 'ids' | 'networks' | 'providers' | 'origin'>,
  tables: Tables,
  merchantId: string,
  request: OrderRequest,
  source: OrderSource,
): Promise<OrderView> {
  const now = context.clock()
  const merchant = await tables.merchants.find(merchantId)
  if (!merchant) throw new Refusal('not_found')
  const terms = await termsOf(tables, merchant, request)
  const wallet = await walletFor(context, tables, merchantId, request)
  const customer = await customerOf(context, tables, merchantId, request.email, now)
  const receivingWallet = await payoutFor(context, tables, { methodKeys: terms.methodKeys, wallet, request })
  const { fee, net } = splitFee(terms.amount, terms.currency, merchant.feePercent)
  const { actor } = context.origin
  const order: Order = {
    ...unpaid,
    ...terms,
    createdBy: actor.startsWith('user:') ? actor : null,
    id: request.id ?? context.ids.uuid(),
    merchantId,
    customerId: customer.id,
    customerEmail: request.email,
    customerFullName: request.fullName,
    externalId: request.externalId,
    receivingWallet,
    returnUrl: request.returnUrl,
    source,
    feePercent: merchant.feePercent,
    feeAmount: fee,
    netAmount: net,
    expiresAt: request.expiresAt,
    createdAt: now,
    updatedAt: now,
  }
  const status = isCryptoOnly(order.methodKeys) ? 'READY' : 'CREATED'
  const session: Session = { status, updatedAt: now }
  await tables.orders.insert(order, session)
  await tables.jobs.schedule({
    kind: 'order.expire',
    subject: order.id,
    lane: 'expire',
    dueAt: order.expiresAt,
  })
  await tables.statistics.add(merchantId, now, order.currency, {
    pending: minorOf(order.amount, order.currency),
    pendingCount: 1,
    createdCount: 1,
  })
  return { order, session, merchant }
}

/** The payout wallets of a merchant. Refuses the wallet that the request names if it cannot be used. */
async function walletFor(
  context: Pick<Context, 'clock' | 'networks'>,
  tables: Tables,
  merchantId: string,
  { receivingWallet: address }: OrderRequest,
): Promise<Wallet> {
  const owner = shopOf(merchantId)
  const wallet = (await tables.wallets.find(owner)) ?? emptyWallet(owner, context.clock())
  if (address === null) return { ...wallet, merchantId }
  if (!wallet.orderWalletOverride) throw new Refusal('wallet_override_disabled')
  const target = { merchantId: owner, network: 'evm', address, path: '/receivingWallet' } as const
  await refuseGivenAddress(context, tables, target)
  return { ...wallet, merchantId }
}

async function termsOf(tables: Tables, merchant: Merchant, request: OrderRequest): Promise<OrderTerms> {
  if (request.productId === null) return taxedTerms(merchant, termsForAmount(request), 'standard', request)
  const product = await tables.products.find(request.productId)
  if (product?.merchantId !== shopOf(merchant.id)) throw new Refusal('product_not_available')
  return taxedTerms(merchant, productTerms(product, request), product.taxClass, request)
}

/** Adds the tax to the terms. If nothing is known about the buyer, the amount is final and contains it. */
function taxedTerms(
  { tax: shop }: Merchant,
  terms: OrderTerms,
  taxClass: TaxClass,
  { payer }: OrderRequest,
): OrderTerms {
  if (shop === null) return terms
  const { currency } = terms
  const price = { amount: terms.amount, currency }
  if (payer === null) return { ...terms, tax: taxWithin(shop, { price, taxClass, payer: unknownPayer }) }
  const { amount, tax } = taxOfSale(shop, { price, taxClass, payer })
  return { ...terms, amount: parseAmount(amount, currency), tax }
}

async function customerOf(
  context: Pick<Context, 'ids'>,
  tables: Tables,
  merchantId: string,
  email: string,
  now: number,
): Promise<Customer> {
  const id = context.ids.uuid()
  const customer = await tables.customers.ensure({ id, merchantId, email, blockedAt: null, createdAt: now })
  if (customer.blockedAt !== null) throw new Refusal('customer_blocked')
  return customer
}

/** Advice for a merchant who takes only coins, such as Bitcoin. */
const CRYPTO_ALONE =
  'No EVM payout wallet is set, which cards and banks need. To take crypto only, send paymentMethodsKeys ' +
  '["crypto"]. To offer cards and banks too, set payoutWallet with PUT /v1/wallet.'

interface Payout {
  methodKeys: string[]
  wallet: Wallet
  request: Pick<OrderRequest, 'receivingWallet'>
}

/**
 * The EVM wallet that an order is paid out to. Refuses an order whose money could not be paid out. Nothing is
 * paid for a test order, so it has no wallet, and its merchant needs none.
 */
async function payoutFor(
  context: Pick<Context, 'providers'>,
  tables: Tables,
  { methodKeys, wallet, request }: Payout,
): Promise<string | null> {
  if (isTestShop(wallet.merchantId)) return null
  const receivingWallet = request.receivingWallet ?? wallet.addresses.evm ?? null
  await checkPayout(context, tables, methodKeys, wallet, receivingWallet)
  return receivingWallet
}

async function checkPayout(
  context: Pick<Context, 'providers'>,
  tables: Tables,
  methodKeys: string[],
  wallet: Wallet,
  receivingWallet: string | null,
): Promise<void> {
  if (offersProviders(methodKeys)) {
    if (receivingWallet !== null) return
    if (!(await needsEvmWallet(context, tables, methodKeys, wallet.merchantId))) return
    const takesCrypto = offersCrypto(methodKeys) && (await hasCrypto(tables, wallet, receivingWallet))
    throw new Refusal('payout_wallet_required', takesCrypto ? CRYPTO_ALONE : undefined)
  }
  if (!(await hasCrypto(tables, wallet, receivingWallet))) throw new Refusal('crypto_not_configured')
}

async function hasCrypto(tables: Tables, wallet: Wallet, receivingWallet: string | null): Promise<boolean> {
  if (!wallet.includeCrypto) return false
  if (Object.keys(payoutWallets(wallet, receivingWallet)).length > 0) return true
  return (await loadAllSources(tables, wallet.merchantId, NO_LIMIT)).size > 0
}

/**
 * True if an order for these methods needs an EVM payout wallet. The answer must not depend on a request to a
 * provider, so the stored catalogues decide which provider has a method. An unknown method needs a wallet.
 */
async function needsEvmWallet(
  { providers }: Pick<Context, 'providers'>,
  tables: Pick<Tables, 'catalogues' | 'providerAccounts'>,
  methodKeys: string[],
  merchantId: string,
): Promise<boolean> {
  const accounts = await tables.providerAccounts.listOf(merchantId)
  const own = providers.all.filter(
    ({ id, charge }) => charge?.accounts && accounts.some(({ provider }) => provider === id),
  )
  if (own.length > 0 && methodKeys.includes(ANY)) return false
  const all = [...own, ...providers.all.filter(({ charge }) => !charge?.accounts)]
  if (all.every(({ forwarding }) => forwarding?.needsEvmWallet)) return true
  if (methodKeys.includes(ANY)) return all.some(({ forwarding }) => forwarding?.needsEvmWallet)
  const keys = methodKeys.filter(key => key !== CRYPTO)
  const wallets = await Promise.all(keys.map(key => methodNeedsWallet(all, tables, key)))
  return wallets.includes(true)
}

async function methodNeedsWallet(
  providers: readonly Provider[],
  tables: Pick<Tables, 'catalogues'>,
  key: string,
): Promise<boolean> {
  for (const { id, charge, forwarding } of providers) {
    if (charge?.accounts?.methods.some(one => one.key === key)) return false
    const catalogue = charge?.accounts ? null : await tables.catalogues.find(id)
    const method = catalogue?.methods.find(one => one.key === key)
    if (method) return method.capability === 'forwarding' && (forwarding?.needsEvmWallet ?? false)
  }
  return true
}
