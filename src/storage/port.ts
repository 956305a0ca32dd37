import type { ClaimedJob } from '../domain/job.ts'
import type { AddressSources, PayoutChecks, SkippedPayments } from './port/addresses.ts'
import type { Attempts, IncomingPayments, UnmatchedPayments } from './port/attempts.ts'
import type { Events, FurtherDeliveries, FurtherWebhooks, Webhooks } from './port/events.ts'
import type { Funds, SweepTransactions } from './port/funds.ts'
import type { Invoices } from './port/invoices.ts'
import type { Jobs } from './port/jobs.ts'
import type { AuditLog, Customers, Keys, KeyWithMerchant, Merchants, Wallets } from './port/merchants.ts'
import type { Movements } from './port/movements.ts'
import type {
  BuyerMails,
  Notifications,
  PaymentMails,
  PersonChannels,
  Quotas,
  Sends,
} from './port/notifications.ts'
import type { IdempotencyKeys, OrderNotes, Orders, SavedViews, Sessions } from './port/orders.ts'
import type {
  HalfLogins,
  KnownBrowsers,
  Logins,
  Memberships,
  PasskeyChallenges,
  Passkeys,
  SecondFactors,
  Setup,
  SignInFailures,
  UserLinks,
  Users,
} from './port/people.ts'
import type { Images, Products } from './port/products.ts'
import type { FetchedRates, RateHistory } from './port/rates.ts'
import type { PersonalData, RetentionTable } from './port/retention.ts'
import type { BlindChains, ElsewhereTable, SharedScans } from './port/scans.ts'
import type { StatisticsTable } from './port/statistics.ts'
import type { Refunds, Reversals, Transactions } from './port/transactions.ts'
import type {
  Catalogues,
  ChosenEndpoints,
  ChosenMailServers,
  ChosenRateSources,
  CoinCatalogues,
  LightningInvoices,
  Outages,
  ProviderAccounts,
} from './port/upstreams.ts'

export type * from './port/addresses.ts'
export type * from './port/attempts.ts'
export type * from './port/events.ts'
export type * from './port/funds.ts'
export type * from './port/invoices.ts'
export type * from './port/jobs.ts'
export type * from './port/merchants.ts'
export type * from './port/movements.ts'
export type * from './port/notifications.ts'
export type * from './port/notifications.ts'
export type * from './port/orders.ts'
export type * from './port/people.ts'
export type * from './port/products.ts'
export type * from './port/rates.ts'
export * from './port/retention.ts'
export type * from './port/scans.ts'
export type * from './port/statistics.ts'
export type * from './port/transactions.ts'
export type * from './port/upstreams.ts'

/**
 * The database. The work of a `read` or a `write` must not start another read or write, or call the network:
 * that throws, and fails the work even if it catches the error. The tables throw once the work has ended.
 */
export interface Storage {
  /** true if other servers may use the database at the same time */
  readonly isShared: boolean
  /**
   * Runs work that only reads. All its queries see the same snapshot, which contains every completed write
   * and nothing uncommitted.
   */
  read<T>(work: (tables: Tables) => Promise<T>): Promise<T>
  /**
   * Like `read`, for work that uses only the repositories `names`. Results are usually answered from memory:
   * they are cached until one of the repositories changes, by this or another process. `key` must name
   * everything else that the work depends on. Callers share the result, which is frozen; null is not cached.
   */
  remember<Name extends KeptTable, T>(
    names: readonly Name[],
    key: string,
    work: (tables: Pick<Tables, Name>) => Promise<T>,
  ): Promise<T>
  /** Finds an API key and its merchant. The result is cached as by `remember`. */
  findKey(id: string): Promise<KeyWithMerchant | null>
  /**
   * Runs work in a serializable transaction, and resolves once it is on disk. If the work throws, all its
   * changes are rolled back. An engine may roll back and run the work again after a conflict, so it must have
   * no effects outside the tables.
   */
  write<T>(work: (tables: Tables) => Promise<T>): Promise<T>
  /**
   * Leases due jobs in a write of its own, like `tables.jobs.claim`. Several servers may call it at the same
   * time; no job is leased twice. Both times are by this machine's clock, but jobs are due and leases end by
   * the clock of the database. Throws a DatabaseError, without leasing, if the two clocks differ too much.
   */
  claimJobs(...given: Parameters<Jobs['claim']>): Promise<ClaimedJob[]>
  /** Extends job leases, by the clock of the database. */
  extendJobs(leases: readonly string[], leaseUntil: number): Promise<void>
  /**
   * Milliseconds by which the clock of the database was ahead of this machine's when the clocks were last
   * compared for a lease.
   */
  clockAhead(): number
  /** Number of servers that use the database, including this one. Changes are noticed within some seconds. */
  servers(): number
  /** Throws if called by the work of a read or a write. Must be called before each use of the network. */
  assertOutside(action: string): void
  /** Throws if the database is not writable or has pending migrations. */
  check(): Promise<void>
  /**
   * Reads the whole database, which can take long. Returns a description of the damage; null if there is
   * none.
   */
  inspect(): Promise<string | null>
  /**
   * Rewrites the whole database, so that nothing remains of deleted or changed rows. Does nothing and returns
   * false while a server uses the database, because its writes would have to wait.
   */
  compact(): Promise<boolean>
  close(): Promise<void>
}

/** Repositories that `remember` can cache. Every change of their tables is reported. */
export type KeptTable =
  | 'merchants'
  | 'keys'
  | 'wallets'
  | 'sources'
  | 'attempts'
  | 'payoutChecks'
  | 'blindChains'
  | 'catalogues'
  | 'coinCatalogues'
  | 'providerAccounts'

/**
 * The repositories. Finders return null if there is no such row. `move` and other methods that return a
 * boolean are compare-and-set: they return false, without changing anything, if the row is no longer in the
 * expected state.
 */
export interface Tables {
  merchants: Merchants
  keys: Keys
  customers: Customers
  wallets: Wallets
  sources: AddressSources
  payoutChecks: PayoutChecks
  skippedPayments: SkippedPayments
  webhooks: Webhooks
  furtherWebhooks: FurtherWebhooks
  furtherDeliveries: FurtherDeliveries
  orders: Orders
  orderNotes: OrderNotes
  savedViews: SavedViews
  sessions: Sessions
  attempts: Attempts
  elsewhere: ElsewhereTable
  incomingPayments: IncomingPayments
  transactions: Transactions
  unmatched: UnmatchedPayments
  notifications: Notifications
  sends: Sends
  personChannels: PersonChannels
  buyerMails: BuyerMails
  paymentMails: PaymentMails
  quotas: Quotas
  outages: Outages
  blindChains: BlindChains
  events: Events
  jobs: Jobs
  statistics: StatisticsTable
  movements: Movements
  idempotency: IdempotencyKeys
  catalogues: Catalogues
  coinCatalogues: CoinCatalogues
  providerAccounts: ProviderAccounts
  lightningInvoices: LightningInvoices
  products: Products
  images: Images
  refunds: Refunds
  reversals: Reversals
  invoices: Invoices
  funds: Funds
  sweepTransactions: SweepTransactions
  audit: AuditLog
  retention: RetentionTable
  rates: RateHistory
  fetchedRates: FetchedRates
  sharedScans: SharedScans
  personalData: PersonalData
  users: Users
  memberships: Memberships
  logins: Logins
  userLinks: UserLinks
  setup: Setup
  secondFactors: SecondFactors
  passkeys: Passkeys
  passkeyChallenges: PasskeyChallenges
  halfLogins: HalfLogins
  knownBrowsers: KnownBrowsers
  signInFailures: SignInFailures
  chosenEndpoints: ChosenEndpoints
  chosenRateSources: ChosenRateSources
  chosenMailServers: ChosenMailServers
}
