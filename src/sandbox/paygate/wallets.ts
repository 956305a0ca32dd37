import type { State } from '../state.ts'
import { type Coin, type Random, spelled } from './coins.ts'

const KIND = 'gateway.wallet'
const NAMES = 'gateway.name'
const ADDRESSES = 'gateway.address'
/** With 49 bytes, base64 ends in padding, as the gateway's tokens do: it has to be encoded in a URL. */
const TOKEN_BYTES = 49

export interface Callback {
  url: string
  headers: Record<string, string>
}

/** A temporary wallet. Its callback URL is its id: a request with the same one returns the same wallet. */
export interface Wallet {
  callbackUrl: string
  /** path of the coin that it was opened for */
  coin: string
  payout: string
  /** paid on a page, not by sending coins to the address */
  isPage: boolean
  /** the shares by address, if the payout is split */
  shares: Record<string, string> | null
  address: string
  /** the address as the payment page knows it */
  sealed: string
  ipnToken: string
  status: 'unpaid' | 'paid' | 'failed'
  paid: { value_coin: string; txid_out: string; coin: string } | null
  last: Callback | null
  /** what arrived in its own coin, atomic, as a decimal string */
  received?: string
  createdAt: number
}

type Terms = Pick<Wallet, 'callbackUrl' | 'payout' | 'shares' | 'isPage'>

export interface Wallets {
  open(coin: Coin, terms: Terms): Wallet
  find(callbackUrl: string): Wallet | null
  /** By its sealed address, or by its token. */
  named(name: string): Wallet | null
  /** By the address that receives its payment. */
  at(address: string): Wallet | null
  change(wallet: Wallet, change: Partial<Wallet>): void
}

export function openWallets(state: State, clock: () => number, random: Random): Wallets {
  const token = (): string => Buffer.from(random(TOKEN_BYTES)).toString('base64')
  const find = (callbackUrl: string): Wallet | null => state.get<Wallet>(KIND, callbackUrl)

  function make(coin: Coin, terms: Terms): Wallet {
    const names = { address: coin.newAddress(random), sealed: token(), ipnToken: token() }
    const start = { status: 'unpaid', paid: null, last: null, received: '0', createdAt: clock() } as const
    const wallet: Wallet = { ...terms, ...names, ...start, coin: coin.path }
    state.put(KIND, wallet.callbackUrl, wallet)
    state.put(ADDRESSES, wallet.address, wallet.callbackUrl)
    for (const name of [wallet.sealed, wallet.ipnToken]) state.put(NAMES, name, wallet.callbackUrl)
    return wallet
  }

  const findBy = (kind: string, id: string): Wallet | null => {
    const callbackUrl = state.get<string>(kind, id)
    return callbackUrl === null ? null : find(callbackUrl)
  }

  return {
    open: (coin, terms) => find(terms.callbackUrl) ?? make(coin, terms),
    find,
    named: name => findBy(NAMES, name),
    at: address => findBy(ADDRESSES, address),
    change: (wallet, change) => state.put(KIND, wallet.callbackUrl, { ...wallet, ...change }),
  }
}

/** Where the money went, as the wallet's callbacks say it. */
export const addressOut = ({ payout, shares }: Wallet): string => (shares ? JSON.stringify(shares) : payout)

export const coinOf = (wallet: Wallet): string => spelled(wallet.coin)
