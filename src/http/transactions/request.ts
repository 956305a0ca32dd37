import { transactionStatuses } from '../../domain/transaction.ts'
import { paging, Uuid } from '../schema/fields.ts'
import { Closed, OneOf, Optional } from '../schema/types.ts'

export const ListTransactions = Closed({
  status: Optional(OneOf(transactionStatuses)),
  orderUUID: Optional(Uuid),
  ...paging,
})

export const TransactionParams = Closed({ transactionId: Uuid })
