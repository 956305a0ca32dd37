import type { MethodTerms } from '../../domain/catalogue.ts'
import { isObject, type JsonObject } from '../answer.ts'
import { factsOf, type Mode, NAME_MAX, trying, trySilently } from '../own-account.ts'
import { AccountProblem, type ChargeAccounts, type ConnectRequest, ProviderError } from '../port.ts'
import { type CallApi, malformed } from './api.ts'
import { type Credentials, isCredentials, isId, isKey, type Keys, own } from './credentials.ts'
import { ordersPath, unitOf } from './fetch-order.ts'
import { modeOf, pageOf } from './order.ts'
import { chargeable } from './sums.ts'

/** The events that PayPal reports. After each of them, a payment is looked up again. */
const webhookEvents = [
  'CHECKOUT.ORDER.APPROVED',
  'CHECKOUT.ORDER.COMPLETED',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.UPDATED',
  'CUSTOMER.DISPUTE.RESOLVED',
]

const method: MethodTerms = {
  key: 'paypal',
  name: 'PayPal',
  means: ['paypal', 'card'],
  minimum: null,
  currencies: chargeable,
}

/**
 * Finds out whose keys these are. Opens an order of 1.00 USD, which lapses, and reads whom it would pay,
 * because PayPal offers no simpler way.
 */
async function whose(call: CallApi, keys: Keys, mode: Mode): Promise<{ account: string; name: string }> {
  const body = {
    intent: 'CAPTURE',
    purchase_units: [{ description: 'Florin test', amount: { currency_code: 'USD', value: '1.00' } }],
    payment_source: {
      paypal: {
        experience_context: { return_url: 'https://example.com/', cancel_url: 'https://example.com/' },
      },
    },
  }
  const right = 'Checkout'
  const opened = await trying(() => call({ keys, method: 'POST', path: ordersPath, body }), right)
  const own = modeOf(pageOf(opened))
  if (own !== null && own !== mode) throw new AccountProblem(own === 'test' ? 'test_key' : 'live_key')
  if (!isId(opened.id)) throw malformed('an order has no ID')
  const path = `${ordersPath}/${opened.id}`
  const { payee } = unitOf(await trying(() => call({ keys, method: 'GET', path }), right))
  const { merchant_id: account, email_address: email } = isObject(payee) ? payee : {}
  if (!isId(account)) throw new ProviderError('unavailable', 'PayPal did not say whose key this is.')
  return { account, name: typeof email === 'string' && email !== '' ? email.slice(0, NAME_MAX) : account }
}

const webhooksPath = '/v1/notifications/webhooks'

/**
 * Has PayPal report to a URL. PayPal refuses a second webhook for the same URL, so an existing one is used.
 * Null if PayPal does not accept the URL.
 */
async function makeWebhook(call: CallApi, keys: Keys, url: string): Promise<string | null> {
  const { webhooks } = await call({ keys, method: 'GET', path: webhooksPath })
  const known = (Array.isArray(webhooks) ? webhooks : []).find(one => isObject(one) && one.url === url)
  if (isObject(known) && isId(known.id)) return known.id
  const body: JsonObject = { url, event_types: webhookEvents.map(name => ({ name })) }
  const { id } = await call({ keys, method: 'POST', path: webhooksPath, body })
  return isId(id) ? id : null
}

async function tryKey(
  call: CallApi,
  mode: Mode,
  { clientId, key, former }: ConnectRequest,
): Promise<Credentials> {
  if (!isKey(clientId) || !isKey(key) || clientId === key) throw new AccountProblem('not_a_key')
  const found = await whose(call, { clientId, key }, mode)
  own.checkSame(former, found.account)
  return { clientId, key, ...found, webhook: null }
}

/** Connects accounts with keys of one mode. Keys do not show their mode; only the page of an order does. */
export function accountsOf(call: CallApi, mode: Mode): ChargeAccounts {
  const describe = (account: Credentials) =>
    factsOf(account, mode, account.webhook === null ? 'missing' : 'made')
  return {
    methods: [method],
    events: [],
    hasClientId: true,
    try: async request => describe(await tryKey(call, mode, request)),
    async connect(request) {
      const tried = await tryKey(call, mode, request)
      const webhook = await trySilently(() => makeWebhook(call, tried, request.callbackUrl))
      const credentials: Credentials = { ...tried, webhook }
      return { credentials, account: describe(credentials) }
    },
    describe: credentials => describe(own.of(credentials)),
    async test(credentials) {
      const stored = own.of(credentials)
      const { account } = await whose(call, stored, mode)
      own.checkSame(stored, account)
    },
    async disconnect(credentials) {
      if (!isCredentials(credentials) || credentials.webhook === null) return
      const path = `${webhooksPath}/${credentials.webhook}`
      await trySilently(() => call({ keys: credentials, method: 'DELETE', path }))
    },
  }
}
