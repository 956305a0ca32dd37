import { factsOf, type Mode, NAME_MAX, trying } from '../own-account.ts'
import { AccountProblem, type ChargeAccounts, type ConnectRequest, ProviderError } from '../port.ts'
import type { CallApi } from './api.ts'
import { type Credentials, isId, modeOf, own } from './credentials.ts'
import { methodIdsIn, methodWith, usualMethod } from './methods.ts'

/** Checks that a text is a key of the right mode, before it is sent anywhere. */
function checkKey(key: string, mode: Mode): void {
  const own = modeOf(key)
  if (own === null) throw new AccountProblem('not_a_key')
  if (own !== mode) throw new AccountProblem(own === 'test' ? 'test_key' : 'live_key')
}

/** The website profile of a key. The profile must have a payment method. */
async function profileOf(call: CallApi, key: string) {
  const ask = (path: string) => trying(() => call({ key, method: 'GET', path }))
  const { id, name, mode, status } = await ask('/profiles/me')
  if (!isId('pfl', id)) throw new ProviderError('unavailable', 'Mollie did not say whose key this is.')
  const methods = methodIdsIn(await ask('/methods'))
  if (mode !== modeOf(key) || status === 'blocked' || methods.length === 0)
    throw new AccountProblem('account_inactive')
  return { id, methods, name: typeof name === 'string' && name !== '' ? name.slice(0, NAME_MAX) : id }
}

async function tryKey(call: CallApi, mode: Mode, { key, former }: ConnectRequest): Promise<Credentials> {
  checkKey(key, mode)
  const { id, name, methods } = await profileOf(call, key)
  own.checkSame(former, id)
  return { key, account: id, name, methods }
}

/**
 * Connects accounts whose keys have this mode. Each payment names its own webhook, so an account needs no
 * webhook.
 */
export function accountsOf(call: CallApi, mode: Mode): ChargeAccounts {
  const describe = (account: Credentials) => factsOf(account, mode, 'made')
  return {
    methods: [usualMethod],
    methodsOf(credentials) {
      const { methods } = own.of(credentials)
      return [methods ? methodWith(methods) : usualMethod]
    },
    events: [],
    try: async request => describe(await tryKey(call, mode, request)),
    async connect(request) {
      const credentials = await tryKey(call, mode, request)
      return { credentials, account: describe(credentials) }
    },
    describe: credentials => describe(own.of(credentials)),
    async test(credentials) {
      const stored = own.of(credentials)
      own.checkSame(stored, (await profileOf(call, stored.key)).id)
    },
    // Nothing was set up at Mollie, so nothing has to be removed.
    disconnect: async () => {},
  }
}
