import { transactionStatuses } from '../../domain/transaction.ts'
import { Closed, OneOf, Optional } from './kit.ts'
import { paging, Uuid } from './shared.ts'

export const ListTransactions = Closed({
  status: Optional(OneOf(transactionStatuses)),
  orderUUID: Optional(Uuid),
  ...paging,
})

export const TransactionParams = Closed({ transactionId: Uuid })
