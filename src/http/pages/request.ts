import { Type } from '@sinclair/typebox'
import { OrderParams } from '../orders/request.ts'
import { OneOf, Optional, QueryInteger, StrictObject, UnicodeString } from '../schema/types.ts'

export { OrderParams }

const shown = {
  choose: Optional(QueryInteger({ minimum: 0, maximum: 1000 })),
  qr: Optional(OneOf(['uri', 'address'])),
}

// Links get things appended on their way to a buyer; a page takes that in its stride.
export const CheckoutQuery = Type.Object(shown, { additionalProperties: true })
export const StatusQuery = Type.Object(
  { ...shown, seen: Optional(UnicodeString({ maxLength: 64 })) },
  { additionalProperties: true },
)
export const OpenCrypto = StrictObject({ asset: UnicodeString({ minLength: 1, maxLength: 64 }) })
export const ProcessQuery = Type.Object(
  { method: Optional(UnicodeString({ minLength: 1, maxLength: 64 })) },
  { additionalProperties: true },
)
