import { transactionStatuses } from '../../domain/transaction.ts'
import { listed } from '../livemode.ts'
import { paging, UuidParam } from '../schema/fields.ts'
import { described, OneOf, Optional, StrictObject } from '../schema/types.ts'

export const ListTransactions = StrictObject({
  status: Optional(described('Only transactions with this status.', OneOf(transactionStatuses))),
  orderUUID: Optional(described('Only the transaction of this order.', UuidParam)),
  ...listed,
  ...paging,
})

export const TransactionParams = StrictObject({
  transactionId: described('The ID of the transaction.', UuidParam),
})
