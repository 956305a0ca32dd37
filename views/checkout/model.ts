/** What a checkout page shows, already formatted. */
export interface CheckoutModel {
  orderId: string
  merchantName: string
  /** the merchant's id for the order, or the end of ours */
  reference: string
  amount: string
  description: string | null
  /** ISO 8601, like every time below */
  now: string
  expiresAt: string
  /** the number of payments that were started */
  attempts: number
  /** when the buyer asked to check for a payment; null if they did not */
  checkedAt: string | null
  returnUrl: string | null
  supportEmail: string | null
  part: Part
  /** about money that did not pay the order, or was more than was due */
  notices: Notice[]
}

export interface Notice {
  attemptId: string
  title: string
  /** what arrived, a sentence or two for each payment */
  texts: string[]
  /** where the buyer can be refunded to; null if the money is not returned to an address */
  refund: { network: string; saved: string | null; problem: string | null } | null
}

export type Part =
  | ChoosePart
  | CryptoPart
  | RedirectPart
  | LapsedPart
  /** `coins` for a crypto payment, such as "0.001 BTC"; `method` for a payment through a provider */
  | { kind: 'paid'; paidAt: string; coins: string | null; method: string | null }
  /** `received` is what arrived of a crypto payment, such as "0.1 of 0.3 LTC" */
  | { kind: 'expired'; received: string | null }
  | { kind: 'cancelled' }
  | { kind: 'failed' }
  | { kind: 'blocked' }

export interface CoinChoice {
  ticker: string
  networks: { assetId: string; name: string; amount: string }[]
}

export interface ChoosePart {
  kind: 'choose'
  /** why the payment that was started last did not succeed; null when it did not fail */
  failure: { title: string; text: string } | null
  methods: { key: string; name: string; note: string | null }[]
  /** each with the networks that it can be sent on */
  coins: CoinChoice[]
  providerAway: boolean
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
  qr: { svg: string; content: 'uri' | 'address' }
  lockedUntil: string
  state: 'waiting' | 'underpaid' | 'confirming'
  received: string | null
  remaining: string | null
  /** the rest is too small to be asked for; the merchant decides about the order */
  lacksOnlyDust: boolean
  confirmations: number
  requiredConfirmations: number | null
  /** the price of one coin */
  rate: string | null
  /** other buyers pay to the same address, so a payment is identified by its exact amount */
  isShared: boolean
  /** the sandbox page that sends test coins; null outside the sandbox */
  faucetUrl: string | null
}

/** The time to pay in crypto has run out. */
export interface LapsedPart {
  kind: 'lapsed'
  assetId: string
  assetName: string
  ticker: string
  received: string | null
  amount: string
}

export interface RedirectPart {
  kind: 'redirect'
  methodKey: string
  methodName: string
  state: 'waiting' | 'underpaid'
}
