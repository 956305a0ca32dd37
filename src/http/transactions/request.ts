import { transactionStatuses } from '../../domain/transaction.ts'
import { paging, UuidParam } from '../schema/fields.ts'
import { OneOf, Optional, StrictObject } from '../schema/types.ts'

export const ListTransactions = StrictObject({
  status: Optional(OneOf(transactionStatuses)),
  orderUUID: Optional(UuidParam),
  ...paging,
})

export const TransactionParams = StrictObject({ transactionId: UuidParam })
