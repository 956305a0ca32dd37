import type { OwnAccountFacts } from '../port.ts'

export const mollieFacts: OwnAccountFacts = {
  id: 'mollie',
  callbackMethod: 'POST',
  acknowledgement: '',
  unknownReference: 'ignored',
  hasOwnAccounts: true,
}
