import type { BitcoinNetwork } from '../../coins/chains.ts'
import { type Registry, registry } from '../../coins/registry.ts'
import type { BitcoinAddressFormat, BitcoinChain } from '../../coins/types.ts'

/** The networks of chains like Bitcoin. */
export type CoinName = BitcoinNetwork

type CoinFacts = Pick<BitcoinChain, 'genesis' | 'checkpoint' | 'blockbookNames' | 'blockTimeMs' | 'staleMs'>

interface Coin extends CoinFacts {
  addressFormat: BitcoinAddressFormat
}

/** The facts about each chain like Bitcoin that scans need, by network. */
export const coinsOf = ({ chains }: Registry): Record<CoinName, Coin> =>
  Object.fromEntries(
    chains.flatMap(chain => {
      if (chain.family !== 'bitcoin') return []
      const { genesis, checkpoint, blockbookNames, blockTimeMs, staleMs, wallet } = chain
      const facts = { genesis, checkpoint, blockbookNames, blockTimeMs, staleMs }
      const coin: Coin = { ...facts, addressFormat: wallet.address }
      return [[wallet.network, coin]]
    }),
  ) as Record<CoinName, Coin>

export const coins = coinsOf(registry)

/** The first blocks of public test chains, whose coins are worth nothing. */
const testnetGeneses = [
  '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
  '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
  '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
  '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
  'bb0a78264637406b6360aad926284d544d7049f45189db5664f3c4d07350559e',
  '05a60a92d99d85997cce3b87616c089f6124d7342af37106edc76126334a2c38',
]

/** The first blocks of all public chains. A chain with another first block is private. */
export const publicGeneses: ReadonlySet<string> = new Set([
  ...Object.values(coins).map(({ genesis }) => genesis),
  ...testnetGeneses,
])

export const coinNamed = (name: string): CoinName | undefined => {
  const letters = name.toLowerCase().replace(/[^a-z]/g, '')
  return (Object.keys(coins) as CoinName[]).find(coin => coins[coin].blockbookNames.includes(letters))
}
