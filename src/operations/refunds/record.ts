import { invalid } from '../../domain/errors.ts'
import { isPositive, parseAmount } from '../../domain/money.ts'
import type { OrderView } from '../../domain/order-view.ts'
import { paidAssets, type Refund, type SentRefund } from '../../domain/refund.ts'
import type { Tables, TransactionWithOrder } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { IssueContext } from '../invoices/steps/store.ts'
import { requireOrder } from '../orders/steps/require-order.ts'
import { matchReversal } from './record-reversals.ts'
import { findRepeated, type NewRefund, recordIn, settlementOf } from './steps/record-in.ts'

interface RefundView extends OrderView, TransactionWithOrder {
  refund: Refund
  created: boolean
}

/**
 * Records a refund that was executed elsewhere, and moves no money. A repeated idempotency key returns the
 * first refund with its current order and transaction.
 */
export async function recordRefund(
  context: IssueContext & Pick<Context, 'storage'>,
  request: NewRefund,
): Promise<RefundView> {
  const { merchantId, orderId, body } = request
  if (body.amount !== undefined && !isPositive(body.amount)) {
    throw invalid('/amount', 'must be greater than zero')
  }
  if (request.sent) checkSent(request.sent)
  return context.storage.write(async tables => {
    const view = await requireOrder(tables, merchantId, orderId)
    // A malformed amount is refused first, even if the key was used before.
    if (body.amount !== undefined) parseAmount(body.amount, view.order.currency)
    const repeated = await findRepeated(tables, request)
    if (repeated) {
      const transaction = await settlementOf(tables, view.order)
      return { ...view, transaction, refund: repeated, created: false }
    }
    if (request.sent) await checkCoin(tables, view, request.sent)
    const made = await recordIn(context, tables, view.order, request)
    await matchReversal(tables, made.order, made.refund)
    return { ...view, ...made, created: true }
  })
}

const sentPattern = /^[0-9]{1,30}(?:[.][0-9]{1,30})?$/
const transactionPattern = /^[\x21-\x7e]{1,200}$/

function checkSent({ sentAmount, txId }: SentRefund): void {
  if (sentAmount !== null && !(sentPattern.test(sentAmount) && isPositive(sentAmount)))
    throw invalid('/sentAmount', 'must be an amount of coins')
  if (txId !== null && !transactionPattern.test(txId)) throw invalid('/txId', 'must be a transaction ID')
}

/** Refuses a coin in which the order was not paid. */
async function checkCoin(tables: Tables, { order }: OrderView, { sentAssetId }: SentRefund): Promise<void> {
  if (sentAssetId === null || order.transactionId === null) return
  const payments = await tables.incomingPayments.listOfOrder(order.id)
  const paid = paidAssets(await settlementOf(tables, order), payments)
  if (!paid.includes(sentAssetId)) throw invalid('/sentAsset', 'must be a coin in which the order was paid')
}
