/** A payment on the page of a provider, which is open in another tab. */
export const provider = {
  payWith: (method: string) => `Pay with ${method}`,
  waiting: (method: string) => `Waiting for ${method}`,
  otherTab:
    'Finish your payment in the other tab. This page updates automatically a few minutes after you pay. ' +
    'Once you have paid, you can close this page; your order will still be marked as paid.',
  openAgain: (method: string) => `Open ${method} again`,
  unconfirmed: (method: string) => `${method} hasn’t confirmed the payment yet.`,
}
