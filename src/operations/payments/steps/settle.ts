import type { Attempt, Receipt } from '../../../domain/attempt.ts'
import { assert } from '../../../domain/errors.ts'
import type { Json } from '../../../domain/metadata.ts'
import { fromUnitsShort, minorOf } from '../../../domain/money.ts'
import { notRefunded } from '../../../domain/refund-totals.ts'
import { type Assessment, counting } from '../../../domain/settlement.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import type { OrderWithSession, Tables } from '../../../storage/port.ts'
import type { World } from '../../context.ts'
import { moveOrder } from '../../orders/steps/transition.ts'
import { recordOrderPaid, recordPaymentEvent } from '../../webhooks/steps/record-event.ts'

/**
 * Pays an order by a verified settlement: order, session, attempt, transaction, evidence, event and sums in
 * one write.
 */
export async function settleOrder(
  world: World,
  tables: Tables,
  found: OrderWithSession,
  attempt: Attempt,
  receipts: Receipt[],
  assessment: Assessment,
): Promise<OrderWithSession> {
  const now = world.clock()
  const paying = counting(attempt, receipts).filter(receipt => receipt.state === 'final')
  const transaction = transactionOf(world, found, attempt, paying, assessment, now)
  await tables.transactions.insert(transaction)
  await tables.transactions.insertSettlement({
    orderId: found.order.id,
    merchantId: found.order.merchantId,
    attemptId: attempt.id,
    transactionId: transaction.id,
    verdict: assessment.verdict,
    rule: ruleOf(attempt, assessment),
    evidence: evidenceOf(attempt, paying),
    createdAt: now,
  })
  for (const receipt of paying) await tables.receipts.update(receipt.id, { settles: true, updatedAt: now })
  await tables.attempts.update(attempt.id, { ...sumsOf(assessment), state: 'settled', updatedAt: now })
  await tables.unmatched.resolveOf(attempt.id, now)
  const change = {
    paidAt: now,
    transactionId: transaction.id,
    transactionRef: transaction.transactionRef,
    providerAddressIn: attempt.address,
    providerPayoutAddress: attempt.payoutAddress,
    providerTxIn: transaction.txIn,
    providerTxOut: transaction.txOut,
    receivedAmount: transaction.receivedAmount,
    receivedCurrency: transaction.receivedCurrency,
  }
  const minor = minorOf(found.order.amount, found.order.currency)
  const net = minorOf(found.order.netAmount, found.order.currency)
  const settled = await moveOrder(tables, found, 'settle', change, now, { gross: minor, net, paidCount: 1 })
  await recordOrderPaid(world, tables, settled.order)
  await recordPaymentEvent(world, tables, 'payment.paid', settled.order, attempt)
  return settled
}

export const sumsOf = ({ received, confirmed, confirmations }: Assessment): Partial<Attempt> => ({
  received,
  confirmed,
  confirmations,
})

function transactionOf(
  world: World,
  { order }: OrderWithSession,
  attempt: Attempt,
  paying: Receipt[],
  { confirmed }: Assessment,
  now: number,
): Transaction {
  assert(attempt.payoutAddress, 'an attempt that settles has a payout address')
  const txIn = paying.find(receipt => receipt.txIn)?.txIn ?? null
  const txOut = paying.find(receipt => receipt.txOut)?.txOut ?? null
  return {
    id: world.ids.uuid(),
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
    feeCollection: attempt.feeSplit ? 'PROVIDER_SPLIT' : order.feeCollection,
    receivingWallet: attempt.payoutAddress,
    receivedAmount: fromUnitsShort(confirmed, attempt.decimals),
    receivedCurrency: attempt.assetId,
    txIn,
    txOut,
    status: 'PAID',
    ...notRefunded,
    paidAt: now,
    createdAt: now,
    updatedAt: now,
  }
}

function ruleOf(attempt: Attempt, { confirmed, verdict }: Assessment): string {
  const sum = fromUnitsShort(confirmed, attempt.decimals)
  const enough = fromUnitsShort(attempt.enough, attempt.decimals)
  const timing = verdict === 'late' ? ', after the lock and within the watch' : ''
  return `confirmed ${sum} ${attempt.assetId} is at least ${enough}${timing}`
}

const evidenceOf = (attempt: Attempt, paying: Receipt[]): Json => ({
  due: attempt.due.toString(),
  enough: attempt.enough.toString(),
  rate: attempt.rate,
  rateSources: attempt.rateSources,
  rateAt: attempt.rateAt,
  receipts: paying.map(receipt => ({
    source: receipt.source,
    txId: receipt.txId,
    txIndex: receipt.txIndex,
    amount: receipt.amount.toString(),
    confirmations: receipt.confirmations,
    height: receipt.height,
    evidence: receipt.evidence,
  })),
})
