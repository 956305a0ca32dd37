import { isObject, type JsonObject, readEvent } from '../answer.ts'
import { chargeAt, type Mode } from '../own-account.ts'
import type { CallbackTarget, Inbound, Provider } from '../port.ts'
import { accountsOf } from './account.ts'
import { type ApiOptions, makeApi } from './api.ts'
import { isId, own } from './credentials.ts'
import { paypalFacts } from './facts.ts'
import { closeOrder, lookUpOrder, openOrder } from './order.ts'
import { listReversals, sendRefund } from './reversals.ts'

interface PayPalOptions extends ApiOptions {
  /** mode of the keys; keys of the other mode are refused */
  mode: Mode
}

/**
 * Charges a merchant's own account with PayPal, through its Orders API. The buyer only approves a payment on
 * PayPal's page. Florin captures the payment as soon as the buyer returns, a webhook arrives, or a look-up is
 * due.
 */
export function paypal({ mode, ...options }: PayPalOptions): Provider {
  const call = makeApi(options)
  const accounts = accountsOf(call, mode)
  return {
    ...paypalFacts,
    charge: {
      ...chargeAt(accounts, own),
      open: request => openOrder(call, mode, request),
      close: attempt => closeOrder(call, attempt),
      refund: refund => sendRefund(call, refund),
      listReversals: (credentials, from) => listReversals(call, credentials, { from, to: options.clock() }),
    },
    identify: inbound => targetOf(parse(inbound)),
    // A webhook only says which order to look up. Its signature would prove no more than the look-up does.
    receive: (_, attempt) => lookUpOrder(call, attempt),
    lookup: attempt => lookUpOrder(call, attempt),
  }
}

const parse = (inbound: Inbound): JsonObject =>
  readEvent(inbound, ({ event_type: type, resource }) => typeof type === 'string' && isObject(resource))

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce((inner: unknown, name) => (isObject(inner) ? inner[name] : undefined), value)

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined)

/** The order or the payment that an event is about; null for other kinds of events. */
function targetOf({ event_type: type, resource }: JsonObject): CallbackTarget | null {
  const kind = String(type).split('.').slice(0, 2).join('.')
  if (kind === 'CHECKOUT.ORDER') return referenceOf(at(resource, 'id'))
  if (kind === 'CHECKOUT.PAYMENT-APPROVAL') return referenceOf(at(resource, 'order_id'))
  if (kind === 'CUSTOMER.DISPUTE') {
    return paymentOf(at(firstOf(at(resource, 'disputed_transactions')), 'seller_transaction_id'))
  }
  if (kind !== 'PAYMENT.CAPTURE' && kind !== 'PAYMENT.REFUND') return null
  const order = at(resource, 'supplementary_data', 'related_ids', 'order_id')
  return referenceOf(order) ?? paymentOf(captureOf(resource))
}

const referenceOf = (id: unknown): CallbackTarget | null => (isId(id) ? { reference: id } : null)
const paymentOf = (id: unknown): CallbackTarget | null => (isId(id) ? { paymentId: id } : null)

/** The ID of a refund's payment, which is only in a link. */
function captureOf(resource: unknown): string | undefined {
  const links = at(resource, 'links')
  const up = (Array.isArray(links) ? links : []).find(link => at(link, 'rel') === 'up')
  return /\/captures\/([A-Za-z0-9-]+)$/.exec(String(at(up, 'href')))?.[1]
}
