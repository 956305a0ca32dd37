/** What belongs to the person who is signed in. */
export const account = {
  title: 'Your account',
  signedInAs: (email: string) => `You are signed in as ${email}.`,
  password: 'Password',
  newPassword: 'New password',
  passwordNote: 'You stay signed in here. All other browsers are signed out.',
  changePassword: 'Change password',
  language: 'Language',
  languageLabel: 'Language of these pages and of messages to you',
  languageHint:
    'Notifications, digests, codes and emails about your account are written in it. ' +
    'The links in the menu change only this browser.',
  logins: 'Where you are signed in',
  browser: 'Browser',
  address: 'Network address',
  lastSeen: 'Last used',
  thisBrowser: 'This browser',
  end: 'Sign out',
  endOthers: 'Sign out everywhere else',
  unknownBrowser: 'Unknown browser',
  onSystem: (browser: string, system: string) => `${browser} on ${system}`,
  done: {
    password: 'Your password was changed. All other browsers are signed out.',
    login: 'That browser is signed out.',
    logins: 'All other browsers are signed out.',
    secondFactor: 'Two-step sign-in is off.',
    passkeyAdded: 'The passkey was added.',
    passkeyRenamed: 'The passkey was renamed.',
    passkeyRemoved: 'The passkey was removed.',
    language: 'The language was saved.',
  },
}
