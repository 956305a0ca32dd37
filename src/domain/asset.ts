interface NetworkInApi {
  /** whether the API lists it in configuredCryptoNetworks */
  listed: boolean
}

/**
 * The networks that a merchant can configure a payout wallet for, in the order of the API's
 * `cryptoWallets`.
 */
const networks = {
  evm: { listed: true },
  btc: { listed: true },
  bitcoincash: { listed: true },
  ltc: { listed: true },
  doge: { listed: true },
  solana: { listed: true },
  trc20: { listed: true },
  zec: { listed: false },
  xmr: { listed: false },
} as const satisfies Record<string, NetworkInApi>

export type WalletNetwork = keyof typeof networks

/** The networks of a table that are listed, in its order. */
export const listedIn = <Name extends string>(table: Record<Name, NetworkInApi>): Name[] =>
  (Object.keys(table) as Name[]).filter(name => table[name].listed)

export const walletNetworks = Object.keys(networks) as WalletNetwork[]

export const listedNetworks: readonly WalletNetwork[] = listedIn(networks)

/** A coin or token on one chain. Amounts of it are integers of 10^-decimals, called atomic. */
export interface Asset {
  /**
   * chain, slash, ticker in lower case; the chain alone for the only asset of a chain: "ethereum/usdc", "btc"
   */
  id: string
  /** the part before the slash: "ethereum" */
  chain: string
  /** whose payout wallet receives it */
  network: WalletNetwork
  ticker: string
  /** as a buyer reads it: "USDC on Ethereum" */
  name: string
  decimals: number
  /** a quote is rounded up to this many decimals */
  quoteDecimals: number
  /** a smaller quote is not offered; atomic */
  minimum: bigint
  /** blocks, the payment's own included, until a payment is settled */
  confirmations: number
  /** whether reported finality settles a payment; confirmations are used where a node reports none */
  finality: boolean
  /** EVM chains only */
  chainId: number | null
  /** token contract or mint; null for the chain's own coin */
  contract: string | null
}

/** The sign of a coin or chain: a white shape on a disc, which fills a grid of 32 by 32. */
export interface Mark {
  /** of the disc */
  color: string
  /** of the shape, in the notation of SVG paths */
  path: string
}

/** What a buyer may expect of a transfer: an estimate, which no rule depends on. */
export interface Usual {
  /** what the network takes, in US dollars */
  feeUsd: string
  /** until a payment is settled */
  seconds: number
}

/** How pages show an asset. What an operator added in a file has no icons and no estimates. */
export interface AssetLook {
  /** "Bitcoin", "Tether" */
  coin: string
  coinMark: Mark | null
  /** "TRON" */
  network: string
  networkMark: Mark | null
  /** what a token of this network is called, such as "TRC20"; null for its own coin */
  standard: string | null
  usual: Usual | null
  /**
   * what the QR code of a payment holds first: the whole URI, or only the address where wallets that read the
   * URI badly lose money or refuse it
   */
  qr: 'uri' | 'address'
  /** where people look a transaction up, with {txId} in its place; null where none is known */
  transactionUrl: string | null
}

export const chainOf = (assetId: string): string => assetId.replace(/\/.*/s, '')
