import type { MethodTerms } from '../domain/catalogue.ts'
import type { Json } from '../domain/metadata.ts'
import type { ProviderAccountFacts } from '../domain/provider-account.ts'
import { isObject, ProviderRefusal } from './answer.ts'
import { AccountProblem, type ChargeAccounts, type ProviderAttempt, ProviderError } from './port.ts'

export type Mode = 'test' | 'live'

/** The data of a shop's own account that are stored for every provider. */
export type OwnAccount = {
  /** secret that requests are made with */
  key: string
  /** the provider's ID of the account */
  account: string
  name: string
}

const KEY_END = 4
export const NAME_MAX = 200

/** True if stored credentials have the data that every account has. */
export const isOwnAccount = (stored: Json): stored is Json & OwnAccount => {
  const { key, account, name } = isObject(stored) ? stored : {}
  return [key, account, name].every(text => typeof text === 'string' && text !== '')
}

/** Returns functions that read the stored credentials of accounts with one provider. */
export function ownAccounts<Account extends OwnAccount>(
  provider: string,
  isAccount: (stored: Json) => stored is Json & Account,
) {
  /** Throws ProviderError if the shop has no account any more, or its credentials cannot be decrypted. */
  function of(stored: Json): Account {
    if (isAccount(stored)) return stored
    throw new ProviderError('unavailable', `the merchant has no account with ${provider}`)
  }
  return {
    of,
    error: (stored: Json): string | null =>
      isAccount(stored) ? null : 'must be the credentials of an account that was tried',
    /**
     * The account at which an attempt was opened. If the shop has another one, a look-up waits for the right
     * account, and a refund fails.
     */
    at({ credentials, charge }: ProviderAttempt, otherwise: ProviderError['kind'] = 'unavailable'): Account {
      const own = of(credentials)
      if (own.account === charge?.account) return own
      throw new ProviderError(otherwise, 'the payment was opened at another account of the merchant')
    },
    /** Refuses to replace the stored key of an account with the key of another account. */
    checkSame(former: Json, account: string): void {
      if (isAccount(former) && former.account !== account)
        throw new AccountProblem('other_account', former.name)
    },
  }
}

/**
 * The part of a charge that all charges at shops' own accounts share: their methods, and how an account is
 * connected.
 */
export const chargeAt = (accounts: ChargeAccounts, own: Pick<ReturnType<typeof ownAccounts>, 'error'>) => ({
  methods: async (): Promise<MethodTerms[]> => [...accounts.methods],
  credentialsError: own.error,
  accounts,
})

/** The data of an account that may be shown. */
export const factsOf = (
  { key, account: id, name }: OwnAccount,
  mode: Mode,
  webhook: ProviderAccountFacts['webhook'],
): ProviderAccountFacts => ({ id, name, mode, keyEnd: key.slice(-KEY_END), webhook })

/**
 * Makes a call that tries a key. If the provider refuses, throws the reason. `right` is the right that the
 * call needs.
 */
export async function trying<T>(call: () => Promise<T>, right?: string): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    if (error.status === 401) throw new AccountProblem('key_refused')
    if (error.status === 403 && right !== undefined) throw new AccountProblem('right_missing', right)
    throw new AccountProblem('provider_refused', error.message)
  }
}

/** Makes a call whose failure does no harm. Returns null if the call failed. */
export async function trySilently<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ProviderError) return null
    throw error
  }
}
