import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test'
import { type Key, scopes } from '../../../src/domain/api-key.ts'
import {
  type Attempt,
  type ForwardedAttempt,
  nothingArrived,
  type OwnAttempt,
  type PageAttempt,
} from '../../../src/domain/attempt.ts'
import { plainBrand } from '../../../src/domain/brand.ts'
import type { Customer } from '../../../src/domain/customer.ts'
import type { Merchant } from '../../../src/domain/merchant.ts'
import type { Json } from '../../../src/domain/metadata.ts'
import type { Opening } from '../../../src/domain/opening.ts'
import { type Order, unpaid } from '../../../src/domain/order.ts'
import type { IncomingPayment } from '../../../src/domain/payment.ts'
import { notRefunded } from '../../../src/domain/refund-totals.ts'
import type { Session } from '../../../src/domain/session.ts'
import type { Transaction } from '../../../src/domain/transaction.ts'
import type { User } from '../../../src/domain/user.ts'
import { eventTypes, type Webhook } from '../../../src/domain/webhook.ts'
import type { Storage, Tables } from '../../../src/storage/port.ts'

/** An empty storage of one engine. */
export interface Opened {
  storage: Storage
  close(): Promise<void>
}

export type Open = () => Promise<Opened>

/** Opens an empty storage for each test, or one for all tests if each test creates its own rows. */
export function opening(open: Open, each: 'test' | 'suite' = 'suite') {
  let opened: Opened
  const [before, after] = each === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll]
  before(async () => {
    opened = await open()
  })
  after(() => opened.close())
  return {
    get storage(): Storage {
      return opened.storage
    },
    read: <T>(work: (tables: Tables) => Promise<T>): Promise<T> => opened.storage.read(work),
    write: <T>(work: (tables: Tables) => Promise<T>): Promise<T> => opened.storage.write(work),
  }
}

export type Engine = ReturnType<typeof opening>

let made = 0
/** Later IDs sort after earlier ones. */
export const newId = (): string => `01981f5c-7d2a-7cc1-9f0e-${(++made).toString(16).padStart(12, '0')}`

/** Astral, combining and right-to-left characters, quotes, and characters that are special in SQL or LIKE. */
export const TEXT = `𝒜😀 e\u0301 é שלום مرحبا 'one' "two" \`three\` \\ % _ ; -- \n\t ${'x'.repeat(5000)}`
export const JSON_VALUE: Json = {
  '': null,
  [`key ${TEXT.slice(0, 40)}`]: [TEXT.slice(0, 60), 0, -1.5, 9007199254740991, true, [], {}],
}
export const LARGE_AMOUNT = '999999999999999999'
/** Larger than 64 bits, and not exact as a double. */
export const LARGE_UNITS = 2n ** 256n - 1n
export const LATEST = Number.MAX_SAFE_INTEGER

export const merchantRow = (change: Partial<Merchant> = {}): Merchant => {
  const id = newId()
  return {
    id,
    email: `${id}@shop.example`,
    name: 'Corner Coffee',
    feePercent: '1.5',
    status: 'active',
    returnUrl: null,
    ...plainBrand,
    cryptoFirst: 'own',
    tolerance: '0.5',
    late: 'settle',
    secondFactor: 'optional',
    timeZone: 'UTC',
    language: 'en',
    currency: null,
    staffPrices: false,
    tax: null,
    invoicing: null,
    fundsReminder: null,
    createdAt: 1,
    updatedAt: 1,
    ...change,
  }
}

export const keyRow = (merchantId: string, change: Partial<Key> = {}): Key => ({
  id: newId(),
  merchantId,
  mode: 'live' as const,
  scopes: [...scopes],
  secretHash: 'f'.repeat(64),
  label: null,
  createdAt: 1,
  revokedAt: null,
  expiresAt: null,
  lastUsedAt: null,
  replacedBy: null,
  appOrigin: null,
  ...change,
})

export const customerRow = (merchantId: string, change: Partial<Customer> = {}): Customer => {
  const id = newId()
  return { id, merchantId, email: `${id}@buyer.example`, blockedAt: null, createdAt: 1, ...change }
}

export const orderRow = (customer: Customer, change: Partial<Order> = {}): Order => ({
  id: newId(),
  merchantId: customer.merchantId,
  customerId: customer.id,
  customerEmail: customer.email,
  customerFullName: 'Sam Buyer',
  externalId: null,
  productId: null,
  productName: null,
  productImageUrl: null,
  description: null,
  amount: '25.00',
  currency: 'USD',
  methodKeys: ['*'],
  receivingWallet: null,
  returnUrl: null,
  metadata: {},
  source: 'api',
  feePercent: '0',
  feeAmount: '0.00',
  netAmount: '25.00',
  expiresAt: 100,
  createdAt: 1,
  updatedAt: 1,
  ...unpaid,
  ...change,
})

export const newSession: Session = { status: 'CREATED', updatedAt: 1 }

/** Fields that every kind of attempt has. */
const anyAttempt = (order: Order) => ({
  ...nothingArrived,
  id: newId(),
  merchantId: order.merchantId,
  orderId: order.id,
  methodKey: 'crypto',
  methodName: 'Bitcoin',
  assetId: 'btc',
  decimals: 8,
  priced: '25.00',
  dueAtomic: 41667n,
  thresholdAtomic: 41667n,
  tolerance: 0n,
  dust: 0n,
  payoutAddress: 'wallet',
  refundAddress: null,
  language: 'en',
  lockedUntil: 50,
  graceUntil: 60,
  graceLimit: 60,
  minedWithinMs: 10,
  watchUntil: 100,
  requiredConfirmations: null,
  chosenAt: 1,
  createdAt: 1,
  updatedAt: 1,
})

const coinQuote = () => ({
  kind: 'address' as const,
  address: `address ${newId()}`,
  dustAtomic: 546n,
  rate: '60000',
  rateSources: [],
  rateAt: 1,
  paymentUri: 'bitcoin:address',
})

const atProvider = () => ({
  provider: 'gateway',
  callbackUrl: 'https://shop.example/callback',
  callbackSecret: 'secret',
  providerRef: newId(),
  feeSplit: false,
})

/** An attempt at an address of the merchant. */
export const attemptRow = (order: Order, change: Partial<OwnAttempt> = {}): OwnAttempt => ({
  ...anyAttempt(order),
  ...coinQuote(),
  provider: null,
  addressSource: null,
  shared: false,
  requiredEndpoints: 1,
  cursor: null,
  reclaimedAt: null,
  ...change,
})

/** An attempt at an address from which a provider forwards. */
export const forwardedRow = (order: Order, change: Partial<ForwardedAttempt> = {}): ForwardedAttempt => ({
  ...anyAttempt(order),
  ...coinQuote(),
  ...atProvider(),
  addressSource: { kind: 'provider', provider: 'gateway', minimum: '0' },
  ...change,
})

/** An attempt on a provider's page. */
export const pageRow = (order: Order, change: Partial<PageAttempt> = {}): PageAttempt => ({
  ...anyAttempt(order),
  ...atProvider(),
  kind: 'redirect',
  methodKey: 'card',
  redirectUrl: 'https://pay.example',
  floorAtomic: 0n,
  address: null,
  refundAddress: null,
  ...change,
})

export const openingRow = (order: Order, change: Partial<Opening> = {}): Opening => ({
  id: newId(),
  merchantId: order.merchantId,
  orderId: order.id,
  kind: 'opening',
  provider: 'gateway',
  methodKey: 'card',
  methodName: 'Card',
  priced: '25.00',
  tolerance: 7n,
  dust: 8n,
  minedWithinMs: 9,
  payoutAddress: null,
  callbackUrl: 'https://shop.example/callback',
  callbackSecret: null,
  lockedUntil: 50,
  graceLimit: 60,
  watchUntil: 100,
  language: 'en',
  state: 'waiting',
  chosenAt: 2,
  createdAt: 1,
  updatedAt: 3,
  ...change,
})

export const incomingRow = (attempt: Attempt, change: Partial<IncomingPayment> = {}): IncomingPayment => {
  const id = newId()
  return {
    id,
    attemptId: attempt.id,
    orderId: attempt.orderId,
    merchantId: attempt.merchantId,
    source: 'btc',
    txId: `tx-${id}`,
    txIndex: '0',
    assetId: 'btc',
    amountAtomic: 41667n,
    state: 'seen',
    settles: false,
    confirmations: 0,
    height: null,
    txIn: null,
    txOut: null,
    paidAt: 5,
    seen: [],
    minedAt: null,
    rate: null,
    counts: false,
    inputs: [],
    evidence: {},
    createdAt: 1,
    updatedAt: 1,
    ...change,
  }
}

export const transactionRow = (attempt: Attempt, change: Partial<Transaction> = {}): Transaction => ({
  id: newId(),
  merchantId: attempt.merchantId,
  orderId: attempt.orderId,
  attemptId: attempt.id,
  transactionRef: null,
  methodKey: 'crypto',
  amount: '25.00',
  currency: 'USD',
  feePercent: '0',
  feeAmount: '0.00',
  netAmount: '25.00',
  feeCollection: 'ACCOUNTED_NOT_COLLECTED',
  receivingWallet: 'wallet',
  receivedAmount: '0.00041667',
  receivedCurrency: 'btc',
  txIn: null,
  txOut: null,
  status: 'PAID',
  paidAt: 5,
  createdAt: 5,
  updatedAt: 5,
  ...notRefunded,
  ...change,
})

export async function givenMerchant(engine: Engine, change: Partial<Merchant> = {}): Promise<Merchant> {
  const merchant = merchantRow(change)
  await engine.write(tables => tables.merchants.insert(merchant))
  return merchant
}

export async function givenCustomer(engine: Engine, merchant?: Merchant): Promise<Customer> {
  const customer = customerRow((merchant ?? (await givenMerchant(engine))).id)
  await engine.write(tables => tables.customers.insert(customer))
  return customer
}

/** Inserts an order and its session, and a customer unless one is given. */
export async function givenOrder(
  engine: Engine,
  change: Partial<Order> = {},
  customer?: Customer,
): Promise<Order> {
  const order = orderRow(customer ?? (await givenCustomer(engine)), change)
  await engine.write(tables => tables.orders.insert(order, newSession))
  return order
}

export async function givenAttempt(
  engine: Engine,
  change: Partial<OwnAttempt> = {},
  order?: Order,
): Promise<OwnAttempt> {
  const attempt = attemptRow(order ?? (await givenOrder(engine)), change)
  await engine.write(tables => tables.attempts.insert(attempt))
  return attempt
}

/** The error of a write that must fail. */
export const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing failed',
    error => `failed: ${error}`,
  )

const ROWS_MAX = 1000

/** Reads a list page by page. Each page starts after the last row of the previous page. */
export async function pagesOf<Row>(
  size: number,
  page: (limit: number, after: { at: number; id: string } | null) => Promise<Row[]>,
  keyOf: (row: Row) => { at: number; id: string },
): Promise<Row[]> {
  const all: Row[] = []
  for (let after: { at: number; id: string } | null = null; ; ) {
    const rows = await page(size, after)
    all.push(...rows)
    const last = rows.at(-1)
    if (all.length > ROWS_MAX) throw new Error('the pages do not end')
    if (!last || rows.length < size) return all
    after = keyOf(last)
  }
}

export const userRow = (change: Partial<User> = {}): User => {
  const id = newId()
  return {
    id,
    email: `${id}@people.example`,
    isOperator: false,
    passwordHash: null,
    language: null,
    suspendedAt: null,
    createdAt: 1,
    updatedAt: 1,
    ...change,
  }
}

export const webhookRow = (merchantId: string, change: Partial<Webhook> = {}): Webhook => ({
  id: newId(),
  merchantId,
  isFirst: true,
  mode: 'live',
  format: 'florin',
  keyId: null,
  url: `https://shop.example/${TEXT}`,
  events: [...eventTypes],
  status: 'active',
  secret: 'whsec_x',
  previousSecret: 'whsec_y',
  previousSecretUntil: LATEST,
  failingSince: LATEST,
  failures: 2147483647,
  alerts: 2,
  sendsFrom: LATEST,
  createdAt: 0,
  updatedAt: LATEST,
  ...change,
})
