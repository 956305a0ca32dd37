import { edit, type Fault, fault } from './fault.ts'

/** Faults in the value of payments, and in the decision that an order is paid. */
export const moneyFaults: Fault[] = [
  fault(
    'late-at-quote',
    'late money counts at the quote, as long as its address is watched',
    edit(
      'domain/grace.ts',
      'if (at > lockedUntil && !(at <= graceLimit && graces.has(attempt, at))) return',
      'if (at > attempt.watchUntil) return',
    ),
    edit(
      'domain/grace.ts',
      'const isExtended = at > lockedUntil - blindMs && !(at <= graceLimit - blindMs && graces.has(attempt, at))',
      'const isExtended = blindMs < 0 && lockedUntil > graceLimit',
    ),
    edit(
      'domain/grace.ts',
      'const minedBy = Math.max(isKept ? graceLimit : lockedUntil, from + withinMs)',
      'const minedBy = Math.max(isKept ? graceLimit : attempt.watchUntil, attempt.watchUntil, from + withinMs)',
    ),
  ),
  fault(
    'unconfirmed-settles',
    'a payment that is not final pays its order',
    edit('domain/coverage.ts', "payment.state === 'final'\n", "payment.state !== 'gone'\n"),
    edit(
      'operations/settlement/paying.ts',
      "payment.state === 'final' && (inTime > 0n",
      "payment.state !== 'gone' && (inTime > 0n",
    ),
  ),
  fault(
    'greater-tolerance',
    'the greater of share and 5 dollars may be missing',
    edit(
      'domain/tolerance.ts',
      'tolerance: share < most ? share : most',
      'tolerance: share > most ? share : most',
    ),
  ),
  fault(
    'gateway-batch',
    'a proven callback is dropped if another order has the same transaction',
    edit(
      'operations/incoming/store.ts',
      'attempt.provider === null ? !attempt.shared : attempt.address !== null',
      'attempt.provider === null && !attempt.shared',
    ),
  ),
  fault(
    'whole-asked-again',
    'a part is not credited: each new quote is for the whole order',
    edit(
      'operations/payments/list-offers.ts',
      'return { ...order, total: order.amount, amount: amountOf(asked, order.currency) }',
      'return { ...order, total: order.amount, amount: asked > 0n ? order.amount : amountOf(asked, order.currency) }',
    ),
  ),
]
