/** What a button does that is not easily undone, and whether it can be. Shown beside the button. */
export const consequences = {
  cancelOrder: 'The payment link stops working at once. A cancelled order cannot be opened again.',
  endOrder:
    'The payment link stops working at once, and the order cannot be opened again. Money that is sent ' +
    'after that can still pay it, at its value then.',
  forceOrder: 'The order counts as paid. This cannot be undone.',
  blockCustomer: 'You can unblock them at any time.',
  eraseCustomer: 'This cannot be undone, also not by the operator of this server.',
  revokeKey:
    'Requests with a revoked key are refused at once. It cannot be used again: create a new key instead.',
  rotateSecret:
    'Your website has to use the new secret. The old one works for the time you choose, and then never ' +
    'again.',
  removePerson:
    'People you remove no longer see this shop. What they did stays in the log, and you can invite them ' +
    'again.',
  removePasskey: 'You can no longer sign in with a passkey that you remove. You can add the device again.',
  removeChannel: 'Nothing more is sent there. You can add it again, but have to confirm it again too.',
  removeWallet:
    'New payments no longer go there. Addresses that were given out stay monitored, and you can enter ' +
    'it again.',
  emptyPool: 'Only addresses that nobody was given are taken out. You can add them again.',
  secondFactorOff:
    'The codes of your app and your recovery codes stop working at once. You can set it up again with ' +
    'new ones.',
  resetSignIn:
    'Resetting removes the app and the passkeys of the person for good. They have to set them up again.',
  suspendUser: 'Suspending signs the person out everywhere at once. Restoring undoes it.',
  removeEndpoint: 'Removing takes effect at once. You can add it again.',
  archiveProduct:
    'Nobody can order an archived product. Its orders stay, and you can restore it at any time.',
}
