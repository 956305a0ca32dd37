import { Closed, Optional, Text } from './kit.ts'
import { Amount, paging, REASON } from './shared.ts'

export const RecordRefund = Closed(
  { amount: Optional(Amount), reason: Text(REASON) },
  { title: 'RecordRefund', examples: [{ amount: '10.00', reason: 'returned by the customer' }] },
)

export const ListRefunds = Closed(paging)
