/** What a buyer's page shows: plain data, already in words and texts. */
export interface CheckoutModel {
  orderId: string
  merchantName: string
  /** the merchant's own name for the order, or the start of ours */
  reference: string
  amount: string
  description: string | null
  /** ISO instants */
  now: string
  expiresAt: string
  /** how many payments were begun: the choice is left when there is one more */
  attempts: number
  returnUrl: string | null
  supportEmail: string | null
  part: Part
}

export type Part =
  | ChoosePart
  | CryptoPart
  | RedirectPart
  | LapsedPart
  | { kind: 'paid'; paidAt: string; paidWith: string | null }
  | { kind: 'expired' }
  | { kind: 'cancelled' }
  | { kind: 'failed' }
  | { kind: 'blocked' }

export interface CoinChoice {
  ticker: string
  networks: { assetId: string; name: string; amount: string }[]
}

export interface ChoosePart {
  kind: 'choose'
  methods: { key: string; name: string; note: string | null }[]
  /** by coin, each with the networks that it can be sent on */
  coins: CoinChoice[]
  providerAway: boolean
  /** whether a payment stands already, that the buyer may go back to */
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
  qr: { svg: string; holds: 'uri' | 'address' }
  lockedUntil: string
  state: 'waiting' | 'underpaid' | 'confirming'
  received: string | null
  remainingAtomic: string | null
  confirmations: number
  requiredConfirmations: number | null
  /** what one coin was taken for, as a buyer reads it */
  rate: string | null
  /** other buyers pay to this address too: only the exact amount tells them apart */
  isShared: boolean
  /** where test coins come from; nothing outside of a sandbox */
  faucetUrl: string | null
}

/** The lock of a crypto payment is over. */
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
