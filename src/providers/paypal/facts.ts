import type { OwnAccountFacts } from '../port.ts'

export const paypalFacts: OwnAccountFacts = {
  id: 'paypal',
  callbackMethod: 'POST',
  acknowledgement: '',
  // An account may also have payments of programs other than Florin.
  unknownReference: 'ignored',
  hasOwnAccounts: true,
}
