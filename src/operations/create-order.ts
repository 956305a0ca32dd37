import { createHash } from 'node:crypto'
import { canonical } from '../domain/canonical.ts'
import type { Customer } from '../domain/customer.ts'
import { invalid, Refusal } from '../domain/errors.ts'
import { splitFee } from '../domain/fee.ts'
import { readInstant } from '../domain/instant.ts'
import type { Merchant } from '../domain/merchant.ts'
import { checkMetadata, type Metadata } from '../domain/metadata.ts'
import { checkMethodKeys, isCryptoOnly, offersProviders } from '../domain/methods.ts'
import { minorOf, readAmount } from '../domain/money.ts'
import { type Order, YEAR_MS } from '../domain/order.ts'
import { dayOf } from '../domain/statistics.ts'
import { emptyWallet, payoutWallets, type Wallet } from '../domain/wallet.ts'
import type { OrderWithSession, Tables } from '../storage/port.ts'
import type { World } from './world.ts'

export interface CustomerInput {
  email: string
  fullName?: string | null | undefined
}

export interface NewOrder {
  amount: string
  currency: string
  paymentMethodsKeys: string[]
  externalId?: string | null | undefined
  receivingWallet?: string | undefined
  customer: CustomerInput
  description?: string | undefined
  productImageUrl?: string | undefined
  returnUrl?: string | undefined
  expiresAt?: string | undefined
  metadata?: Metadata | undefined
}

export interface OrderView extends OrderWithSession {
  merchant: Merchant
}

const OPERATION = 'create_order'

/**
 * Makes an UNPAID order with its private session. No provider and no chain is asked. With an idempotency key
 * that was used before, the first order is answered and nothing is made.
 */
export async function createOrder(
  world: World,
  merchantId: string,
  input: NewOrder,
  idempotencyKey: string | null = null,
): Promise<OrderView & { created: boolean }> {
  const requestHash = createHash('sha256').update(canonical(input)).digest('hex')
  if (idempotencyKey) {
    // Before the body is judged: an expiry that was ahead of the first request may be over now.
    const same = await world.storage.read(tables => replay(tables, merchantId, idempotencyKey, requestHash))
    if (same) return { ...same, created: false }
  }
  const draft = await draftOrder(world, merchantId, input)
  return world.storage.write(async tables => {
    if (idempotencyKey) {
      const same = await replay(tables, merchantId, idempotencyKey, requestHash)
      if (same) return { ...same, created: false }
      if (await tables.idempotency.find(merchantId, OPERATION, idempotencyKey)) {
        throw new Refusal('idempotency_key_reused')
      }
    }
    const made = await placeOrder(world, tables, draft, input.customer)
    if (idempotencyKey) {
      await tables.idempotency.insert({
        merchantId,
        operation: OPERATION,
        key: idempotencyKey,
        requestHash,
        subject: made.order.id,
        createdAt: made.order.createdAt,
      })
    }
    return { ...made, created: true }
  })
}

/** What the key was spent on by the same body. */
async function replay(
  tables: Tables,
  merchantId: string,
  key: string,
  hash: string,
): Promise<OrderView | null> {
  const used = await tables.idempotency.find(merchantId, OPERATION, key)
  if (used?.requestHash !== hash) return null
  const found = await tables.orders.find(used.subject)
  const merchant = await tables.merchants.find(merchantId)
  return found && merchant && { ...found, merchant }
}

type Draft = Omit<Order, 'customerId' | 'feePercent' | 'feeAmount' | 'netAmount' | 'receivingWallet'> & {
  receivingWallet: string | undefined
}

/** All that the body alone decides. */
async function draftOrder(world: World, merchantId: string, input: NewOrder): Promise<Draft> {
  const now = world.clock()
  if (input.receivingWallet && !world.networks.isAddress('evm', input.receivingWallet)) {
    throw invalid('/receivingWallet', 'must be an EVM address with a valid checksum')
  }
  const draft: Draft = {
    ...unpaid,
    id: world.ids.uuid(),
    merchantId,
    customerEmail: input.customer.email,
    customerFullName: (input.customer.fullName ?? '').trim(),
    externalId: input.externalId ?? null,
    productId: null,
    productName: null,
    productImageUrl: input.productImageUrl ?? null,
    description: input.description ?? null,
    amount: readAmount(input.amount, input.currency),
    currency: input.currency,
    methodKeys: checkMethodKeys(input.paymentMethodsKeys),
    receivingWallet: input.receivingWallet,
    returnUrl: input.returnUrl ?? null,
    metadata: checkMetadata(input.metadata ?? {}),
    source: 'api',
    expiresAt: readExpiry(input.expiresAt, now) ?? now + world.policy.orderExpiryMs,
    createdAt: now,
    updatedAt: now,
  }
  if (input.returnUrl !== undefined) await world.outbound.check(input.returnUrl, '/returnUrl', false)
  return draft
}

function readExpiry(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const at = readInstant(text)
  if (at === null) throw invalid('/expiresAt', 'must be an ISO 8601 date-time with an offset')
  if (at <= now) throw invalid('/expiresAt', 'must be in the future')
  if (at > now + YEAR_MS) throw invalid('/expiresAt', 'must be at most one year ahead')
  return at
}

/** All that the merchant's present state decides, and the write. */
async function placeOrder(
  world: World,
  tables: Tables,
  draft: Draft,
  customerInput: CustomerInput,
): Promise<OrderView> {
  const merchant = await tables.merchants.find(draft.merchantId)
  if (!merchant) throw new Refusal('not_found')
  const wallet = (await tables.wallets.find(merchant.id)) ?? emptyWallet(merchant.id, draft.createdAt)
  if (draft.receivingWallet !== undefined && !wallet.orderWalletOverride) {
    throw new Refusal('wallet_override_disabled')
  }
  const customer = await customerOf(world, tables, merchant.id, customerInput, draft.createdAt)
  const receivingWallet = draft.receivingWallet ?? wallet.addresses.evm ?? null
  checkPayout(draft.methodKeys, wallet, receivingWallet)
  const { fee, net } = splitFee(draft.amount, draft.currency, merchant.feePercent)
  const order: Order = {
    ...draft,
    customerId: customer.id,
    receivingWallet,
    feePercent: merchant.feePercent,
    feeAmount: fee,
    netAmount: net,
  }
  const session = {
    orderId: order.id,
    merchantId: merchant.id,
    status: isCryptoOnly(order.methodKeys) ? ('READY' as const) : ('CREATED' as const),
    createdAt: order.createdAt,
    updatedAt: order.createdAt,
  }
  await tables.orders.insert(order)
  await tables.sessions.insert(session)
  await tables.jobs.schedule({
    kind: 'order.expire',
    subject: order.id,
    lane: 'expire',
    dueAt: order.expiresAt,
  })
  await tables.statistics.add(merchant.id, dayOf(order.createdAt), order.currency, {
    pending: minorOf(order.amount, order.currency),
    pendingCount: 1,
  })
  return { order, session, merchant }
}

async function customerOf(
  world: World,
  tables: Tables,
  merchantId: string,
  { email }: CustomerInput,
  now: number,
): Promise<Customer> {
  const known = await tables.customers.findByEmail(merchantId, email)
  if (known?.blockedAt != null) throw new Refusal('customer_blocked')
  if (known) return known
  const customer = { id: world.ids.uuid(), merchantId, email, blockedAt: null, createdAt: now }
  await tables.customers.insert(customer)
  return customer
}

function checkPayout(methodKeys: string[], wallet: Wallet, receivingWallet: string | null): void {
  if (offersProviders(methodKeys)) {
    if (receivingWallet === null) throw new Refusal('payout_wallet_required')
    return
  }
  const networks = Object.keys(payoutWallets(wallet, receivingWallet))
  if (!wallet.includeCrypto || networks.length === 0) throw new Refusal('crypto_not_configured')
}

const unpaid = {
  feeCollection: 'ACCOUNTED_NOT_COLLECTED',
  status: 'UNPAID',
  transactionId: null,
  transactionRef: null,
  paidAt: null,
  providerAddressIn: null,
  providerPayoutAddress: null,
  providerTxIn: null,
  providerTxOut: null,
  receivedAmount: null,
  receivedCurrency: null,
  forcedAt: null,
  forcedBy: null,
  forceReason: null,
  forcedProviderStatus: null,
  cancelledAt: null,
  cancelledBy: null,
  cancelReason: null,
} as const
