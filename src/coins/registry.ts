import type { Asset, WalletNetwork } from '../domain/asset.ts'
import { assert } from '../domain/errors.ts'
import { chains as knownChains } from './chains.ts'
import { type InvoiceNetwork, lightning } from './lightning.ts'
import type { Chain, Coin, CoinOnChain, Family, KeyPrefix, WalletRules } from './types.ts'

/** All chains with their wallets, coins and assets. Every table about coins is derived from a registry. */
export interface Registry {
  chains: readonly Chain[]
  /** each wallet once, in the order of the chains */
  wallets: readonly WalletRules[]
  /** each coin once, in the order of the chains */
  coins: readonly Coin[]
  assets: readonly Asset[]
  chain(id: string): Chain | undefined
  /** Returns a network whose payments are invoices, by the ID of its asset. */
  invoices(id: string): InvoiceNetwork | undefined
  /**
   * Returns the name that buyers see for a chain, or for a service that issues invoices. Returns the ID
   * itself if it is not in the registry.
   */
  chainName(id: string): string
  /** Returns the rules of a network, which must be the network of a chain. */
  wallet(network: WalletNetwork): WalletRules
  family(network: WalletNetwork): Family
}

const toAsset = (
  chain: Chain,
  { id, coin, decimals, quoteDecimals, minimum, contract }: CoinOnChain,
): Asset => ({
  id,
  chain: chain.id,
  network: chain.wallet.network,
  ticker: coin.ticker,
  name: id === chain.id ? chain.name : `${coin.ticker} on ${chain.name}`,
  decimals,
  quoteDecimals,
  minimum,
  confirmations: chain.confirmations,
  finality: chain.finality,
  chainId: chain.family === 'evm' ? chain.chainId : null,
  contract,
})

/** The prefixes of a network's extended public keys. */
export const prefixesOf = ({ accountKeys }: WalletRules): readonly KeyPrefix[] =>
  'instead' in accountKeys ? [] : accountKeys.prefixes

const invoiceNetworks = new Map([[lightning.id, lightning]])

/**
 * The assets of a chain. After Bitcoin's own assets come those of the networks that issue invoices in
 * bitcoin.
 */
const assetsOf = (chain: Chain): Asset[] => [
  ...chain.assets.map(asset => toAsset(chain, asset)),
  ...[...invoiceNetworks.values()].flatMap(({ asset }) =>
    asset.network === chain.wallet.network ? [asset] : [],
  ),
]

export function makeRegistry(chains: readonly Chain[]): Registry {
  const byId = new Map(chains.map(chain => [chain.id, chain]))
  const byNetwork = new Map(chains.map(chain => [chain.wallet.network, chain]))
  const chainOn = (network: WalletNetwork): Chain => {
    const chain = byNetwork.get(network)
    assert(chain, `${network} is the network of a chain`)
    return chain
  }
  return {
    chains,
    wallets: [...new Set(chains.map(({ wallet }) => wallet))],
    coins: [...new Set(chains.flatMap(({ assets }) => assets.map(({ coin }) => coin)))],
    assets: chains.flatMap(assetsOf),
    chain: id => byId.get(id),
    invoices: id => invoiceNetworks.get(id),
    chainName(id) {
      const [chain = '', service] = id.split('/')
      const name = (byId.get(chain) ?? invoiceNetworks.get(chain))?.name
      if (name === undefined) return id
      return service === undefined ? name : `${name} (${service})`
    },
    wallet: network => chainOn(network).wallet,
    family: network => chainOn(network).family,
  }
}

/** The registry of the chains that Florin knows. */
export const registry = makeRegistry(knownChains)
