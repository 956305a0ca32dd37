/** Where events are sent. */
export const webhook = {
  title: 'Webhook',
  none: 'No webhook yet. Enter the URL on your website that receives events.',
  states: { active: 'Active', failing: 'Failing', disabled: 'Disabled' },
  disabled:
    'The webhook is disabled, because nothing could be delivered for 5 days. Florin now tries it ' +
    'only once a day. Fix the server at this URL, then send a test event or save the URL again. All ' +
    'waiting events are then sent.',
  failing: (since: string, failures: number) =>
    failures === 1
      ? `A delivery failed on ${since}. Florin tries again.`
      : `Deliveries have failed since ${since}: ${failures} so far. Florin tries again.`,
  url: 'URL',
  urlHint:
    'Must begin with https:// and must not point to a private network. Your website must respond to ' +
    'each event with status 200.',
  save: 'Save the URL',
  enable: 'Enable it again',
  saved: 'Saved. Events that waited are sent now.',
  wrongUrl: 'The URL must begin with https:// and must not point to a private network.',
  secret: 'Signing secret',
  secretNew: 'This is the signing secret. Copy it now: it cannot be shown again.',
  secretHint: 'Every event is signed with a secret. Replace it if others may know it.',
  previousUntil: (time: string) => `Until ${time}, events are also signed with the old secret.`,
  rotate: 'Replace the secret',
  rotateFor: 'Events are also signed with the old secret for:',
  rotateAsk: 'Replace the signing secret? Your website needs the new one.',
  events: 'Events',
  eventsHint: 'What is sent there.',
  eventNames: {
    'order.paid': 'An order was paid',
    'payment.created': 'A customer started a payment',
    'payment.processing': 'A payment was seen and waits for confirmations',
    'payment.paid': 'A payment arrived',
    'payment.failed': 'A payment failed',
    'payment.expired': 'A payment expired',
  },
  eventsSave: 'Save the events',
  eventsSaved: 'Saved.',
  eventsWrong: 'Choose at least one event.',
  test: 'Send a test event',
  testHint: 'The event webhook.test is sent once, with a valid signature.',
  testGood: (ms: number) => `Your website accepted the test event after ${ms} ms.`,
  testBad: (outcome: string) =>
    `Your website did not accept the test event: ${outcome}. Check the URL. If it is correct, ask ` +
    'your developer to check the log of your website.',
}
