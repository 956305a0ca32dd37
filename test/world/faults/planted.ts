import { edit, type Fault, fault } from './fault.ts'

/** Faults that a reviewer could overlook, in every folder whose code handles money. */
export const plantedFaults: Fault[] = [
  fault(
    'fee-rounded-down',
    'the fee is rounded down',
    edit(
      'domain/fee.ts',
      'roundHalfUp(minor * feeUnits(percent), WHOLE)',
      '(minor * feeUnits(percent)) / WHOLE',
    ),
  ),
  fault(
    'refund-key-reused',
    'a key of a refund that was used for another one is answered with the first',
    edit(
      'operations/refunds/steps/record-in.ts',
      'used.requestHash !== hashOf(request)',
      "used.requestHash === ''",
    ),
  ),
  fault(
    'refund-over',
    'more can be refunded than was paid, in parts',
    edit(
      'domain/refund.ts',
      'const remaining = minorOf(transaction.amount, currency) - before',
      'const remaining = minorOf(transaction.amount, currency) - before * 0n',
    ),
  ),
  fault(
    'key-of-any-shop',
    'an idempotency key returns the order of another shop',
    edit(
      'storage/tables/orders.ts',
      "eq(keys.merchantId, param('merchantId')),\n          eq(keys.operation",
      "eq(keys.operation, param('operation')),\n          eq(keys.operation",
    ),
  ),
  fault(
    'former-secret-signs',
    'after a rotation, events are signed with the former secret',
    edit(
      'operations/webhooks/steps/send.ts',
      "'X-Service-Signature': sign(webhook.secret,",
      "'X-Service-Signature': sign(previousSecret ?? webhook.secret,",
    ),
  ),
  fault(
    'event-twice',
    'an event that was answered with 200 at once is sent again',
    edit(
      'operations/webhooks/deliver.ts',
      "if (outcome.outcome === 'delivered') return { status",
      "if (outcome.outcome === 'delivered' && tries > 1) return { status",
    ),
  ),
  fault(
    'page-skips',
    'a page of a list leaves out what was made in the same millisecond as the end of the page before',
    edit(
      'storage/tables/keyset.ts',
      '(at: Column, id: Column): SQL =>\n  sql',
      "(at: Column, id: Column): SQL =>\n  at.name !== '' ? lt(at, param('at')) : sql",
    ),
  ),
  fault(
    'statistic-rounds',
    'what waits for payment leaves the statistics rounded',
    edit(
      'operations/states/transition.ts',
      'pending: -minorOf(amount, currency)',
      'pending: -(minorOf(amount, currency) / 10n) * 10n',
    ),
  ),
  fault(
    'any-shop-reads',
    'a key of one shop reads and changes orders of another',
    edit('operations/orders/steps/require-order.ts', ' || found.order.merchantId !== merchant.id', ''),
  ),
  fault(
    'expires-with-money',
    'an order expires while a payment of it is confirmed',
    edit(
      'operations/settlement/decide.ts',
      "if (holding.length === 0) return { trigger: 'expire'",
      "if (holding.length >= 0) return { trigger: 'expire'",
    ),
  ),
  fault(
    'expired-for-ever',
    'money that covers an expired order does not pay it',
    edit('domain/order.ts', "EXPIRED: { settle: 'PAID' }", 'EXPIRED: {}'),
  ),
  fault(
    'revoked-key-works',
    'a revoked key still works',
    edit('operations/keys/authenticate.ts', 'key.revokedAt === null && ', ''),
  ),
  fault(
    'archived-sold',
    'a product that is archived can be ordered',
    edit('operations/products/load-checkout.ts', 'if (!product.active)', "if (product.name === '')"),
    edit('domain/order-terms.ts', 'if (!product.active)', "if (product.name === '')"),
  ),
  fault(
    'handled-counts',
    'a payment that the shop has sent back counts again',
    edit('domain/coverage.ts', ' && !about.isHandled(payment))', ')'),
  ),
  fault(
    'late-not-asked',
    'late money counts, although the shop wants to be asked',
    edit(
      'domain/coverage.ts',
      'const isAsked = about.asksLate || paidAt > attempt.watchUntil',
      'const isAsked = paidAt > attempt.watchUntil',
    ),
  ),
  fault(
    'gone-counts',
    'a payment that has left its chain still counts',
    edit('domain/coverage.ts', ".filter(payment => payment.state !== 'gone' && !", '.filter(payment => !'),
  ),
  fault(
    'quote-rounded-down',
    'a quote is one unit too small',
    edit(
      'domain/quote.ts',
      'return ceilDiv(numerator * tenTo(asset.quoteDecimals), denominator) * quoteStep(asset)',
      'return ((numerator * tenTo(asset.quoteDecimals)) / denominator) * quoteStep(asset)',
    ),
  ),
  fault(
    'foreign-callback',
    'a callback is taken whatever secret it has',
    edit(
      'operations/payments/receive-callback.ts',
      "const isProven = isEqual(found.callbackSecret ?? '', secret) && secret !== ''",
      "const isProven = isEqual('', '') && secret !== ''",
    ),
  ),
  fault(
    'url-unchanged',
    'events still go to the former URL',
    edit(
      'operations/webhooks/change.ts',
      '      url,\n      updatedAt: now,',
      '      url: known?.url ?? url,\n      updatedAt: now,',
    ),
  ),
  fault(
    'paid-unstated',
    'a paid order has no order.paid',
    edit(
      'operations/settlement/apply.ts',
      '  await recordOrderPaid(context, tables, paid)\n',
      "  if (paid.currency !== 'EUR') await recordOrderPaid(context, tables, paid)\n",
    ),
  ),
  fault(
    'net-is-gross',
    'the net revenue in the statistics has the fee in it',
    edit('operations/settlement/apply.ts', 'net: minorOf(order.netAmount,', 'net: minorOf(order.amount,'),
  ),
  fault(
    'refund-net',
    'a refund does not reduce the net revenue',
    edit('operations/refunds/steps/record-in.ts', 'net: -refunded', 'net: 0n'),
  ),
  fault(
    'unmatched-untold',
    'what was paid too much waits for nobody',
    edit(
      'operations/settlement/apply.ts',
      'await tables.unmatched.insert({ ...change.row, id: unmatchedId })',
      "if (order.status !== 'PAID') await tables.unmatched.insert({ ...change.row, id: unmatchedId })",
    ),
  ),
  fault(
    'not-final-twice',
    'payments that come after an order was paid settle it too',
    edit('operations/settlement/decide.ts', '> price) added.delete', '< 0n) added.delete'),
  ),
]
