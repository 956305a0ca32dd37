import { Type } from '@sinclair/typebox'
import { OrderParams } from '../orders/request.ts'
import { Closed, OneOf, Optional, QueryCount, Text } from '../schema/types.ts'

export { OrderParams }

const shown = {
  choose: Optional(QueryCount({ minimum: 0, maximum: 1000 })),
  qr: Optional(OneOf(['uri', 'address'])),
}

// Links get things appended on their way to a buyer; a page takes that in its stride.
export const CheckoutQuery = Type.Object(shown, { additionalProperties: true })
export const StatusQuery = Type.Object(
  { ...shown, seen: Optional(Text({ maxLength: 64 })) },
  { additionalProperties: true },
)
export const OpenCrypto = Closed({ asset: Text({ minLength: 1, maxLength: 64 }) })
export const ProcessQuery = Type.Object(
  { method: Optional(Text({ minLength: 1, maxLength: 64 })) },
  { additionalProperties: true },
)
