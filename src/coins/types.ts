import type { Script, SourceKind } from '../domain/address-source.ts'
import type { Mark, Usual, WalletNetwork } from '../domain/asset.ts'

/** The exchanges that Florin can read prices from. */
export const exchangeNames = ['kraken', 'coinbase', 'binance', 'coingecko'] as const
export type ExchangeName = (typeof exchangeNames)[number]

/** The names of a coin at each exchange; null where the coin is not traded. */
export interface ExchangeTickers {
  /** the name of the pair with the US dollar, in requests (`pair`) and in responses (`result`) */
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
  /** the name that buyers see, such as "Bitcoin" */
  name: string
  exchanges: ExchangeTickers
  /** the price in US dollars in the sandbox */
  sandboxUsd: string
  icon: Mark
}

/** A coin or token on one chain. */
export interface CoinOnChain {
  /**
   * the asset's ID: the chain's ID if the chain has only one asset, otherwise the chain, a slash and the
   * ticker
   */
  id: string
  coin: Coin
  decimals: number
  /** quotes are rounded up to this many decimals */
  quoteDecimals: number
  /** the smallest payment that the network relays, or that an account must hold to exist, in atomic units */
  minimum: bigint
  /** the contract or mint of a token; null for the chain's own coin */
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
  /** the versions of script addresses: all are accepted, and the first is used for new addresses */
  p2sh: readonly [Version, ...Version[]]
  /** the human-readable part of segwit addresses; null without segwit */
  segwit: string | null
  /** true if wallets have accounts of taproot addresses, as in BIP86 */
  hasTaprootAccounts: boolean
  /** the prefix of CashAddr addresses; null for a chain without them */
  cashAddr: string | null
}

/** The address format of a network. */
export type AddressFormat = BitcoinAddressFormat | { kind: 'evm' | 'tron' | 'solana' | 'monero' }

/** A prefix of extended public keys (SLIP-132): four bytes, and their meaning. */
export interface KeyPrefix {
  name: string
  version: number
  /** the only script for keys with the prefix; null if it can be any */
  script: Script | null
}

/** The extended public keys that addresses of a network can be derived from. */
export interface AccountKeys {
  /** the prefixes that wallets of the network use, in the order in which errors list them */
  prefixes: readonly KeyPrefix[]
  /** the derivation path of a wallet's first account */
  path: string
  /** true if some wallets, such as Electrum, derive addresses directly below the root or its first child */
  hasRootWallets: boolean
}

/** The standard of the URIs that wallet apps open for a payment. */
export type PaymentUri =
  | { standard: 'bip21'; scheme: string }
  | { standard: 'erc681' | 'solana-pay' | 'tron' | 'monero' }

/**
 * The rules for a merchant's payout wallets on one network. All EVM chains share one network; any other chain
 * is a network of its own.
 */
export interface WalletRules {
  network: WalletNetwork
  address: AddressFormat
  /** the extended public keys; for a network without them, a sentence that says what to do instead */
  accountKeys: AccountKeys | { instead: string }
  /** the possible sources of addresses, the best first */
  sources: readonly SourceKind[]
  paymentUri: PaymentUri
}

interface ChainBase {
  /** the chain's ID: the part of its assets' IDs before the slash */
  id: string
  /** the name that buyers see */
  name: string
  wallet: WalletRules
  /** blocks until a payment is settled, its own block included */
  confirmations: number
  /**
   * true if a payment settles when its node reports finality, or after `confirmations` if the node does not
   * report it
   */
  finality: boolean
  /** the average time between two blocks, used to recognize a node that has stopped */
  blockTimeMs: number
  endpoints: {
    /** the name in `FLORIN_…_URL`, in lower case */
    setting: string
    /**
     * the protocols of endpoints; an operator may leave the prefix of a URL out if there is only one protocol
     */
    protocols: readonly [string, ...string[]]
    /** the protocols that find payments in the coin; left out if all do */
    coinProtocols?: readonly string[]
  }
  icon: Mark
  /** the name of the chain's tokens in wallets and at exchanges, such as "ERC20"; null without tokens */
  tokenStandard: string | null
  /** the usual fee and time of a token transfer, or of a coin transfer on a chain without tokens */
  usual: Usual
  /**
   * the URLs of an explorer, in which {address} and {txId} are replaced; `address` is null where the explorer
   * shows no addresses
   */
  explorer: { address: string | null; transaction: string }
  /** the chain's assets, in the order in which buyers see them */
  assets: readonly [CoinOnChain, ...CoinOnChain[]]
}

/** A chain like Bitcoin. */
export interface BitcoinChain extends ChainBase {
  family: 'bitcoin'
  wallet: WalletRules & { address: BitcoinAddressFormat }
  /** the hash of the chain's first block */
  genesis: string
  /** a block that only this chain has, to tell it from forks with the same first block; null without forks */
  checkpoint: { height: number; hash: string } | null
  /** the chain's names in Blockbook, in lower case, letters only */
  blockbookNames: readonly [string, ...string[]]
  /** the longest pause between blocks before a node counts as stopped; long, since blocks come at random */
  staleMs: number
}

export interface EvmChain extends ChainBase {
  family: 'evm'
  chainId: number
}

/** A chain that is the only one of its family. */
export interface OtherChain extends ChainBase {
  family: 'tron' | 'solana' | 'monero'
}

export type Chain = BitcoinChain | EvmChain | OtherChain
export type Family = Chain['family']
