import { type Attempt, isOpen } from '../../../domain/attempt.ts'
import { toUnits } from '../../../domain/money.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import { ANY } from '../../../domain/payment-methods.ts'
import type { ProviderPayment, StoredAttempt } from '../../../providers/port.ts'
import type { Context } from '../../context.ts'
import { canTransition, transitionOrder } from '../../orders/steps/transition.ts'
import { recordPaymentEvent } from '../../webhooks/steps/record-event.ts'
import { type Report, recordChainPayments } from './record-chain-payments.ts'

/** In the place of the index of a payment, for what is none by itself. */
const SUM = 'sum'

export const storedAttempt = (attempt: Attempt): StoredAttempt => ({
  callbackUrl: attempt.callbackUrl ?? '',
  ref: attempt.providerRef ?? '',
  address: attempt.address,
  assetId: attempt.assetId,
})

/** Takes in what a provider proved of one attempt. */
export async function recordProviderPayments(
  context: Context,
  attempt: Attempt,
  facts: ProviderPayment[],
  askedAt: number,
): Promise<void> {
  const settled = facts.filter(fact => fact.status === 'settled')
  const known = await context.storage.read(tables => tables.incomingPayments.listOf(attempt.id))
  const detectedPayments = settled.flatMap(fact => toDetectedPayment(context, attempt, known, fact) ?? [])
  if (detectedPayments.length > 0 || facts.length === 0) {
    const source = attempt.provider ?? ''
    await recordChainPayments(context, attempt.id, { source, detectedPayments, completeFrom: null, askedAt })
  }
  if (facts.some(fact => fact.status === 'failed')) await failAttempt(context, attempt.id)
}

type Seen = Report['detectedPayments'][number]

function toDetectedPayment(
  context: Context,
  attempt: Attempt,
  known: IncomingPayment[],
  fact: ProviderPayment,
): Seen | null {
  const amount = atomicOf(fact.amount, attempt.decimals)
  if (amount === null) return null
  const txId = fact.txOut ?? fact.txIn ?? `attempt:${attempt.id}`
  return {
    txId,
    txIndex: isSum(attempt, known, fact, amount) ? SUM : '0',
    assetId: fact.assetId,
    amount,
    confirmations: 0,
    final: true,
    height: null,
    txIn: fact.txIn,
    txOut: fact.txOut,
    paidAt: context.clock(),
    evidence: fact.evidence,
  }
}

/**
 * Whether a status names a payment that a callback told of alone, and tells more than all that is known: then
 * it tells a sum, with payments whose callbacks were lost.
 */
function isSum(attempt: Attempt, known: IncomingPayment[], fact: ProviderPayment, amount: bigint): boolean {
  const { proof, txIn, txOut, assetId } = fact
  if (proof !== 'status_lookup' || txIn !== null || attempt.state === 'settled') return false
  const part = known.find(incoming => incoming.txId === txOut && incoming.txIndex !== SUM)
  const isPart = part?.assetId === assetId && part.txIn !== null
  return isPart && amount > part.amount && amount > attempt.received
}

/** More places than the asset has are cut off: what is smaller than the smallest unit was not received. */
function atomicOf(amount: string, decimals: number): bigint | null {
  const [whole = '', fraction = ''] = amount.split('.')
  return toUnits(`${whole}.${fraction.slice(0, decimals).padEnd(decimals, '0')}`, decimals)
}

/** A payment failed for good. The order fails with it only where it offers no other method. */
async function failAttempt(context: Context, attemptId: string): Promise<void> {
  await context.storage.write(async tables => {
    const attempt = await tables.attempts.find(attemptId)
    const found = attempt && (await tables.orders.find(attempt.orderId))
    if (!attempt || !found || !isOpen(attempt)) return
    const now = context.clock()
    await tables.attempts.update(attempt.id, { state: 'failed', checkedAt: now, updatedAt: now })
    await recordPaymentEvent(context, tables, 'payment.failed', found.order, attempt)
    const { methodKeys } = found.order
    // Of coins, the buyer may choose others.
    const isOnlyMethod = attempt.kind === 'redirect' && methodKeys.length === 1 && methodKeys[0] !== ANY
    if (isOnlyMethod && canTransition(found, 'fail')) await transitionOrder(tables, found, 'fail', {}, now)
  })
}
