import { asserted } from '../../domain/errors.ts'
import { type AssetGroup, makeNetwork } from '../make-network.ts'
import { type Network, NetworkError, type NetworkOptions } from '../port.ts'
import { Doubts, withSecondLook } from '../rpc/doubts.ts'
import { distinct, Endpoints } from '../rpc/failover.ts'
import { HttpEndpoint } from '../rpc/http.ts'
import { BlockReader } from './block-reader.ts'
import { Daemon } from './daemon.ts'
import { scan } from './scan.ts'
import { startWatch } from './start-watch.ts'
import { verifyChain } from './verify.ts'

interface MoneroOptions extends NetworkOptions {
  timeoutMs?: number
  /** the longest response that is accepted */
  maxBytes?: number
  /** the number of blocks that one scan reads; a watch has no result while some of its blocks are unread */
  blocksAtOnce?: number
}

const BLOCKS_AT_ONCE = 200

/** The network of Monero, read by monerod. Payments to subaddresses are found with private view keys. */
export function moneroNetwork(options: MoneroOptions): Network {
  const { chain, assets, clock, blocksAtOnce = BLOCKS_AT_ONCE } = options
  const endpoints = distinct(options.endpoints)
  const readers = endpoints.map(
    ({ url }) => new BlockReader(new Daemon(new HttpEndpoint(url, options)), blocksAtOnce, clock),
  )
  let unreadBlocks = 0
  const group: AssetGroup<BlockReader> = {
    endpoints: new Endpoints<BlockReader>({
      chain,
      members: readers.map((reader, at) => ({
        host: reader.daemon.host,
        node: reader,
        health: options.healthOf?.(asserted(endpoints[at], 'each reader has its endpoint').url),
      })),
      verifyChain: ({ daemon }) => verifyChain(daemon),
      clock,
    }),
    startWatch: ({ daemon }, asset, own) => startWatch(daemon, asset, own, clock()),
    async scan(reader, watches) {
      const scanned = await scan(reader, watches, clock())
      unreadBlocks = scanned.unreadBlocks
      return scanned.results
    },
  }
  const strict = makeNetwork({ chain, assets, clock, groupOf: () => group })
  const network = withSecondLook({ strict, lenient: strict, doubts: new Doubts() })
  return {
    ...network,
    async scan(watches) {
      const results = await network.scan(watches)
      // Thrown outside of the failover, so that no other endpoint begins to read all blocks again.
      if (watches.length > 0 && results.length === 0) {
        throw new NetworkError(
          `${chain}: ${unreadBlocks} blocks have not been read yet; run the command again later`,
        )
      }
      return results
    },
  }
}
