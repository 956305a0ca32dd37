/**
 * The record of a run: facts, which happen outside of the server, and sayings, which are answers, pages and
 * events of the server. The model checks the sayings against the facts. Nothing here comes from the server's
 * own code.
 *
 * Times are milliseconds since 1970 UTC by a correct clock. The server's clock can be wrong; `clock` facts
 * have its deviation. Amounts of coins are in their smallest unit; amounts of money are decimals as in the
 * API.
 */

import type {
  AssetFact,
  Base,
  ChainFact,
  EndpointFact,
  GoneFact,
  MinedFact,
  PriceFact,
  PriceSourceFact,
  ReorganisedFact,
  TransferFact,
} from './facts-of-chains.ts'

export type {
  AssetFact,
  ChainFact,
  EndpointFact,
  GoneFact,
  MinedFact,
  PriceFact,
  PriceSourceFact,
  ReorganisedFact,
  TransferFact,
} from './facts-of-chains.ts'

import type { Saying } from './sayings.ts'

export type {
  BooksSaying,
  DashboardSaying,
  DeliverySaying,
  ExportSaying,
  ListSaying,
  LogSaying,
  OrderSaying,
  PageSaying,
  Saying,
  StatusSaying,
} from './sayings.ts'

// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what the model checks
export type Json = any

/** Settings of a server that money depends on. */
export interface ServerFact extends Base {
  fact: 'server'
  assets: AssetFact[]
  chains: ChainFact[]
  lockMs: number
  graceMs: number
  orderExpiryMs: number
  /** the share of a provider's payment that counts as all of it, such as 0.85 */
  providerMinReceived: string
  quorumAbove: { amount: string; currency: string } | null
  /** tenths of a unit of each currency that one dollar buys, which never change: 9 of EUR means 0.9 EUR */
  crossTenths: Record<string, bigint>
}

/** A shop and its settings. The newest fact about a shop applies. */
export interface ShopFact extends Base {
  fact: 'shop'
  /** its number: 0, 1, … */
  shop: number
  id: string
  name: string
  email: string
  /** percent, as a decimal */
  feePercent: string
  /** percent, as a decimal */
  tolerance: string
  /** a late payment settles at its value, or waits for the shop's decision */
  late: 'settle' | 'ask'
  /** payout wallets, by network */
  wallets: Record<string, string>
  webhook: {
    url: string
    secret: string
    eventTypes: string[]
    /** the secret before this one, which also signs events until this time by the server's clock */
    previous: { secret: string; until: number } | null
  } | null
}

/** A change by an owner that the audit log has to contain, and that the server reported as done. */
export interface ManagedFact extends Base {
  fact: 'managed'
  shop: number
  action:
    | 'merchant.changed'
    | 'webhook.secret_rotated'
    | 'webhook.changed'
    | 'key.created'
    | 'key.revoked'
    | 'product.created'
}

/** A request to the API, with its answer. */
export interface CallFact extends Base {
  fact: 'call'
  /** the key with which it was sent: of a shop, revoked or read-only, of another shop, or none */
  by: { shop: number | null; key: 'live' | 'test' | 'read' | 'revoked' | 'invented' | 'none' }
  method: string
  /** with the query */
  path: string
  idempotencyKey: string | null
  body: Json
  /** null without an answer: the connection broke, and the request may have been carried out */
  status: number | null
  answer: Json
  /** the number that all requests share which were sent at the same time; null for a single request */
  together: number | null
}

/** A buyer chose a coin, and the server showed an address or refused. */
export interface OpenedFact extends Base {
  fact: 'opened'
  order: string
  /** an asset's ID, or the key of a provider's method */
  asset: string
  /** status of the answer to the form; null if the connection broke */
  status: number | null
  /** the amount that a page of the provider asks for; null for a coin, whose amount is in `shown` */
  asked: { amount: string; currency: string } | null
  /**
   * the order's status for scripts just afterwards (`data` of GET /pay/UUID/status); null if it could not be
   * read
   */
  shown: Json | null
  /** false if an existing payment is shown again, with the same address */
  isNew: boolean
  together: number | null
}

/** An action of a buyer or a stranger at the checkout. */
export interface VisitFact extends Base {
  fact: 'visit'
  order: string
  what: 'page' | 'status' | 'check' | 'elsewhere' | 'refund-address' | 'provider'
  status: number | null
  /** the provider's method or the refund address */
  value: string | null
  together: number | null
}

/** A payment at the gateway: what happened there, or what its callbacks or status report. */
export interface ProviderFact extends Base {
  fact: 'provider'
  order: string
  /** the address that the provider allocated; unique for each payment */
  addressIn: string
  /**
   * the asset ID for an allocated address; null for a page of the provider, which is paid in USDC on Polygon
   */
  asset: string | null
  what:
    | 'paid'
    /** the provider sent a callback with this proof */
    | 'callback'
    /** the provider's answers to status look-ups from now on */
    | 'status'
  /** the amount that was paid, or that the callback or status reports */
  value: string
  coin: string
  txIn: string | null
  txOut: string | null
  /** `unsigned` counts only if a look-up reports the payment as paid; only `signed` counts without that */
  proof: 'signed' | 'unsigned' | 'forged' | 'other-secret' | null
  /** status of the answer to the callback */
  status: number | null
}

/** A change of a payment on a shop's own account with a provider, recorded before its event is sent. */
export interface CardFact extends Base {
  fact: 'card'
  order: string
  provider: 'stripe' | 'mollie' | 'paypal'
  /** unique for each payment */
  session: string
  /**
   * `approved`: the buyer allows the server to capture the money; `charged` follows when the server does so
   */
  what: 'approved' | 'charged' | 'pending' | 'failed' | 'refunded' | 'disputed'
  /** in the smallest unit of the order's currency */
  minor: bigint
  /** true if the server requested it */
  isAsked: boolean
}

/** The behaviour of a provider of shops' own accounts from now on. */
export interface CardServiceFact extends Base {
  fact: 'card-service'
  provider: CardFact['provider']
  mood: 'honest' | 'down' | 'stale' | 'mute' | 'other'
}

/** A decision by a person in the dashboard, or by the operator on the command line. */
export interface DecisionFact extends Base {
  fact: 'decision'
  by: {
    who: 'owner' | 'staff' | 'viewer' | 'operator' | 'stranger' | 'cli'
    shop: number | null
    userId: string | null
  }
  what:
    | 'accept'
    | 'resolve'
    | 'cancel'
    | 'end'
    | 'force'
    | 'refund'
    /** the provider is to pay back; `refund` only records what the shop paid back */
    | 'send-refund'
    | 'settings'
    | 'webhook'
    | 'redeliver'
  order: string | null
  /** what the form contained */
  form: Record<string, string>
  /** 303 if the form was accepted; null if the connection broke */
  status: number | null
  /** for `accept` and `resolve`: the transfers that the form is about; null if unknown */
  transfers: number[] | null
  /** true if the form was opened before something changed */
  isStale: boolean
  together: number | null
}

/** The behaviour of a merchant's webhook from now on. */
export interface ReceiverFact extends Base {
  fact: 'receiver'
  shop: number
  /** `dies`: it stores the event, but its answer is lost */
  mood: 'ok' | 'fails' | 'redirects' | 'hangs' | 'refuses' | 'dies' | 'gone'
}

/** The deviation of the server's clock from now on. */
export interface ClockFact extends Base {
  fact: 'clock'
  aheadMs: number
}

/**
 * The server stopped, and started again at once. `crash`: it stopped in the middle of its work, so open
 * requests have no answer. Everything that it acknowledged is on the disk.
 */
export interface StopFact extends Base {
  fact: 'stop'
  how: 'restart' | 'crash' | 'torn' | 'upgrade'
}

export type Fact =
  | ServerFact
  | ShopFact
  | ManagedFact
  | CallFact
  | OpenedFact
  | VisitFact
  | PriceFact
  | PriceSourceFact
  | TransferFact
  | MinedFact
  | GoneFact
  | ReorganisedFact
  | EndpointFact
  | ProviderFact
  | CardFact
  | CardServiceFact
  | DecisionFact
  | ReceiverFact
  | ClockFact
  | StopFact

/**
 * Checks a run. The run calls `note` with each fact and `hear` with each saying, in the order in which they
 * happen, and `judge` after each step.
 */
export interface Judge {
  note(fact: Fact): void
  hear(saying: Saying): void
  /** the broken rules after this step, as sentences; empty if there are none */
  judge(at: number): string[]
  /**
   * The broken rules at the end. By then all endpoints are honest, all watches have ended, all events are
   * delivered, and every order, status, page, list and audited table was read once more.
   */
  judgeEnd(at: number): string[]
}
