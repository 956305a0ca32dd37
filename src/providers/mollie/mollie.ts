import { chargeAt, type Mode } from '../own-account.ts'
import { type Fetch, type Inbound, InvalidProof, type Provider } from '../port.ts'
import { accountsOf } from './account.ts'
import { makeApi } from './api.ts'
import { isId, own } from './credentials.ts'
import { mollieFacts } from './facts.ts'
import { lookUpPayment, openPayment } from './payment.ts'
import { listReversals, sendRefund } from './reversals.ts'

interface MollieOptions {
  apiUrl: string
  fetch: Fetch
  timeoutMs: number
  /** mode of the keys; keys of the other mode are refused */
  mode: Mode
}

/**
 * Charges a merchant's own account with Mollie, on Mollie's page. Florin cannot close such a page: Mollie
 * ends it after a quarter of an hour, or later where the buyer pays by bank transfer.
 */
export function mollie({ apiUrl, fetch, timeoutMs, mode }: MollieOptions): Provider {
  const call = makeApi(apiUrl, fetch, timeoutMs)
  const accounts = accountsOf(call, mode)
  return {
    ...mollieFacts,
    charge: {
      ...chargeAt(accounts, own),
      open: request => openPayment(call, request),
      refund: refund => sendRefund(call, refund),
      listReversals: (credentials, since) => listReversals(call, credentials, since),
    },
    identify: ({ body }: Inbound) => {
      const id = new URLSearchParams(new TextDecoder().decode(body)).get('id')
      if (!isId('tr', id)) throw new InvalidProof('the body names no payment')
      return { reference: id }
    },
    // Callbacks are unsigned by design: they only say which payment to look up.
    receive: (_, attempt) => lookUpPayment(call, attempt),
    lookup: attempt => lookUpPayment(call, attempt),
  }
}
