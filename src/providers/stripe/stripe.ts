import { isObject, type JsonObject, readEvent } from '../answer.ts'
import { chargeAt, type Mode } from '../own-account.ts'
import { type CallbackTarget, type Fetch, type Inbound, InvalidProof, type Provider } from '../port.ts'
import { accountsOf } from './account.ts'
import { makeApi } from './api.ts'
import { isId, modeOf, own } from './credentials.ts'
import { stripeFacts } from './facts.ts'
import { listReversals, sendRefund } from './reversals.ts'
import { closeSession, lookUpSession, openSession } from './session.ts'
import { verifySignature } from './signature.ts'

interface StripeOptions {
  apiUrl: string
  fetch: Fetch
  timeoutMs: number
  /** the server's clock, which the sandbox can advance */
  clock(): number
  /** mode of the keys; keys of the other mode are refused */
  mode: Mode
}

/** Charges a merchant's own account with Stripe, on the page of a Checkout Session. */
export function stripe({ apiUrl, fetch, timeoutMs, clock, mode }: StripeOptions): Provider {
  const call = makeApi(apiUrl, fetch, timeoutMs)
  const accounts = accountsOf(call, mode)
  return {
    ...stripeFacts,
    charge: {
      ...chargeAt(accounts, own),
      open: request => openSession(call, request, clock()),
      async close(attempt) {
        await closeSession(call, attempt)
        return lookUpSession(call, attempt)
      },
      refund: refund => sendRefund(call, refund),
      listReversals: (credentials, since) => listReversals(call, credentials, since),
    },
    identify: inbound => targetOf(parse(inbound)),
    async receive(inbound, attempt) {
      const { key, webhook } = own.of(attempt.credentials)
      if (webhook === null) throw new InvalidProof('the account has no webhook')
      verifySignature(inbound.headers, inbound.body, webhook.secret, clock())
      const event = parse(inbound)
      if (event.livemode !== (modeOf(key) === 'live')) throw new InvalidProof('the mode is another one')
      return lookUpSession(call, attempt, !isAboutSession(event))
    },
    lookup: attempt => lookUpSession(call, attempt),
  }
}

const parse = (inbound: Inbound): JsonObject =>
  readEvent(inbound, ({ object, type }) => object === 'event' && typeof type === 'string')

const isAboutSession = ({ type }: JsonObject): boolean => String(type).startsWith('checkout.session.')

/**
 * The session or the payment that an event is about; null if it is not Florin's. An account may have payments
 * of other programs too.
 */
function targetOf(event: JsonObject): CallbackTarget | null {
  const { data } = event
  const object = isObject(data) && isObject(data.object) ? data.object : {}
  if (isAboutSession(event)) {
    const isOurs = isObject(object.metadata) && typeof object.metadata.florin_attempt === 'string'
    return isOurs && isId('cs', object.id) ? { reference: object.id } : null
  }
  return isId('pi', object.payment_intent) ? { paymentId: object.payment_intent } : null
}
