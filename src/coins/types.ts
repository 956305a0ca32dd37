import type { Script, SourceKind } from '../domain/address-source.ts'
import type { Mark, Usual, WalletNetwork } from '../domain/asset.ts'

/** The exchanges that Florin can read prices from. */
export const exchangeNames = ['kraken', 'coinbase', 'binance', 'coingecko'] as const
export type ExchangeName = (typeof exchangeNames)[number]

/** What each exchange calls a coin; null where it does not trade the coin. */
export interface ExchangeTickers {
  /** the pair with the US dollar, as requested and as the response names it */
  kraken: { pair: string; result: string } | null
  coinbase: string | null
  /** the pair with USDT */
  binance: string | null
  /** CoinGecko's own id */
  coingecko: string | null
}

/** A coin or token as markets know it, on any chain. */
export interface Coin {
  ticker: string
  /** as a buyer knows it: "Bitcoin" */
  name: string
  exchanges: ExchangeTickers
  /** what the sandbox says that one costs in US dollars */
  sandboxUsd: string
  icon: Mark
}

/** A coin or token on one chain. */
export interface CoinOnChain {
  /** the chain alone for the only asset of a chain, otherwise the chain, a slash and the ticker */
  id: string
  coin: Coin
  decimals: number
  /** a quote is rounded up to this many decimals */
  quoteDecimals: number
  /** atomic: what the network relays (dust), or what an account must hold to exist */
  minimum: bigint
  /** token contract or mint; null for the chain's own coin */
  contract: string | null
  /** the path of the coin in the API of PayGate; null where PayGate does not offer it */
  paygatePath: string | null
}

/** The bytes before the hash in a base58check address. */
export type Version = readonly number[]

/** The address rules of a chain like Bitcoin. */
export interface BitcoinAddressFormat {
  kind: 'bitcoin'
  p2pkh: Version
  /** the first is used for new addresses; each is accepted */
  p2sh: readonly [Version, ...Version[]]
  /** the human-readable part of segwit addresses; null without segwit */
  segwit: string | null
  /** wallets have accounts of taproot addresses, as in BIP86 */
  hasTaprootAccounts: boolean
  /** the prefix of CashAddr addresses; null for a chain without them */
  cashAddr: string | null
}

/** How a network writes its addresses. */
export type AddressFormat = BitcoinAddressFormat | { kind: 'evm' | 'tron' | 'solana' | 'monero' }

/** The first four bytes of an extended public key (SLIP-132), and what they mean. */
export interface KeyPrefix {
  name: string
  version: number
  /** the only script that such a key is for; null where it may be for any */
  script: Script | null
}

/** The extended public keys that addresses of a network can be derived from. */
export interface AccountKeys {
  /** the prefixes that wallets of the network use, as an error lists them */
  prefixes: readonly KeyPrefix[]
  /** where wallets keep their first account */
  path: string
  /** whether wallets such as Electrum derive addresses directly below the root or its first child */
  hasRootWallets: boolean
}

/** What a wallet app opens for a payment. */
export type PaymentUri =
  | { standard: 'bip21'; scheme: string }
  | { standard: 'erc681' | 'solana-pay' | 'tron' | 'monero' }

/** One payout wallet of a merchant: one for all EVM chains, and one for each other chain. */
export interface WalletRules {
  network: WalletNetwork
  address: AddressFormat
  /** extended public keys; where a network has none, what a merchant should do instead */
  accountKeys: AccountKeys | { instead: string }
  /** the possible sources of addresses, the best first */
  sources: readonly SourceKind[]
  paymentUri: PaymentUri
}

interface ChainBase {
  /** the part of its assets' ids before the slash */
  id: string
  /** as a buyer reads it */
  name: string
  wallet: WalletRules
  /** blocks until a payment is settled, its own block included */
  confirmations: number
  /** whether reported finality settles a payment; confirmations are used where a node reports none */
  finality: boolean
  /** average time between two blocks, from which a node that stopped following the chain is recognised */
  blockTimeMs: number
  endpoints: {
    /** the name in FLORIN_…_URL, in lower case */
    setting: string
    /** the protocols that an endpoint may speak; the prefix may be left out where there is only one */
    protocols: readonly [string, ...string[]]
    /** the protocols that find payments in the coin; all of them where this is left out */
    coinProtocols?: readonly string[]
  }
  icon: Mark
  /** what its tokens are called in wallets and at exchanges, such as "ERC20"; null without tokens */
  tokenStandard: string | null
  /** of a transfer of a token, or of its coin where it has none */
  usual: Usual
  /** where people look things up: {address} and {txId} are replaced; null where nothing can be looked up */
  explorer: { address: string | null; transaction: string }
  /** in the order in which buyers see them */
  assets: readonly [CoinOnChain, ...CoinOnChain[]]
}

/** A chain like Bitcoin. */
export interface BitcoinChain extends ChainBase {
  family: 'bitcoin'
  wallet: WalletRules & { address: BitcoinAddressFormat }
  /** the hash of its first block */
  genesis: string
  /** a block that only this chain has, where forks share its first block; null without forks */
  checkpoint: { height: number; hash: string } | null
  /** the names that Blockbook uses for it: lower case, letters only */
  blockbookNames: readonly [string, ...string[]]
  /** the longest pause between blocks before a node counts as stopped; blocks come at random here */
  staleMs: number
}

export interface EvmChain extends ChainBase {
  family: 'evm'
  chainId: number
}

/** Chains that are the only one of their family. */
export interface OtherChain extends ChainBase {
  family: 'tron' | 'solana' | 'monero'
}

export type Chain = BitcoinChain | EvmChain | OtherChain
export type Family = Chain['family']
