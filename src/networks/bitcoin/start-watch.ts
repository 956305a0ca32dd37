import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'
import { Reorganised } from '../rpc/reorg.ts'
import type { CoinName } from './coins.ts'
import { type Cursor, printCursor, shortId, UNSURE_BLOCKS } from './cursor.ts'
import { type BitcoinNode, readTip } from './endpoints.ts'
import type { Payment, Reading } from './readers/reader.ts'
import { scriptOfWatch } from './resume.ts'

/** An address with more recent transactions than this is not used for a new payment. */
const IGNORED_MAX = 64
/** Max earlier payments that a cursor remembers: those of the first page of an index. */
const EARLIER_MAX = 25

/**
 * Makes the first cursor of a watch. It begins some blocks below the tip, since a reorganisation can move a
 * payment to a lower block. Payments that are already there, or unconfirmed, never count. Throws
 * NetworkError.
 */
export async function startWatch(
  node: BitcoinNode,
  coin: CoinName,
  address: string,
  clock: () => number,
): Promise<Json> {
  const { reader } = node
  const script = scriptOfWatch(coin, address)
  const now = clock()
  const tip = await readTip(node, coin, now)
  node.highestTip = Math.max(node.highestTip, tip.height)
  const startHeight = Math.max(0, tip.height - UNSURE_BLOCKS)
  const start = { from: startHeight, reportedTo: tip.height }
  const readings = await reader.read(
    [
      {
        script,
        address,
        starts: [start],
        // The start may be false, so the newest payments below it are wanted too.
        listedAbove: 0,
        since: startHeight,
        wantsReceived: true,
        pending: [],
      },
    ],
    tip,
  )
  const reading = readings.get(script)
  if (!reading || reading.coveredFrom(startHeight) < tip.height) {
    throw new NetworkError('does not report all recent payments to an address')
  }
  const hashes = await reader.hashes([startHeight, tip.height])
  if (hashes !== null && hashes[1] !== tip.hash) throw new Reorganised()
  const isRecent = ({ block }: Payment): boolean => block === null || block.height > startHeight
  const ignored = new Set(reading.payments.filter(isRecent).map(({ txId }) => shortId(txId)))
  if (ignored.size > IGNORED_MAX) throw new NetworkError('reports too many earlier payments to an address')
  const block = { height: startHeight, hash: hashes?.[0] ?? null }
  return printCursor({
    block,
    blocksTo: startHeight,
    anchors: [block],
    startHeight,
    startedAt: now,
    tip: { height: tip.height, hash: tip.hash },
    tipAt: now,
    listed: [],
    listedAbove: startHeight,
    doubtedSince: null,
    counted: countedBefore(reading, startHeight),
    shortSince: null,
    pending: [],
    ignored: [...ignored.union(new Set(newestOf(reading).map(({ txId }) => shortId(txId))))],
  })
}

/** Payments in blocks that an index lists: the start of the watch may be too high, and be corrected later. */
const newestOf = ({ payments }: Reading): Payment[] =>
  payments
    .flatMap(payment => (payment.block === null ? [] : [{ payment, height: payment.block.height }]))
    .toSorted((one, other) => other.height - one.height)
    .slice(0, EARLIER_MAX)
    .map(({ payment }) => payment)

/** The sum before the watch began: the endpoint's sum without the payments above the start. */
function countedBefore({ received, payments }: Reading, startHeight: number): Cursor['counted'] {
  if (received === null) return null
  const since = payments.filter(({ block }) => block !== null && block.height > startHeight)
  const before = received - since.reduce((sum, { amount }) => sum + amount, 0n)
  return before < 0n ? null : { before: before.toString(), sum: '0' }
}
