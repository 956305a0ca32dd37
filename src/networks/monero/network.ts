import { type AssetGroup, makeNetwork } from '../make-network.ts'
import { type Network, NetworkError, type WatcherOptions } from '../port.ts'
import { Endpoints } from '../rpc/failover.ts'
import { HttpEndpoint } from '../rpc/http.ts'
import { Reader } from './block-reader.ts'
import { beginning, printCursor } from './cursor.ts'
import { Daemon } from './daemon.ts'
import { demandOwnKey } from './own-key.ts'
import { settledHeight } from './resume.ts'
import { look } from './scan.ts'
import { currentStanding, prove } from './verify.ts'

interface MoneroOptions extends WatcherOptions {
  timeoutMs?: number
  /** a longer response is refused */
  maxBytes?: number
  /** how many blocks one scan reads; nothing is reported while more are left */
  blocksAtOnce?: number
}

const BLOCKS_AT_ONCE = 200

/** Monero by its daemons. Payments to subaddresses are found with the merchants' private view keys. */
export function moneroNetwork(options: MoneroOptions): Network {
  const { chain, assets, clock, blocksAtOnce = BLOCKS_AT_ONCE } = options
  const readers = options.endpoints.map(
    ({ url }) => new Reader(new Daemon(new HttpEndpoint(url, options)), blocksAtOnce),
  )
  let unread = 0
  const group: AssetGroup<Reader> = {
    endpoints: new Endpoints<Reader>({
      chain,
      members: readers.map(reader => ({ host: reader.daemon.host, node: reader })),
      verifyChain: ({ daemon }) => prove(daemon),
      clock,
    }),
    async startWatch({ daemon }, asset, own) {
      demandOwnKey(own)
      const tip = await currentStanding(daemon)
      const { height, hash } = tip
      const opened = settledHeight(asset, tip)
      return printCursor({ height, hash, opened, seen: height, trail: [beginning(hash)], keys: [] })
    },
    async scan(reader, watches) {
      const seen = await look(reader, watches, clock())
      unread = seen.unread
      return seen.watched
    },
  }
  const network = makeNetwork({ chain, assets, clock, groupOf: () => group })
  return {
    ...network,
    async scan(watches) {
      const results = await network.scan(watches)
      // The endpoint is not at fault, so it keeps its turn: another one would have to read all blocks again.
      if (watches.length > 0 && results.length === 0) {
        throw new NetworkError(`${chain}: ${unread} blocks are still to be read`)
      }
      return results
    },
  }
}
