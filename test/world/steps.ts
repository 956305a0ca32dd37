import type { ChainSetup } from './chains.ts'
import type { Engine } from './disks.ts'
import type { ReceiverFact } from './facts.ts'
import type { Form } from './forms.ts'
import type { Mood } from './prices.ts'

/** The setup of a world. */
export interface Setup {
  seed: number
  /** the database engine; on a database server, two machines share one database */
  engine: Engine
  chains: ChainSetup[]
  /** payments of orders above this many dollars must be confirmed by two endpoints; null for never */
  quorumAbove: number | null
  shops: ShopSetup[]
  /** true if the gateway's payment pages and addresses are offered */
  hasGateway: boolean
  /** true if each shop has an account with each card provider */
  hasCards: boolean
  /** true if each shop has a Lightning node */
  hasLightning: boolean
  /**
   * the commit of an earlier version with which servers start, and whether they change to this version; null
   * to start with this version
   */
  earlier: { from: string; isReplaced: boolean } | null
}

/** Providers at which shops have accounts of their own. */
export const cardProviders = ['stripe', 'mollie', 'paypal'] as const
export type CardProvider = (typeof cardProviders)[number]

/**
 * The behaviour of a provider: `honest`; `down` does not answer; `stale` answers each look-up of a page like
 * the first one; `other` answers with another payment; `mute` carries out requests, but its answers are lost.
 */
export type CardsMood = 'honest' | 'down' | 'stale' | 'mute' | 'other'

/** The deliveries of an event of a provider. If it is `forged`, a stranger sends another event instead. */
export type Told = 'once' | 'twice' | 'lost' | 'forged'

/**
 * The lies of a node: it does not answer (`fail`), reports paid invoices as unpaid (`lag`), does not find any
 * invoice (`missing`), or reports half of a payment (`partly`) or another invoice (`other`).
 */
export const nodeLies = ['fail', 'lag', 'missing', 'partly', 'other'] as const
export type NodeLie = 'honest' | (typeof nodeLies)[number]

export interface ShopSetup {
  feePercent: string
  tolerance: string
  late: 'settle' | 'ask'
  /** true if addresses on EVM chains come from the shop's account, and not from its payout wallet */
  hasAccount: boolean
}

/** A request of a person or a program to the server. Several can be sent at the same time. */
export type Request =
  /**
   * `key` is an idempotency key: equal numbers are equal keys. `body` changes the body that is sent with it.
   */
  | {
      do: 'order'
      order: number
      shop: number
      amount: string
      currency: string
      methods: string[]
      minutes: number | null
      key: number | null
      body: number
    }
  | { do: 'open'; order: number; asset: number }
  /** a buyer opens a page of the gateway */
  | { do: 'page'; order: number; method: number }
  /** a buyer opens a page of a provider at which the shop has an account */
  | { do: 'card'; order: number; provider: CardProvider }
  | { do: 'visit'; order: number; what: 'page' | 'status' | 'check' | 'elsewhere' }
  | { do: 'refund-address'; order: number }
  | { do: 'read'; order: number; shop: number }
  /** `filter` is a part of the query, such as `status=PAID` */
  | {
      do: 'list'
      shop: number
      list: 'orders' | 'transactions' | 'events' | 'products'
      size: number
      filter: string | null
    }
  | { do: 'cancel'; order: number; shop: number; by: 'key' | Person }
  | { do: 'end' | 'force' | 'accept' | 'resolve'; order: number; by: Person; isStale: boolean }
  /** a refund of a percentage of the order; 0 refunds all that is left */
  | { do: 'refund'; order: number; shop: number; percent: number; key: number; by: 'key' | 'owner' }
  /** the owner has the provider pay back a percentage of the order; the same key is the same form */
  | { do: 'send-refund'; order: number; percent: number; key: number }
  /** the shop's owner changes settings that affect money */
  | { do: 'settings'; shop: number; feePercent: string; tolerance: string; late: 'settle' | 'ask' }
  /** the signing secret of events is replaced; the former one also stays valid for some hours */
  | { do: 'rotate'; shop: number; overlapHours: number }
  /** events go to another path of the shop's webhook */
  | { do: 'webhook'; shop: number; path: number }
  /** a shop requests an event again; 0 is the newest one */
  | { do: 'redeliver'; shop: number; back: number }
  /** a key is created, used, revoked and used again */
  | { do: 'key'; shop: number }
  | {
      do: 'product'
      shop: number
      product: number
      what: 'create' | 'change' | 'archive' | 'restore' | 'read' | 'foreign' | 'haggle'
      amount: string
      currency: string
    }
  /** a buyer orders a product on its page */
  | { do: 'buy'; order: number; product: number }
  | { do: 'dashboard'; shop: number; page: number; by: Person }
  | { do: 'stranger'; order: number; what: number }
  /** the gateway sends a callback about a payment of an order */
  | { do: 'callback'; order: number; proof: 'signed' | 'unsigned' | 'forged' | 'other-secret' }

export type RequestOf<Name extends Request['do']> = Extract<Request, { do: Name }>

export type Person = 'owner' | 'staff' | 'viewer' | 'operator' | 'stranger'

/** A step of a history. A step about something that does not exist does nothing. */
export type Step =
  | Request
  | { do: 'together'; requests: Request[] }
  | { do: 'wait'; minutes: number }
  /** `payment` is the index of a payment that the buyer opened, the newest first */
  | {
      do: 'pay'
      order: number
      payment: number
      percent: number
      waits: boolean
      hiddenMinutes: number
      /** the percentage of the transfer that the token deducts as a fee */
      fee: number
      form: Form
    }
  /** pays in another asset of the same chain, or to the same address on another chain */
  | {
      do: 'pay-wrong'
      order: number
      payment: number
      chain: 'same' | 'other'
      percent: number
      asset: number
    }
  /** pays to the next address that a shop derives for an asset, before any buyer is given it */
  | { do: 'pay-early'; shop: number; asset: number }
  | { do: 'dust'; order: number; payment: number; count: number }
  /** replaces the newest unconfirmed transaction, of one order or of any */
  | { do: 'replace'; percent: number; order: number | null }
  | { do: 'mine' }
  | { do: 'sweep'; order: number; payment: number }
  | { do: 'reorganise'; chain: number; depth: number; lostPercent: number }
  | { do: 'lie'; chain: number; endpoint: number; lie: string; amount: number; times: number | null }
  /** no endpoint of a chain answers, until a step with `isOver` */
  | { do: 'outage'; chain: number; isOver: boolean }
  | { do: 'price'; ticker: string; percent: number }
  | { do: 'source'; source: number; mood: Mood }
  | { do: 'receiver'; shop: number; mood: ReceiverFact['mood'] }
  /** the buyer pays at the gateway */
  | { do: 'pay-gateway'; order: number; percent: number; batch: boolean; wrongCoin: boolean }
  /**
   * `percent` is that of a refund in the provider's own dashboard, or of a `part`; a `claim` is an event from
   * a stranger
   */
  | {
      do: 'pay-card'
      order: number
      provider: CardProvider
      what:
        | 'card'
        | 'refused'
        | 'debit'
        | 'debit-paid'
        | 'debit-returned'
        | 'refund'
        | 'dispute'
        | 'claim'
        | 'part'
      told: Told
      percent: number
    }
  | { do: 'card-service'; provider: CardProvider; mood: CardsMood }
  /** the Lightning node of a shop begins to lie */
  | { do: 'node'; shop: number; lie: NodeLie }
  | { do: 'gateway'; mood: 'honest' | 'down' | 'unpaid' }
  | { do: 'restart' }
  /** a machine starts again with a later version, which has another migration */
  | { do: 'upgrade' }
  /** a machine starts again with another version, if servers started with an earlier one */
  | { do: 'install'; machine: number; version: 'earlier' | 'this' }
  /** the machine crashes after `points` further moments at which it can */
  | { do: 'crash'; points: number; torn: boolean }
  | { do: 'clock'; minutes: number }

export interface History {
  setup: Setup
  steps: Step[]
}

/** A step as a line of a printed history: its name, and its properties that are not empty. */
export function describeStep(step: Step): string {
  const { do: name, ...rest } = step
  if (step.do === 'together') return `together: ${step.requests.map(describeStep).join('; ')}`
  const parts = Object.entries(rest).map(([key, value]) => `${key} ${JSON.stringify(value)}`)
  return [name, ...parts].join(', ')
}

export const printHistory = ({ setup, steps }: History): string =>
  [
    JSON.stringify(setup),
    ...steps.map((step, index) => `${`${index + 1}`.padStart(4)}. ${describeStep(step)}`),
  ].join('\n')
