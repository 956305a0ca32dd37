import type { Ground } from '../evm/chain-config.ts'
import { tokensOf } from '../evm/chain-config.ts'
import { readHeaders, sameBlock } from '../evm/headers.ts'
import { type LogReader, Reorganised } from '../evm/logs.ts'
import { standUp } from '../evm/resume.ts'
import { commonHeight, isStale, newestSeen, type Tip } from '../evm/tip.ts'
import { readMovements } from '../evm/token-transfers.ts'
import { NetworkFault, type Watch } from '../port.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import { toAccount } from './account.ts'
import { asEvmCursor, type Cursor, type Place, placeOf, readCursor } from './cursor.ts'
import type { Arrival } from './payments.ts'
import type { Rest } from './rest-api.ts'

/** A watch with where it really goes on from, on the chain as it is now. */
export interface Subject {
  watch: Watch
  account: string
  cursor: Cursor
}

/** How far the chain has come, and up to where everything is known to be final. */
export interface Stand {
  tip: Tip
  /** a block that watches can go on from later; not always the newest such */
  base: Place
  /** the newest height that is deep enough for every asset */
  settled: number
}

/** What JSON-RPC tells of the tip, and of tokens that came to many addresses at once. Throws NetworkFault. */
export async function standByRpc(
  rpc: JsonRpc,
  ground: Ground,
  reader: LogReader,
  watches: Watch[],
): Promise<{ stand: Stand; arrivals: Map<Subject, Arrival[]> }> {
  const tokens = { ...ground, assets: [...tokensOf(ground).values()] }
  const cursors = watches.map(({ cursor }) => readCursor(cursor))
  const { tip, subjects } = await standUp(
    rpc,
    ground,
    watches.map((watch, index) => ({
      ...watch,
      address: toAccount(watch.address),
      cursor: asEvmCursor(cursors[index]!),
    })),
  )
  const movements = await readMovements(rpc, reader, tokens, subjects, tip.head)
  const settled = commonHeight(ground.assets, tip)
  const paid = [...movements.values()].flatMap(({ payments }) => payments)
  const heights = [...paid.map(({ log }) => log.height), settled, tip.head.height]
  const blocks = await readHeaders(rpc, heights)
  if (blocks.get(tip.head.height)!.hash !== tip.head.hash) throw new Reorganised()

  const arrivals = subjects.map((subject, index): [Subject, Arrival[]] => {
    const cursor = cursors[index]!
    const isReplaced = subject.cursor.hash === ''
    const { payments } = movements.get(subject)!
    const inTurn = payments.toSorted((a, b) => a.log.height - b.log.height || a.log.index - b.log.index)
    const own = inTurn.map(({ asset, amount, log }): Arrival => {
      const { at, hash } = sameBlock(blocks, log.height, log.blockHash)
      const { height, txHash, contract, topics, bytes } = log
      const evidence = { kind: 'log', blockHash: hash, address: contract, topics, data: bytes }
      const txId = txHash.slice(2)
      return { asset, amount, txId, to: subject.address, height, at, isSolid: true, evidence }
    })
    const stands = isReplaced ? { ...cursor, place: cursor.opened, next: null } : cursor
    return [{ watch: watches[index]!, account: subject.address, cursor: stands }, own]
  })
  const base = placeOf(blocks.get(settled)!)
  return { stand: { tip, base, settled }, arrivals: new Map(arrivals) }
}

/** What a node tells of the tip without JSON-RPC. Throws NetworkFault. */
export async function standByRest(
  rest: Rest,
  ground: Ground,
  watches: Watch[],
): Promise<{ stand: Stand; subjects: Subject[] }> {
  const solid = await rest.newest('walletsolidity')
  const head = await rest.newest('wallet')
  const tip = { head, finalized: solid }
  const subjects = watches.map(watch => ({
    watch,
    account: toAccount(watch.address),
    cursor: readCursor(watch.cursor),
  }))
  const newest = newestSeen(
    subjects.map(({ cursor }) => cursor),
    ground.clock(),
  )
  if (head.height < newest) {
    throw new NetworkFault(`is behind: at block ${head.height}, while block ${newest} was seen before`)
  }
  if (isStale(ground.chainId, tip, ground.clock())) {
    throw new NetworkFault(`stands still at block ${head.height}`)
  }
  return { stand: { tip, base: placeOf(solid), settled: commonHeight(ground.assets, tip) }, subjects }
}
