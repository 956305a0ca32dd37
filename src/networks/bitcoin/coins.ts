import type { WalletNetwork } from '../../domain/asset.ts'

/** The networks that are chains of Bitcoin's kind. */
export type CoinName = Extract<WalletNetwork, 'btc' | 'ltc' | 'doge' | 'bitcoincash' | 'zec'>

interface Coin {
  genesis: string
  /** a block that only this chain holds, of those that share its genesis: its forks */
  checkpoint: { height: number; hash: string } | null
  /** as Blockbook calls it, lower case, letters alone */
  names: readonly string[]
  /** the main chain never pauses so long */
  staleMs: number
}

const HOUR_MS = 3600_000

const BITCOIN_GENESIS = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'

export const coins: Record<CoinName, Coin> = {
  btc: {
    genesis: BITCOIN_GENESIS,
    // The halving of 2024, after all forks that had a market.
    checkpoint: { height: 840_000, hash: '0000000000000000000320283a032748cef8227873ff4872689bf23f1cda83a5' },
    names: ['bitcoin', 'btc'],
    staleMs: 6 * HOUR_MS,
  },
  bitcoincash: {
    genesis: BITCOIN_GENESIS,
    // The first block that neither Bitcoin, nor Bitcoin SV, nor eCash holds.
    checkpoint: { height: 661_648, hash: '0000000000000000029e471c41818d24b8b74c911071c4ef0b4a0509f9b5a8ce' },
    names: ['bitcoincash', 'bcash', 'bch'],
    staleMs: 6 * HOUR_MS,
  },
  ltc: {
    genesis: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
    checkpoint: null,
    names: ['litecoin', 'ltc'],
    staleMs: 2 * HOUR_MS,
  },
  doge: {
    genesis: '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691',
    checkpoint: null,
    names: ['dogecoin', 'doge'],
    staleMs: 2 * HOUR_MS,
  },
  zec: {
    genesis: '00040fe8ec8471911baa1db1266ea15dd06b4a8a5c453883c000b031973dce08',
    checkpoint: null,
    names: ['zcash', 'zec'],
    staleMs: 2 * HOUR_MS,
  },
}

/** Public chains whose coins are worth nothing: Bitcoin's testnets and signet, and those of its kin. */
const testnetGeneses = [
  '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
  '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
  '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
  '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
  'bb0a78264637406b6360aad926284d544d7049f45189db5664f3c4d07350559e',
  '05a60a92d99d85997cce3b87616c089f6124d7342af37106edc76126334a2c38',
]

/** Whoever serves one of these does not serve a chain of his own. */
export const publicGeneses: ReadonlySet<string> = new Set([
  ...Object.values(coins).map(({ genesis }) => genesis),
  ...testnetGeneses,
])

export const coinNamed = (name: string): CoinName | undefined => {
  const letters = name.toLowerCase().replace(/[^a-z]/g, '')
  return (Object.keys(coins) as CoinName[]).find(coin => coins[coin].names.includes(letters))
}
