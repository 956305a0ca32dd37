/**
 * The record of a run of the world: facts, which happen outside of the server, and sayings, which the server tells
 * somebody. The model judges the sayings by the facts. Nothing here comes from the server's own code.
 *
 * Times are milliseconds since 1970 by the true clock of the world. The server's clock can be set wrong: `clock`
 * facts tell by how much. Amounts of coins are in their smallest unit; amounts of money are decimals as in the API.
 */

// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what the model checks
export type Json = any

/** An asset that buyers can be asked for, as its chain defines it. */
export interface AssetFact {
  id: string
  chain: string
  ticker: string
  decimals: number
  /** how many decimals the amount of a quote has */
  quoteDecimals: number
  /** null for the coin of a chain */
  contract: string | null
}

/** A chain, as the world runs it. */
export interface ChainFact {
  id: string
  family: 'evm' | 'bitcoin' | 'tron' | 'solana' | 'monero'
  blockMs: number
  /** The head at a time is `firstHeight + floor((time - startsAt) / blockMs)`. */
  startsAt: number
  firstHeight: number
  /** how many endpoints the server can ask; at least one of them tells no lie without end */
  endpoints: number
  /**
   * A block is final when this many blocks, itself included, are on top of each other. Where the chain itself names
   * its newest final block (EVM, TRON, Solana), the world keeps that block this far behind the head.
   */
  finalDepth: number
}

interface Base {
  /** the true time */
  at: number
  /** the step of the history during which it happened */
  step: number
}

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
  webhook: { url: string; secret: string; eventTypes: string[] } | null
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

/** A buyer or somebody else did something at the checkout. */
export interface VisitFact extends Base {
  fact: 'visit'
  order: string
  what: 'page' | 'status' | 'check' | 'elsewhere' | 'refund-address' | 'provider'
  status: number | null
  /** the provider's method or the refund address */
  value: string | null
  together: number | null
}

/** A price of a coin in US dollars from now on, in millionths of a dollar. */
export interface PriceFact extends Base {
  fact: 'price'
  ticker: string
  micros: bigint
}

/** A source of prices behaves like this from now on. Three sources are set up. */
export interface PriceSourceFact extends Base {
  fact: 'price-source'
  source: number
  mood: 'honest' | 'away' | 'stale' | 'false'
}

/** A transfer on a chain. One transaction can have several: they have the same `tx`. */
export interface TransferFact extends Base {
  fact: 'transfer'
  /** unique in the run */
  transfer: number
  /** the number of the transaction on its chain */
  tx: number
  /** as endpoints write it, without 0x */
  txId: string
  chain: string
  asset: string
  /** as the server showed it to the buyer */
  to: string
  /** what arrives: after a token's own fee */
  amount: bigint
  /**
   * The order whose address it is, if any. The address may belong to an attempt for another coin or chain: compare
   * `asset` and `chain`.
   */
  order: string | null
  /** anything except `payment` must never count */
  kind: 'payment' | 'failed' | 'locked' | 'same-key' | 'wrong-program' | 'rejected' | 'dust' | 'flush'
  /** a transfer that it replaces, by spending the same output */
  replaces: number | null
  /** No endpoint lists anything of it before, not even once it is mined. */
  hiddenUntil: number
  /**
   * Endpoints know it from this time, even if no block has it: Bitcoin and Monero. Infinity if they only list it
   * once it is mined.
   */
  seenAt: number
}

/**
 * The block that contains a transfer, or null for one that is in no block (again). The newest fact holds. It is told
 * as soon as it is certain: the block's time may be in the future.
 */
export interface MinedFact extends Base {
  fact: 'mined'
  transfer: number
  block: { height: number; time: number } | null
}

/** A transfer can never be mined any more: replaced, spent twice, or lost in a reorganisation. */
export interface GoneFact extends Base {
  fact: 'gone'
  transfer: number
  why: 'replaced' | 'double-spent' | 'reorganised'
}

/** The newest `depth` blocks of a chain were replaced. `mined` and `gone` facts of its transfers follow. */
export interface ReorganisedFact extends Base {
  fact: 'reorganised'
  chain: string
  depth: number
}

/** An endpoint of a chain behaves like this from now on. */
export interface EndpointFact extends Base {
  fact: 'endpoint'
  chain: string
  endpoint: number
  /** `honest`, or a lie of test/simulation/lies.ts */
  lie: string
  /** what the lie needs, such as a number of blocks */
  amount: number
  /** null if it never ends by itself */
  times: number | null
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

/** Somebody who signed in to the dashboard, or the operator on the command line, decided something. */
export interface DecisionFact extends Base {
  fact: 'decision'
  by: {
    who: 'owner' | 'staff' | 'viewer' | 'operator' | 'stranger' | 'cli'
    shop: number | null
    userId: string | null
  }
  what: 'accept' | 'resolve' | 'cancel' | 'end' | 'force' | 'refund' | 'settings' | 'webhook' | 'redeliver'
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
  | DecisionFact
  | ReceiverFact
  | ClockFact
  | StopFact

/** `data` of GET /v1/orders/UUID. */
export interface OrderSaying extends Base {
  says: 'order'
  shop: number
  order: string
  json: Json
}

/** `data` of GET /pay/UUID/status, for scripts. */
export interface StatusSaying extends Base {
  says: 'status'
  order: string
  json: Json
}

/** The checkout page of an order, as its buyer reads it: HTML. */
export interface PageSaying extends Base {
  says: 'page'
  order: string
  status: number
  html: string
}

/** A request that reached the merchant's endpoint. */
export interface DeliverySaying extends Base {
  says: 'delivery'
  /** whose endpoint it reached */
  shop: number
  url: string
  /** in lower case */
  headers: Record<string, string>
  body: string
  /** of the endpoint's answer; null if there was none */
  answered: number | null
}

/** All items of a list of the API, page by page: `data` of each, in order. */
export interface ListSaying extends Base {
  says: 'list'
  shop: number
  /** such as `/v1/orders?status=PAID` */
  path: string
  items: Json[]
}

/** A page of the dashboard: HTML. */
export interface DashboardSaying extends Base {
  says: 'dashboard'
  shop: number
  /** such as `/dashboard/reports` */
  path: string
  status: number
  html: string
}

/** A file for accounts, such as the export of movements. */
export interface ExportSaying extends Base {
  says: 'export'
  shop: number
  path: string
  text: string
}

/** A line of the server's log that says that something is wrong. */
export interface LogSaying extends Base {
  says: 'log'
  level: 'warn' | 'error'
  event: string
  fields: Json
}

/** The rows that money rests on, at the end of a run or every so many steps. */
export interface BooksSaying extends Base {
  says: 'books'
  /** rows of a query; only for what nothing above says */
  rows<T>(sql: string): T[]
}

export type Saying =
  | OrderSaying
  | StatusSaying
  | PageSaying
  | DeliverySaying
  | ListSaying
  | DashboardSaying
  | ExportSaying
  | LogSaying
  | BooksSaying

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
