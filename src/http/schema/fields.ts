import { Type } from '@sinclair/typebox'
import { FULL_NAME_MAX } from '../../domain/customer.ts'
import { feePercentPattern } from '../../domain/fee.ts'
import { EMAIL_MAX, isEmail } from '../../domain/merchant.ts'
import type { Metadata } from '../../domain/metadata.ts'
import { parseTimestamp } from '../../domain/timestamp.ts'
import type { NewOrder } from '../../operations/orders/steps/parse-request.ts'
import { PAGE_SIZE } from '../page-token.ts'
import {
  DOCUMENTED,
  defineFormat,
  type FieldsOf,
  inWords,
  Nullable,
  Optional,
  QueryInteger,
  StrictObject,
  UnicodeString,
} from './types.ts'

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

defineFormat('uuid', value => uuidPattern.test(value))
defineFormat('email', isEmail)
defineFormat('date-time', value => parseTimestamp(value) !== null)
defineFormat('uri', value => URL.canParse(value))

export const URL_MAX = 2048
const ID_IN_WORDS = 'must contain only letters, digits and . _ : -'
export const REASON = { minLength: 3, maxLength: 500 }

export const Uuid = UnicodeString({ format: 'uuid', examples: ['01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'] })
/** A UUID in a path or query, in either case. Its value is in lower case, as it is stored. */
export const UuidParam = Type.Transform(Uuid)
  .Decode(value => value.toLowerCase())
  .Encode(value => value)
export const Amount = UnicodeString({
  title: 'Amount',
  pattern: '^[0-9]{1,18}([.][0-9]{1,3})?$',
  [inWords]: 'must be a decimal number with at most 3 decimal places, such as 25.00',
  description: 'A decimal string, never a float, with at most the decimal places of its ISO 4217 currency.',
  examples: ['25.00'],
})
export const Currency = UnicodeString({
  title: 'Currency',
  pattern: '^[A-Z]{3}$',
  [inWords]: 'must be an ISO 4217 currency code, such as USD',
  description: 'An ISO 4217 code.',
  examples: ['USD'],
})
export const DateTime = UnicodeString({ format: 'date-time', examples: ['2026-11-21T12:00:00.000Z'] })
const Email = UnicodeString({ format: 'email', maxLength: EMAIL_MAX, examples: ['buyer@example.com'] })
export const FeePercent = UnicodeString({ pattern: feePercentPattern.source, examples: ['2.5'] })
export const EvmAddress = UnicodeString({
  pattern: '^0x[0-9A-Fa-f]{40}$',
  [inWords]: 'must be an EVM address: 0x and 40 hexadecimal digits',
})
export const MetadataObject = Type.Unsafe<Metadata>(
  Type.Object(
    {},
    {
      title: 'Metadata',
      additionalProperties: true,
      description: 'A JSON object, nested at most 3 levels deep.',
      examples: [{ cart: '1042' }],
    },
  ),
)
const notKeys = { not: { enum: ['all', 'hosted'] } }
/** The rules of a method key, for the OpenAPI document. */
export const methodKeyRules = { pattern: '^[a-z0-9][a-z0-9_-]{0,63}$', ...notKeys }
const listedKey = UnicodeString({
  minLength: 1,
  maxLength: 64,
  [DOCUMENTED]: { pattern: '^([*]|[a-z0-9][a-z0-9_-]{0,63})$', ...notKeys },
})
export const MethodKeys = Type.Array(listedKey, {
  title: 'PaymentMethodsKeys',
  minItems: 1,
  maxItems: 64,
  // Only the document has this rule, because the validator would hash every key to find duplicates.
  [DOCUMENTED]: { uniqueItems: true, not: { minItems: 2, contains: { const: '*' } } },
  description:
    '["*"] for every available method, or 1 to 64 unique method keys; "crypto" is hosted crypto checkout.',
  examples: [['crypto']],
})
export const ExternalId = UnicodeString({
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9._:-]+$',
  [inWords]: ID_IN_WORDS,
})
/**
 * The rules of a URL to which the server sends browsers or requests. `FLORIN_OUTBOUND_ALLOW` may allow plain
 * http.
 */
export const destinationRules = { format: 'uri', pattern: '^https?://' }

export const CustomerInput = StrictObject(
  {
    email: Email,
    fullName: Optional(Nullable(UnicodeString({ maxLength: FULL_NAME_MAX }))),
  } satisfies FieldsOf<NewOrder['customer']>,
  { title: 'CustomerInput', examples: [{ email: 'buyer@example.com', fullName: 'Sam Buyer' }] },
)

export const IdempotencyKey = UnicodeString({
  minLength: 8,
  maxLength: 128,
  pattern: '^[A-Za-z0-9._:-]+$',
  [inWords]: ID_IN_WORDS,
  examples: ['refund-1042.1'],
})

/** The query parameters of every list. */
export const paging = {
  pageSize: Optional(
    QueryInteger({
      minimum: 1,
      maximum: 100,
      description: 'How many items a page has at most.',
      [DOCUMENTED]: { default: PAGE_SIZE },
    }),
  ),
  pageToken: Optional(
    UnicodeString({ minLength: 1, maxLength: 2048, description: 'The nextPageToken of the previous page.' }),
  ),
}
