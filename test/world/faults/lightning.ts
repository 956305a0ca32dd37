import { edit, type Fault, fault } from './fault.ts'

const LIGHTNING = 'networks/lightning'

/** Faults in requests to Lightning nodes, and in the checks of their answers. */
export const lightningFaults: Fault[] = [
  fault(
    'node-says-half',
    'an invoice counts as paid although its node received only half of it',
    edit(
      `${LIGHTNING}/network.ts`,
      'if (!isProven || received < amountMsat) return',
      'if (!isProven || received < 0n) return',
    ),
  ),
  fault(
    'node-says-other',
    'the answer of a node may be about another invoice',
    edit(
      `${LIGHTNING}/sources/http.ts`,
      "if (typeof reported === 'string' && reported.toLowerCase() === asked) return",
      "if (typeof reported === 'string' && asked.length > 0) return",
    ),
    edit(
      `${LIGHTNING}/network.ts`,
      "preimage === null ? proof === 'state' : isPreimageOf(preimage, reference)",
      "proof === 'state' || isPreimageOf(preimage ?? '', reference)",
    ),
  ),
  fault(
    'excess-lost',
    'an amount that a buyer pays above an invoice of LND is not reported',
    edit(
      `${LIGHTNING}/sources/lnd.ts`,
      'const receivedMsat = msatIn(found.amt_paid_msat)',
      'const receivedMsat = found.amt_paid_msat === undefined ? 0n : null',
    ),
  ),
  fault(
    'invoice-late',
    'an invoice whose payment is seen late counts as paid late',
    edit(`${LIGHTNING}/network.ts`, 'paidAt: Math.min(now, paidBy)', 'paidAt: Math.max(now, paidBy - now)'),
  ),
  fault(
    'invoice-forgotten',
    'an invoice is not looked up any more once it has expired',
    edit('domain/quote.ts', 'INVOICE_WATCH_MS = 24 * 3600_000', 'INVOICE_WATCH_MS = 0'),
    edit(
      'operations/payments/steps/schedule-check.ts',
      'return checkedAt < watchUntil || (isWaiting && now < watchUntil + WAITING_MS) ? late : null',
      'return isWaiting && now < watchUntil + WAITING_MS ? late : null',
    ),
  ),
]
