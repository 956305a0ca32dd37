import type { Attempt, AttemptAtProvider } from '../../../domain/attempt.ts'
import { currencyDecimals } from '../../../domain/currency.ts'
import { fiatCurrency } from '../../../domain/fiat.ts'
import { toUnits } from '../../../domain/money.ts'
import { type IncomingPayment, unreportedId } from '../../../domain/payment.ts'
import { takenBack } from '../../../domain/taken-back.ts'
import type { ProviderPayment } from '../../../providers/port.ts'
import type { Context } from '../../context.ts'
import type { ReportedPayment } from '../../incoming/merge.ts'
import { recordReversals } from '../../refunds/record-reversals.ts'
import { type RecordContext, recordPayments } from '../../settlement/record.ts'

/** The index of a payment whose amount is the total of several payments. */
const TOTAL = 'sum'

/** Records what a provider proved about one attempt. */
export async function recordProviderPayments(
  context: RecordContext & Pick<Context, 'networks'>,
  attempt: AttemptAtProvider,
  payments: ProviderPayment[],
  askedAt: number,
): Promise<void> {
  const paid = payments.filter(({ status }) => status === 'settled' || status === 'pending')
  const known = await context.storage.read(tables => tables.incomingPayments.listOf(attempt.id))
  const detectedPayments = paid.flatMap(payment => toReported(context, attempt, known, payment) ?? [])
  const hasFailed = payments.some(({ status }) => status === 'failed')
  const isPageOver = payments.some(({ status }) => status === 'expired')
  if (detectedPayments.length === 0 && payments.length > 0 && !hasFailed && !isPageOver) return
  // A payment on its way, such as a direct debit, is gone when it fails.
  const isReturned = (hasFailed || isPageOver) && known.some(({ state }) => state === 'seen')
  const completeFrom = isReturned ? 0 : null
  const outcome = { askedAt, hasFailed, isPageOver }
  const report = { source: attempt.provider, detectedPayments, completeFrom, ...outcome }
  const reversals = payments.flatMap(one => one.reversals ?? [])
  // A payment that was taken back in full before it was reported must not pay the order.
  if (payments.some(wasTakenBack)) await recordReversals(context, attempt, reversals)
  await recordPayments(context, attempt.id, report)
  if (reversals.length > 0) await recordReversals(context, attempt, reversals)
}

function wasTakenBack({ status, assetId, amount, reversals = [] }: ProviderPayment): boolean {
  const currency = fiatCurrency(assetId)
  if (status !== 'settled' || currency === null || reversals.length === 0) return false
  const paid = toAtomic(amount, currencyDecimals(currency) ?? 0)
  return paid !== null && takenBack(reversals) >= paid
}

function toReported(
  context: Pick<Context, 'networks' | 'clock'>,
  attempt: Attempt,
  known: IncomingPayment[],
  payment: ProviderPayment,
): ReportedPayment | null {
  const { txIn, txOut, assetId, evidence } = payment
  const amount = toAtomic(payment.amount, decimalsOf(context, attempt, assetId))
  if (amount === null) return null
  return {
    txId: txOut ?? txIn ?? unreportedId(attempt.id),
    txIndex: isTotal(attempt, known, payment, amount) ? TOTAL : '0',
    assetId,
    amountAtomic: amount,
    confirmations: 0,
    final: payment.status === 'settled',
    height: null,
    txIn,
    txOut,
    paidAt: context.clock(),
    evidence,
  }
}

/** The decimals of an asset. An asset that is in no table gets the decimals of the attempt's asset. */
function decimalsOf({ networks }: Pick<Context, 'networks'>, attempt: Attempt, assetId: string): number {
  if (assetId === attempt.assetId) return attempt.decimals
  const currency = fiatCurrency(assetId)
  const decimals = currency === null ? networks.asset(assetId)?.decimals : currencyDecimals(currency)
  return decimals ?? attempt.decimals
}

/**
 * True if a status look-up reports a total: it names a payment that a callback reported alone, and an amount
 * larger than everything that is known. The callbacks of the other payments were lost.
 */
function isTotal(
  attempt: Attempt,
  known: IncomingPayment[],
  { proof, txIn, txOut, assetId }: ProviderPayment,
  amount: bigint,
): boolean {
  if (proof !== 'status_lookup' || txIn !== null || attempt.state === 'settled') return false
  const part = known.find(incoming => incoming.txId === txOut && incoming.txIndex !== TOTAL)
  const isPart = part?.assetId === assetId && part.txIn !== null
  return isPart && amount > part.amountAtomic && amount > attempt.receivedAtomic
}

/** Converts an amount. Digits below the asset's smallest unit are cut off: they were not received. */
function toAtomic(amount: string, decimals: number): bigint | null {
  const [whole = '', fraction = ''] = amount.split('.')
  const kept = fraction.slice(0, decimals)
  return toUnits(kept === '' ? whole : `${whole}.${kept}`, decimals)
}
