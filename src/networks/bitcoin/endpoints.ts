import { assert, asserted } from '../../domain/errors.ts'
import { Behind, NetworkError, type NetworkOptions } from '../port.ts'
import { distinct, Endpoints } from '../rpc/failover.ts'
import { HttpEndpoint } from '../rpc/http.ts'
import { type CoinName, coins } from './coins.ts'
import { BlockbookReader } from './readers/blockbook.ts'
import { CoreReader } from './readers/core.ts'
import { EsploraReader } from './readers/esplora.ts'
import type { Reader, Tip } from './readers/reader.ts'
import { verifyChain } from './verify.ts'

/** One endpoint, and what is remembered about it. */
export interface BitcoinNode {
  reader: Reader
  /** true if the endpoint serves a private chain on this machine, which may pause for any time */
  isPrivate: boolean
  /** the highest tip that the endpoint has reported; negative before its first report */
  highestTip: number
}

/** The longest response that is read: a full block with all transactions as JSON is not longer. */
const RESPONSE_BYTES_MAX = 64 * 1024 * 1024
/**
 * The time limit of a request. A node takes seconds to write the longest response, but a buyer who opens a
 * payment has to wait for it.
 */
const TIMEOUT_MS = 20_000

const readers: Record<string, (endpoint: HttpEndpoint, coin: CoinName) => Reader> = {
  esplora: endpoint => new EsploraReader(endpoint),
  blockbook: (endpoint, coin) => new BlockbookReader(endpoint, coin),
  core: endpoint => new CoreReader(endpoint),
}

/** The endpoints of one coin. Each endpoint must prove that it serves the coin's chain before it is used. */
export function bitcoinEndpoints(coin: CoinName, options: NetworkOptions): Endpoints<BitcoinNode> {
  const { chain, clock, healthOf } = options
  const endpoints = distinct(options.endpoints)
  const limits = { ...options, timeoutMs: TIMEOUT_MS, maxBytes: RESPONSE_BYTES_MAX }
  const nodes = endpoints.map(({ protocol, url }): BitcoinNode => {
    const makeReader = readers[protocol]
    assert(makeReader, `${protocol} is a protocol of ${chain}`)
    return { reader: makeReader(new HttpEndpoint(url, limits), coin), isPrivate: false, highestTip: -1 }
  })
  return new Endpoints<BitcoinNode>({
    chain,
    members: nodes.map((node, at) => ({
      host: node.reader.host,
      node,
      health: healthOf?.(asserted(endpoints[at], 'each node has its endpoint').url),
    })),
    clock,
    async verifyChain(node) {
      node.isPrivate = await verifyChain(node.reader, coin, chain)
      await readTip(node, coin, clock())
    },
  })
}

/** Reads the newest block. Throws NetworkError for a node that has stopped following its chain. */
export async function readTip({ reader, isPrivate }: BitcoinNode, coin: CoinName, now: number): Promise<Tip> {
  const tip = await reader.tip()
  if (isPrivate) return tip
  if (tip.problem !== null) throw new NetworkError(tip.problem)
  if (tip.at !== null && now - tip.at > coins[coin].staleMs) {
    throw new Behind(`has not advanced past block ${tip.height}`)
  }
  return tip
}
