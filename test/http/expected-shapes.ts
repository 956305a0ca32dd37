import { currencyDecimals } from '../../src/domain/currency.ts'
import type { Answer } from '../support/app.ts'
import { words } from '../support/words.ts'

/** The problems of a value, each with its path; empty when it has the documented form. */
type Check = (value: unknown, path: string) => string[]

export const rule =
  (isGood: (value: unknown) => boolean, title: string): Check =>
  (value, path) =>
    isGood(value) ? [] : [`${path} ${title}, but is ${JSON.stringify(value)}`]

export const matching = (pattern: RegExp): Check =>
  rule(value => typeof value === 'string' && pattern.test(value), `must match ${pattern}`)

export const oneOf = (...values: unknown[]): Check =>
  rule(value => values.includes(value), `must be one of ${values.join(', ')}`)

export const orNull =
  (check: Check): Check =>
  (value, path) =>
    value === null ? [] : check(value, path)

export const listOf =
  (check: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return [`${path} must be an array`]
    const twice = new Set(value).size < value.length ? [`${path} must not contain duplicates`] : []
    return [...twice, ...value.flatMap((element, i) => check(element, `${path}/${i}`))]
  }

/** An object with these fields and no others; a question mark after the name marks an optional field. */
export const shape =
  (fields: Record<string, Check>): Check =>
  (value, path) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      return [`${path} must be an object`]
    const object = value as Record<string, unknown>
    const problems = Object.entries(fields).flatMap(([name, check]) => {
      const bare = name.replace('?', '')
      if (bare in object) return check(object[bare], `${path}/${bare}`)
      return name.endsWith('?') ? [] : [`${path}/${bare} is missing`]
    })
    const unknown = Object.keys(object).filter(name => !(name in fields || `${name}?` in fields))
    return [...problems, ...unknown.map(name => `${path}/${name} is not a known property`)]
  }

const isTimestamp = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(value) &&
  !Number.isNaN(Date.parse(value))

export const text = rule(value => typeof value === 'string', 'must be a string')
const truth = rule(value => typeof value === 'boolean', 'must be true or false')
export const uuid = matching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
export const amount = matching(/^[0-9]{1,18}([.][0-9]{1,3})?$/)
export const currency = matching(/^[A-Z]{3}$/)
export const email = matching(/^[^@\s]+@[^@\s]+$/)
export const timestamp = rule(isTimestamp, 'must be an ISO 8601 date-time')
export const uri = rule(value => typeof value === 'string' && URL.canParse(value), 'must be a URI')
export const feePercent = matching(/^(([0-9]|[1-8][0-9])([.][0-9]{1,4})?|99([.]0{1,4})?)$/)
export const metadata = rule(
  value => value !== null && typeof value === 'object' && !Array.isArray(value),
  'must be an object',
)
export const methodKey = matching(/^([*]|[a-z0-9][a-z0-9_-]{0,63})$/)
export const reason = rule(
  value => typeof value === 'string' && [...value].length <= 500,
  'must be a string of at most 500 characters',
)

const order = shape({
  merchantId: uuid,
  'merchantEmail?': email,
  'merchantName?': text,
  orderUUID: uuid,
  'productUUID?': uuid,
  'productName?': text,
  transactionRef: orNull(text),
  externalId: orNull(matching(/^[A-Za-z0-9._:-]{1,128}$/)),
  amount,
  currency,
  'receivingWallet?': matching(/^0x[0-9A-Fa-f]{40}$/),
  'tax?': shape({
    country: orNull(text),
    vatId: orNull(text),
    lines: listOf(
      shape({ category: text, rate: matching(/^[0-9]{1,2}([.][0-9]{1,2})?$/), net: amount, tax: amount }),
    ),
  }),
  status: oneOf('UNPAID', 'PAID', 'FAILED', 'EXPIRED', 'CANCELLED'),
  'provisioningStatus?': oneOf(
    ...['CREATED', 'PROVISIONING', 'READY', 'FAILED', 'SETTLED', 'EXPIRED', 'ABANDONED'],
  ),
  'expiresAt?': timestamp,
  customerId: uuid,
  customerEmail: email,
  customerFullName: text,
  feePercent,
  platformFeeAmount: amount,
  netAmount: amount,
  feeCollectionStatus: oneOf('PROVIDER_SPLIT', 'ACCOUNTED_NOT_COLLECTED'),
  paymentMethodsKeys: listOf(methodKey),
  'source?': oneOf('api', 'web'),
  checkoutUrl: uri,
  'directPaymentLink?': uri,
  'providerAddressIn?': text,
  'providerPayoutAddress?': text,
  'providerTxIn?': text,
  'providerTxOut?': text,
  'receivedAmount?': text,
  'receivedCurrency?': text,
  'paidTransactionUUID?': text,
  'paidAt?': timestamp,
  'forced?': truth,
  'forcedAt?': timestamp,
  'forcedBy?': text,
  'forceReason?': text,
  'forcedProviderStatus?': text,
  'cancelledAt?': timestamp,
  'cancelledBy?': text,
  'cancelReason?': reason,
  'refundStatus?': oneOf('PARTIAL', 'FULL'),
  'refundedAmount?': amount,
  'refundCount?': matching(/^[0-9]+$/),
  'lastRefundedAt?': timestamp,
  'refundedAt?': timestamp,
  'description?': text,
  'productImageUrl?': uri,
  'returnUrl?': uri,
  'metadata?': metadata,
  createdAt: timestamp,
  updatedAt: timestamp,
})

interface OrderLike {
  [field: string]: unknown
  orderUUID: string
  status: string
  amount: string
  platformFeeAmount: string
  netAmount: string
  currency: string
  checkoutUrl: string
  paymentMethodsKeys: string[]
}

const decimalPlaces = (decimal: string): number => decimal.split('.')[1]?.length ?? 0
const minorOf = (decimal: string): bigint => BigInt(decimal.replace('.', ''))

/** The relations between the fields of an order, each with a description. */
const relations: [title: string, holds: (order: OrderLike) => boolean][] = [
  [
    'amounts have exactly the decimals of the currency',
    ({ amount, platformFeeAmount, netAmount, currency }) =>
      [amount, platformFeeAmount, netAmount].every(
        text => decimalPlaces(text) === currencyDecimals(currency),
      ),
  ],
  [
    'fee and net add up to the amount',
    ({ amount, platformFeeAmount, netAmount }) =>
      minorOf(platformFeeAmount) + minorOf(netAmount) === minorOf(amount),
  ],
  ['checkoutUrl ends with its id', order => order.checkoutUrl.endsWith(`/pay/${order.orderUUID}`)],
  ['paidAt is present when the order is PAID', order => (order.status === 'PAID') === 'paidAt' in order],
  [
    'a paid order has a transaction, unless it was forced',
    order =>
      (order.status === 'PAID') === ('paidTransactionUUID' in order || order.forced === true) &&
      !('paidTransactionUUID' in order && order.forced === true),
  ],
  [
    'cancellation fields are present when the order is CANCELLED',
    order =>
      (order.status === 'CANCELLED') === 'cancelledAt' in order &&
      'cancelledBy' in order === 'cancelledAt' in order,
  ],
  [
    'directPaymentLink is present only for exactly one provider',
    ({ paymentMethodsKeys: [key, more], directPaymentLink, orderUUID }) => {
      const isSole = more === undefined && key !== '*' && key !== 'crypto'
      if (!isSole) return directPaymentLink === undefined
      return String(directPaymentLink).endsWith(`/payment/process/${orderUUID}`)
    },
  ],
]

export function orderProblems(value: unknown): string[] {
  const problems = order(value, '')
  if (problems.length > 0) return problems
  return relations.filter(([, holds]) => !holds(value as OrderLike)).map(([title]) => title)
}

const anyUuid = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

const product = shape({
  productUUID: anyUuid,
  merchantId: uuid,
  checkoutUrl: uri,
  name: rule(
    value => typeof value === 'string' && value !== '' && [...value].length <= 120,
    'must be a name',
  ),
  description: orNull(text),
  imageUrl: orNull(matching(/^(https?:\/\/|data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$)/)),
  imageDisplaySize: rule(value => Number.isInteger(value), 'must be an integer'),
  active: truth,
  allowPriceOverride: truth,
  orderTemplate: shape({ amount, currency, paymentMethodsKeys: listOf(methodKey), metadata }),
  createdAt: timestamp,
  updatedAt: timestamp,
})

export const productProblems = (value: unknown): string[] => product(value, '')

const cryptoWallets = shape(
  Object.fromEntries(
    ['evm', 'btc', 'bitcoincash', 'ltc', 'doge', 'solana', 'trc20', 'zec', 'xmr'].map(network => [
      `${network}?`,
      text,
    ]),
  ),
)

const wallet = shape({
  configured: truth,
  payoutWallet: text,
  cryptoWallets,
  configuredCryptoNetworks: listOf(oneOf('evm', 'btc', 'bitcoincash', 'ltc', 'doge', 'solana', 'trc20')),
  walletType: oneOf('custom', 'custodial'),
  orderWalletOverrideEnabled: truth,
  includeCrypto: truth,
  createdAt: text,
  updatedAt: text,
})

export const walletProblems = (value: unknown): string[] => wallet(value, '')

export const eventType = oneOf(
  ...['order.paid', 'payment.created', 'payment.processing', 'payment.paid', 'payment.failed'],
  ...['payment.expired', 'order.expired', 'order.cancelled', 'order.failed', 'refund.recorded'],
  'payment.unmatched',
)

const webhookFields = {
  configured: truth,
  endpointId: orNull(uuid),
  url: orNull(uri),
  events: listOf(eventType),
  status: oneOf('not_configured', 'active', 'disabled'),
  createdAt: orNull(timestamp),
  updatedAt: orNull(timestamp),
}

export const webhookProblems = (value: unknown): string[] => shape(webhookFields)(value, '')

/** The webhook when it is first set: only this form has the secret. */
export const newWebhookProblems = (value: unknown): string[] =>
  shape({
    ...webhookFields,
    configured: oneOf(true),
    endpointId: uuid,
    url: uri,
    status: oneOf('active', 'disabled'),
    signingSecret: matching(/^.{16,}$/),
  })(value, '')

/** The problems of the body of an `order.paid` event. */
export const orderPaidProblems = (value: unknown): string[] =>
  shape({
    id: uuid,
    type: oneOf('order.paid'),
    createdAt: timestamp,
    orderUUID: uuid,
    'transactionUUID?': uuid,
    'transactionRef?': orNull(text),
    status: oneOf('PAID'),
    amount,
    currency,
    customerEmail: email,
    externalId: orNull(text),
    metadata,
    paidAt: timestamp,
  })(value, '')

const ownEventFields = {
  ...{ id: uuid, type: eventType, createdAt: timestamp, orderUUID: uuid },
  ...{ amount, currency, externalId: orNull(text), metadata, livemode: truth },
}

/** The problems of the body of an event about one payment. */
export const paymentEventProblems = (value: unknown): string[] =>
  shape({
    ...ownEventFields,
    attemptId: uuid,
    methodKey,
    'assetId?': text,
    status: text,
    'late?': truth,
    'shortfall?': orNull(amount),
    'acceptedBy?': orNull(text),
    'parts?': listOf(rule(part => typeof part === 'object', 'must be an object')),
  })(value, '')

const otherEvents: Record<string, ReturnType<typeof shape>> = {
  'order.paid': orderPaidProblems,
  'order.expired': shape({
    ...ownEventFields,
    status: oneOf('EXPIRED'),
    paymentState: orNull(oneOf('CONFIRMING', 'PART_PAID')),
  }),
  'order.cancelled': shape({ ...ownEventFields, status: oneOf('CANCELLED'), cancelReason: orNull(text) }),
  'order.failed': shape({ ...ownEventFields, status: oneOf('FAILED') }),
  'refund.recorded': shape({
    ...ownEventFields,
    ...{ refundId: text, transactionId: uuid, reason: text, refundedAmount: amount },
    refundStatus: oneOf('PARTIAL', 'FULL'),
  }),
  'payment.unmatched': shape({
    ...ownEventFields,
    ...{ unmatchedId: uuid, attemptId: uuid, methodKey, reason: text, receivedCurrency: text },
    ...{ receivedAmount: orNull(text), value: orNull(amount), shortfall: orNull(amount), txId: orNull(text) },
  }),
}

/** The problems of the body of any event. */
export const eventProblems = (type: string, value: unknown): string[] =>
  (otherEvents[type] ?? paymentEventProblems)(value, '')

/** The status of a checkout (interface.md, section 3). */
export const statusProblems = (value: unknown): string[] =>
  shape({
    orderUUID: uuid,
    status: oneOf('UNPAID', 'PAID', 'FAILED', 'EXPIRED', 'CANCELLED'),
    provisioningStatus: oneOf(
      ...['CREATED', 'PROVISIONING', 'READY', 'FAILED', 'SETTLED', 'EXPIRED', 'ABANDONED'],
    ),
    credited: amount,
    settledCredit: amount,
    left: shape({ amount, currency: text }),
    attempts: listOf(
      shape({
        attemptId: uuid,
        'assetId?': text,
        'methodKey?': text,
        state: oneOf('waiting', 'underpaid', 'confirming', 'settled', 'expired', 'failed'),
        credited: amount,
      }),
    ),
    attempt: orNull(
      shape({
        assetId: text,
        address: text,
        amount: matching(/^[0-9]+([.][0-9]+)?$/),
        uri,
        lockedUntil: timestamp,
        isLocked: truth,
        graceUntil: timestamp,
        chainReadAt: orNull(timestamp),
        blindSince: orNull(timestamp),
        state: oneOf('waiting', 'underpaid', 'confirming', 'settled', 'expired', 'failed'),
        receivedAmount: matching(/^[0-9]+([.][0-9]+)?$/),
        confirmations: rule(Number.isInteger, 'must be an integer'),
        requiredConfirmations: rule(Number.isInteger, 'must be an integer'),
      }),
    ),
  })(value, '')

/** decisions.md, "Refusals"; the codes of the last row are not listed there. */
const codes: Record<number, string[]> = {
  400: ['validation_error'],
  401: ['unauthorized', 'invalid_api_key'],
  403: [
    ...['insufficient_scope', 'live_key_required', 'test_key_required', 'wallet_override_disabled'],
    ...['customer_blocked', 'merchant_suspended', 'forbidden'],
  ],
  404: ['not_found'],
  405: ['method_not_allowed'],
  409: [
    'order_not_cancellable',
    'order_not_refundable',
    'idempotency_key_reused',
    ...['order_not_payable', 'order_not_forcible', 'order_not_endable', 'conflict'],
  ],
  413: ['body_too_large'],
  422: words(`
    payout_wallet_required crypto_not_configured method_not_offered refund_exceeds_remaining
    price_override_not_allowed destination_not_allowed product_not_available
  `),
  429: ['rate_limited'],
  500: ['internal_error'],
  502: ['provider_unavailable'],
}

const detail = shape({ path: text, rule: text })

const failure = (status: number): Check =>
  shape({
    success: oneOf(false),
    error: shape({
      code: oneOf(...(codes[status] ?? [])),
      message: matching(/\S/),
      requestId: matching(/\S/),
      'details?': status === 400 ? listOf(detail) : () => [],
    }),
  })

const succeeded = shape({
  success: oneOf(true),
  data: rule(value => value !== null && typeof value === 'object', 'must be an object'),
})

/** The envelope of every JSON response, with the request id of its header. */
export function envelopeProblems({ status, headers, json }: Answer): string[] {
  if (json === null) return ['the answer must be JSON']
  const id = headers.get('x-request-id')
  const noId = id ? [] : ['X-Request-Id is missing']
  if (status < 400) return [...noId, ...succeeded(json, '')]
  const problems = [...noId, ...failure(status)(json, '')]
  return json.error?.requestId === id ? problems : [...problems, 'requestId must equal X-Request-Id']
}
