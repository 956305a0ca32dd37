import type { Asset } from '../domain/asset.ts'
import type { Origin } from '../domain/audit.ts'
import type { ChainEndpoints, ChoiceOrigin, ChosenEndpoint, EndpointTrial } from '../domain/endpoint.ts'
import type { Log } from '../domain/log.ts'
import type { Amount } from '../domain/money.ts'
import type { Service } from '../domain/outage.ts'
import type { Retention } from '../domain/retention.ts'
import type { UpstreamProblem } from '../domain/upstream-fault.ts'
import type { ImageReader } from '../images/port.ts'
import type { Networks } from '../networks/port.ts'
import type { Channels, Outbound } from '../outbound/port.ts'
import type { PasskeyChecks } from '../passkeys/port.ts'
import type { Providers } from '../providers/port.ts'
import type { Rates } from '../rates/port.ts'
import type { Storage } from '../storage/port.ts'
import type { Letters } from './letters.ts'

export type { Tables } from '../storage/port.ts'

interface Ids {
  /** A version 7 UUID, made with the time of `clock`. */
  uuid(): string
  random(bytes: number): Uint8Array
}

/** Hashes of passwords. Throws rate_limited when too many are wanted at once. */
interface Passwords {
  hash(password: string): Promise<string>
  /** Takes as long without a hash, and is false then. */
  verify(password: string, hash: string | null): Promise<boolean>
}

/** What the operator decided. */
interface Policy {
  /** what the URLs of checkout pages begin with, without a slash at the end */
  checkoutUrl: string
  /** where the dashboard is reached, without a slash at the end */
  dashboardUrl: string
  orderExpiryMs: number
  /** addresses may be shared between buyers where there is no other source */
  sharedAddress: boolean
  /** how many addresses of an account are given out in a row without a payment */
  unpaidAddressesMax: number
  /** how long after its lock a payment still counts as in time */
  lateGraceMs: number
  /** above this amount two endpoints have to tell of a payment; null for never */
  quorumAbove: { amount: Amount; currency: string } | null
  retention: Retention
}

/** Who may have a price for a coin. */
interface CoinPrices {
  /** all sources that are used, whether they have one or not */
  used: string[]
  /** those of them that may have one */
  pricing: string[]
  /** exchanges that have one and are not used */
  others: string[]
}

/** Endpoints and rate sources: what is used now, and tries of others. */
export interface Upstreams {
  /** Reads what operators chose, and uses it from now on. */
  reload(): Promise<void>
  /** every chain with its endpoints */
  chains(): ChainEndpoints[]
  /** What an endpoint of a chain may speak; empty for a chain that cannot have one. */
  protocols(chain: string): readonly string[]
  rates(): { origin: ChoiceOrigin; names: string[]; exchanges: readonly string[] }
  /** The sources of rates that may have a price for a coin. */
  pricesOf(asset: Pick<Asset, 'id' | 'ticker'>): CoinPrices
  /** Tries an endpoint as if it were the only one of its chain. Takes up to twenty seconds. */
  tryEndpoint(endpoint: Pick<ChosenEndpoint, 'chain' | 'protocol' | 'url' | 'header'>): Promise<EndpointTrial>
  /** What is wrong with an exchange as a source, or null. */
  tryRateSource(name: string): Promise<UpstreamProblem | null>
}

/** Everything that an operation may touch. The composition root makes it. */
export interface Context {
  storage: Storage
  /** milliseconds since 1970 UTC */
  clock(): number
  /** the clock of the machine, which the sandbox does not move: what people's phones show */
  realClock(): number
  ids: Ids
  networks: Networks
  providers: Providers
  rates: Rates
  outbound: Outbound
  channels: Channels
  letters: Letters
  upstreams: Upstreams
  /** what is checked regularly */
  services(): readonly Service[]
  images: ImageReader
  passwords: Passwords
  passkeys: PasskeyChecks
  log: Log
  /** aborted when the server stops: nobody waits for an upstream any longer */
  stopping: AbortSignal
  policy: Policy
  /** who asks for the operation; the command line if nobody else */
  origin: Origin
}
