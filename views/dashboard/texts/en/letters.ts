import { plural } from '../../../texts/plural.ts'

const paidOrders = (count: number): string =>
  plural('en', count, { one: `${count} order paid`, other: `${count} orders paid` })

interface NewLogin {
  url: string
  email: string
  browser: string
  address: string
  time: string
}

/** Mails to people about their own account, and messages to their channels. */
export const letters = {
  unknownAddress: 'unknown',
  accountAt: (url: string) => `Your account: ${url}`,
  newLogin: {
    subject: 'New login to your dashboard',
    text: ({ url, email, browser, address, time }: NewLogin) =>
      `Somebody signed in to the dashboard at ${url} as ${email}, in a browser or from ` +
      'a network that you have ' +
      `not used in the last 30 days.\n\nBrowser: ${browser}\nNetwork address: ${address}\nTime: ${time}\n\n` +
      'If this was you, there is nothing to do. If not, change your password at once, ' +
      'which signs out all other ' +
      'browsers, and remove passkeys that you do not know.',
  },
  passkeyAdded: {
    subject: 'A passkey was added to your account',
    text: (passkey: string, email: string) =>
      `The passkey “${passkey}” can now be used to sign in as ${email}.\n\nIf you did ` +
      'not add it, remove it at once ' +
      'and change your password.',
  },
  passkeyCopied: {
    subject: 'A passkey of yours may have been copied',
    text: (passkey: string, email: string) =>
      `Somebody tried to sign in as ${email} with the passkey “${passkey}”. It was refused because ` +
      'its use counter was lower than expected. The passkey may have been copied, or the device may ' +
      'be faulty.\n\nRemove this passkey and add a new one.',
  },
  channelCode: {
    subject: (shop: string, code: string) => `${shop}: ${code} is your code`,
    text: (shop: string, code: string) =>
      `Enter this code in the dashboard of ${shop} to be notified here: ${code}`,
  },
  channelTest: {
    subject: (shop: string) => `${shop}: Test notification`,
    text: 'This is a test. Notifications from Florin reach you here.',
  },
  digest: {
    subject: (shop: string, paid: number) => `${shop}: ${paidOrders(paid)}`,
    range: (from: string, to: string, zone: string) => `From ${from} to ${to} (${zone})`,
    orders: (created: number, paid: number) => {
      const orders = { one: `${created} order was created`, other: `${created} orders were created` }
      return `${plural('en', created, orders)}, and ${paidOrders(paid)}.`
    },
    paid: (sum: string) => `paid ${sum}`,
    forced: (sum: string) => `marked as paid ${sum}`,
    refunded: (sum: string) => `refunded ${sum}`,
    net: (sum: string) => `after fees and refunds ${sum}`,
    attention: 'What needs attention:',
    nothing: 'Nothing needs attention.',
    openPayments: (count: number) =>
      plural('en', count, {
        one: `${count} payment needs review: it did not complete its order.`,
        other: `${count} payments need review: they did not complete their orders.`,
      }),
    failedEvents: (count: number) =>
      plural('en', count, {
        one: `${count} event could not be delivered to your webhook.`,
        other: `${count} events could not be delivered to your webhook.`,
      }),
    webhookDown: 'Your webhook is failing.',
  },
}
