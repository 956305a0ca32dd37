import type { Attempt } from '../../../domain/attempt.ts'
import { assert } from '../../../domain/errors.ts'
import type { Json } from '../../../domain/metadata.ts'
import { minorOf } from '../../../domain/money.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import { notRefunded } from '../../../domain/refund-totals.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import type { OrderWithSession, Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { scheduleMail } from '../../mails/steps/schedule-mail.ts'
import { transitionOrder } from '../../orders/steps/transition.ts'
import { recordOrderPaid } from '../../webhooks/steps/record-event.ts'

/** Why an order is paid, and what was received for it. */
interface Payment {
  received: Pick<Transaction, 'receivedAmount' | 'receivedCurrency'>
  verdict: string
  rule: string
  evidence: Json
}

/**
 * Pays an order with payments of one attempt, or of several where the merchant accepted them: its
 * transaction, settlement, state, statistics, `order.paid` and
 * the receipt by mail.
 */
export async function payOrder<T extends OrderWithSession>(
  context: Pick<Context, 'ids' | 'clock'>,
  tables: Tables,
  found: T,
  attempt: Attempt,
  paying: IncomingPayment[],
  { received, verdict, rule, evidence }: Payment,
): Promise<T> {
  const now = context.clock()
  const { order } = found
  const transaction = { ...transactionOf(context, found, attempt, paying, now), ...received }
  await tables.transactions.insert(transaction)
  await tables.transactions.insertSettlement({
    orderId: order.id,
    merchantId: order.merchantId,
    attemptId: attempt.id,
    transactionId: transaction.id,
    verdict,
    rule,
    evidence,
    createdAt: now,
  })
  for (const { id } of paying) await tables.incomingPayments.update(id, { settles: true, updatedAt: now })
  await tables.attempts.update(attempt.id, { state: 'settled', updatedAt: now })
  const change = {
    paidAt: now,
    chosenMethod: attempt.methodKey,
    chosenAsset: attempt.assetId,
    transactionId: transaction.id,
    transactionRef: transaction.transactionRef,
    providerAddressIn: attempt.address,
    providerPayoutAddress: attempt.payoutAddress,
    providerTxIn: transaction.txIn,
    providerTxOut: transaction.txOut,
    ...received,
  }
  const settled = await transitionOrder(tables, found, 'settle', change, now, {
    sums: {
      gross: minorOf(order.amount, order.currency),
      net: minorOf(order.netAmount, order.currency),
      paidCount: 1,
    },
    paidWith: { methodKey: attempt.methodKey, assetId: attempt.assetId },
  })
  await recordOrderPaid(context, tables, settled.order)
  await scheduleMail(context, tables, settled.order, 'receipt', attempt)
  return settled
}

function transactionOf(
  context: Pick<Context, 'ids'>,
  { order }: OrderWithSession,
  attempt: Attempt,
  paying: IncomingPayment[],
  now: number,
): Omit<Transaction, 'receivedAmount' | 'receivedCurrency'> {
  assert(attempt.payoutAddress, 'an attempt that settles says where its money goes')
  const txIn = paying.find(incoming => incoming.txIn)?.txIn ?? null
  const txOut = paying.find(incoming => incoming.txOut)?.txOut ?? null
  return {
    id: context.ids.uuid(),
    merchantId: order.merchantId,
    orderId: order.id,
    attemptId: attempt.id,
    transactionRef: txIn ?? txOut,
    methodKey: attempt.methodKey,
    amount: order.amount,
    currency: order.currency,
    feePercent: order.feePercent,
    feeAmount: order.feeAmount,
    netAmount: order.netAmount,
    // Another payment of the order, which did not pay it, may have had a split.
    feeCollection: attempt.feeSplit ? 'PROVIDER_SPLIT' : 'ACCOUNTED_NOT_COLLECTED',
    receivingWallet: attempt.payoutAddress,
    txIn,
    txOut,
    status: 'PAID',
    ...notRefunded,
    paidAt: now,
    createdAt: now,
    updatedAt: now,
  }
}
