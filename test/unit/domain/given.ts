import { type ForwardedAttempt, nothingArrived, type OwnAttempt } from '../../../src/domain/attempt.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import { type Order, type OrderStatus, unpaid } from '../../../src/domain/order.ts'
import type { IncomingPayment, IncomingPaymentState } from '../../../src/domain/payment.ts'

/** The lock, the grace and the watch of every attempt in these tests, in milliseconds. */
export const LOCK_END = 1_000
export const GRACE_END = 1_500
export const WATCH_END = 5_000

export const ASSET = 'polygon/usdc'

/** The common fields of every attempt in these tests: 1000 units are due. */
const common = {
  ...nothingArrived,
  id: 'attempt',
  merchantId: 'merchant',
  orderId: 'order',
  kind: 'address' as const,
  methodKey: 'crypto',
  methodName: 'Crypto',
  assetId: ASSET,
  decimals: 6,
  priced: '10.00',
  dueAtomic: 1_000n,
  thresholdAtomic: 1_000n,
  dustAtomic: 0n,
  tolerance: 0n,
  dust: 0n,
  rate: '1',
  rateSources: ['test'],
  rateAt: 0,
  address: '0x1',
  payoutAddress: '0x2',
  paymentUri: 'ethereum:0x1',
  refundAddress: null,
  language: 'en',
  lockedUntil: LOCK_END,
  graceUntil: GRACE_END,
  graceLimit: GRACE_END,
  minedWithinMs: 2_000,
  watchUntil: WATCH_END,
  requiredConfirmations: 12,
  chosenAt: 0,
  createdAt: 0,
  updatedAt: 0,
}

/** An attempt at an address of the merchant. */
export const attempt = (change: Partial<OwnAttempt> = {}): OwnAttempt => ({
  ...common,
  provider: null,
  addressSource: null,
  shared: false,
  requiredEndpoints: 1,
  cursor: null,
  reclaimedAt: null,
  ...change,
})

/** An attempt at an address from which a provider forwards. */
export const forwardedAttempt = (change: Partial<ForwardedAttempt> = {}): ForwardedAttempt => ({
  ...common,
  provider: 'gateway',
  addressSource: { kind: 'provider', provider: 'gateway', minimum: '0' },
  callbackUrl: 'https://shop.example/callback',
  callbackSecret: 'secret',
  providerRef: 'reference',
  feeSplit: false,
  ...change,
})

let payments = 0

/** A payment to the attempt, by default in its asset, in time, and by a transaction of the payer's own. */
export function payment(
  state: IncomingPaymentState,
  amountAtomic: bigint,
  change: Partial<IncomingPayment> = {},
): IncomingPayment {
  const id = `payment-${++payments}`
  return {
    id,
    attemptId: 'attempt',
    orderId: 'order',
    merchantId: 'merchant',
    source: 'polygon',
    txId: id,
    txIndex: '0',
    assetId: ASSET,
    amountAtomic,
    state,
    settles: false,
    confirmations: state === 'final' ? 12 : 1,
    height: 7,
    txIn: id,
    txOut: null,
    paidAt: 500,
    seen: [{ at: change.paidAt ?? 500, atomic: amountAtomic.toString() }],
    minedAt: null,
    rate: null,
    counts: false,
    inputs: [],
    evidence: null,
    createdAt: 0,
    updatedAt: 0,
    ...change,
  }
}

export const order = (status: OrderStatus): Order => ({
  ...unpaid,
  id: 'order',
  merchantId: 'merchant',
  customerId: 'customer',
  customerEmail: 'buyer@example.com',
  customerFullName: '',
  externalId: null,
  productId: null,
  productName: null,
  productImageUrl: null,
  description: null,
  amount: '10.00',
  currency: 'USD',
  methodKeys: ['*'],
  receivingWallet: null,
  returnUrl: null,
  metadata: {},
  source: 'api',
  feePercent: '0',
  feeAmount: '0.00',
  netAmount: '10.00',
  status,
  expiresAt: 2_000,
  createdAt: 0,
  updatedAt: 0,
})

/** All permutations of a list. */
export function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map(rest => [item, ...rest]))
}

/** The cells of a table written as text. Its first line names the columns, and its first column the rows. */
export function grid(text: string): { row: string; column: string; cell: string }[] {
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map(line => line.split('|').map(part => part.trim()))
  return rows.flatMap(([row = '', ...cells]) => {
    if (cells.length !== head.length - 1) throw new Error(`the row "${row}" has ${cells.length} cells`)
    return cells.map((cell, at) => ({ row, column: head[at + 1]!, cell }))
  })
}

/** The code with which work is refused. */
export function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
  return 'no refusal'
}
