import { Amount, paging, REASON } from '../schema/fields.ts'
import { Closed, Optional, Text } from '../schema/types.ts'

export const RecordRefund = Closed(
  { amount: Optional(Amount), reason: Text(REASON) },
  { title: 'RecordRefund', examples: [{ amount: '10.00', reason: 'returned by the customer' }] },
)

export const ListRefunds = Closed(paging)
