import type { MarkModel } from '../icons/sprite.ts'
import type { TransactionModel } from '../parts.ts'
import type { ShopModel } from '../shop.ts'

/** What a checkout page shows, already formatted. */
export interface CheckoutModel {
  orderId: string
  shop: ShopModel
  merchantName: string
  /** the merchant's id for the order, or the end of ours */
  reference: string
  amount: string
  /** what is bought; null if the shop does not say */
  item: { name: string; description: string | null; imageUrl: string | null } | null
  /** ISO 8601, like every time below */
  now: string
  expiresAt: string
  /** the number of payments that were started */
  attempts: number
  /** when the network was last read, if the buyer asked for it; null otherwise */
  checkedAt: string | null
  /** the payment that this page showed first; null for none */
  shownFirst: string | null
  /** what a payment is in that was started elsewhere since, and took the place of that one; null for none */
  turnedTo: string | null
  returnUrl: string | null
  /** what arrived and what is left; null while nothing has arrived, or if the order is paid */
  money: MoneyModel | null
  /** other payments with which the buyer can go on */
  others: OtherPayment[]
  part: Part
  /** null where the buyer cannot have paid to the same address on another network */
  elsewhere: ElsewhereModel | null
  /** about money that did not complete the order, or was more than was due */
  notices: Notice[]
}

/** Sentences about what the order has received and what is left. */
export interface MoneyModel {
  lines: string[]
  /** about payments that are no longer to be seen */
  vanished: string[]
}

/** A payment that the buyer started and did not finish. */
export interface OtherPayment {
  /** null for a page of a provider */
  assetId: string | null
  methodKey: string
  name: string
  /** what arrived for it, in the order's currency; null if nothing did */
  received: string | null
}

/** What is known of other networks on which the address of a payment exists too. */
export interface ElsewhereModel {
  /** the networks that are being looked at, "Base and Polygon"; null while no look is running */
  looking: string | null
  /** what arrived there, such as "25 USDC on Polygon" */
  found: string[]
  /** the networks that were read, and when; null for none */
  read: string | null
  readAt: string | null
  /** the networks that could not be read; null for none */
  unreachable: string | null
}

export interface Notice {
  attemptId: string
  title: string
  /** what arrived, a sentence or two for each payment */
  texts: string[]
  /** where the buyer can be refunded to; null if the money is not returned to an address */
  refund: RefundModel | null
}

/** `problem` says what is wrong with the address that was entered; it is new in the answer to the form. */
export interface RefundModel {
  network: string
  saved: string | null
  problem: { text: string; isNew: boolean } | null
}

/** What was refunded of a paid order. */
interface Refunded {
  amount: string
  isFull: boolean
}

export type Part =
  | ChoosePart
  | CryptoPart
  | RedirectPart
  | LapsedPart
  /** `coins` for a crypto payment, such as "0.001 BTC"; `method` for a payment through a provider */
  | { kind: 'paid'; paidAt: string; coins: string | null; method: string | null; refunded: Refunded | null }
  /** `received` is what arrived of a crypto payment, such as "0.1 of 0.3 LTC" */
  /** `isWatched` while a payment that arrives can still pay the order */
  | { kind: 'expired'; hasReceived: boolean; isWatched: boolean }
  | { kind: 'cancelled' }
  | { kind: 'failed' }
  | { kind: 'blocked' }

/** A page of a provider. */
export interface MethodChoice {
  /** a company takes the buyer's money and pays the shop in crypto */
  isConverted: boolean
  key: string
  /** what the buyer knows: "Card", "Apple Pay" */
  title: string
  /** who handles it; null if the title says so */
  provider: string | null
  /** the most usual first; never empty */
  means: readonly string[]
}

export interface NetworkChoice {
  assetId: string
  /** "USDT · TRON (TRC20)"; the ticker alone for the only network of a coin */
  label: string
  mark: MarkModel | null
  /** which one of the amounts is due */
  amountAt: number
  /** what a transfer costs and how long it takes; null where that is not known */
  usual: string | null
}

export interface CoinChoice {
  /** "Tether" */
  name: string
  ticker: string
  mark: MarkModel | null
  /** whether the amount is the same on all of its networks */
  hasOneAmount: boolean
  networks: NetworkChoice[]
  /** whether its networks are shown at once */
  isOpen: boolean
}

/**
 * What a buyer can choose from, without the amounts. Pages with the same choices share the object, and what
 * is drawn of it.
 */
export interface Choices {
  /** the same for the same content */
  id: string
  /** the best one for each way to pay */
  methods: MethodChoice[]
  /** all others, which are folded away */
  more: MethodChoice[]
  /** the most usual coins, each with the networks that it can be sent on */
  coins: CoinChoice[]
  moreCoins: CoinChoice[]
  /** of the coins and networks, each once */
  marks: MarkModel[]
  /** whether the buyer paid with a coin the last time */
  isCryptoFirst: boolean
}

export interface ChoosePart {
  kind: 'choose'
  /** whether the buyer has to go on with one of the payments that are open */
  isFull: boolean
  /** why the payment that was started last did not succeed; null when it did not fail */
  failure: { title: string; text: string } | null
  choices: Choices
  /** what is due of each coin on each network, such as "0.00031" */
  amounts: readonly string[]
  providerAway: boolean
  /** the network of the coin that the buyer has just chosen, if it cannot be reached */
  unreached: string | null
  /** the networks whose coins are not offered because they cannot be reached, such as "A, B, and C" */
  networksAway: string | null
  /** whether there is an open payment that the buyer can return to */
  canGoBack: boolean
}

export interface CryptoPart {
  kind: 'crypto'
  assetId: string
  assetName: string
  ticker: string
  network: string
  amount: string
  address: string
  uri: string
  /** what a wallet in the browser can send; null where it cannot, and in the sandbox */
  browserWallet: { uri: string; script: string; transactionUrl: string | null } | null
  /** drawn only if the page is sent: a poll mostly finds that nothing has changed */
  qr: { content: 'uri' | 'address'; svg(): string }
  /** from when and until when the amount and the address hold */
  lockedFrom: string
  lockedUntil: string
  mark: MarkModel | null
  /** the coin is on several networks, so the network has to be named with it */
  isToken: boolean
  state: 'waiting' | 'underpaid' | 'confirming'
  received: string | null
  remaining: string | null
  /** whether anything is left to pay: not while the merchant decides about what arrived, for example */
  isAsked: boolean
  /** the rest is too small for this network to send */
  isTooSmall: boolean
  confirmations: number
  requiredConfirmations: number | null
  /** "12 min", an estimate of how long the confirmations take; null where none is known */
  timeToConfirm: string | null
  /** oldest first */
  payments: ReceivedPayment[]
  blind: BlindModel | null
  /** the price of one coin */
  rate: string | null
  /** other buyers pay to the same address, so a payment is identified by its exact amount */
  isShared: boolean
  /** the sandbox page that sends test coins; null outside the sandbox */
  faucetUrl: string | null
}

/** A network that cannot be read now, and when it last was. */
export interface BlindModel {
  network: string
  at: string
}

/** A payment that arrived, such as "0.1 LTC". */
export interface ReceivedPayment {
  amount: string
  at: string
  transaction: TransactionModel | null
}

/** The time to pay in crypto has run out. */
export interface LapsedPart {
  kind: 'lapsed'
  assetId: string
  assetName: string
  ticker: string
  received: string | null
  payments: ReceivedPayment[]
  blind: BlindModel | null
  amount: string
}

export interface RedirectPart {
  kind: 'redirect'
  methodKey: string
  methodName: string
}
