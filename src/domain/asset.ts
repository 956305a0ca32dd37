/**
 * The networks that a merchant can configure a payout wallet for, as in the specification's CryptoWallets.
 */
export const walletNetworks = [
  'evm',
  'btc',
  'bitcoincash',
  'ltc',
  'doge',
  'solana',
  'trc20',
  'zec',
  'xmr',
] as const
export type WalletNetwork = (typeof walletNetworks)[number]

/** Those that the specification lists in configuredCryptoNetworks. */
export const listedNetworks: readonly WalletNetwork[] = walletNetworks.slice(0, 7)

/** A coin or token on one chain. Amounts of it are integers of 10^-decimals, called atomic. */
export interface Asset {
  /**
   * network, slash, ticker in lower case; the chain alone for a chain's only asset: "ethereum/usdc", "btc"
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
  /** a quote is rounded up to this many places */
  quoteDecimals: number
  /** a smaller quote is not offered; atomic */
  minimum: bigint
  /** blocks, the payment's own included, until a payment is settled */
  confirmations: number
  /** settled by the chain's own word of finality where its node tells one, by confirmations elsewhere */
  finality: boolean
  /** EVM chains only */
  chainId: number | null
  /** token contract or mint; null for the chain's own coin */
  contract: string | null
}

export const chainOf = (assetId: string): string => assetId.split('/')[0]!
