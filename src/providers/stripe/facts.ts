import type { OwnAccountFacts } from '../port.ts'

export const stripeFacts: OwnAccountFacts = {
  id: 'stripe',
  callbackMethod: 'POST',
  acknowledgement: 'received',
  unknownReference: 'again',
  hasOwnAccounts: true,
}
