import { assert } from '../../domain/errors.ts'
import { NetworkError, type WatcherOptions } from '../port.ts'
import { Endpoints, WrongChain } from '../rpc/failover.ts'
import { HttpEndpoint } from '../rpc/http.ts'
import { type CoinName, coinNamed, coins, publicGeneses } from './coins.ts'
import { BlockbookReader } from './readers/blockbook.ts'
import { CoreReader } from './readers/core.ts'
import { EsploraReader } from './readers/esplora.ts'
import type { Reader, Tip } from './readers/reader.ts'

/** One endpoint, with what was found out about it. */
export interface Node {
  reader: Reader
  /** a chain of one's own on this machine, which may pause for as long as it likes */
  isPrivate: boolean
  /** the highest block that it ever told; below zero before it told one */
  highestTip: number
}

/** A full block with all of its transactions as JSON, or a page of the largest transactions. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024
/** A node takes seconds to write that out. */
const TIMEOUT_MS = 30_000

const readers: Record<string, (upstream: HttpEndpoint, coin: CoinName) => Reader> = {
  esplora: upstream => new EsploraReader(upstream),
  blockbook: (upstream, coin) => new BlockbookReader(upstream, coin),
  core: upstream => new CoreReader(upstream),
}

/** The endpoints of one chain, each of which has to prove that it serves this one. */
export function nodesOf(coin: CoinName, { chain, endpoints, fetch, clock }: WatcherOptions): Endpoints<Node> {
  const nodes = endpoints.map(({ protocol, url }): Node => {
    const read = readers[protocol]
    assert(read, `${protocol} is a protocol of ${chain}`)
    const upstream = new HttpEndpoint(url, {
      fetch,
      clock,
      timeoutMs: TIMEOUT_MS,
      maxBytes: ANSWER_BYTES_MAX,
    })
    return { reader: read(upstream, coin), isPrivate: false, highestTip: -1 }
  })
  return new Endpoints<Node>({
    chain,
    members: nodes.map(node => ({ host: node.reader.host, node })),
    clock,
    async verifyChain(node) {
      node.isPrivate = await proveChain(node.reader, coin, chain)
      await tipOf(node, coin, clock())
    },
  })
}

/** The newest block of a node that follows its chain. Throws NetworkFault for any other. */
export async function tipOf({ reader, isPrivate }: Node, coin: CoinName, now: number): Promise<Tip> {
  const tip = await reader.tip()
  if (isPrivate) return tip
  if (tip.fault !== null) throw new NetworkError(tip.fault)
  if (tip.at !== null && now - tip.at > coins[coin].staleMs) {
    throw new NetworkError(`stands still at block ${tip.height}`)
  }
  return tip
}

/** Whether it is a chain of one's own. Throws WrongChain for another public chain, or one from elsewhere. */
async function proveChain(reader: Reader, coin: CoinName, chain: string): Promise<boolean> {
  const wrong = (what: string): WrongChain =>
    new WrongChain(`serves ${what}, which is not the main chain of ${chain}: name another endpoint`)
  const { name, isMain } = await reader.identity()
  const named = name === null ? undefined : coinNamed(name)
  if (named !== undefined && named !== coin) throw wrong(named)
  const [genesis = null] = (await reader.hashes([0])) ?? []
  if (genesis === coins[coin].genesis) {
    await proveCheckpoint(reader, coin, wrong)
    return false
  }
  if (genesis !== null && publicGeneses.has(genesis)) throw wrong('another public chain')
  if (genesis === null && named === coin && isMain !== false) return reader.isLocal
  if (reader.isLocal) return true
  if (genesis !== null || name !== null) throw wrong(genesis === null ? 'another coin' : 'a private chain')
  throw new NetworkError('does not tell which chain it serves')
}

async function proveCheckpoint(
  reader: Reader,
  coin: CoinName,
  wrong: (what: string) => WrongChain,
): Promise<void> {
  const { checkpoint } = coins[coin]
  if (checkpoint === null) return
  const [hash = null] = (await reader.hashes([checkpoint.height])) ?? []
  if (hash === null) throw new NetworkError(`has not reached block ${checkpoint.height} yet`)
  if (hash !== checkpoint.hash) throw wrong('a fork')
}
