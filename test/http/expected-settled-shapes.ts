import {
  amount,
  currency,
  email,
  eventType,
  feePercent,
  listOf,
  matching,
  metadata,
  methodKey,
  oneOf,
  orNull,
  rule,
  shape,
  text,
  timestamp,
  uri,
  uuid,
} from './expected-shapes.ts'

const payment = shape({
  merchantId: uuid,
  tenantId: email,
  orderUUID: uuid,
  'productUUID?': uuid,
  'productName?': text,
  transactionRef: orNull(text),
  transactionId: uuid,
  transactionUUID: uuid,
  externalId: orNull(text),
  amount,
  currency,
  feePercent,
  platformFeeAmount: amount,
  netAmount: amount,
  feeCollectionStatus: oneOf('PROVIDER_SPLIT', 'ACCOUNTED_NOT_COLLECTED'),
  paymentMethodsKeys: listOf(methodKey),
  source: oneOf('api', 'web'),
  customerId: uuid,
  customerEmail: email,
  customerFullName: text,
  'description?': text,
  'productImageUrl?': uri,
  'returnUrl?': uri,
  'metadata?': metadata,
  receivingWallet: matching(/\S/),
  status: oneOf('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'),
  'refundStatus?': oneOf('PARTIAL', 'FULL'),
  'refundedAmount?': amount,
  'refundCount?': matching(/^[0-9]+$/),
  'lastRefundedAt?': timestamp,
  'refundedAt?': timestamp,
  'providerTxIn?': text,
  'providerTxOut?': text,
  'receivedAmount?': text,
  'receivedCurrency?': text,
  createdAt: timestamp,
  updatedAt: timestamp,
  expiresAt: timestamp,
  'paidAt?': timestamp,
})

interface PaymentLike {
  transactionId: string
  transactionUUID: string
  status: string
  refundStatus?: string
  refundedAmount?: string
  refundCount?: string
  refundedAt?: string
}

const refundStatusOf: Record<string, string | undefined> = { PARTIALLY_REFUNDED: 'PARTIAL', REFUNDED: 'FULL' }

/** A transaction, and the relations between its fields. */
export function paymentProblems(value: unknown): string[] {
  const problems = payment(value, '')
  if (problems.length > 0) return problems
  const known = value as PaymentLike
  const isRefunded = known.refundStatus !== undefined
  const fields = [known.refundedAmount, known.refundCount].map(field => field !== undefined)
  return [
    ...(known.transactionUUID === known.transactionId
      ? []
      : ['transactionUUID is the alias of transactionId']),
    ...(refundStatusOf[known.status] === known.refundStatus ? [] : ['status and refundStatus tell the same']),
    ...(fields.every(isThere => isThere === isRefunded) ? [] : ['the refund’s members come together']),
    ...((known.refundedAt !== undefined) === (known.status === 'REFUNDED')
      ? []
      : ['refundedAt is of the end']),
  ]
}

/** A refund: every field, and no others. */
export const refundProblems = (value: unknown): string[] =>
  shape({
    merchantId: uuid,
    refundId: matching(/^[0-9a-f]{64}$/),
    orderUUID: uuid,
    transactionId: uuid,
    amount,
    amountMinor: matching(/^[0-9]+$/),
    currency,
    paymentMethodKey: methodKey,
    reason: matching(/^[\s\S]{3,1000}$/),
    status: oneOf('RECORDED'),
    createdBy: matching(/\S/),
    createdAt: timestamp,
    updatedAt: timestamp,
  })(value, '')

/** The problems of an event with its delivery attempts, by the form that decisions.md defines. */
export const eventProblems = (value: unknown): string[] =>
  shape({
    id: uuid,
    type: eventType,
    orderUUID: uuid,
    createdAt: timestamp,
    status: oneOf('pending', 'delivered', 'failed'),
    nextAttemptAt: orNull(timestamp),
    attempts: listOf(
      shape({
        at: timestamp,
        httpStatus: orNull(rule(Number.isInteger, 'must be an integer')),
        outcome: oneOf(
          ...['delivered', 'refused', 'timed_out', 'unreachable', 'destination_not_allowed', 'bad_answer'],
        ),
        durationMs: rule(Number.isFinite, 'must be a number'),
      }),
    ),
  })(value, '')
