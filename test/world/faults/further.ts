import { edit, type Fault, fault, foundBy } from './fault.ts'

/** Small faults in amounts, times and permissions. */
export const furtherFaults: Fault[] = [
  foundBy(
    'storage/sqlite.test.ts',
    fault(
      'race-won-always',
      'a compare-and-set that lost counts as won',
      edit('storage/tables/statements.ts', 'return changes > 0', 'return changes >= 0'),
    ),
  ),
  fault(
    'lock-minute-longer',
    'a quote holds for a minute longer',
    edit('domain/quote.ts', 'LOCK_MS = 30 * 60_000', 'LOCK_MS = 31 * 60_000'),
  ),
  fault(
    'signed-without-time',
    'the signature of an event leaves out its time',
    edit(
      'operations/webhooks/steps/send.ts',
      'sign(webhook.secret, timestamp, body),',
      "sign(webhook.secret, '', body),",
    ),
  ),
  fault(
    'former-secret-at-once-void',
    'after a rotation, the former secret signs no more',
    edit(
      'operations/webhooks/steps/send.ts',
      '...(isOverlapping && {',
      '...(isOverlapping && body.length === 0 && {',
    ),
  ),
  fault(
    'product-unaudited',
    'the audit log names another action for a new product',
    edit(
      'operations/products/steps/store.ts',
      "known ? 'product.changed' : 'product.created'",
      "'product.changed'",
    ),
  ),
  fault(
    'tolerance-uncapped',
    'the tolerance has no upper limit',
    edit('domain/tolerance.ts', 'share < most ? share : most', 'share < most ? share : share'),
  ),
  fault(
    'refund-status-full',
    'a refund of a part is called full',
    edit(
      'domain/refund.ts',
      "refundStatus: isFull ? 'FULL' : 'PARTIAL'",
      "refundStatus: isFull ? 'FULL' : 'FULL'",
    ),
  ),
  fault(
    'refund-not-summed',
    'the second refund of an order replaces the first in its sum',
    edit('domain/refund.ts', 'amountOf(before + minor, currency)', 'amountOf(minor, currency)'),
  ),
  fault(
    'expiry-minute-late',
    'orders expire a minute later than usual',
    edit(
      'operations/orders/steps/parse-request.ts',
      'context.clock() + context.policy.orderExpiryMs',
      'context.clock() + context.policy.orderExpiryMs + 60_000',
    ),
  ),
  fault(
    'key-with-any-body',
    'an idempotency key answers another body with its order',
    edit(
      'operations/orders/create.ts',
      'used?.requestHash === requestHash ?',
      'used !== null && used !== undefined ?',
    ),
  ),
  fault(
    'read-key-writes',
    'a key that may read only refunds and cancels',
    edit(
      'operations/keys/authenticate.ts',
      'rule.scope && !caller.scopes.includes(rule.scope)',
      'rule.scope && caller.scopes.length === 0',
    ),
  ),
  fault(
    'outputs-as-one',
    'two payments of one transaction are taken for one',
    edit(
      'operations/incoming/merge.ts',
      'payments.filter(payment => payment.txIndex === txIndex)',
      "payments.filter(payment => payment.txIndex === txIndex || txIndex !== '')",
    ),
  ),
  fault(
    'refund-sign-wrong',
    'a refund adds to the net of the statistics',
    edit('operations/refunds/steps/record-in.ts', 'net: -refunded }', 'net: refunded }'),
  ),
  fault(
    'second-opinion-stuck',
    'of three endpoints, only the first two are ever asked about a payment',
    edit('networks/rpc/quorum.ts', 'open = open.filter(isDisputed)', 'open = open.filter(() => false)'),
  ),
  foundBy(
    'unit/providers/stripe-amounts.test.ts',
    fault(
      'stripe-tnd-in-cents',
      'amounts in Tunisian dinars are sent to Stripe with two decimals, although they have three',
      edit('providers/stripe/amounts.ts', 'BHD JOD KWD OMR TND', 'BHD JOD KWD OMR'),
    ),
  ),
  foundBy(
    'http/invoices.test.ts',
    fault(
      'invoice-day-seen',
      'an invoice dates its payment by the day on which the server saw it',
      edit(
        'operations/invoices/payments.ts',
        'dateAt(payment.paidAt, timeZone)',
        'dateAt(payment.createdAt, timeZone)',
      ),
    ),
  ),
  foundBy(
    'http/invoices.test.ts',
    fault(
      'credit-of-cancelled-invoice',
      'the credit note of a cancelled invoice counts against the invoice after it',
      edit(
        'operations/invoices/credit.ts',
        'all.filter(one => one.content.corrects?.number === number)',
        'all.filter(one => one.content.corrects !== null)',
      ),
    ),
  ),
  foundBy(
    'http/webhook-outage.test.ts',
    fault(
      'given-up-twice',
      'a merchant is notified twice of an event that two servers give up at the same time',
      edit(
        'operations/webhooks/deliver.ts',
        "if (delivery.status === 'pending' && change.status === 'failed') await giveUp",
        "if (change.status === 'failed') await giveUp",
      ),
    ),
  ),
  foundBy(
    'http/repeated-reversals.test.ts',
    fault(
      'refund-back-to-failed',
      'a refund that has succeeded meanwhile fails when its provider refuses to make it again',
      edit('operations/refunds/send.ts', "    if (known.status !== 'asked') return\n", ''),
    ),
  ),
  foundBy(
    'http/repeated-reversals.test.ts',
    fault(
      'failed-refund-matched',
      'a record of the merchant is matched to a refund that failed at the provider',
      edit('operations/refunds/record-reversals.ts', "      one.status !== 'failed' &&\n", ''),
    ),
  ),
  foundBy(
    'http/dashboard/sign-in-attacks.test.ts',
    fault(
      'server-error-counts',
      'a try to sign in that ends in an error of the server counts as a wrong password',
      edit(
        'operations/people/steps/slow-down.ts',
        '    if (!isWrong(error)) await takeBack(context, counted.counters)\n    else {',
        '    if (isWrong(error)) {',
      ),
    ),
  ),
  foundBy(
    'http/card-and-coin.test.ts',
    fault(
      'unmatched-value-reduced',
      'an unmatched payment loses the value that its provider took back of it',
      edit(
        'operations/settlement/unmatched.ts',
        '(isReduced ? null : recordedValue(of, examined)) ?? row.value',
        'recordedValue(of, examined) ?? (isReduced ? null : row.value)',
      ),
    ),
  ),
  foundBy(
    'http/repeated-reversals.test.ts',
    fault(
      'refund-without-key',
      'two servers that send one refund to Stripe at the same time make it twice',
      edit('providers/stripe/reversals.ts', '    idempotencyKey: refundId,\n', ''),
    ),
  ),
  foundBy(
    'unit/networks/lightning.test.ts',
    fault(
      'invoice-of-other-payment',
      'an invoice of a Lightning address may describe another payment',
      edit(
        'networks/lightning/check-bolt11.ts',
        'descriptionHash !== null && descriptionHash !== metadataHash',
        "descriptionHash === '' && descriptionHash !== metadataHash",
      ),
    ),
  ),
  foundBy(
    'unit/networks/tron-lists.test.ts',
    fault(
      'newest-block-passed',
      'a long list of TRON is continued after blocks that may still be replaced',
      edit(
        'networks/tron/list-address.ts',
        'tip.finalized?.at ?? tip.head.at - UNSURE_MS',
        'tip.finalized?.at ?? tip.head.at',
      ),
    ),
  ),
]
