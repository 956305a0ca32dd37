import type { AddressSource } from './address-source.ts'
import type { Actor } from './audit.ts'
import type { LIGHTNING } from './lightning.ts'
import type { NotificationKind } from './notification-kind.ts'
import type { PayLack } from './payment-methods.ts'
import type { UnmatchedReason } from './settlement.ts'
import type { UpstreamProblem } from './upstream-fault.ts'
import type { Role } from './user.ts'
import type { WalletFaultKind } from './wallet-fault.ts'

/** The received and the due amount, with units: "199 USDC on Ethereum". */
interface ReceivedAndDue {
  arrived: string
  due: string
}

/** Options of the shop for an unmatched payment, besides returning it. */
type UnmatchedChoice = 'accept' | 'force' | 'none'

type PaymentFacts =
  | {
      about: 'payment_unmatched'
      unmatchedId: string
      reason: UnmatchedReason
      sum: string
      /** value with its currency; null if unknown */
      value: string | null
      /** the missing part of the order's amount; null if nothing is missing */
      missing: { amount: string; of: string } | null
      choice: UnmatchedChoice
    }
  /** `number` is the merchant's own order number */
  | { about: 'order_paid'; amount: string; number: string | null }
  | { about: 'refund_address' | 'refund_address_over'; sum: string; address: string }
  | {
      about: 'payment_gone' | 'payment_back' | 'payment_vanished' | 'unmatched_gone' | 'unmatched_back'
      txId: string
    }
  /** a payment that was in progress at a provider, such as a bank debit */
  | { about: 'payment_failed'; method: string; txId: string }
  /** the server of a Lightning wallet says that an invoice was paid, but does not prove it */
  | { about: 'lightning_unproven'; host: string }
  /** only the endpoint `host` reports a payment that two have to report */
  | { about: 'payment_unproven'; host: string; txId: string }
  /** `value` is the value of the late payment when it arrived; null if the order itself was late */
  | ({ about: 'settled_late'; value: string | null } & ReceivedAndDue)
  | ({ about: 'settled_short'; missing: string } & ReceivedAndDue)
  | ({ about: 'settled_over'; extra: string } & ReceivedAndDue)
  | { about: 'refund_recorded' | 'refund_refused' | 'refund_unsent'; amount: string }
  /**
   * money of a charge was taken back: by a refund at the provider without Florin, of what paid the order or
   * of something else (`refund_apart`), or by the buyer's bank
   */
  | {
      about: 'refund_found' | 'refund_apart' | 'dispute_opened' | 'dispute_lost' | 'dispute_won'
      amount: string
    }
  | { about: 'chain_blind'; chain: string; since: number }
  | { about: 'chain_readable'; chain: string }
  | { about: 'unpayable'; since: number; reasons: PayLack[] }
  | { about: 'payable' }
  | { about: 'skipped_payment'; address: string; amount: string; assetId: string; isMore: boolean }

/** The facts of a notification about an unmatched payment that has no ID yet. */
export type UnmatchedFacts = Omit<
  Extract<PaymentFacts, { about: 'payment_unmatched' }>,
  'unmatchedId' | 'about'
>

/** The author of a change. */
export interface Author {
  by: Actor
  /**
   * email address of a person, and IP address of their request; missing if the author is no person, and in
   * old notifications
   */
  person?: string | null
  client?: string | null
}

/** Changes by people. The other owners are notified of them. A role of null means no access. */
type PeopleFacts =
  | ({ about: 'people_changed'; email: string; before: Role | null; role: Role | null } & Author)
  | ({ about: 'price_changed'; product: string; before: string; after: string } & Author)
  | ({ about: 'invoice_issued' | 'invoice_cancelled'; number: string; total: string } & Author)
  | ({ about: 'shop_suspended' | 'shop_resumed' } & Author)
  /** the operator's fee, in percent */
  | ({ about: 'fee_changed'; before: string; after: string } & Author)
  /** `browser` is null if it is not known */
  | ({ about: 'new_login'; browser: string | null } & Author)

/** Facts about webhooks. `host` is the host of the webhook's URL. */
type WebhookFacts =
  | { about: 'webhook_failing'; host: string; since: number; failures: number }
  | { about: 'webhook_works' | 'webhook_disabled'; host: string }
  | ({ about: 'webhook_changed'; events: string[]; url: string; formerUrl: string | null } & Author)
  | { about: 'event_given_up'; tries: number }

/** Facts about logins, API keys, payout wallets and address sources. */
type WalletFacts =
  /** `step` is the secret that is being guessed, `address` is where the last try came from */
  | {
      about: 'login_attacked'
      email: string
      step: 'password' | 'code'
      failures: number
      address: string
    }
  | ({ about: 'key_created'; mode: string; keyId: string; scopes: string[] } & Author)
  | ({
      about: 'wallets_changed'
      changes: { network: string; from: string | null; to: string | null }[]
    } & Author)
  | ({
      about: 'source_changed'
      network: string
      source: AddressSource['kind'] | typeof LIGHTNING
      isUsed: boolean
    } & Author)
  | {
      about: 'payout_unusable'
      address: string
      problems: { chain: string; isCoinOnly: boolean; deployedOn: string[]; reason: string }[]
    }
  | { about: 'payout_usable'; address: string; chains: string[] }
  /** `isOnly` is true if buyers can pay with nothing else */
  | { about: 'lightning_failing'; host: string; fault: WalletFaultKind; isOnly: boolean }
  | { about: 'lightning_works'; host: string }
  /**
   * `value` is waiting; `from` is the value from which the shop wants to be notified; both include the
   * currency
   */
  | { about: 'funds_waiting'; value: string; from: string }
  | ({ about: 'pool_changed'; network: string; count: number; isAdded: boolean } & Author)
  | { about: 'pool_low'; network: string; free: number }
  | { about: 'pool_refilled'; network: string; free: number; isLow: boolean }
  /** `isOver` is true if no more addresses are allocated */
  | { about: 'gap_limit_low'; network: string; unpaid: number; gapLimit: number; isOver: boolean }
  | { about: 'gap_limit_good'; network: string; unpaid: number; gapLimit: number }

/** Name of an endpoint, a provider, a rate source, the simulated chain or a channel. */
export interface UpstreamName {
  upstream: 'endpoint' | 'provider' | 'rates' | 'simulation' | 'mail' | 'notify_url'
  name: string
  /** chain of an endpoint; empty for other upstreams */
  chain: string
}

/** A common fault of backups, which people read in their language. */
export type BackupFault = 'diskFull' | 'notWritable' | 'interrupted' | 'changed' | 'incomplete'

/** Facts about the services that the server needs. A `reason` is in English. */
export type ServiceFacts =
  | ({ about: 'upstream_down' } & UpstreamProblem & UpstreamName)
  | ({ about: 'upstream_works' } & UpstreamName)
  | { about: 'disk_low'; freeMegabytes: number }
  | { about: 'disk_good' | 'backup_none' | 'backup_missing' | 'backup_made' | 'backup_usable' }
  | { about: 'backup_old'; at: number }
  | { about: 'backup_failed' | 'backup_unusable'; reason: string; fault: BackupFault | null }
  /** `lagMinutes` is null if nothing can be restored yet */
  | { about: 'replica_behind'; lagMinutes: number | null; reason: string | null }
  | { about: 'replica_good' | 'log_works' | 'files_good' | 'certificate_renewed' | 'release_installed' }
  /** a newer version repairs a security problem */
  | { about: 'release_security'; version: string }
  /** the server has no certificate for HTTPS yet; `reason` is null if nothing failed */
  | { about: 'certificate_missing'; names: string; reason: string | null }
  | { about: 'certificate_expiring'; names: string; at: number; reason: string | null }
  | { about: 'log_lost'; lines: number }
  /** `used` is null if the limit alone is too low */
  | { about: 'files_low'; used: number | null; limit: number }
  /** a check that threw an error */
  | ({ about: 'service_unknown'; kind: ServiceKind } & UpstreamProblem)

export type ServiceKind = Extract<
  NotificationKind,
  | 'endpoint_down'
  | 'disk_low'
  | 'backup_old'
  | 'backup_unusable'
  | 'replica_behind'
  | 'log_lost'
  | 'files_low'
  | 'certificate_expiring'
  | 'security_release'
>

/** Content of a notification, without words: it is written in the reader's language. */
export type NotificationFacts = PaymentFacts | PeopleFacts | WebhookFacts | WalletFacts | ServiceFacts
export type About = NotificationFacts['about']

const kinds: Record<Exclude<About, 'service_unknown'>, NotificationKind> = {
  order_paid: 'order_paid',
  payment_unmatched: 'unmatched_payment',
  refund_address: 'unmatched_payment',
  lightning_unproven: 'unmatched_payment',
  payment_unproven: 'unmatched_payment',
  refund_address_over: 'payment_over',
  payment_gone: 'payment_reorganised',
  payment_back: 'payment_reorganised',
  payment_vanished: 'payment_vanished',
  payment_failed: 'payment_vanished',
  chain_blind: 'chain_blind',
  chain_readable: 'chain_blind',
  unpayable: 'unpayable',
  payable: 'unpayable',
  unmatched_gone: 'payment_reorganised',
  unmatched_back: 'payment_reorganised',
  settled_late: 'payment_late',
  settled_short: 'payment_short',
  settled_over: 'payment_over',
  refund_recorded: 'refund_recorded',
  refund_refused: 'refund_failed',
  refund_unsent: 'refund_failed',
  refund_found: 'payment_reversed',
  refund_apart: 'payment_reversed',
  dispute_opened: 'payment_reversed',
  dispute_lost: 'payment_reversed',
  dispute_won: 'payment_reversed',
  skipped_payment: 'skipped_payment',
  webhook_failing: 'webhook_failing',
  webhook_works: 'webhook_failing',
  webhook_disabled: 'webhook_disabled',
  webhook_changed: 'webhook_changed',
  event_given_up: 'event_given_up',
  key_created: 'key_created',
  people_changed: 'people_changed',
  price_changed: 'price_changed',
  invoice_issued: 'invoice_changed',
  invoice_cancelled: 'invoice_changed',
  shop_suspended: 'shop_changed',
  shop_resumed: 'shop_changed',
  fee_changed: 'shop_changed',
  new_login: 'new_login',
  login_attacked: 'login_attacked',
  wallets_changed: 'payout_changed',
  source_changed: 'payout_changed',
  payout_unusable: 'payout_unusable',
  payout_usable: 'payout_unusable',
  lightning_failing: 'payout_unusable',
  lightning_works: 'payout_unusable',
  funds_waiting: 'funds_waiting',
  pool_changed: 'payout_changed',
  pool_low: 'pool_low',
  pool_refilled: 'pool_low',
  gap_limit_low: 'gap_limit_low',
  gap_limit_good: 'gap_limit_low',
  upstream_down: 'endpoint_down',
  upstream_works: 'endpoint_down',
  disk_low: 'disk_low',
  disk_good: 'disk_low',
  backup_none: 'backup_old',
  backup_missing: 'backup_old',
  backup_failed: 'backup_old',
  backup_old: 'backup_old',
  backup_made: 'backup_old',
  backup_unusable: 'backup_unusable',
  backup_usable: 'backup_unusable',
  replica_behind: 'replica_behind',
  replica_good: 'replica_behind',
  log_lost: 'log_lost',
  log_works: 'log_lost',
  files_low: 'files_low',
  files_good: 'files_low',
  certificate_missing: 'certificate_expiring',
  certificate_expiring: 'certificate_expiring',
  certificate_renewed: 'certificate_expiring',
  release_security: 'security_release',
  release_installed: 'security_release',
}

export const kindOf = (facts: NotificationFacts): NotificationKind =>
  facts.about === 'service_unknown' ? facts.kind : kinds[facts.about]
