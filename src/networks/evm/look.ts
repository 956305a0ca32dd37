import type { Sighting, Watch, Watched } from '../port.ts'
import { sumUpTo } from './balance-changes.ts'
import { readArrivals, readChanges } from './coins.ts'
import { type Change, printCursor } from './cursor.ts'
import { coinOf, type Ground } from './ground.ts'
import { readHeaders, sameBlock } from './headers.ts'
import { type LogReader, Reorganised } from './logs.ts'
import { type Movements, readMovements } from './movements.ts'
import type { Header } from './questions.ts'
import type { Node } from './rpc.ts'
import { coinSightings, tokenSighting } from './sightings.ts'
import { type Subject, standUp } from './subject.ts'
import { commonHeight, type Tip } from './tip.ts'

/**
 * Looks once at many addresses, with one node. All that is told rests on one head: it is read first, with
 * every answer, and at last together with the block of each payment. Throws NetworkFault.
 */
export async function look(
  node: Node,
  ground: Ground,
  reader: LogReader,
  watches: Watch[],
): Promise<Watched[]> {
  const { tip, subjects } = await standUp(node, ground, watches)
  const movements = await readMovements(node, reader, ground, subjects, tip.head)
  const found: Found = coinOf(ground) ? await readChanges(node, movements, tip.head) : new Map()
  const heights = [...movements].flatMap(([subject, { payments }]) => [
    ...payments.map(({ log }) => log.height),
    ...changesOf(found, subject).map(({ height }) => height),
  ])
  const base = commonHeight(ground.assets, tip)
  const blocks = await readHeaders(node, [...heights, base, tip.head.height])
  if (blocks.get(tip.head.height)!.hash !== tip.head.hash) throw new Reorganised()

  const changes = new Map(
    subjects.map(subject => [
      subject,
      changesOf(found, subject).map(change => ({ ...change, hash: blocks.get(change.height)!.hash })),
    ]),
  )
  const arrivals = await readArrivals(node, changes)
  return subjects.map(subject => {
    const seen = movements.get(subject)!
    const tokens = seen.payments.map(payment =>
      tokenSighting(ground, payment, sameBlock(blocks, payment.log.height, payment.log.blockHash), tip),
    )
    const coin = coinOf(ground)
    const coins = arrivals
      .get(subject)!
      .flatMap((arrival): Sighting[] =>
        coin ? coinSightings(ground, coin, subject.address, arrival, blocks.get(arrival.height)!, tip) : [],
      )
    return {
      attemptId: subject.watch.attemptId,
      sightings: [...tokens, ...coins],
      completeFrom: subject.cursor.height + 1,
      cursor: printCursor(movedOn(subject, seen, changes.get(subject)!, blocks.get(base)!, tip)),
    }
  })
}

type Found = Map<Subject, { height: number; amount: bigint }[]>

const changesOf = (found: Found, subject: Subject): { height: number; amount: bigint }[] =>
  found.get(subject) ?? []

/** Up to the newest block that is deep enough for every asset of the chain; never back. */
function movedOn({ cursor }: Subject, { flushes }: Movements, changes: Change[], base: Header, tip: Tip) {
  const seen = tip.head.height
  if (base.height <= cursor.height) return { ...cursor, changes, seen }
  const { height, hash } = base
  return {
    height,
    hash,
    balance: cursor.balance + sumUpTo(changes, height) - sumUpTo(flushes, height),
    opened: cursor.opened,
    seen,
    changes: changes.filter(change => change.height > height),
  }
}
