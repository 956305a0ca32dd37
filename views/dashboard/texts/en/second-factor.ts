/** The codes of an authenticator app: to set them up, and to sign in with them. */
export const secondFactor = {
  title: 'Second factor',
  about:
    'An authenticator app on your phone shows a new code every 30 seconds. With it, a stolen password ' +
    'is not ' +
    'enough to sign in.',
  setUp: 'Set up an app',
  on: 'On',
  codesLeft: (count: number) =>
    count === 1
      ? 'You have 1 recovery code left for when you lose your phone.'
      : `You have ${count} recovery codes left for when you lose your phone.`,
  renew: 'Make new recovery codes',
  off: 'Switch off',
  offAsk: 'Switch off the second factor? Then your password is enough to sign in.',
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
  switchedOn: 'The second factor is on. All other browsers are signed out.',
  renewed: 'These are your new recovery codes. The old ones no longer work.',
  recoveryHint:
    'Each code signs you in once if you lose your phone. Save them now, in a safe place: they are not ' +
    'shown again.',
  saved: 'I saved them',
  codeTitle: 'Enter your code',
  codeHint: 'Enter the code from your authenticator app, or one of your recovery codes.',
  codeSubmit: 'Sign in',
  wrongCode: 'The code is wrong or has already been used. Wait for the next one, then try again.',
  lost: 'Lost your phone and the recovery codes? Ask the operator of this server.',
}
