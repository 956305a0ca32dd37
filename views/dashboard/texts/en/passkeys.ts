/** Passkeys: to add, use and remove them. */
export const passkeys = {
  title: 'Passkeys',
  about:
    'With a passkey, you sign in with the fingerprint, face or PIN of your device, without a ' +
    'password or code. It cannot be stolen from this server or by a fake sign-in page.',
  name: 'Name',
  added: 'Added',
  lastUsed: 'Last used',
  never: 'Never',
  rename: 'Rename',
  renameLabel: (name: string) => `Rename the passkey ${name}`,
  remove: 'Remove',
  removeLabel: (name: string) => `Remove the passkey ${name}`,
  removeAsk: (name: string) => `Remove the passkey ${name}? You can no longer sign in with it here.`,
  add: 'Add a passkey',
  impossible: (url: string) =>
    `Passkeys do not work at ${url}. They need a host name, and HTTPS unless it is localhost. ` +
    'Ask the operator of this server to set FLORIN_DASHBOARD_URL to such an address.',
  newTitle: 'Add a passkey',
  newHint: 'Give the passkey a name that reminds you of the device. Then your browser asks you to confirm.',
  create: 'Create the passkey',
  wrongName: 'Enter a name of 1 to 60 characters.',
  cancel: 'Cancel',
  needsScript: 'Passkeys need JavaScript. You can still sign in with your password.',
  needsSupport: 'This browser has no passkeys. Use another browser, or your password.',
  otherAddress: (url: string) => `Passkeys work only at ${url}. Open the dashboard there.`,
  cancelled:
    'The browser used no passkey: you cancelled, it took too long, or there is none for this dashboard.',
  exists: 'This device already has a passkey for your account.',
  failed: 'The server could not be asked. Wait a moment, then try again.',
  wrong: 'The passkey could not be used. Try again, or use your password.',
  notAdded: 'The passkey could not be added. Try again.',
  tooMany: 'You have 20 passkeys. Remove one before you add another.',
  copied: (name: string) =>
    `The passkey “${name}” was refused because its use counter was lower than expected. The passkey ` +
    'may have been copied, or the device may be faulty. Sign in with your password, remove this ' +
    'passkey and add a new one.',
  signIn: 'Sign in with a passkey',
  prove: 'Use a passkey instead',
  last: 'Your two-step sign-in needs a passkey. Switch it off before you remove the last one.',
}
