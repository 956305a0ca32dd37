import type { TransactionModel } from '../parts.ts'
import type { ShopModel } from '../shop.ts'

/** The content of a checkout page, already formatted. */
export interface CheckoutModel {
  orderId: string
  shop: ShopModel
  merchantName: string
  /** the merchant's ID of the order, or the end of Florin's ID */
  reference: string
  amount: string
  /** sentences about the tax in the amount, or why there is none; empty in a shop without tax settings */
  tax: readonly string[]
  /** the purchased item; null if the shop does not name it */
  item: { name: string; description: string | null; imageUrl: string | null } | null
  /** ISO 8601, like all times below */
  now: string
  expiresAt: string
  /** number of payments that were started */
  attempts: number
  /** false if no other payment can be started any more */
  canChoose: boolean
  /** time at which the network was last read, if the buyer asked for a check; null otherwise */
  checkedAt: string | null
  /** true while a check that the buyer asked for waits for its turn */
  isCheckedLater: boolean
  /** ID of the payment that this page showed first; null for none */
  shownFirst: string | null
  /** coin of a payment that was chosen in another window since, and is shown instead; null for none */
  turnedTo: string | null
  returnUrl: string | null
  /** received and remaining amount; null while nothing has arrived, or if the order is paid */
  money: MoneyModel | null
  /** networks and addresses of started payments that cannot be read */
  blind: BlindModel[]
  /** other payments that the buyer can continue */
  others: OtherPayment[]
  part: Part
  /** null if the buyer cannot have paid to the same address on another network */
  elsewhere: ElsewhereModel | null
  /** notices about money that did not complete the order, or exceeded the due amount */
  notices: Notice[]
}

/** Sentences about what the order has received and what is left. */
export interface MoneyModel {
  lines: string[]
  /** sentences about payments that vanished, or that have not been confirmed for too long to count */
  missing: string[]
}

/** A payment that the buyer started and did not finish. */
export interface OtherPayment {
  /** null for a provider's page */
  assetId: string | null
  methodKey: string
  name: string
  /** amount that arrived for this payment, in the order's currency; null if nothing did */
  received: string | null
}

/** State of the other networks on which the address of a payment exists. */
export interface ElsewhereModel {
  /** networks being read now, "Base and Polygon"; null for none */
  looking: string | null
  /** amounts that arrived there, such as "25 USDC on Polygon" */
  found: string[]
  /** networks that were read, and when; null for none */
  read: string | null
  readAt: string | null
  /** networks that could not be read; null for none */
  unreachable: string | null
}

export interface Notice {
  attemptId: string
  title: string
  /** one or two sentences per payment */
  texts: string[]
  /** the buyer's refund address; null if the money is not returned to an address */
  refund: RefundModel | null
}

/**
 * The refund address. `problem` is the fault of an entered address, and is new only in the response to the
 * form.
 */
export interface RefundModel {
  network: string
  saved: string | null
  problem: { text: string; isNew: boolean } | null
}

/** Refunds of a paid order. */
interface RefundSums {
  amount: string
  isFull: boolean
}

export type Part =
  | ChoosePart
  | CryptoPart
  | RedirectPart
  | LapsedPart
  /** `coins` for a crypto payment, such as "0.001 BTC"; `method` for a payment through a provider */
  | { kind: 'paid'; paidAt: string; coins: string | null; method: string | null; refunded: RefundSums | null }
  /** `isWatched` while a payment that arrives can still pay the order */
  | { kind: 'expired'; isEnded: boolean; hasReceived: boolean; isWatched: boolean }
  | { kind: 'cancelled' }
  | { kind: 'failed' }
  | { kind: 'blocked' }

/** A payment method on a provider's page. */
export interface MethodChoice {
  /** true if a company takes the buyer's money and pays the shop in crypto */
  isConverted: boolean
  key: string
  /** title in the buyer's words, such as "Card" or "Apple Pay" */
  title: string
  /** name of the provider; null if the title says it */
  provider: string | null
  /** accepted means, the most usual first; never empty */
  means: readonly string[]
}

/** A coin on one network. */
export interface NetworkModel {
  assetId: string
  /** label such as "USDT · TRON (TRC20)" */
  label: string
  /** class of the network's icon; null if it has none */
  mark: string | null
  /** usual cost and time of a transfer; null if unknown */
  usual: string | null
}

export interface NetworkChoice {
  network: NetworkModel
  /** due amount, such as "0.00031" */
  amount: string
}

export interface CoinModel {
  /** name such as "Tether" */
  name: string
  ticker: string
  /** class of the coin's icon; null if it has none */
  mark: string | null
}

export interface CoinChoice {
  coin: CoinModel
  /** due amount, if it is the same on each of the coin's networks; null if it differs */
  amount: string | null
  networks: NetworkChoice[]
  /** true if the coin's networks are shown at once */
  isOpen: boolean
}

/** The methods and coins from which a buyer can choose. */
export interface Choices {
  /** the best method for each way to pay */
  methods: MethodChoice[]
  /** all other methods, which are folded away */
  more: MethodChoice[]
  /** the most usual coins, each with its networks */
  coins: CoinChoice[]
  moreCoins: CoinChoice[]
  /** true if the buyer last paid with a coin */
  isCryptoFirst: boolean
}

export interface ChoosePart {
  kind: 'choose'
  /** true if the buyer must continue one of the open payments */
  isFull: boolean
  /** reason why the last payment failed; null if it did not */
  failure: { title: string; text: string } | null
  choices: Choices
  providerAway: boolean
  /** network of the coin that the buyer has just chosen, if it cannot be reached */
  unreached: string | null
  /** networks whose coins are not offered because they cannot be reached, such as "A, B, and C" */
  networksAway: string | null
  /** true if nothing can be chosen for this amount, but something for other amounts */
  isForAmount: boolean
  /** true if there is an open payment to return to */
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
  /** payment for a browser wallet; null if such a wallet cannot send it, and in the sandbox */
  browserWallet: { uri: string; script: string; transactionUrl: string | null } | null
  /** `svg` is called only when the page is sent: a poll mostly finds that nothing has changed */
  qr: { content: 'uri' | 'address'; svg(): string }
  /** start and end of the time in which amount and address hold */
  lockedFrom: string
  lockedUntil: string
  /** class of the coin's icon; null if it has none */
  mark: string | null
  /** true if the coin exists on several networks, so that the network must be named too */
  isToken: boolean
  state: 'waiting' | 'underpaid' | 'confirming'
  received: string | null
  remaining: string | null
  /** true if something is left to pay; false, for example, while the merchant decides about what arrived */
  isAsked: boolean
  /** true if the order is paid once everything that arrived is confirmed */
  isCovered: boolean
  /** true if the rest is too small to be sent on this network */
  isTooSmall: boolean
  confirmations: number
  requiredConfirmations: number | null
  /** "12 min", the estimated time of the confirmations; null if unknown */
  timeToConfirm: string | null
  /** oldest first */
  payments: ReceivedPayment[]
  blind: BlindModel | null
  /** price of one coin */
  rate: string | null
  /** true if other buyers pay to the same address, so that a payment is identified by its exact amount */
  isShared: boolean
  /** true if the buyer pays an invoice, which contains the amount */
  isInvoice: boolean
  /** true if the code and the link also offer a Lightning invoice */
  isBoth: boolean
  /** the sandbox page that sends test coins; null outside the sandbox */
  faucetUrl: string | null
}

/** A network that cannot be read now, and when it last was. */
export interface BlindModel {
  network: string
  at: string
  /** true if the network can be read, but not the address of the payment */
  isAddress: boolean
}

/** A payment that arrived, such as "0.1 LTC". */
export interface ReceivedPayment {
  amount: string
  at: string
  transaction: TransactionModel | null
}

/** A crypto payment whose time has run out. */
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
  /** true if anything is left to pay */
  isAsked: boolean
  /** true if the buyer has paid and the provider has yet to confirm it, such as a bank debit */
  isConfirming: boolean
}
