import type { Asset, WalletNetwork } from '../domain/asset.ts'

/** How deep a payment has to be, in blocks with its own included. */
type Depth = Pick<Asset, 'confirmations' | 'finality'>

interface Chain {
  network: WalletNetwork
  /** as a buyer reads it */
  name: string
  chainId: number | null
  /** average time between two blocks, from which a node that stopped following the chain is recognised */
  blockTimeMs: number
  depth: Depth
}

/**
 * Finality is used where it comes in good time and means that no honest node can go back: Ethereum about 13
 * minutes, Polygon and BNB Smart Chain seconds, TRON about a minute (its solid block), Solana about 15
 * seconds. Base only repeats Ethereum's word on its batches, 20 minutes and more later, which is too long to
 * stand at a till, and so do Arbitrum and Optimism: all three are settled about a minute deep, by the word of
 * their sequencers. Arbitrum makes four blocks a second. Bitcoin and its kin have no finality. The
 * confirmations hold where a node tells no finality.
 */
const chains = {
  btc: {
    network: 'btc',
    name: 'Bitcoin',
    chainId: null,
    blockTimeMs: 600_000,
    depth: { confirmations: 1, finality: false },
  },
  ltc: {
    network: 'ltc',
    name: 'Litecoin',
    chainId: null,
    blockTimeMs: 150_000,
    depth: { confirmations: 2, finality: false },
  },
  doge: {
    network: 'doge',
    name: 'Dogecoin',
    chainId: null,
    blockTimeMs: 60_000,
    depth: { confirmations: 6, finality: false },
  },
  bitcoincash: {
    network: 'bitcoincash',
    name: 'Bitcoin Cash',
    chainId: null,
    blockTimeMs: 600_000,
    depth: { confirmations: 2, finality: false },
  },
  zec: {
    network: 'zec',
    name: 'Zcash',
    chainId: null,
    blockTimeMs: 75_000,
    depth: { confirmations: 10, finality: false },
  },
  xmr: {
    network: 'xmr',
    name: 'Monero',
    chainId: null,
    blockTimeMs: 120_000,
    depth: { confirmations: 10, finality: false },
  },
  trc20: {
    network: 'trc20',
    name: 'TRON',
    chainId: null,
    blockTimeMs: 3000,
    depth: { confirmations: 19, finality: true },
  },
  solana: {
    network: 'solana',
    name: 'Solana',
    chainId: null,
    blockTimeMs: 400,
    depth: { confirmations: 32, finality: true },
  },
  ethereum: {
    network: 'evm',
    name: 'Ethereum',
    chainId: 1,
    blockTimeMs: 12_000,
    depth: { confirmations: 12, finality: true },
  },
  polygon: {
    network: 'evm',
    name: 'Polygon',
    chainId: 137,
    blockTimeMs: 2000,
    depth: { confirmations: 40, finality: true },
  },
  base: {
    network: 'evm',
    name: 'Base',
    chainId: 8453,
    blockTimeMs: 2000,
    depth: { confirmations: 40, finality: false },
  },
  bsc: {
    network: 'evm',
    name: 'BNB Smart Chain',
    chainId: 56,
    blockTimeMs: 750,
    depth: { confirmations: 15, finality: true },
  },
  arbitrum: {
    network: 'evm',
    name: 'Arbitrum',
    chainId: 42161,
    blockTimeMs: 250,
    depth: { confirmations: 240, finality: false },
  },
  optimism: {
    network: 'evm',
    name: 'Optimism',
    chainId: 10,
    blockTimeMs: 2000,
    depth: { confirmations: 40, finality: false },
  },
} as const satisfies Record<string, Chain>

type ChainName = keyof typeof chains

/** id, ticker, decimals, places of a quote, smallest quote (atomic), contract or mint */
type Row = [
  id: ChainName | `${ChainName}/${string}`,
  ticker: string,
  decimals: number,
  quoteDecimals: number,
  minimum: bigint,
  contract: string | null,
]

/** A network that refuses no amount for its smallness. */
const ANY = 1n

/** The minimum is what the network relays (dust), or what an account must hold to exist. */
const rows: Row[] = [
  ['btc', 'BTC', 8, 8, 546n, null],
  ['ltc', 'LTC', 8, 8, 5460n, null],
  ['doge', 'DOGE', 8, 4, 1_000_000n, null],
  ['bitcoincash', 'BCH', 8, 8, 546n, null],
  ['zec', 'ZEC', 8, 8, 10_000n, null],
  ['xmr', 'XMR', 12, 8, ANY, null],
  ['trc20/trx', 'TRX', 6, 6, ANY, null],
  ['trc20/usdt', 'USDT', 6, 6, ANY, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['solana/sol', 'SOL', 9, 6, 890_880n, null],
  ['solana/usdc', 'USDC', 6, 6, ANY, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['solana/usdt', 'USDT', 6, 6, ANY, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'],
  ['ethereum/eth', 'ETH', 18, 8, ANY, null],
  ['ethereum/usdc', 'USDC', 6, 6, ANY, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
  ['ethereum/usdt', 'USDT', 6, 6, ANY, '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
  ['polygon/pol', 'POL', 18, 8, ANY, null],
  ['polygon/usdc', 'USDC', 6, 6, ANY, '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'],
  ['polygon/usdt', 'USDT', 6, 6, ANY, '0xc2132D05D31c914a87C6611C10748AEb04B58e8F'],
  ['base/eth', 'ETH', 18, 8, ANY, null],
  ['base/usdc', 'USDC', 6, 6, ANY, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  // Tether issues none on Base: this is the one that Optimism's own bridge brought from Ethereum.
  ['base/usdt', 'USDT', 6, 6, ANY, '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2'],
  ['bsc/bnb', 'BNB', 18, 8, ANY, null],
  // Binance's own issues of both have 18 decimals, unlike everywhere else.
  ['bsc/usdc', 'USDC', 18, 6, ANY, '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d'],
  ['bsc/usdt', 'USDT', 18, 6, ANY, '0x55d398326f99059fF775485246999027B3197955'],
  ['arbitrum/eth', 'ETH', 18, 8, ANY, null],
  ['arbitrum/usdc', 'USDC', 6, 6, ANY, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'],
  ['arbitrum/usdt', 'USDT', 6, 6, ANY, '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'],
  ['optimism/eth', 'ETH', 18, 8, ANY, null],
  ['optimism/usdc', 'USDC', 6, 6, ANY, '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'],
  ['optimism/usdt', 'USDT', 6, 6, ANY, '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58'],
]

function assetOf([id, ticker, decimals, quoteDecimals, minimum, contract]: Row): Asset {
  const chain = id.split('/')[0] as ChainName
  const { network, name, chainId, depth } = chains[chain]
  return {
    id,
    chain,
    network,
    ticker,
    name: id === chain ? name : `${ticker} on ${name}`,
    decimals,
    quoteDecimals,
    minimum,
    ...depth,
    chainId,
    contract,
  }
}

/** Every asset that the product knows, before an operator's file changes the table. */
export const assets: readonly Asset[] = rows.map(assetOf)

/** As a buyer reads a chain; its own id where the table does not know it. */
export const chainName = (chain: string): string =>
  Object.hasOwn(chains, chain) ? chains[chain as ChainName].name : chain

const DEFAULT_BLOCK_TIME_MS = 12_000

/** The average time between two blocks of a chain; an assumption for a chain that an operator added. */
export const blockTimeOf = (chain: string): number =>
  Object.hasOwn(chains, chain) ? chains[chain as ChainName].blockTimeMs : DEFAULT_BLOCK_TIME_MS

/** Whether an EVM chain id is one of the table: a private chain has another. */
export const isKnownChainId = (chainId: number): boolean =>
  Object.values(chains).some(chain => chain.chainId === chainId)
