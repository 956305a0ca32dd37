import type { ChainConfig } from '../evm/chain-config.ts'
import { tokensOf } from '../evm/chain-config.ts'
import { readHeaders, sameBlock } from '../evm/headers.ts'
import type { LogReader } from '../evm/logs.ts'
import { resumeWatches } from '../evm/resume.ts'
import { commonHeight, isStale, newestSeen, type Tip } from '../evm/tip.ts'
import { readMovements } from '../evm/token-transfers.ts'
import { NetworkError, type Watch } from '../port.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import { Reorganised } from '../rpc/reorg.ts'
import { toAccount } from './account.ts'
import { asEvmCursor, type Cursor, type Place, placeOf, readCursor } from './cursor.ts'
import type { Arrival } from './payments.ts'
import type { Rest } from './rest-api.ts'

/** A watch with where it really goes on from, on the chain as it is now. */
export interface ResumedWatch {
  watch: Watch
  account: string
  cursor: Cursor
}

/** How far the chain has come, and up to where everything is known to be final. */
export interface ChainTip {
  tip: Tip
  /** a block that watches can go on from later; not always the newest such */
  base: Place
  /** the newest height that is deep enough for every asset */
  settled: number
}

/** What JSON-RPC tells of the tip, and of tokens that came to many addresses at once. Throws NetworkFault. */
export async function standByRpc(
  rpc: JsonRpc,
  config: ChainConfig,
  reader: LogReader,
  watches: Watch[],
): Promise<{ stand: ChainTip; arrivals: Map<ResumedWatch, Arrival[]> }> {
  const tokens = { ...config, assets: [...tokensOf(config).values()] }
  const cursors = watches.map(({ cursor }) => readCursor(cursor))
  const { tip, resumedWatches } = await resumeWatches(
    rpc,
    config,
    watches.map((watch, index) => ({
      ...watch,
      address: toAccount(watch.address),
      cursor: asEvmCursor(cursors[index]!),
    })),
  )
  const movements = await readMovements(rpc, reader, tokens, resumedWatches, tip.head)
  const settled = commonHeight(config.assets, tip)
  const paid = [...movements.values()].flatMap(({ payments }) => payments)
  const heights = [...paid.map(({ log }) => log.height), settled, tip.head.height]
  const blocks = await readHeaders(rpc, heights)
  if (blocks.get(tip.head.height)!.hash !== tip.head.hash) throw new Reorganised()

  const arrivals = resumedWatches.map((resumed, index): [ResumedWatch, Arrival[]] => {
    const cursor = cursors[index]!
    const isReplaced = resumed.cursor.hash === ''
    const { payments } = movements.get(resumed)!
    const inTurn = payments.toSorted((a, b) => a.log.height - b.log.height || a.log.index - b.log.index)
    const own = inTurn.map(({ asset, amount, log }): Arrival => {
      const { at, hash } = sameBlock(blocks, log.height, log.blockHash)
      const { height, txHash, contract, topics, bytes } = log
      const evidence = { kind: 'log', blockHash: hash, address: contract, topics, data: bytes }
      const txId = txHash.slice(2)
      return { asset, amount, txId, to: resumed.address, height, at, isSolid: true, evidence }
    })
    const stands = isReplaced ? { ...cursor, place: cursor.opened, next: null } : cursor
    return [{ watch: watches[index]!, account: resumed.address, cursor: stands }, own]
  })
  const base = placeOf(blocks.get(settled)!)
  return { stand: { tip, base, settled }, arrivals: new Map(arrivals) }
}

/** What a node tells of the tip without JSON-RPC. Throws NetworkFault. */
export async function standByRest(
  rest: Rest,
  config: ChainConfig,
  watches: Watch[],
): Promise<{ stand: ChainTip; resumedWatches: ResumedWatch[] }> {
  const solid = await rest.newest('walletsolidity')
  const head = await rest.newest('wallet')
  const tip = { head, finalized: solid }
  const resumedWatches = watches.map(watch => ({
    watch,
    account: toAccount(watch.address),
    cursor: readCursor(watch.cursor),
  }))
  const newest = newestSeen(
    resumedWatches.map(({ cursor }) => cursor),
    config.clock(),
  )
  if (head.height < newest) {
    throw new NetworkError(`is behind: at block ${head.height}, while block ${newest} was seen before`)
  }
  if (isStale(config.chainId, tip, config.clock())) {
    throw new NetworkError(`stands still at block ${head.height}`)
  }
  return { stand: { tip, base: placeOf(solid), settled: commonHeight(config.assets, tip) }, resumedWatches }
}
