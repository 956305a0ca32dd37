import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'
import type { CoinName } from './coins.ts'
import { printCursor, shortId, UNSURE_BLOCKS } from './cursor.ts'
import { type Node, tipOf } from './node.ts'
import { Reorganised } from './readers/reader.ts'
import { scriptOfWatch } from './resume.ts'

/** So much unconfirmed or fresh at one address is no place for another buyer to pay to. */
const BEFORE_MAX = 64

/**
 * From where the watch of an address begins that is given out now: some blocks below the tip, since a payment
 * may come to stand lower when those are replaced. What is in them already, or waits for a block, was there
 * before, and does not count. Throws NetworkFault.
 */
export async function begin(node: Node, coin: CoinName, address: string, clock: () => number): Promise<Json> {
  const { reader } = node
  const script = scriptOfWatch(coin, address)
  const tip = await tipOf(node, coin, clock())
  node.reached = Math.max(node.reached, tip.height)
  const opened = Math.max(0, tip.height - UNSURE_BLOCKS)
  const start = { from: opened, told: tip.height }
  const readings = await reader.read([{ script, address, starts: [start], pending: [] }], tip)
  const reading = readings.get(script)
  if (!reading || reading.coveredFrom(opened) < tip.height) {
    throw new NetworkError('does not tell all that happened at an address')
  }
  const hashes = await reader.hashes([opened, tip.height])
  if (hashes !== null && hashes[1] !== tip.hash) throw new Reorganised()
  const before = new Set(
    reading.payments
      .filter(({ block }) => block === null || block.height > opened)
      .map(({ txId }) => shortId(txId)),
  )
  if (before.size > BEFORE_MAX) throw new NetworkError('tells of too many payments to an address before')
  const place = { height: opened, hash: hashes?.[0] ?? null }
  return printCursor({
    ...place,
    anchors: [place],
    opened,
    seen: { height: tip.height, hash: tip.hash },
    told: opened,
    pending: [],
    before: [...before],
  })
}
