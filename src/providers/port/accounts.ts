import type { MethodTerms } from '../../domain/catalogue.ts'
import type { Json } from '../../domain/metadata.ts'
import type { AccountProblemKind, ProviderAccountFacts } from '../../domain/provider-account.ts'

/**
 * The reason why an account cannot be connected. `detail` names the right that is missing, or quotes the
 * provider.
 */
export class AccountProblem extends Error {
  constructor(
    readonly kind: AccountProblemKind,
    readonly detail = '',
  ) {
    super(`${kind} ${detail}`)
  }
}

export interface ConnectRequest {
  key: string
  /** public half of the key; null for a key that has none */
  clientId: string | null
  /** secret of a webhook that was created manually at the provider; null if the adapter should create it */
  webhookSecret: string | null
  callbackUrl: string
  /** what is stored of the account before this request; null if nothing is */
  former: Json
}

/** Accounts that shops connect themselves, each with keys of its own. */
export interface ChargeAccounts {
  /** methods of every account, which depend on no request */
  readonly methods: readonly MethodTerms[]
  /** The methods of the account with these credentials; missing if all accounts have the same methods. */
  methodsOf?(credentials: Json): readonly MethodTerms[]
  /** events that a manually created webhook must send; empty if the adapter creates the webhook */
  readonly events: readonly string[]
  /** true if a key consists of a client ID and a secret */
  readonly hasClientId?: true
  /**
   * Returns the account of a key, if the key has all rights that are needed. Throws AccountProblem and
   * ProviderError.
   */
  try(request: ConnectRequest): Promise<ProviderAccountFacts>
  /**
   * Tries a key as `try` does, and has the provider send its callbacks to this server. Throws AccountProblem
   * and ProviderError.
   */
  connect(request: ConnectRequest): Promise<{ credentials: Json; account: ProviderAccountFacts }>
  /** The facts of an account that may be shown, from its stored credentials. */
  describe(credentials: Json): ProviderAccountFacts
  /** Asks the provider again if a stored account works. Throws AccountProblem and ProviderError. */
  test(credentials: Json): Promise<void>
  /** Removes everything that `connect` set up at the provider, as far as that is possible. Never throws. */
  disconnect(credentials: Json): Promise<void>
}
