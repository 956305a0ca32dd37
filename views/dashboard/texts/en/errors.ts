/** Errors, as people of the dashboard read them. */
export const errors = {
  title: 'Something went wrong',
  notFound: 'There is no such page, or it belongs to another shop.',
  role: 'Your role does not allow this. Ask an owner of the shop.',
  noShop: 'This page needs a shop. Create one first: the overview leads you there.',
  otherSite: 'The form was sent from another site, or by a very old browser. Open the page again and retry.',
  tooMany: (seconds: number) => `Too many tries. Wait ${seconds} seconds, then try again.`,
  suspended: 'This account is suspended. Ask the operator of this server.',
  changed: 'Somebody else changed this at the same time. Reload the page, then decide.',
  changedBy: (who: string, time: string) =>
    `Not saved: changed by ${who} on ${time}, while you were editing. What you entered is still here. Look ` +
    'at what is stored now; if you save again, yours replaces it.',
  someKey: 'an API key',
  somebody: 'somebody else',
  lookAgain: 'See what is stored now',
  unavailable: 'The server cannot store anything at the moment. Try again in a minute.',
  internal:
    'Something went wrong on the server. Try again; if it happens again, give the operator this number:',
  number: (id: string) => `Request ${id}`,
  invalid: 'One of the fields has a value that Florin cannot use. Correct it and try again.',
  home: 'To the overview',
  /** Refusals that need no further values. */
  byCode: {
    order_not_cancellable: 'Only an unpaid order that nobody has started to pay can be cancelled.',
    order_not_forcible: 'Only an unpaid order can be marked as paid.',
    order_not_refundable: 'Only a paid order can be refunded, up to its amount.',
    refund_exceeds_remaining: 'The amount is higher than what can still be refunded.',
    order_not_payable: 'This order can no longer be paid.',
    customer_blocked: 'This customer is blocked.',
    merchant_suspended: 'This shop is suspended. Ask the operator of this server.',
    destination_not_allowed: 'The URL must begin with https:// and must not point to a private network.',
    conflict:
      'This was changed in the meantime, so the action is no longer possible. Reload the page to see ' +
      'its current status.',
    body_too_large: 'What you sent is too large.',
    provider_unavailable: 'The payment provider does not answer. Try again in a few minutes.',
  },
}
