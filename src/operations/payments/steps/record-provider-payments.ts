import { type Attempt, isOpen, type Receipt } from '../../../domain/attempt.ts'
import { toUnits } from '../../../domain/money.ts'
import { ANY } from '../../../domain/payment-methods.ts'
import type { PaymentFact, StoredAttempt } from '../../../providers/port.ts'
import type { World } from '../../context.ts'
import { canMove, moveOrder } from '../../orders/steps/transition.ts'
import { recordPaymentEvent } from '../../webhooks/steps/record-event.ts'
import { type Report, recordSightings } from './record-chain-payments.ts'

/** In the place of the index of a payment, for what is none by itself. */
const SUM = 'sum'

export const storedAttempt = (attempt: Attempt): StoredAttempt => ({
  callbackUrl: attempt.callbackUrl ?? '',
  ref: attempt.providerRef ?? '',
  address: attempt.address,
  assetId: attempt.assetId,
})

/** Takes in what a provider proved of one attempt. */
export async function recordFacts(
  world: World,
  attempt: Attempt,
  facts: PaymentFact[],
  askedAt: number,
): Promise<void> {
  const settled = facts.filter(fact => fact.status === 'settled')
  const known = await world.storage.read(tables => tables.receipts.listOf(attempt.id))
  const sightings = settled.flatMap(fact => sightingOf(world, attempt, known, fact) ?? [])
  if (sightings.length > 0 || facts.length === 0) {
    const source = attempt.provider ?? ''
    await recordSightings(world, attempt.id, { source, sightings, completeFrom: null, askedAt })
  }
  if (facts.some(fact => fact.status === 'failed')) await failAttempt(world, attempt.id)
}

type Seen = Report['sightings'][number]

function sightingOf(world: World, attempt: Attempt, known: Receipt[], fact: PaymentFact): Seen | null {
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
    paidAt: world.clock(),
    evidence: fact.evidence,
  }
}

/**
 * Whether a status names a payment that a callback told of alone, and tells more than all that is known: then
 * it tells a sum, with payments whose callbacks were lost.
 */
function isSum(attempt: Attempt, known: Receipt[], fact: PaymentFact, amount: bigint): boolean {
  const { proof, txIn, txOut, assetId } = fact
  if (proof !== 'status_lookup' || txIn !== null || attempt.state === 'settled') return false
  const part = known.find(receipt => receipt.txId === txOut && receipt.txIndex !== SUM)
  const isPart = part?.assetId === assetId && part.txIn !== null
  return isPart && amount > part.amount && amount > attempt.received
}

/** More places than the asset has are cut off: what is smaller than the smallest unit was not received. */
function atomicOf(amount: string, decimals: number): bigint | null {
  const [whole = '', fraction = ''] = amount.split('.')
  return toUnits(`${whole}.${fraction.slice(0, decimals).padEnd(decimals, '0')}`, decimals)
}

/** A payment failed for good. The order fails with it only where it offers no other method. */
async function failAttempt(world: World, attemptId: string): Promise<void> {
  await world.storage.write(async tables => {
    const attempt = await tables.attempts.find(attemptId)
    const found = attempt && (await tables.orders.find(attempt.orderId))
    if (!attempt || !found || !isOpen(attempt)) return
    const now = world.clock()
    await tables.attempts.update(attempt.id, { state: 'failed', checkedAt: now, updatedAt: now })
    await recordPaymentEvent(world, tables, 'payment.failed', found.order, attempt)
    const { methodKeys } = found.order
    // Of coins, the buyer may choose others.
    const isOnlyMethod = attempt.kind === 'redirect' && methodKeys.length === 1 && methodKeys[0] !== ANY
    if (isOnlyMethod && canMove(found, 'fail')) await moveOrder(tables, found, 'fail', {}, now)
  })
}
