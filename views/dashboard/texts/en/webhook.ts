/** The endpoint that gets events. */
export const webhook = {
  title: 'Webhook',
  none: 'No webhook is set. Enter the URL of your shop system that gets events.',
  states: { active: 'Active', failing: 'Failing', disabled: 'Disabled' },
  disabled:
    'No event could be delivered for 5 days, so the webhook was disabled. It is tried once a day. Correct ' +
    'the endpoint, then send a test event or save the URL: everything that waits is then sent.',
  failing: (since: string, failures: number) =>
    failures === 1
      ? `A delivery failed on ${since}. It is tried again.`
      : `Deliveries have failed since ${since}: ${failures} so far. They are tried again.`,
  url: 'URL',
  urlHint: 'A public address that begins with https://. It must answer each event with status 200.',
  save: 'Save the URL',
  enable: 'Enable it again',
  saved: 'Saved. Events that waited are sent now.',
  wrongUrl: 'Enter a public address that begins with https://.',
  secret: 'Signing secret',
  secretNew: 'This is the signing secret. Copy it now: it cannot be shown again.',
  secretHint: 'Every event is signed with a secret. Replace it if others may know it.',
  previousUntil: (time: string) => `Until ${time}, events are also signed with the old secret.`,
  rotate: 'Replace the secret',
  rotateFor: 'Events are also signed with the old secret for:',
  rotateAsk: 'Replace the signing secret? Your shop system needs the new one.',
  events: 'Events',
  eventsHint: 'What is sent there.',
  eventNames: {
    'order.paid': 'An order was paid',
    'payment.created': 'A buyer opened a payment',
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
  testGood: (ms: number) => `Your shop system accepted the test event after ${ms} ms.`,
  testBad: (outcome: string) => `Your shop system did not accept the test event: ${outcome}.`,
}
