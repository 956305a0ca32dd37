import type { MethodTerms } from '../../domain/catalogue.ts'
import type { ProviderAccountFacts } from '../../domain/provider-account.ts'
import { type JsonObject, ProviderRefusal } from '../answer.ts'
import { AccountProblem, type ChargeAccounts, type ConnectRequest, ProviderError } from '../port.ts'
import type { CallApi } from './api.ts'
import { type Credentials, credentialsOf, isCredentials, isId, type Mode, modeOf } from './credentials.ts'
import { chargeable } from './sums.ts'

const KEY_END = 4

/** Makes sure that a key can be meant, before it is sent anywhere. */
function checkKey(key: string, mode: Mode): void {
  const own = modeOf(key)
  if (own === null) throw new AccountProblem('not_a_key')
  if (own !== mode) throw new AccountProblem(own === 'test' ? 'test_key' : 'live_key')
}

async function ask(call: CallApi, key: string, path: string): Promise<JsonObject> {
  try {
    return await call({ key, method: 'GET', path })
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    throw new AccountProblem(error.status === 401 ? 'key_refused' : 'provider_refused', error.message)
  }
}

/** The website profile of a key, which must have a payment method. */
async function profileOf(call: CallApi, key: string): Promise<{ id: string; name: string }> {
  const { id, name, mode, status } = await ask(call, key, '/profiles/me')
  if (!isId('pfl', id)) throw new ProviderError('unavailable', 'Mollie did not say whose key this is.')
  const { count } = await ask(call, key, '/methods')
  if (mode !== modeOf(key) || status === 'blocked' || count === 0)
    throw new AccountProblem('account_inactive')
  return { id, name: typeof name === 'string' && name !== '' ? name.slice(0, 200) : id }
}

const method: MethodTerms = {
  key: 'mollie',
  name: 'iDEAL',
  means: ['ideal', 'card', 'bank', 'paypal', 'applepay'],
  minimum: null,
  currencies: chargeable,
}

async function tryKey(call: CallApi, mode: Mode, { key, former }: ConnectRequest): Promise<Credentials> {
  checkKey(key, mode)
  const { id, name } = await profileOf(call, key)
  if (isCredentials(former) && former.account !== id) throw new AccountProblem('other_account', former.name)
  return { key, account: id, name }
}

/** Connects accounts whose keys are of one mode. Each payment names its own webhook. */
export const accountsOf = (call: CallApi, mode: Mode): ChargeAccounts => ({
  methods: [method],
  events: [],
  try: async request => describe(await tryKey(call, mode, request)),
  async connect(request) {
    const credentials = await tryKey(call, mode, request)
    return { credentials, account: describe(credentials) }
  },
  describe: credentials => describe(credentialsOf(credentials)),
  async test(credentials) {
    const { key, account, name } = credentialsOf(credentials)
    if ((await profileOf(call, key)).id !== account) throw new AccountProblem('other_account', name)
  },
  // Nothing was set up.
  disconnect: async () => {},
})

const describe = ({ key, account, name }: Credentials): ProviderAccountFacts => ({
  ...{ id: account, name, mode: modeOf(key) ?? 'test', keyEnd: key.slice(-KEY_END) },
  webhook: 'made',
})
