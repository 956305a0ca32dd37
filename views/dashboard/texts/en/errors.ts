/** Errors, as people of the dashboard read them. */
export const errors = {
  title: 'Something went wrong',
  /** of a page whose form was refused */
  titled: (title: string) => `Error: ${title}`,
  forbidden: 'You are not allowed to do this',
  missing: 'Page not found',
  notFound: 'There is no such page, or it belongs to another shop.',
  operator: 'Only the operator of this server can open this page or do this.',
  role: 'Your role does not allow this. Ask an owner of the shop.',
  noShop: 'This page needs a shop. Create one first: the overview leads you there.',
  otherSite: 'The form was sent from another site, or by a very old browser. Open the page again and retry.',
  tooMany: (seconds: number) =>
    `Too many tries. Wait ${seconds === 1 ? '1 second' : `${seconds} seconds`}, then try again.`,
  suspended: 'This account is suspended. Ask the operator of this server.',
  otherShop:
    'You chose another shop after you opened this page, perhaps in another tab. Nothing was changed. ' +
    'Choose the shop that you mean, open the page again and repeat what you did.',
  changed: 'Somebody else changed this at the same time. Reload the page, then decide.',
  changedBy: (who: string, time: string) =>
    `Not saved: changed by ${who} on ${time}, while you were editing. What you entered is still here. ` +
    'Look at what is stored now; if you save again, yours replaces it.',
  someKey: 'an API key',
  somebody: 'somebody else',
  lookAgain: 'See what is stored now',
  unavailable: 'The server cannot store anything at the moment. Try again in a minute.',
  internal:
    'Something went wrong on the server. Try again; if it happens again, give the operator this number:',
  number: (id: string) => `Request ${id}`,
  invalid: 'One of the fields has a value that Florin cannot use. Correct it and try again.',
  invalidIn: (field: string) => `“${field}” has a value that Florin cannot use. Correct it and try again.`,
  /** The fields of forms, by their names. */
  fields: {
    name: 'Name',
    label: 'Label',
    email: 'Email address',
    fullName: 'Name of the customer',
    password: 'Password',
    code: 'Code',
    amount: 'Amount',
    currency: 'Currency',
    description: 'Description',
    what: 'What is it?',
    externalId: 'Order number',
    reason: 'Reason',
    text: 'Text',
    url: 'URL',
    address: 'Address',
    secret: 'Access token or secret',
    viewKey: 'Private view key',
    headerName: 'Name of a header with your key',
    headerValue: 'Value of the header',
    color: 'Color',
    supportEmail: 'Email address for customers',
    supportUrl: 'Page for help',
    returnUrl: 'Return URL',
    termsUrl: 'Terms of sale',
    privacyUrl: 'Privacy policy',
    tolerance: 'Accept underpayments of up to (percent)',
    timeZone: 'Time zone',
    language: 'Language',
    expires: 'Expires',
    expiry: 'Expires',
    mode: 'Mode',
    scopes: 'Scopes',
    overlap: 'How long the former one works',
    role: 'Role',
    logo: 'Logo',
    image: 'Image',
    digestHour: 'Hour of the daily summary',
  },
  home: 'To the overview',
  /** Refusals that need no further values. */
  byCode: {
    order_not_cancellable: 'Only an unpaid order that nobody has started to pay can be cancelled.',
    order_not_endable: 'Only an unpaid order can be ended.',
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
    idempotency_key_reused:
      'This form was sent before, with other values, and those were stored. Look at what is there now. ' +
      'If you send the form again, what is entered here is stored in addition.',
    body_too_large: 'What you sent is too large.',
    provider_unavailable: 'The payment provider does not answer. Try again in a few minutes.',
  },
}
