/** Chains as people read them. `test/unit/views/chain-names.test.ts` compares them with those of `coins`. */
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

/** The name of a chain; what is not known stays as it is. */
export const chainName = (chain: string): string => names[chain] ?? chain

/** What a coin of this ID is called: `name` puts its ticker and its chain together. */
export function coinName(assetId: string, name: (ticker: string, chain: string) => string): string {
  const [chain = '', ticker] = assetId.split('/')
  return ticker === undefined ? chainName(chain) : name(ticker.toUpperCase(), chainName(chain))
}
