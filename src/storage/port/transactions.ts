import type { Order } from '../../domain/order.ts'
import type { PageStart } from '../../domain/page.ts'
import type { Refund } from '../../domain/refund.ts'
import type { Reversal } from '../../domain/reversal.ts'
import type { Settlement, Transaction, TransactionStatus } from '../../domain/transaction.ts'

export interface TransactionFilter {
  merchantId: string
  status?: TransactionStatus | undefined
  orderId?: string | undefined
}

export type TransactionWithOrder = { transaction: Transaction; order: Order }

export interface Transactions {
  find(id: string): Promise<TransactionWithOrder | null>
  /** Lists the transactions that match a filter, newest first. */
  list(filter: TransactionFilter, limit: number, after: PageStart | null): Promise<TransactionWithOrder[]>
  insert(transaction: Transaction): Promise<void>
  /** Changes a transaction if it still has this number of refunds. */
  refund(id: string, refundCount: number, change: Partial<Transaction>): Promise<boolean>
  /** Sets the transaction that moved the money to the payout wallet. */
  setTxOut(id: string, txOut: string, at: number): Promise<void>
  /**
   * Finds the evidence of an order's settlement; null if the order was not settled, or was marked as paid
   * manually.
   */
  findSettlement(orderId: string): Promise<Settlement | null>
  insertSettlement(settlement: Settlement): Promise<void>
}

export interface Refunds {
  find(id: string): Promise<Refund | null>
  /** Lists the refunds of an order, newest first. */
  list(orderId: string, limit: number, after: PageStart | null): Promise<Refund[]>
  insert(refund: Refund): Promise<void>
}

export interface Reversals {
  find(id: string): Promise<Reversal | null>
  /** Lists the reversals of an order, oldest first. */
  listOf(orderId: string): Promise<Reversal[]>
  insert(reversal: Reversal): Promise<void>
  update(
    id: string,
    change: Partial<Pick<Reversal, 'status' | 'reference' | 'refundId' | 'updatedAt'>>,
  ): Promise<void>
}
