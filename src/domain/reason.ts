import type { EndpointTrial } from './endpoint.ts'
import type { AccountProblemKind } from './provider-account.ts'
import type { UpstreamProblem } from './upstream-fault.ts'
import type { DashboardAccess } from './user.ts'
import type { LineFault, WalletFault } from './wallet-fault.ts'

/** The reasons why a refund address is refused. */
export const addressReasons = ['not_an_address', 'private_key', 'payment_address'] as const
export type AddressReason = (typeof addressReasons)[number]

/** The kinds of refusals that buyers can get. */
type BuyerKind =
  | AddressReason
  | 'order_unknown'
  | 'product_unknown'
  | 'product_archived'
  | 'order_paid'
  | 'order_cancelled'
  | 'order_expired'
  | 'order_failed'
  | 'network_away'
  | 'coin_not_offered'
  | 'coin_unsupported'
  | 'nothing_to_refund'
  | 'address_saved'
  | 'payments_open'
  | 'changed'

/** The kinds of refusals that people can get in the dashboard. */
type PersonKind =
  /** another person changed the same data at the same time, or since the form was opened */
  | 'changed'
  | 'stale_form'
  | 'other_site'
  | 'other_shop'
  | 'no_shop'
  | 'wrong_sign_in'
  | 'wrong_password'
  | 'wrong_code'
  | 'wrong_first_code'
  | 'wrong_passkey'
  | 'last_passkey'
  | 'too_many_passkeys'
  | 'second_factor_required'
  | 'suspended'
  | 'own_account'
  | 'last_owner'
  | 'known_elsewhere'
  | 'shared_invitation'
  | 'has_password'
  | 'too_many_channels'
  | 'channel_known'
  | 'no_webhook'
  | 'email_taken'
  | 'owner_sets_prices'
  | 'part_paid'
  | 'private_key_entered'
  | 'list_empty'
  | 'list_too_long'
  /** the server makes no backups, or has none yet */
  | 'no_backups'

export type BuyerReason = { kind: BuyerKind }

export type PersonReason =
  | { kind: PersonKind }
  /** the role of the person does not suffice */
  | { kind: 'role'; access: DashboardAccess }
  /** nobody is signed in; `next` is where the person wanted to go */
  | { kind: 'sign_in_required'; next: string }
  /** a form has to be sent again with the password; `wrong` is why the last proof of identity was refused */
  | { kind: 'proof_required'; form: Record<string, string>; wrong: PersonReason | null }
  /** the device's counter of uses went back, so there must be a copy of the passkey */
  | { kind: 'copied_passkey'; name: string }
  /** the value that was entered for a wallet, or some lines of a list, cannot be used */
  | { kind: 'wallet'; fault: WalletFault }
  | { kind: 'wrong_lines'; lines: readonly LineFault[] }
  /** an account with a provider cannot be used; `detail` names a right, an account, or quotes the provider */
  | { kind: 'account'; problem: AccountProblemKind | 'unreadable' | 'provider_away'; detail: string }
  /** an upstream was tried before it was saved, and cannot be used */
  | { kind: 'unusable_endpoint'; trial: EndpointTrial }
  | { kind: 'unusable_source'; problem: UpstreamProblem }
  /** the installation could not be checked; `detail` is English */
  | { kind: 'check_failed'; detail: string }
  /** a mail that a person sent by hand was not accepted; `fault` is English */
  | { kind: 'mail_failed'; fault: string }

/** The reason why a request is refused. Pages have a sentence for each kind, which contains its facts. */
export type Reason = BuyerReason | PersonReason
