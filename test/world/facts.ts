/**
 * The record of a run of the world: facts, which happen outside of the server, and sayings, which the server tells
 * people or programs. The model judges the sayings by the facts. Nothing here comes from the server's own code.
 *
 * Times are milliseconds since 1970 by the true clock of the world. The server's clock can be set wrong: `clock`
 * facts tell by how much. Amounts of coins are in their smallest unit; amounts of money are decimals as in the API.
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
  /** share of a provider's payment that is enough, such as 0.85 */
  providerMinReceived: string
  quorumAbove: { amount: string; currency: string } | null
  /** units of other currencies for a dollar, which never change: 9 of EUR means 0.9 */
  crossTenths: Record<string, bigint>
}

/** A shop, or a shop whose settings were changed: the newest fact of a shop holds. */
export interface ShopFact extends Base {
  fact: 'shop'
  /** 0, 1, … */
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
    /** the secret before this one, which signs too until then by the server's clock */
    previous: { secret: string; until: number } | null
  } | null
}

/** An owner changed something that the audit log has to tell, and the server said that it is done. */
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

/** A request to the API and its answer, whatever it was. */
export interface CallFact extends Base {
  fact: 'call'
  /** whose key it was sent with: a shop, a shop's revoked or read-only key, another shop's, or none */
  by: { shop: number | null; key: 'live' | 'test' | 'read' | 'revoked' | 'invented' | 'none' }
  method: string
  /** with the query */
  path: string
  idempotencyKey: string | null
  body: Json
  /** null if the connection broke: the server died, or answered nothing. The request may have been carried out. */
  status: number | null
  answer: Json
  /** requests that were sent together and of which none waited for another have the same number */
  together: number | null
}

/** A buyer chose a coin, and the server showed an address, or did not. */
export interface OpenedFact extends Base {
  fact: 'opened'
  order: string
  /** an asset's ID, or the key of a provider's method */
  asset: string
  /** of the answer to the form; null if the connection broke */
  status: number | null
  /** what a page of the provider asks for; null for a coin, where `shown` has it */
  asked: { amount: string; currency: string } | null
  /** the state of the order for scripts just after it (`data` of GET /pay/UUID/status); null if it failed */
  shown: Json | null
  /** a payment that was open before is shown again, by its address */
  isNew: boolean
  together: number | null
}

/** A buyer or a stranger did something at the checkout. */
export interface VisitFact extends Base {
  fact: 'visit'
  order: string
  what: 'page' | 'status' | 'check' | 'elsewhere' | 'refund-address' | 'provider'
  status: number | null
  /** the provider's method or the refund address */
  value: string | null
  together: number | null
}

/** A provider's side of a payment: what really happened there, and what it tells. */
export interface ProviderFact extends Base {
  fact: 'provider'
  order: string
  /** of the address that the provider lent; unique for each payment */
  addressIn: string
  /** a coin's asset ID for a lent address; null on a provider's page, which is in USDC of Polygon */
  asset: string | null
  what:
    | 'paid'
    /** a callback was sent, with this proof */
    | 'callback'
    /** look-ups of its status answer so from now on */
    | 'status'
  /** of the money that was paid, or that the callback or status tells */
  value: string
  coin: string
  txIn: string | null
  txOut: string | null
  /** `unsigned` is proven only by a look-up that says paid; everything else but `signed` must never count */
  proof: 'signed' | 'unsigned' | 'forged' | 'other-secret' | null
  /** of the answer to the callback */
  status: number | null
}

/** A change of a payment on a shop's own account with a provider, noted before its event is sent. */
export interface CardFact extends Base {
  fact: 'card'
  order: string
  provider: 'stripe' | 'mollie' | 'paypal'
  /** unique for each payment */
  session: string
  /** `approved`: the buyer lets the server take the money, which is charged when the server does so */
  what: 'approved' | 'charged' | 'pending' | 'failed' | 'refunded' | 'disputed'
  /** in the smallest unit of the order's currency */
  minor: bigint
  /** the server asked for it */
  isAsked: boolean
}

/** A provider at which shops have accounts behaves like this from now on. */
export interface CardServiceFact extends Base {
  fact: 'card-service'
  provider: CardFact['provider']
  mood: 'honest' | 'down' | 'stale' | 'mute' | 'other'
}

/** Somebody who signed in to the dashboard, or the operator on the command line, decided something. */
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
    /** the provider is to pay back; `refund` records what the shop paid back itself */
    | 'send-refund'
    | 'settings'
    | 'webhook'
    | 'redeliver'
  order: string | null
  /** what the form contained */
  form: Record<string, string>
  /** 303 for a form that was accepted; null if the connection broke */
  status: number | null
  /** for `accept` and `resolve`: transfers that the form is about; null if the world does not know */
  transfers: number[] | null
  /** the form was opened before something changed */
  isStale: boolean
  together: number | null
}

/** The merchant's endpoint behaves like this from now on. */
export interface ReceiverFact extends Base {
  fact: 'receiver'
  shop: number
  /** `dies`: it stores the event, and its answer is lost */
  mood: 'ok' | 'fails' | 'redirects' | 'hangs' | 'refuses' | 'dies' | 'gone'
}

/** The server's clock is this far from the true time from now on. */
export interface ClockFact extends Base {
  fact: 'clock'
  aheadMs: number
}

/**
 * The server stopped. `crash`: in the middle of whatever it did; requests that were open have no answer, and the
 * disk has all that was acknowledged. It starts again at once.
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
 * A model that follows a run. The world calls `note` with each fact as it happens and `hear` with each saying, in the
 * order in which they happened, and `judge` after each step.
 */
export interface Judge {
  note(fact: Fact): void
  hear(saying: Saying): void
  /** what does not hold after this step, in sentences; empty if everything does */
  judge(at: number): string[]
  /**
   * What does not hold at the end. Before it, everybody became honest, all watches ended and all events were
   * delivered; every order, status, page, list and the books were said once more.
   */
  judgeEnd(at: number): string[]
}
