import type { NewRefund } from '../../operations/refunds/steps/record-in.ts'
import { Amount, paging, REASON } from '../schema/fields.ts'
import { type FieldsOf, Optional, StrictObject, UnicodeString } from '../schema/types.ts'

export const RecordRefund = StrictObject(
  { amount: Optional(Amount), reason: UnicodeString(REASON) } satisfies FieldsOf<NewRefund['body']>,
  { title: 'RecordRefund', examples: [{ amount: '10.00', reason: 'returned by the customer' }] },
)

export const ListRefunds = StrictObject(paging)
