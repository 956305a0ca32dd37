interface NewLogin {
  url: string
  email: string
  browser: string
  address: string
  time: string
}

/** Mails to people about their own account. */
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
      `Somebody tried to sign in as ${email} with the passkey “${passkey}”, and was ` +
      'refused: its device counted ' +
      'backwards. Either the device is broken, or somebody has a copy of the ' +
      'passkey.\n\nRemove this passkey, and ' +
      'add a new one.',
  },
}
