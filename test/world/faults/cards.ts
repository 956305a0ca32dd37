import { edit, type Fault, fault } from './fault.ts'

const MOLLIE = 'providers/mollie'
const PAYPAL = 'providers/paypal'

/** Faults at the providers where shops have accounts. */
export const cardFaults: Fault[] = [
  fault(
    'debit-settles',
    'a debit that is on its way pays the order, at Stripe',
    edit('providers/stripe/session.ts', "report('pending', sum.amount)", "report('settled', sum.amount)"),
  ),
  fault(
    'mollie-pending-settles',
    'a transfer that is on its way pays the order, at Mollie',
    edit(`${MOLLIE}/payment.ts`, "[report('pending', sum.amount)]", "[report('settled', sum.amount)]"),
  ),
  fault(
    'mollie-other-payment',
    'the answer of Mollie to a look-up may be about another payment',
    edit(
      `${MOLLIE}/payment.ts`,
      "  check(payment, { id: charge?.attemptId, reference, account: charge?.account ?? '', key })\n",
      "  if (charge?.attemptId === '') check(payment, { id: '', reference, account: '', key })\n",
    ),
  ),
  fault(
    'mollie-refund-again',
    'a refund at Mollie whose answer was lost is sent again',
    edit(
      `${MOLLIE}/reversals.ts`,
      'one.refundId === refundId || one.reference === reference)',
      'one.reference === reference)',
    ),
    edit(`${MOLLIE}/reversals.ts`, '    idempotencyKey: refundId,\n', ''),
  ),
  fault(
    'mollie-chargebacks-unread',
    'chargebacks at Mollie are not recorded',
    edit(`${MOLLIE}/payment.ts`, '?embed=refunds,chargebacks', '?embed=refunds'),
    edit(`${MOLLIE}/reversals.ts`, "    ['chargebacks', readDispute],\n", ''),
  ),
  fault(
    'mollie-expiry-fails',
    'a page of Mollie that has expired fails its order',
    edit(`${MOLLIE}/payment.ts`, "return [report('expired', '0')]", "return [report('failed', '0')]"),
  ),
  fault(
    'mollie-cents-lost',
    'the last digit of an amount that Mollie received is lost',
    edit(
      `${MOLLIE}/payment.ts`,
      "...report('settled', sum.amount), ...(reversals",
      "...report('settled', sum.amount.replace(/[1-9]$/, '0')), ...(reversals",
    ),
  ),
  fault(
    'paypal-echeck-settles',
    'an eCheck that is on its way pays the order, at PayPal',
    edit(`${PAYPAL}/order.ts`, "PENDING: 'pending'", "PENDING: 'settled'"),
  ),
  fault(
    'paypal-takes-always',
    'PayPal takes what a buyer approved, although the order is over',
    edit(`${PAYPAL}/order.ts`, '  if (!(await attempt.charge?.isWanted())) return []\n', ''),
  ),
  fault(
    'paypal-never-looks',
    'without an event, what a buyer approved at PayPal is never taken',
    edit(
      `${PAYPAL}/paypal.ts`,
      'lookup: attempt => lookUpOrder(call, attempt)',
      "lookup: async attempt => (attempt.reference === '' ? lookUpOrder(call, attempt) : [])",
    ),
  ),
  fault(
    'paypal-other-order',
    'the answer of PayPal to a look-up may be about another order',
    edit(
      `${PAYPAL}/fetch-order.ts`,
      "if (order.id !== reference || order.intent !== 'CAPTURE')",
      "if (order.intent !== 'CAPTURE')",
    ),
    edit(`${PAYPAL}/fetch-order.ts`, '    check(unitOf(order), attempt)\n', ''),
  ),
  fault(
    'paypal-refund-again',
    'a refund at PayPal whose answer was lost is sent again',
    edit(`${PAYPAL}/reversals.ts`, '  if (known) return known\n', ''),
    edit(`${PAYPAL}/reversals.ts`, '    requestId: refundId,\n', ''),
  ),
  fault(
    'paypal-disputes-unread',
    'disputes at PayPal are not recorded',
    edit(`${PAYPAL}/reversals.ts`, 'page < PAGES_MAX && next !== null', 'page < 0 && next !== null'),
  ),
]
