import { Behind, NetworkError } from '../port.ts'
import { WrongChain } from '../rpc/failover.ts'
import { type CoinName, coinNamed, coins, publicGeneses } from './coins.ts'
import type { Reader } from './readers/reader.ts'

/**
 * Checks that an endpoint serves the main chain of a coin, or a private chain on this machine. Returns true
 * for a private chain. Throws WrongChain for any other chain, NetworkError for an endpoint that hides its
 * chain.
 */
export async function verifyChain(reader: Reader, coin: CoinName, chain: string): Promise<boolean> {
  const wrong = (what: string): WrongChain =>
    new WrongChain(`serves ${what}, which is not the main chain of ${chain}; name another endpoint`)
  const { name, isMain } = await reader.identity()
  const named = name === null ? undefined : coinNamed(name)
  if (named !== undefined && named !== coin) throw wrong(named)
  const [genesis = null] = (await reader.hashes([0])) ?? []
  if (genesis === coins[coin].genesis) {
    await verifyCheckpoint(reader, coin, wrong)
    return false
  }
  if (genesis !== null && publicGeneses.has(genesis)) throw wrong('another public chain')
  if (genesis === null && named === coin && isMain !== false) return reader.isLocal
  if (reader.isLocal) return true
  if (genesis !== null || name !== null) throw wrong(genesis === null ? 'another coin' : 'a private chain')
  throw new NetworkError('does not report which chain it serves')
}

/**
 * Checks that the chain has a block that its forks do not have, since all of them have the same genesis
 * block.
 */
async function verifyCheckpoint(
  reader: Reader,
  coin: CoinName,
  wrong: (what: string) => WrongChain,
): Promise<void> {
  const { checkpoint } = coins[coin]
  if (checkpoint === null) return
  const [hash = null] = (await reader.hashes([checkpoint.height])) ?? []
  if (hash === null) throw new Behind(`has not reached block ${checkpoint.height} yet`)
  if (hash !== checkpoint.hash) throw wrong('a fork')
}
