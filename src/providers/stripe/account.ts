import type { MethodTerms } from '../../domain/catalogue.ts'
import type { AccountProblemKind, ProviderAccountFacts } from '../../domain/provider-account.ts'
import { isObject, type JsonObject } from '../answer.ts'
import { AccountProblem, type ChargeAccounts, type ConnectRequest, ProviderError } from '../port.ts'
import { chargeable } from './amounts.ts'
import { API_VERSION, type Call, type CallApi, StripeRefusal } from './api.ts'
import { type Credentials, credentialsOf, isCredentials, isId, type Mode, modeOf } from './credentials.ts'

/** What Stripe reports: everything after which a payment is looked up again. */
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
const KEY_END = 4
const webhookSecretFormat = /^whsec_[A-Za-z0-9+/=_-]{8,200}$/

/** Makes sure that a key can be meant, before it is sent anywhere. */
function checkKey(key: string, mode: Mode): void {
  if (key.startsWith('pk_')) throw new AccountProblem('publishable_key')
  const own = modeOf(key)
  if (own === null) throw new AccountProblem('not_a_key')
  if (own !== mode) throw new AccountProblem(own === 'test' ? 'test_key' : 'live_key')
}

/** Runs a call that needs a right, and says which one is missing. */
async function needing(right: string, call: () => Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    const kinds: Record<number, AccountProblemKind> = { 401: 'key_refused', 403: 'right_missing' }
    const kind = kinds[error.status] ?? 'provider_refused'
    throw new AccountProblem(kind, kind === 'right_missing' ? right : error.message)
  }
}

async function whose(call: CallApi, key: string): Promise<{ id: string; name: string }> {
  const account = await needing('Accounts: read', () => call({ key, method: 'GET', path: '/v1/account' }))
  const { id, business_profile: profile, settings, email } = account
  if (!isId('acct', id)) throw new ProviderError('unavailable', 'Stripe did not say whose key this is.')
  if (account.charges_enabled === false) throw new AccountProblem('account_inactive')
  const shown = isObject(settings) && isObject(settings.dashboard) ? settings.dashboard.display_name : null
  const named = isObject(profile) ? profile.name : null
  const name = [shown, named, email].find(text => typeof text === 'string' && text !== '')
  return { id, name: typeof name === 'string' ? name.slice(0, 200) : id }
}

/** Opens a session of 1.00 USD and closes it, and reads what payments, refunds and disputes need. */
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
  const { id } = await needing('Checkout Sessions: write', () => call({ key, method: 'POST', path, params }))
  if (!isId('cs', id)) throw new ProviderError('unavailable', 'Stripe did not open a session.', 'malformed')
  await needing('Checkout Sessions: write', () => call({ key, method: 'POST', path: `${path}/${id}/expire` }))
  const reads = { 'PaymentIntents: read': 'payment_intents', 'Charges and Refunds: write': 'refunds' }
  for (const [right, noun] of Object.entries({ ...reads, 'Disputes: read': 'disputes' })) {
    await needing(right, () => call({ key, method: 'GET', path: `/v1/${noun}`, params: { limit: '1' } }))
  }
}

/** Has Stripe report to a URL. Null if the key may not, or Stripe does not accept the URL. */
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

/** Makes a call whose failure does no harm. */
async function tryCall(call: CallApi, one: Call): Promise<JsonObject> {
  try {
    return await call(one)
  } catch (error) {
    if (error instanceof ProviderError) return {}
    throw error
  }
}

const removeWebhook = (call: CallApi, key: string, id: string): Promise<JsonObject> =>
  tryCall(call, { key, method: 'DELETE', path: `/v1/webhook_endpoints/${id}` })

/** Removes the webhooks that Florin made for a URL before. */
async function removeFormer(call: CallApi, key: string, url: string, newId: string): Promise<void> {
  const path = '/v1/webhook_endpoints'
  const { data } = await tryCall(call, { key, method: 'GET', path, params: { limit: '100' } })
  for (const one of Array.isArray(data) ? data : []) {
    const isFormer = isObject(one) && one.url === url && one.description === DESCRIPTION && one.id !== newId
    if (isFormer && isId('we', one.id)) await removeWebhook(call, key, one.id)
  }
}

const method: MethodTerms = {
  key: 'stripe',
  name: 'Stripe',
  means: ['card', 'applepay', 'googlepay'],
  minimum: null,
  currencies: chargeable,
}

/** Tries a key. The webhook of the result is the one that a person entered, if any. */
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
  if (isCredentials(former) && former.account !== id) throw new AccountProblem('other_account', former.name)
  await tryRights(call, key)
  const webhook = webhookSecret === null ? null : { id: null, secret: webhookSecret }
  return { key, account: id, name, webhook }
}

/** Connects accounts whose keys are of one mode. */
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
  describe: credentials => describe(credentialsOf(credentials)),
  async test(credentials) {
    const { key, account, name } = credentialsOf(credentials)
    if ((await whose(call, key)).id !== account) throw new AccountProblem('other_account', name)
    await tryRights(call, key)
  },
  async disconnect(credentials) {
    if (!isCredentials(credentials) || !credentials.webhook?.id) return
    await removeWebhook(call, credentials.key, credentials.webhook.id)
  },
})

function describe({ key, account, name, webhook }: Credentials): ProviderAccountFacts {
  const made = webhook?.id ? 'made' : 'entered'
  return {
    ...{ id: account, name, mode: modeOf(key) ?? 'test', keyEnd: key.slice(-KEY_END) },
    webhook: webhook === null ? 'missing' : made,
  }
}
