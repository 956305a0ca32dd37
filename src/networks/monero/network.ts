import type { Asset } from '../../domain/asset.ts'
import { type Network, NetworkError, type WatcherOptions } from '../port.ts'
import { Endpoints } from '../rpc/failover.ts'
import { Upstream } from '../rpc/http.ts'
import { scanWithQuorum } from '../rpc/quorum.ts'
import { retryReorganised } from '../rpc/reorg.ts'
import { Reader } from './block-reader.ts'
import { beginning, printCursor } from './cursor.ts'
import { Daemon } from './daemon.ts'
import { demandOwnKey } from './own-key.ts'
import { settledHeight } from './resume.ts'
import { look } from './scan.ts'
import { currentStanding, prove } from './verify.ts'

interface MoneroOptions extends WatcherOptions {
  timeoutMs?: number
  /** a longer answer is not read */
  maxBytes?: number
  /** how many blocks are read in one look; while more are left, nothing is told */
  blocksAtOnce?: number
}

const BLOCKS_AT_ONCE = 200

/** Monero by its daemons: what arrives at subaddresses is found with the merchants' private view keys. */
export function moneroNetwork(options: MoneroOptions): Network {
  const { chain, assets, clock, blocksAtOnce = BLOCKS_AT_ONCE } = options
  const readers = options.endpoints.map(
    ({ url }) => new Reader(new Daemon(new Upstream(url, options)), blocksAtOnce),
  )
  const endpoints = new Endpoints<Reader>({
    chain,
    members: readers.map(reader => ({ host: reader.daemon.host, node: reader })),
    verifyChain: ({ daemon }) => prove(daemon),
    clock,
  })

  function demandOurs(asset: Asset): void {
    const isOurs = asset.chain === chain && assets.some(({ id }) => id === asset.id)
    if (!isOurs) throw new NetworkError(`${asset.id} is no asset of ${chain}`)
  }

  return {
    chain,
    async unavailableReason(asset) {
      try {
        demandOurs(asset)
        await endpoints.ensureReachable()
        return null
      } catch (error) {
        return error instanceof Error ? error.message : `${chain} cannot be examined`
      }
    },
    async startWatch(asset, own) {
      demandOurs(asset)
      demandOwnKey(own)
      const tip = await endpoints.withFailover(({ daemon }) => currentStanding(daemon))
      const { height, hash } = tip
      const opened = settledHeight(asset, tip)
      return printCursor({ height, hash, opened, seen: height, trail: [beginning(hash)], keys: [] })
    },
    async scan(watches) {
      for (const { asset } of watches) demandOurs(asset)
      if (watches.length === 0) return []
      let unread = 0
      const watched = await scanWithQuorum(
        endpoints,
        async (reader, own) => {
          const seen = await retryReorganised(() => look(reader, own, clock()))
          unread = Math.max(unread, seen.unread)
          return seen.watched
        },
        watches,
      )
      // An endpoint that is read for the first time is not at fault, so that no other is asked in its place.
      if (watched.length === 0) throw new NetworkError(`${chain}: ${unread} blocks are still to be read`)
      return watched
    },
  }
}
