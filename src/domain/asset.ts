interface NetworkInApi {
  /** whether the API lists a network in configuredCryptoNetworks */
  listed: boolean
}

/**
 * The networks that a merchant can configure a payout wallet for, in the order of the API's `cryptoWallets`.
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

export const listedIn = <Name extends string>(table: Record<Name, NetworkInApi>): Name[] =>
  (Object.keys(table) as Name[]).filter(name => table[name].listed)

export const walletNetworks = Object.keys(networks) as WalletNetwork[]

export const listedNetworks: readonly WalletNetwork[] = listedIn(networks)

/** A coin or token on one chain. Its amounts are integers of 10^-decimals, called atomic. */
export interface Asset {
  /** chain and ticker, such as "ethereum/usdc"; the chain alone if it has only one asset: "btc" */
  id: string
  /** the part before the slash: "ethereum" */
  chain: string
  /** the network of the payout wallet that receives the asset */
  network: WalletNetwork
  ticker: string
  /** the name that buyers read: "USDC on Ethereum" */
  name: string
  decimals: number
  /** number of decimals that a quote is rounded up to */
  quoteDecimals: number
  /** smallest quote that is offered, atomic */
  minimum: bigint
  /** number of blocks that settle a payment, including the payment's own block */
  confirmations: number
  /**
   * true if a payment settles once the node reports its block as final; `confirmations` count if a node
   * reports no finality
   */
  finality: boolean
  /** ID of an EVM chain; null for other chains */
  chainId: number | null
  /** token contract or mint; null for the chain's own coin */
  contract: string | null
}

/** The icon of a coin or chain: a white shape on a disc, in a grid of 32 by 32. */
export interface Mark {
  /** color of the disc, as in CSS */
  color: string
  /** the shape, as an SVG path */
  path: string
}

/** Usual cost and duration of a transfer. These are estimates for buyers; no rule uses them. */
export interface Usual {
  /** network fee in US dollars */
  feeUsd: string
  /** seconds until a payment is settled */
  seconds: number
}

/** The look of an asset on pages. Assets that an operator added in a file have no icons and no estimates. */
export interface AssetLook {
  assetId: string
  /** name of the coin: "Bitcoin", "Tether" */
  coin: string
  ticker: string
  coinMark: Mark | null
  /** name of the network: "TRON" */
  network: string
  networkMark: Mark | null
  /** ticker and network: "USDT · TRON (TRC20)", where TRC20 is what tokens of this network are called */
  label: string
  usual: Usual | null
  /** default content of the QR code: the payment URI, or only the address if wallets misread the URI */
  qr: 'uri' | 'address'
  /**
   * URL of a transaction in a block explorer, with `{txId}` for the transaction's ID; null if no explorer is
   * known
   */
  transactionUrl: string | null
}

export function chainOf(assetId: string): string {
  const end = assetId.indexOf('/')
  return end < 0 ? assetId : assetId.slice(0, end)
}
