import type { ChainSetup } from './chains.ts'
import type { Engine } from './disks.ts'
import type { ReceiverFact } from './facts.ts'
import type { Form } from './forms.ts'
import type { Mood } from './prices.ts'

/** How a world is set up. */
export interface Setup {
  seed: number
  /** on a server of databases, two machines share one */
  engine: Engine
  chains: ChainSetup[]
  /** orders above this many dollars need two endpoints; null for never */
  quorumAbove: number | null
  shops: ShopSetup[]
  /** payment pages and addresses of the gateway are offered */
  hasGateway: boolean
  /** each shop has an account with each provider of cards */
  hasCards: boolean
  /** each shop has a Lightning node */
  hasLightning: boolean
  /** the commit of an earlier version with which servers start, and whether they get this version; null for this version */
  earlier: { from: string; isReplaced: boolean } | null
}

/** Providers at which shops have accounts of their own. */
export const cardProviders = ['stripe', 'mollie', 'paypal'] as const
export type CardProvider = (typeof cardProviders)[number]

/**
 * A provider is honest, or does not answer (`down`). It answers each look-up of a page like the first one (`stale`), or
 * with another payment (`other`). Or it does what it is asked to do, and its answers are lost (`mute`).
 */
export type CardsMood = 'honest' | 'down' | 'stale' | 'mute' | 'other'

/** How often an event of a provider is sent. If it is `forged`, a stranger sends another event instead. */
export type Told = 'once' | 'twice' | 'lost' | 'forged'

/**
 * A node is away (`fail`), reports paid invoices as unpaid (`lag`), knows no invoice (`missing`), or reports half of a
 * payment (`partly`) or another invoice (`other`).
 */
export const nodeLies = ['fail', 'lag', 'missing', 'partly', 'other'] as const
export type NodeLie = 'honest' | (typeof nodeLies)[number]

export interface ShopSetup {
  feePercent: string
  tolerance: string
  late: 'settle' | 'ask'
  /** the addresses of EVM chains come from the shop's account, and not from its payout wallet */
  hasAccount: boolean
}

/** Something that a person or a program asks the server. Several can be sent together. */
export type Request =
  /** `key` is an idempotency key: the same number is the same key. `body` changes the body that goes with it. */
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
  /** a page of the gateway */
  | { do: 'page'; order: number; method: number }
  /** a page of a provider at which the shop has an account */
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
  /** of a percentage of the order; at 0, of all that is left */
  | { do: 'refund'; order: number; shop: number; percent: number; key: number; by: 'key' | 'owner' }
  /** the owner has the provider pay back a percentage of the order; the same key is the same form */
  | { do: 'send-refund'; order: number; percent: number; key: number }
  /** the shop's owner changes settings that money depends on */
  | { do: 'settings'; shop: number; feePercent: string; tolerance: string; late: 'settle' | 'ask' }
  /** the secret that events are signed with is replaced; the former one signs too for some hours */
  | { do: 'rotate'; shop: number; overlapHours: number }
  /** events go to another path of the shop's endpoint */
  | { do: 'webhook'; shop: number; path: number }
  /** an event is asked for again, the newest being 0 */
  | { do: 'redeliver'; shop: number; back: number }
  /** a key is made, used, revoked and used again */
  | { do: 'key'; shop: number }
  | {
      do: 'product'
      shop: number
      product: number
      what: 'create' | 'change' | 'archive' | 'restore' | 'read' | 'foreign'
      amount: string
      currency: string
    }
  /** a buyer orders a product at its page */
  | { do: 'buy'; order: number; product: number }
  | { do: 'dashboard'; shop: number; page: number; by: Person }
  | { do: 'stranger'; order: number; what: number }
  /** the gateway tells about a payment of an order */
  | { do: 'callback'; order: number; proof: 'signed' | 'unsigned' | 'forged' | 'other-secret' }

export type RequestOf<Name extends Request['do']> = Extract<Request, { do: Name }>

export type Person = 'owner' | 'staff' | 'viewer' | 'operator' | 'stranger'

/** One thing that happens in a world. A step about what does not exist does nothing. */
export type Step =
  | Request
  | { do: 'together'; requests: Request[] }
  | { do: 'wait'; minutes: number }
  /** `payment` is one that the buyer opened; the newest comes first */
  | {
      do: 'pay'
      order: number
      payment: number
      percent: number
      waits: boolean
      hiddenMinutes: number
      /** percent that a token keeps for itself */
      fee: number
      form: Form
    }
  /** another asset of the same chain, or the same address of another chain */
  | {
      do: 'pay-wrong'
      order: number
      payment: number
      chain: 'same' | 'other'
      percent: number
      asset: number
    }
  | { do: 'dust'; order: number; payment: number; count: number }
  /** the newest transaction that waits, of an order or of any */
  | { do: 'replace'; percent: number; order: number | null }
  | { do: 'mine' }
  | { do: 'sweep'; order: number; payment: number }
  | { do: 'reorganise'; chain: number; depth: number; lostPercent: number }
  | { do: 'lie'; chain: number; endpoint: number; lie: string; amount: number; times: number | null }
  /** no endpoint of a chain answers, until `isOver` */
  | { do: 'outage'; chain: number; isOver: boolean }
  | { do: 'price'; ticker: string; percent: number }
  | { do: 'source'; source: number; mood: Mood }
  | { do: 'receiver'; shop: number; mood: ReceiverFact['mood'] }
  /** the buyer pays at the gateway */
  | { do: 'pay-gateway'; order: number; percent: number; batch: boolean; wrongCoin: boolean }
  /** `percent` is that of a refund in the provider's own dashboard, or of a `part`; a `claim` is a stranger's event */
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
  /** the Lightning node of a shop */
  | { do: 'node'; shop: number; lie: NodeLie }
  | { do: 'gateway'; mood: 'honest' | 'down' | 'unpaid' }
  | { do: 'restart' }
  /** a machine starts again with a later version, which brings a migration */
  | { do: 'upgrade' }
  /** a machine starts again with another version, where servers started with an earlier one */
  | { do: 'install'; machine: number; version: 'earlier' | 'this' }
  /** the machine dies at one of the next moments at which it can */
  | { do: 'crash'; points: number; torn: boolean }
  | { do: 'clock'; minutes: number }

export interface History {
  setup: Setup
  steps: Step[]
}

/** A step as a line of a printed history: its name and what differs from nothing. */
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
