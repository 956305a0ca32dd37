import type { MethodTerms } from '../../domain/catalogue.ts'
import type { ProviderAccountFacts } from '../../domain/provider-account.ts'
import { isObject, type JsonObject } from '../answer.ts'
import { factsOf, type Mode, NAME_MAX, trying, trySilently } from '../own-account.ts'
import { AccountProblem, type ChargeAccounts, type ConnectRequest, ProviderError } from '../port.ts'
import { chargeable, minimums } from './amounts.ts'
import { API_VERSION, type CallApi, StripeRefusal } from './api.ts'
import { type Credentials, isCredentials, isId, modeOf, own } from './credentials.ts'

/** The events that Stripe reports. After each of them, a payment is looked up again. */
const webhookEvents = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
]

const DESCRIPTION = 'Florin'
const webhookSecretFormat = /^whsec_[A-Za-z0-9+/=_-]{8,200}$/

/** Checks that a text is a secret key of the right mode, before it is sent anywhere. */
function checkKey(key: string, mode: Mode): void {
  if (key.startsWith('pk_')) throw new AccountProblem('publishable_key')
  const own = modeOf(key)
  if (own === null) throw new AccountProblem('not_a_key')
  if (own !== mode) throw new AccountProblem(own === 'test' ? 'test_key' : 'live_key')
}

async function whose(call: CallApi, key: string): Promise<{ id: string; name: string }> {
  const account = await trying(() => call({ key, method: 'GET', path: '/v1/account' }), 'Accounts: read')
  const { id, business_profile: profile, settings, email } = account
  if (!isId('acct', id)) throw new ProviderError('unavailable', 'Stripe did not say whose key this is.')
  if (account.charges_enabled === false) throw new AccountProblem('account_inactive')
  const shown = isObject(settings) && isObject(settings.dashboard) ? settings.dashboard.display_name : null
  const named = isObject(profile) ? profile.name : null
  const name = [shown, named, email].find(text => typeof text === 'string' && text !== '')
  return { id, name: typeof name === 'string' ? name.slice(0, NAME_MAX) : id }
}

/**
 * Checks that a key has all rights. Opens a session of 1.00 USD and closes it, and reads payments, refunds
 * and disputes.
 */
async function tryRights(call: CallApi, key: string): Promise<void> {
  const params = {
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '100',
    'line_items[0][price_data][product_data][name]': 'Florin test',
    success_url: 'https://example.com/',
  }
  const path = '/v1/checkout/sessions'
  const { id } = await trying(() => call({ key, method: 'POST', path, params }), 'Checkout Sessions: write')
  if (!isId('cs', id)) throw new ProviderError('unavailable', 'Stripe did not open a session.', 'malformed')
  await trying(() => call({ key, method: 'POST', path: `${path}/${id}/expire` }), 'Checkout Sessions: write')
  const reads = { 'PaymentIntents: read': 'payment_intents', 'Charges and Refunds: write': 'refunds' }
  for (const [right, noun] of Object.entries({ ...reads, 'Disputes: read': 'disputes' })) {
    await trying(() => call({ key, method: 'GET', path: `/v1/${noun}`, params: { limit: '1' } }), right)
  }
}

/** Has Stripe report to a URL. Null if the key lacks the right, or if Stripe does not accept the URL. */
async function makeWebhook(call: CallApi, key: string, url: string): Promise<Credentials['webhook']> {
  const events = webhookEvents.map((event, at) => [`enabled_events[${at}]`, event] as const)
  const params = { url, description: DESCRIPTION, api_version: API_VERSION, ...Object.fromEntries(events) }
  try {
    const made = await call({ key, method: 'POST', path: '/v1/webhook_endpoints', params })
    const { id, secret } = made
    return isId('we', id) && typeof secret === 'string' ? { id, secret } : null
  } catch (error) {
    if (error instanceof StripeRefusal) return null
    throw error
  }
}

const removeWebhook = (call: CallApi, key: string, id: string): Promise<JsonObject | null> =>
  trySilently(() => call({ key, method: 'DELETE', path: `/v1/webhook_endpoints/${id}` }))

/** Removes the webhooks that Florin made for a URL before. */
async function removeFormer(call: CallApi, key: string, url: string, newId: string): Promise<void> {
  const path = '/v1/webhook_endpoints'
  const list = await trySilently(() => call({ key, method: 'GET', path, params: { limit: '100' } }))
  for (const one of Array.isArray(list?.data) ? list.data : []) {
    const isFormer = isObject(one) && one.url === url && one.description === DESCRIPTION && one.id !== newId
    if (isFormer && isId('we', one.id)) await removeWebhook(call, key, one.id)
  }
}

const method: MethodTerms = {
  key: 'stripe',
  name: 'Stripe',
  means: ['card', 'applepay', 'googlepay'],
  // For a currency without a minimum of its own, which is converted into that of the account.
  minimum: { amount: '0.50', currency: 'USD' },
  minimums,
  currencies: chargeable,
}

/** Tries a key. The credentials have the webhook secret that a person entered, if there is one. */
async function tryKey(
  call: CallApi,
  mode: Mode,
  { key, webhookSecret, former }: ConnectRequest,
): Promise<Credentials> {
  checkKey(key, mode)
  if (webhookSecret !== null && !webhookSecretFormat.test(webhookSecret)) {
    throw new AccountProblem('not_a_webhook_secret')
  }
  const { id, name } = await whose(call, key)
  own.checkSame(former, id)
  await tryRights(call, key)
  const webhook = webhookSecret === null ? null : { id: null, secret: webhookSecret }
  return { key, account: id, name, webhook }
}

/** Connects accounts whose keys have this mode. */
export const accountsOf = (call: CallApi, mode: Mode): ChargeAccounts => ({
  methods: [method],
  events: webhookEvents,
  try: async request => describe(await tryKey(call, mode, request)),
  async connect(request) {
    const { key, callbackUrl } = request
    const tried = await tryKey(call, mode, request)
    const webhook = tried.webhook ?? (await makeWebhook(call, key, callbackUrl))
    if (webhook?.id) await removeFormer(call, key, callbackUrl, webhook.id)
    const credentials: Credentials = { ...tried, webhook }
    return { credentials, account: describe(credentials) }
  },
  describe: credentials => describe(own.of(credentials)),
  async test(credentials) {
    const stored = own.of(credentials)
    own.checkSame(stored, (await whose(call, stored.key)).id)
    await tryRights(call, stored.key)
  },
  async disconnect(credentials) {
    if (!isCredentials(credentials) || !credentials.webhook?.id) return
    await removeWebhook(call, credentials.key, credentials.webhook.id)
  },
})

function describe(account: Credentials): ProviderAccountFacts {
  const { key, webhook } = account
  const made = webhook?.id ? 'made' : 'entered'
  return factsOf(account, modeOf(key) ?? 'test', webhook === null ? 'missing' : made)
}
