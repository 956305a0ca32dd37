/** The facts about a merchant's account with a provider that may be shown. */
export interface ProviderAccountFacts {
  /** the provider's ID of the account */
  id: string
  /** the account's name, as the merchant knows it */
  name: string
  mode: 'test' | 'live'
  /** the last characters of the key */
  keyEnd: string
  /** `made` by Florin, `entered` by a person, or `missing`: then payments are found by look-ups alone */
  webhook: 'made' | 'entered' | 'missing'
}

/** The reason why an account cannot be connected. */
export type AccountProblemKind =
  | 'not_a_key'
  | 'publishable_key'
  | 'test_key'
  | 'live_key'
  | 'key_refused'
  | 'right_missing'
  | 'other_account'
  | 'account_inactive'
  | 'not_a_webhook_secret'
  | 'provider_refused'
