/** What is asked for after the password: to set it up, and to sign in with it. */
export const secondFactor = {
  title: 'Two-step sign-in',
  about:
    'An authenticator app on your phone shows a new code every 30 seconds. With it, a stolen password ' +
    'is not ' +
    'enough to sign in.',
  setUp: 'Set up an app',
  onlyPasskeys: 'Ask for a passkey',
  onlyPasskeysHint: 'You have passkeys: one of them can be asked for after the password, instead of a code.',
  on: 'On',
  byPasskeys: 'After the password, you are asked for a passkey or a recovery code.',
  byApp: 'After the password, you are asked for a code of your app, a passkey or a recovery code.',
  codesLeft: (count: number) =>
    count === 1
      ? 'You have 1 recovery code left for when you lose your device.'
      : `You have ${count} recovery codes left for when you lose your device.`,
  renew: 'Make new recovery codes',
  off: 'Switch off',
  offAsk: 'Switch off two-step sign-in? Then your password is enough to sign in.',
  setUpTitle: 'Set up an authenticator app',
  scan: 'Scan this code with an authenticator app, such as Aegis, 2FAS or Google Authenticator.',
  qr: 'QR code for your authenticator app',
  orType: 'Or enter this key in the app:',
  confirmHint: 'Then enter the code that the app shows. Nothing changes until you do.',
  code: 'Code',
  wrongFirstCode: 'This is not the current code. Check the time of your phone, then enter the next code.',
  confirm: 'Switch on',
  cancel: 'Cancel',
  recoveryTitle: 'Your recovery codes',
  switchedOn: 'Two-step sign-in is on. All other browsers are signed out.',
  renewed: 'These are your new recovery codes. The old ones no longer work.',
  recoveryHint:
    'Each code signs you in once if you lose your device. Save them now, in a safe place: they are not ' +
    'shown again.',
  saved: 'I saved them',
  codeTitle: 'Second step',
  codeHint: 'Enter the code from your authenticator app, or one of your recovery codes.',
  recoveryOnlyHint: 'Use your passkey, or enter one of your recovery codes.',
  codeSubmit: 'Sign in',
  wrongCode: 'The code is wrong or has already been used. Wait for the next one, then try again.',
  lost: 'Lost your device and the recovery codes? Ask the operator of this server.',
}
