import type {
  AssetFact,
  CallFact,
  CardFact,
  DecisionFact,
  Json,
  ProviderFact,
  TransferFact,
} from '../facts.ts'
import type { Range } from './exact.ts'

/** A payment that a buyer opened in a coin, as the page showed it. */
export interface KnownAttempt {
  asset: AssetFact
  address: string
  /** the amount that was asked for, in the smallest unit of the coin */
  due: bigint
  /** what of the order it stands for, in minor units; a range where a payment came in while it was opened */
  priced: Range | null
  lockedUntil: number
  /** an address of the gateway: the server learns only from it what arrived */
  isForwarded: boolean
  openedAt: number
}

/** Money on a chain that was sent to an address of an order. */
export interface KnownTransfer {
  sent: TransferFact
  block: { height: number; time: number } | null
  gone: 'replaced' | 'double-spent' | 'reorganised' | null
  goneAt: number
  /** was once in a block that was deep enough, although it may not be any more */
  wasFinal: boolean
  attempt: KnownAttempt
}

/** A provider's page that a buyer opened, and what it was opened for. */
export interface KnownPage {
  amount: string
  currency: string
}

export interface KnownOrder {
  id: string
  /** for sentences: in the order in which the model heard of them */
  number: number
  shop: number
  createdAt: number
  /** the first and the newest answer of the API that holds the order */
  first: Json | null
  last: Json | null
  attempts: KnownAttempt[]
  /** payments were opened together, and the page showed only the last of them */
  hasOthers: boolean
  /** what was left when its page was read last, and what was left before that step */
  left: { step: number; minor: bigint | null; before: bigint | null }
  transfers: KnownTransfer[]
  provider: ProviderFact[]
  /** what happened at the card provider of the shop's own account */
  cards: CardFact[]
  pages: KnownPage[]
  /** decisions that were carried out, or may have been */
  decisions: DecisionFact[]
  /** calls that tried to change it and were answered well, or not at all */
  calls: CallFact[]
  /** a buyer chose a method before this time, as far as the model knows; null for never */
  firstOpenedAt: number | null
}
