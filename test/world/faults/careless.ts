import { edit, type Fault, fault, foundBy } from './fault.ts'

/** Slips of a colleague who changes one rule at a time: in money, events, access, storage and jobs. */
export const carelessFaults: Fault[] = [
  fault(
    'tolerance-each-payment',
    'the tolerance of an order grows with each payment that its buyer opens',
    edit(
      'operations/settlement/assess.ts',
      'tolerance: first?.tolerance ?? 0n',
      'tolerance: (first?.tolerance ?? 0n) * BigInt(attempts.length)',
    ),
  ),
  fault(
    'grace-of-every-quote',
    'a quote keeps its extra time although the buyer has opened another coin since',
    edit(
      'domain/grace.ts',
      'return opened.at(-1)?.id === attempt.id ||',
      'return opened.some(one => one.id === attempt.id) ||',
    ),
  ),
  fault(
    'mined-days-later',
    'a payment that was seen in time keeps its quote, although it is mined days later',
    edit('domain/quote.ts', 'MINED_WITHIN_MS = 6 * 3600_000', 'MINED_WITHIN_MS = 60 * 3600_000'),
  ),
  fault(
    'rest-rounded-down',
    'what is left of an order is rounded down before it is asked for',
    edit('domain/attempt.ts', '? 0n : ceilDiv(rest, VALUE_UNIT)', '? 0n : rest / VALUE_UNIT'),
  ),
  fault(
    'quote-shown-again',
    'a coin that is chosen again after its half hour keeps the former quote',
    edit(
      'operations/payments/open-crypto.ts',
      'isLocked(attempt, now) || (credited > 0n && now < graceUntil)',
      'isLocked(attempt, now) || now < graceUntil',
    ),
  ),
  fault(
    'prices-unconfirmed',
    'one price is enough, although there are several sources',
    edit(
      'rates/compute-rate.ts',
      'isConfirmed(sorted, price) || (isOneEnough && sorted.length === 1)',
      'isConfirmed(sorted, price) || isOneEnough || sorted.length > 0',
    ),
  ),
  fault(
    'second-opinion-of-rest',
    'a second endpoint is only asked if what is left of the order is a large amount',
    edit(
      'operations/payments/open-crypto.ts',
      'await openAddress(context, id, checkout, offer)',
      'await openAddress(context, id, { ...checkout, order: rest }, offer)',
    ),
  ),
  fault(
    'second-need-not-be-final',
    'a second endpoint confirms a payment that it does not call final',
    edit(
      'networks/rpc/quorum.ts',
      'const final = other?.final === true',
      'const final = other !== undefined',
    ),
  ),
  foundBy(
    'unit/operations/incoming/merge.test.ts',
    fault(
      'missing-for-days',
      'a payment that no endpoint reports any more counts as seen for ten days',
      edit('operations/incoming/merge.ts', 'const KEPT_MS = 900_000', 'const KEPT_MS = 900_000_000'),
    ),
  ),
  foundBy(
    'unit/operations/incoming/merge.test.ts',
    fault(
      'swept-by-any',
      'a payment counts as forwarded by a transaction that is older than the payment',
      edit(
        'operations/incoming/merge.ts',
        'one.assetId === assetId && one.height >= height',
        'one.assetId === assetId',
      ),
    ),
  ),
  fault(
    'unsent-while-failing',
    'an event that happens while its endpoint fails is stored, but never scheduled',
    edit(
      'operations/webhooks/steps/record-event.ts',
      '  if (isSendable)\n',
      '  if (isSendable && first?.failingSince === null)\n',
    ),
  ),
  fault(
    'given-up-after-a-day',
    'an event is given up after a day',
    edit('domain/webhook.ts', 'GIVE_UP_AFTER_MS = 3 * DAY_MS', 'GIVE_UP_AFTER_MS = DAY_MS'),
  ),
  fault(
    'former-secret-forever',
    'the former secret of events never stops signing',
    edit(
      'operations/webhooks/steps/send.ts',
      'context.clock() < (previousSecretUntil ?? 0)',
      '(previousSecretUntil ?? 0) > 0',
    ),
  ),
  foundBy(
    'outbound/post.test.ts',
    fault(
      'redirect-delivers',
      'an endpoint that redirects an event has received it',
      edit(
        'outbound/post.ts',
        "end(httpStatus === 200 ? 'delivered'",
        "end((httpStatus ?? 500) < 400 ? 'delivered'",
      ),
    ),
  ),
  fault(
    'refund-key-other-order',
    'a key that refunded one order is answered with that refund for another order',
    edit(
      'operations/refunds/steps/record-in.ts',
      'digest(orderId, body, sent) : digest(orderId, body)',
      'digest(orderId, body, sent) : digest(body)',
    ),
  ),
  fault(
    'refund-full-at-once-only',
    'an order that is refunded in two halves stays refunded in part',
    edit(
      'domain/refund.ts',
      'const isFull = minor === remaining',
      'const isFull = minor === minorOf(transaction.amount, currency)',
    ),
  ),
  foundBy(
    'http/card-and-coin.test.ts',
    fault(
      'refused-refund-counts',
      'money that a provider refused to pay back counts as paid back',
      edit(
        'domain/taken-back.ts',
        ".filter(({ status }) => status !== 'failed')",
        '.filter(({ status }) => status.length > 0)',
      ),
    ),
  ),
  fault(
    'gateway-any-coin',
    'the gateway may pay out another coin than it was asked for',
    edit(
      'providers/paygate/callback.ts',
      "const assetId = assetOf(params.get('coin') ?? '')",
      "const assetId = assetOf(params.get('coin') ?? '') && attempt.assetId",
    ),
  ),
  fault(
    'pages-left-open',
    'the page of a provider can still be paid after its order was paid otherwise, or has ended',
    edit(
      'operations/settlement/apply.ts',
      '  await closePages(tables, others, of.now)\n',
      '  if (paid === undefined) await closePages(tables, others, of.now)\n',
    ),
  ),
  fault(
    'ended-page-left-open',
    'the page of a provider is not closed when the end of its order has ended its attempt',
    edit(
      'operations/payments/steps/close-page.ts',
      '!provider.charge?.close) return payments\n',
      '!provider.charge?.close || !isOpen(attempt)) return payments\n',
    ),
  ),
  foundBy(
    'http/late-payments.test.ts',
    fault(
      'unconfirmed-forgotten',
      'a payment that is unconfirmed at the end of its watch is not looked for any more',
      edit('operations/payments/steps/schedule-check.ts', 'isOnChain ? isAwaited :', 'isOnChain ? false :'),
    ),
  ),
  fault(
    'product-price-overridden',
    'an order for a product may name its own price, although the shop forbids it',
    edit(
      'domain/order-terms.ts',
      "  if (request.price && !product.allowPriceOverride) throw new Refusal('price_override_not_allowed')\n",
      '',
    ),
  ),
  fault(
    'order-and-key-apart',
    'an order is stored before its idempotency key, in another transaction',
    edit(
      'operations/orders/create.ts',
      `    const made = await context.storage.write(async tables => {
      const placed = await placeOrder(context, tables, merchantId, request, 'api')
`,
      `    const placed = await context.storage.write(tables =>
      placeOrder(context, tables, merchantId, request, 'api'),
    )
    const made = await context.storage.write(async tables => {
`,
    ),
  ),
  fault(
    'key-taken-unnoticed',
    'two requests with one idempotency key at the same time make two orders',
    edit(
      'storage/tables/orders.ts',
      'insertNew: async key => changed(await insertNew().execute({ ...key })),',
      'insertNew: async key => (await insertNew().execute({ ...key })) !== null,',
    ),
  ),
  foundBy(
    'storage/sqlite.test.ts',
    fault(
      'status-not-compared',
      'an order is moved to its next status whatever its status is',
      edit(
        'storage/tables/orders.ts',
        "and(eq(orders.id, param('id')), eq(orders.status, param('status'))),",
        "and(eq(orders.id, param('id'))),",
      ),
    ),
  ),
  foundBy(
    'storage/sqlite.test.ts',
    fault(
      'finished-job-removed',
      'a job that was scheduled again while it ran is removed when it ends',
      edit(
        'storage/tables/jobs.ts',
        'const removalOfLeased = lazy(() => db.delete(jobs).where(isLeased).prepare())',
        'const removalOfLeased = lazy(() => db.delete(jobs).where(isJob).prepare())',
      ),
    ),
  ),
  foundBy(
    'http/clock.test.ts',
    fault(
      'clock-back-unnoticed',
      'jobs wait for their former time after the clock was set back',
      edit('jobs/loop.ts', 'const STEP_MS = 60_000', 'const STEP_MS = 24 * 3600_000'),
    ),
  ),
  fault(
    'foreign-resolved',
    'a shop resolves a payment of another shop',
    edit('operations/payments/unmatched.ts', 'if (known?.merchantId !== merchantId) {', 'if (!known) {'),
    edit(
      'operations/payments/unmatched.ts',
      'table.resolve(merchantId, id, decision)',
      'table.resolve(known.merchantId, id, decision)',
    ),
  ),
  fault(
    'foreign-transaction',
    'a shop reads a transaction of another shop',
    edit('operations/transactions/read.ts', ' || found.transaction.merchantId !== merchantId) {', ') {'),
  ),
  fault(
    'staff-accept',
    'staff may accept payments that the owner has to decide about',
    edit(
      'http/dashboard/orders/order.ts',
      "name: 'accept',\n    access: 'owner',",
      "name: 'accept',\n    access: 'staff',",
    ),
  ),
  fault(
    'end-unaudited',
    'the audit log lacks that an order was ended',
    edit(
      'operations/orders/end.ts',
      'before: auditFields(before.order),',
      'before: auditFields(after.order),',
    ),
  ),
  fault(
    'blind-time-counts',
    'the time in which a chain could not be read counts towards the time to pay',
    edit(
      'domain/blind-chain.ts',
      'if (since >= graceLimit || lost <= 0) return null',
      'if (since >= graceLimit || lost <= BLIND_MAX_MS) return null',
    ),
  ),
]
