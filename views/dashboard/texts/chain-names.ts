/** Names of chains for people. `test/unit/views/chain-names.test.ts` compares them with those of `coins`. */
const names: Record<string, string> = {
  btc: 'Bitcoin',
  ltc: 'Litecoin',
  doge: 'Dogecoin',
  bitcoincash: 'Bitcoin Cash',
  zec: 'Zcash',
  xmr: 'Monero',
  trc20: 'TRON',
  solana: 'Solana',
  ethereum: 'Ethereum',
  polygon: 'Polygon',
  base: 'Base',
  bsc: 'BNB Smart Chain',
  arbitrum: 'Arbitrum',
  optimism: 'Optimism',
}

/** The name of a chain; an unknown ID stays unchanged. */
export const chainName = (chain: string): string => names[chain] ?? chain
