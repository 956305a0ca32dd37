import { Type } from '@sinclair/typebox'
import { testOutcomes } from '../../domain/test-shop.ts'
import { OrderParams } from '../orders/request.ts'
import { inWords, OneOf, Optional, QueryInteger, StrictObject, UnicodeString } from '../schema/types.ts'

export { OrderParams }

/**
 * Parameters that change what a page shows. `refused` and `unreached` may have any value, which is ignored
 * unless it is one of ours.
 */
const display = {
  choose: Optional(QueryInteger({ minimum: 0, maximum: 1000 })),
  qr: Optional(OneOf(['uri', 'address'])),
  refused: Type.Optional(Type.Unknown()),
  unreached: Type.Optional(Type.Unknown()),
  checked: Optional(
    UnicodeString({ pattern: '^(later-)?[0-9]{10}$', [inWords]: 'must be a time in seconds since 1970' }),
  ),
}

// Mail programs and shops append parameters to links, so pages ignore unknown ones.
export const CheckoutQuery = Type.Object(
  { ...display, first: Type.Optional(Type.Unknown()) },
  { additionalProperties: true },
)
export const StatusQuery = Type.Object(
  {
    ...display,
    seen: Optional(UnicodeString({ maxLength: 64 })),
    first: Optional(UnicodeString({ pattern: '^[0-9a-f-]{36}$', [inWords]: 'must be the ID of a payment' })),
  },
  { additionalProperties: true },
)
/** The body of a check. Scripts may send anything, or nothing. */
export const CheckNow = Type.Object(
  { elsewhere: Type.Optional(Type.Unknown()) },
  { additionalProperties: true },
)
export const OpenCrypto = StrictObject({ asset: UnicodeString({ minLength: 1, maxLength: 64 }) })
export const PlayTestPayment = StrictObject({ outcome: OneOf(testOutcomes) })
export const LeaveRefundAddress = StrictObject({
  attempt: UnicodeString({ minLength: 1, maxLength: 64 }),
  address: UnicodeString({ maxLength: 256 }),
})
export const ProcessQuery = Type.Object(
  { method: Optional(UnicodeString({ minLength: 1, maxLength: 64 })) },
  { additionalProperties: true },
)
