import type { Awaitable } from '../domain/awaitable.ts'
import type { ClaimedJob } from '../domain/job.ts'
import type { AddressSources, PayoutChecks, SkippedPayments } from './port/addresses.ts'
import type { Attempts, IncomingPayments, UnmatchedPayments } from './port/attempts.ts'
import type { Events, Webhooks } from './port/events.ts'
import type { Jobs } from './port/jobs.ts'
import type { BuyerMails, PaymentMails } from './port/mails.ts'
import type { AuditLog, Customers, Keys, KeyWithMerchant, Merchants, Wallets } from './port/merchants.ts'
import type { Movements } from './port/movements.ts'
import type { Notifications, PersonChannels, Sends } from './port/notifications.ts'
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
  UserLinks,
  Users,
} from './port/people.ts'
import type { Images, Products } from './port/products.ts'
import type { FetchedRates, RateHistory } from './port/rates.ts'
import type { PersonalData, RetentionTable } from './port/retention.ts'
import type { BlindChains, ElsewhereTable, SharedScans } from './port/scans.ts'
import type { StatisticsTable } from './port/statistics.ts'
import type { Refunds, Transactions } from './port/transactions.ts'
import type {
  Catalogues,
  ChosenEndpoints,
  ChosenRateSources,
  CoinCatalogues,
  Outages,
  ProviderAccounts,
} from './port/upstreams.ts'

export type * from './port/addresses.ts'
export type * from './port/attempts.ts'
export type * from './port/events.ts'
export type * from './port/jobs.ts'
export type * from './port/mails.ts'
export type * from './port/merchants.ts'
export type * from './port/movements.ts'
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
 * The database. The work of a `read` or a `write` must not start another read or write, or call the network.
 * Doing so throws, and fails the work even if the work catches the error. The tables throw once the work has
 * ended.
 */
export interface Storage {
  /** Whether other servers may use the database at the same time. */
  readonly isShared: boolean
  /**
   * Runs work that only reads. All its queries see the same snapshot, which contains every completed write
   * and nothing uncommitted.
   */
  read<T>(work: (tables: Tables) => Promise<T>): Promise<T>
  /**
   * Runs work that only reads these repositories, as `read` does, but usually without asking the database:
   * what it found is kept until one of them changes. A change is seen at once, also if another process made
   * it. The key stands for all that the work depends on besides. Callers share what is found, and cannot
   * change it; null is not kept.
   */
  remember<Name extends KeptTable, T>(
    names: readonly Name[],
    key: string,
    work: (tables: Pick<Tables, Name>) => Promise<T>,
  ): Awaitable<T>
  /** Finds an API key and its merchant, as `remember` does. */
  findKey(id: string): Awaitable<KeyWithMerchant | null>
  /**
   * Runs work in a serializable transaction, and resolves once the transaction is on disk. If the work
   * throws, everything it changed is rolled back. An engine may roll back work that conflicts with another
   * write and run it again, so the work must have no effects outside the tables.
   */
  write<T>(work: (tables: Tables) => Promise<T>): Promise<T>
  /**
   * Leases due jobs, as `claim` of the jobs does, in a write of its own. Other servers may do so at the same
   * time, and no job is leased twice. Both times are of this machine's clock; jobs are due and leases end by
   * that of the database. Throws a DatabaseError, and leases nothing, if the two differ too much.
   */
  claimJobs(...given: Parameters<Jobs['claim']>): Promise<ClaimedJob[]>
  /** Puts off the end of leases, as `extend` of the jobs does, by the clock of the database. */
  extendJobs(leases: readonly string[], leaseUntil: number): Promise<void>
  /** By how many ms the clock of the database was ahead of this machine's when leases last depended on it. */
  clockAhead(): number
  /** How many servers use the database, this one included. Others are noticed within some seconds. */
  servers(): number
  /** Throws if called by the work of a read or a write. Code that calls the network calls this first. */
  assertOutside(action: string): void
  /** Throws if the database is not writable or has pending migrations. */
  check(): Promise<void>
  /** Reads the whole database, which can take long. Returns a description of the damage, or null. */
  inspect(): Promise<string | null>
  /**
   * Rewrites the whole database, so that nothing of deleted or changed rows remains in it. Returns false, and
   * does nothing, while a server uses the database, because its writes would have to wait.
   */
  compact(): Promise<boolean>
  close(): Promise<void>
}

/** The repositories whose rows are kept in memory. Everything that changes one of their tables reports it. */
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
 * boolean are compare-and-set: they return false, and change nothing, if the row is no longer in the expected
 * state.
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
  products: Products
  images: Images
  refunds: Refunds
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
  chosenEndpoints: ChosenEndpoints
  chosenRateSources: ChosenRateSources
}
