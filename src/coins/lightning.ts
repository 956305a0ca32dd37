import type { Asset, Mark, Usual } from '../domain/asset.ts'
import { bitcoin } from './bitcoin.ts'

/** A network without a chain of its own: its payments are invoices of the merchants' wallets. */
export interface InvoiceNetwork {
  /** the network's ID, which is also the ID of its only asset and the name of its chain */
  id: string
  /** the name that buyers see */
  name: string
  icon: Mark
  usual: Usual
  asset: Asset
}

const [{ coin, decimals, quoteDecimals }] = bitcoin.assets

export const lightning: InvoiceNetwork = {
  id: 'lightning',
  name: 'Lightning',
  icon: {
    color: '#f7931a',
    path: 'M18.6,4.5 8.2,17.6h6.5L12.4,27.5 23.8,13.6H17z',
  },
  usual: { feeUsd: '0.01', seconds: 2 },
  asset: {
    id: 'lightning',
    chain: 'lightning',
    network: bitcoin.wallet.network,
    ticker: coin.ticker,
    name: 'Bitcoin (Lightning)',
    decimals,
    quoteDecimals,
    minimum: 1n,
    confirmations: 1,
    finality: true,
    chainId: null,
    contract: null,
  },
}
