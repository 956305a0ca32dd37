interface NetworkInApi {
  /** true if the API lists it in configuredCryptoNetworks */
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
  /** the network of the payout wallet that receives it */
  network: WalletNetwork
  ticker: string
  /** the name that buyers read: "USDC on Ethereum" */
  name: string
  decimals: number
  /** decimals that a quote is rounded up to */
  quoteDecimals: number
  /** smallest quote that is offered, atomic */
  minimum: bigint
  /** blocks that settle a payment, including its own */
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
  /** "Bitcoin", "Tether" */
  coin: string
  ticker: string
  coinMark: Mark | null
  /** "TRON" */
  network: string
  networkMark: Mark | null
  /** "USDT · TRON (TRC20)", where TRC20 is what tokens of this network are called */
  label: string
  usual: Usual | null
  /** what the QR code holds by default: the payment URI, or only the address where wallets misread the URI */
  qr: 'uri' | 'address'
  /** a block explorer's page of a transaction, with `{txId}` for its ID; null if none is known */
  transactionUrl: string | null
}

export function chainOf(assetId: string): string {
  const end = assetId.indexOf('/')
  return end < 0 ? assetId : assetId.slice(0, end)
}
