import type { IncomingPayment } from '../../../../src/domain/payment.ts'
import {
  mergeReport,
  type PaymentReport,
  type ReportedPayment,
} from '../../../../src/operations/incoming/merge.ts'
import { attempt } from '../../domain/given.ts'

/** A payment in a report: seen, and not in a block yet. */
export const reported = (
  txId: string,
  amountAtomic: bigint,
  change: Partial<ReportedPayment> = {},
): ReportedPayment => ({
  txId,
  txIndex: '0',
  assetId: 'polygon/usdc',
  amountAtomic,
  confirmations: 0,
  final: false,
  height: null,
  paidAt: 10,
  txIn: txId,
  evidence: null,
  inputs: [`input of ${txId}`],
  ...change,
})

let ids = 0
/** The payments of an attempt after a report of some of them. */
export function merged(
  known: readonly IncomingPayment[],
  detectedPayments: ReportedPayment[],
  more: Partial<PaymentReport> = {},
): IncomingPayment[] {
  const about = { attempt: attempt(), present: new Set<string>(), now: 100, newId: () => `id ${++ids}` }
  const report = { source: 'polygon', detectedPayments, completeFrom: 0, askedAt: 100, ...more }
  return mergeReport(about, known, report).payments
}
