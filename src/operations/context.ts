import type { Asset } from '../domain/asset.ts'
import type { Origin } from '../domain/audit.ts'
import type { ChainEndpoints, ChoiceOrigin, ChosenEndpoint, EndpointTrial } from '../domain/endpoint.ts'
import type { Log } from '../domain/log.ts'
import type { MailServer } from '../domain/mail-server.ts'
import type { Json } from '../domain/metadata.ts'
import type { Amount } from '../domain/money.ts'
import type { Service } from '../domain/outage.ts'
import type { Retention } from '../domain/retention.ts'
import type { SignedClients } from '../domain/signed-client.ts'
import type { BackupState, Finding, ServerFigures } from '../domain/upkeep.ts'
import type { UpstreamProblem } from '../domain/upstream-fault.ts'
import type { SecondFactorPolicy } from '../domain/user.ts'
import type { ImageReader } from '../images/port.ts'
import type { InvoiceFiles } from '../invoices/port.ts'
import type { Networks } from '../networks/port.ts'
import type { Channels, Message, OutboundClients } from '../outbound/port.ts'
import type { PasskeyChecks } from '../passkeys/port.ts'
import type { Providers } from '../providers/port.ts'
import type { Rates } from '../rates/port.ts'
import type { Storage } from '../storage/port.ts'
import type { Letters } from './letters.ts'

export type { Tables } from '../storage/port.ts'

interface Ids {
  /** A version 7 UUID with the time of `clock`. */
  uuid(): string
  random(bytes: number): Uint8Array
}

/** Hashes passwords. Throws rate_limited if too many are requested at once. */
interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Returns true if a password matches its hash. Without a hash, returns false after the same time. Passwords
   * from known browsers, and of people who are signed in, do not wait behind those of strangers.
   */
  verify(password: string, hash: string | null, isKnown: boolean): Promise<boolean>
}

/** Encrypts stored credentials. `row` names the row to which the credentials belong. */
export interface Secrets {
  seal(credentials: Json, row: string): Json
  /**
   * Decrypts credentials. Returns null if the key is missing, or if they were encrypted with another key or
   * for another row.
   */
  open(stored: Json, row: string): Json
  /** True if the credentials were encrypted, and not stored as they are. */
  isSealed(stored: Json): boolean
  /** Encrypts with a new key from now on. The former key still decrypts until `dropFormerKeys` is called. */
  addKey(): void
  dropFormerKeys(): void
}

/** Settings that the operator has chosen. */
interface Policy {
  /** start of checkout page URLs, without a slash at the end */
  checkoutUrl: string
  /** URL of the dashboard, without a slash at the end */
  dashboardUrl: string
  /** requirement of a second factor for operators */
  operatorSecondFactor: SecondFactorPolicy
  orderExpiryMs: number
  /** true if buyers may share an address when there is no other source */
  sharedAddress: boolean
  /** max addresses of an account that are allocated in a row without a payment */
  unpaidAddressesMax: number
  /** time after the end of a quoted rate during which a payment still counts as in time */
  lateGraceMs: number
  /** above this amount two endpoints must report a payment; null for never */
  quorumAbove: { amount: Amount; currency: string } | null
  retention: Retention
  /** true if plugins made for BTCPay Server may use this server */
  greenfield: boolean
}

/** The rate sources of a coin. */
interface CoinPrices {
  /** all sources in use, with or without a price */
  used: string[]
  /** sources in use that may have a price */
  pricing: string[]
  /** unused exchanges that have a price */
  others: string[]
}

/** A mail to try a mail server with. */
export interface MailTest {
  message: Message
  to: string
}

/** Endpoints, rate sources and the mail server in use, and trials of others. */
export interface Upstreams {
  /** Reads the operators' choices, and uses them from now on. */
  reload(): Promise<void>
  chains(): ChainEndpoints[]
  /** Protocols that an endpoint of a chain may speak; empty for a chain that cannot have one. */
  protocols(chain: string): readonly string[]
  rates(): { origin: ChoiceOrigin; names: string[]; exchanges: readonly string[] }
  /** The rate sources that may have a price for a coin. */
  pricesOf(asset: Pick<Asset, 'id' | 'ticker'>): CoinPrices
  /** Tries an endpoint as if it were the only one of its chain. Takes up to twenty seconds. */
  tryEndpoint(endpoint: Pick<ChosenEndpoint, 'chain' | 'protocol' | 'url' | 'header'>): Promise<EndpointTrial>
  /** The mail server in use: `url` is empty for none. `chosen` is that of the dashboard, used or not. */
  mail(): { origin: ChoiceOrigin; url: string; sender: string; chosen: MailServer | null }
  /**
   * Sends a test by the given mail server, or for null by the one in use. Returns null if it was accepted,
   * otherwise the problem.
   */
  tryMail(server: MailServer | null, test: MailTest): Promise<UpstreamProblem | null>
  /** Tries an exchange as a rate source. Returns its problem, or null. */
  tryRateSource(name: string): Promise<UpstreamProblem | null>
}

/** Maintenance that operators can have a server do: backups, figures and checks. */
export interface Upkeep {
  backups(): Promise<BackupState>
  /**
   * Starts a backup, and with `isTrial` also restores it as a test. Does nothing if a backup is being made.
   */
  startBackup(isTrial: boolean): void
  /** The bytes of a backup. */
  readBackup(file: string): AsyncGenerator<Uint8Array>
  /** Starts a test restore of the replica. Does nothing if one is already running. */
  startReplicaTrial(): void
  /** Records that a backup was made by other means. */
  recordBackup(): Promise<void>
  figures(): Promise<ServerFigures>
  /** Checks the installation as `florin doctor` does. Takes up to twenty seconds. */
  check(): Promise<Finding[]>
}

/** Everything that an operation may use. `boot/compose.ts` makes it. */
export interface Context {
  storage: Storage
  /** milliseconds since 1970 UTC */
  clock(): number
  /**
   * the platform's clock, which the sandbox does not move: phones and receivers of webhooks use the same time
   */
  realClock(): number
  ids: Ids
  secrets: Secrets
  networks: Networks
  providers: Providers
  rates: Rates
  outbound: OutboundClients
  channels: Channels
  letters: Letters
  upstreams: Upstreams
  upkeep: Upkeep
  /** the services that are checked regularly */
  services(): readonly Service[]
  images: ImageReader
  invoiceFiles: InvoiceFiles
  passwords: Passwords
  passkeys: PasskeyChecks
  signedClients: SignedClients
  log: Log
  /** aborted when the server stops: no request waits for an upstream any longer */
  stopping: AbortSignal
  policy: Policy
  /** the author of the changes, for the audit log; the command line by default */
  origin: Origin
}
