import type { MethodTerms } from '../../domain/catalogue.ts'
import type { Json } from '../../domain/metadata.ts'
import type { AccountProblemKind, ProviderAccountFacts } from '../../domain/provider-account.ts'

/** Why an account cannot be connected. `detail` names the right that is missing, or quotes the provider. */
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
  /** the public half of a key that has one; null for others */
  clientId: string | null
  /** the secret of a webhook that a person made at the provider; null to have it made */
  webhookSecret: string | null
  callbackUrl: string
  /** what was stored of the account before; null if nothing was */
  former: Json
}

/** Accounts that shops connect themselves, each with keys of its own. */
export interface ChargeAccounts {
  /** what every account takes: it depends on no request */
  readonly methods: readonly MethodTerms[]
  /** The same methods, as the account of these credentials has them; missing if that makes no difference. */
  methodsOf?(credentials: Json): readonly MethodTerms[]
  /** what a webhook that a person makes has to report; empty if nobody has to make one */
  readonly events: readonly string[]
  /** true if a key consists of a client ID and a secret */
  readonly hasClientId?: true
  /** Says whose key it is, if it has all rights that are needed. Throws AccountProblem and ProviderError. */
  try(request: ConnectRequest): Promise<ProviderAccountFacts>
  /** The same, and has the provider send its callbacks here. Throws AccountProblem and ProviderError. */
  connect(request: ConnectRequest): Promise<{ credentials: Json; account: ProviderAccountFacts }>
  /** What may be shown of stored credentials. */
  describe(credentials: Json): ProviderAccountFacts
  /** Asks the provider again whether a stored account works. Throws AccountProblem and ProviderError. */
  test(credentials: Json): Promise<void>
  /** Takes back what `connect` set up at the provider, as far as that is possible. Never throws. */
  disconnect(credentials: Json): Promise<void>
}
