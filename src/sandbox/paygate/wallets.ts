import type { State } from '../state.ts'
import { type Coin, callbackName, type Random } from './coins.ts'

const KIND = 'gateway.wallet'
const TOKENS = 'gateway.name'
const ADDRESSES = 'gateway.address'
/** The length of a token. Its base64 ends in padding, as the gateway's does, and must be URL-encoded. */
const TOKEN_BYTES = 49

export interface Callback {
  url: string
  headers: Record<string, string>
}

/** A temporary wallet, identified by its callback URL: the same URL always gets the same wallet. */
export interface Wallet {
  callbackUrl: string
  /** path of its coin */
  coin: string
  payout: string
  /** true if it is paid on a payment page, not by sending coins */
  isPage: boolean
  /** share of each address if the payout is split; null otherwise */
  shares: Record<string, string> | null
  address: string
  /** the address in the URL of the payment page */
  encryptedAddress: string
  ipnToken: string
  status: 'unpaid' | 'paid' | 'failed'
  paid: { value_coin: string; txid_out: string; coin: string } | null
  lastCallback: Callback | null
  /** received amount in its own coin, atomic, as a decimal string */
  received?: string
  createdAt: number
}

type WalletTerms = Pick<Wallet, 'callbackUrl' | 'payout' | 'shares' | 'isPage'>

export interface Wallets {
  open(coin: Coin, terms: WalletTerms): Wallet
  find(callbackUrl: string): Wallet | null
  /** Finds a wallet by its encrypted address or its IPN token. */
  findByToken(token: string): Wallet | null
  findByAddress(address: string): Wallet | null
  change(wallet: Wallet, change: Partial<Wallet>): void
}

export function openWallets(state: State, clock: () => number, random: Random): Wallets {
  const newToken = (): string => Buffer.from(random(TOKEN_BYTES)).toString('base64')
  const find = (callbackUrl: string): Wallet | null => state.get<Wallet>(KIND, callbackUrl)

  function make(coin: Coin, terms: WalletTerms): Wallet {
    const names = { address: coin.newAddress(random), encryptedAddress: newToken(), ipnToken: newToken() }
    const start = {
      status: 'unpaid',
      paid: null,
      lastCallback: null,
      received: '0',
      createdAt: clock(),
    } as const
    const wallet: Wallet = { ...terms, ...names, ...start, coin: coin.path }
    state.put(KIND, wallet.callbackUrl, wallet)
    state.put(ADDRESSES, wallet.address, wallet.callbackUrl)
    for (const token of [wallet.encryptedAddress, wallet.ipnToken])
      state.put(TOKENS, token, wallet.callbackUrl)
    return wallet
  }

  const lookup = (kind: string, id: string): Wallet | null => {
    const callbackUrl = state.get<string>(kind, id)
    return callbackUrl === null ? null : find(callbackUrl)
  }

  return {
    open: (coin, terms) => find(terms.callbackUrl) ?? make(coin, terms),
    find,
    findByToken: token => lookup(TOKENS, token),
    findByAddress: address => lookup(ADDRESSES, address),
    change: (wallet, change) => state.put(KIND, wallet.callbackUrl, { ...wallet, ...change }),
  }
}

/** The receiver of the money, in the format of callbacks. */
export const addressOut = ({ payout, shares }: Wallet): string => (shares ? JSON.stringify(shares) : payout)

export const callbackCoin = (wallet: Wallet): string => callbackName(wallet.coin)
