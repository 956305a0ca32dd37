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
  /** the amount due, in the smallest unit of the coin */
  due: bigint
  /**
   * the part of the order that it was opened for, in minor units; a range if a payment came in while it was
   * opened
   */
  priced: Range | null
  lockedUntil: number
  /** true for an address of the gateway: the server knows its payments only from the gateway */
  isForwarded: boolean
  openedAt: number
}

/** Money that was sent to an address of an order on a chain. */
export interface KnownTransfer {
  sent: TransferFact
  block: { height: number; time: number } | null
  gone: 'replaced' | 'double-spent' | 'reorganised' | null
  goneAt: number
  /** true once it was in a block with enough confirmations, even if that block was replaced later */
  wasFinal: boolean
  attempt: KnownAttempt
}

/** A provider's page that a buyer opened, and the amount that it was opened for. */
export interface KnownPage {
  amount: string
  currency: string
}

export interface KnownOrder {
  id: string
  /** number of the order, for sentences: in the order in which the model learned of them */
  number: number
  shop: number
  createdAt: number
  /** the first and the newest answer of the API with this order */
  first: Json | null
  last: Json | null
  attempts: KnownAttempt[]
  /** true if payments were opened at the same time, so that the page showed only the last one */
  hasOthers: boolean
  /** the rest of the order when its page was last read, and when it was read before that step */
  left: { step: number; at: number; minor: bigint | null; before: bigint | null; beforeAt: number }
  transfers: KnownTransfer[]
  provider: ProviderFact[]
  /** the payments at the provider of the shop's own account */
  cards: CardFact[]
  pages: KnownPage[]
  /** decisions that were carried out, or may have been */
  decisions: DecisionFact[]
  /** calls that tried to change it and succeeded, or had no answer */
  calls: CallFact[]
  /** a time by which a buyer had first chosen a method, as far as the model knows; null if none had */
  firstOpenedAt: number | null
}

/** True if the shop accepted payments of an order that did not count. */
export const isAcceptedBy = ({ decisions }: KnownOrder): boolean =>
  decisions.some(({ what }) => what === 'accept')

const KEPT_MS = 30 * 24 * 3_600_000

/** True if an order may have been deleted by now: it came by the public form, and was not paid for 30 days. */
export const mayBeDeleted = ({ last, createdAt, transfers }: KnownOrder, now: number): boolean =>
  last?.source === 'web' && last.status !== 'PAID' && transfers.length === 0 && now >= createdAt + KEPT_MS
