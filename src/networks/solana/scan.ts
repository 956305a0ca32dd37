import { NetworkError, type Watch, type WatchResult } from '../port.ts'
import { ask, type Node, type Query } from '../rpc/batch.ts'
import { type ChainConfig, isSeed, mintsOf } from './chain-config.ts'
import { type Cursor, type Place, printCursor, readCursor } from './cursor.ts'
import { belowAfter, type Listing, listAll } from './listing.ts'
import { isTold, outflowsOf, type Tip, toDetectedPayments } from './payments.ts'
import { health, type Listed, slotOf } from './rpc-calls.ts'
import { type Answer, isResting, placesOf, printQuestions, printsOf } from './tracked-accounts.ts'
import { readTransactions, type Transaction } from './transactions.ts'

/** A watch with what is new at its accounts. */
interface ResumedWatch {
  watch: Watch
  cursor: Cursor
  prints: Map<string, string | null>
  /** of the places that are looked at this time */
  listings: Map<Place, Listing>
  /** all that one look reads of what is new, the oldest first */
  entries: Listed[]
  /** more is new than is read */
  isCut: boolean
}

const tipQuestions: [Query<null>, Query<number>, Query<number>] = [
  health,
  slotOf('confirmed'),
  slotOf('finalized'),
]

/** Behind one name there may be several nodes, which are a few slots apart. */
const BEHIND_SLOTS = 20

/** So many transactions are read in one look, shared by the addresses that have new ones. */
const READ_MAX = 2000
const READ_LEAST = 25

/**
 * Looks once at many addresses, with one node. Each goes on from the newest signature that was told for good,
 * and never by what a node says of its height, since a node may know of a block and not yet have listed what
 * is in it. Throws NetworkFault.
 */
export async function look(node: Node, config: ChainConfig, watches: Watch[]): Promise<WatchResult[]> {
  const { tip, resumedWatches } = await resumeWatches(node, config, watches)
  const busy = resumedWatches.filter(({ listings }) =>
    [...listings.values()].some(({ listed }) => listed.length > 0),
  )
  const most = Math.max(READ_LEAST, Math.floor(READ_MAX / Math.max(1, busy.length)))
  for (const resumed of busy) chooseEntries(resumed, most)
  const transactions = await readTransactions(
    node,
    busy.flatMap(({ entries }) => entries.filter(({ hasFailed }) => !hasFailed)),
    { owners: new Set(busy.map(({ watch }) => watch.address)), mints: new Set(mintsOf(config)) },
  )
  return resumedWatches.map(resumed => tell(config, resumed, transactions, tip))
}

/** Reads the tip and what is new. Throws NetworkFault for a node that knows less than was known. */
async function resumeWatches(node: Node, config: ChainConfig, watches: Watch[]) {
  const cursors = watches.map(({ address, source, cursor: json }) => {
    const cursor = readCursor(json)
    return { ...cursor, places: placesOf(config, address, source, cursor.opened, cursor.places) }
  })
  const accounts = [...new Set(cursors.flatMap(({ places }) => places.map(({ account }) => account)))]
  const [, seen, finalized, ...answers] = await ask<[null, number, number, ...Answer[]]>(node, [
    ...tipQuestions,
    ...printQuestions(accounts),
  ])
  const prints = printsOf(accounts, answers)
  const newest = Math.max(...cursors.map(cursor => cursor.seen))
  if (seen < newest - BEHIND_SLOTS) {
    throw new NetworkError(`is behind: at slot ${seen}, while slot ${newest} was seen before`)
  }
  const now = config.clock()
  const awake = watches.map((watch, index) =>
    cursors[index]!.places.filter(place => !isResting(watch, place, prints.get(place.account) ?? null, now)),
  )
  const listings = await listAll(node, awake.flat(), Math.max(...cursors.map(({ told }) => told)))
  const resumedWatches = watches.map((watch, index): ResumedWatch => {
    const own = new Map(awake[index]!.map(place => [place, listings.get(place)!]))
    return { watch, cursor: cursors[index]!, prints, listings: own, entries: [], isCut: false }
  })
  return { tip: { seen, finalized }, resumedWatches }
}

/** The oldest first, since a watch goes on from what it has told. Where there is more below, nothing yet. */
function chooseEntries(resumed: ResumedWatch, most: number): void {
  const { listings } = resumed
  if (![...listings.values()].every(({ isWhole }) => isWhole)) return
  const entries = new Map(
    [...listings.values()].flatMap(({ listed }) =>
      listed.map(one => [one.signature, one] as const).reverse(),
    ),
  )
  const sorted = [...entries.values()].toSorted((a, b) => a.slot - b.slot)
  resumed.entries = sorted.slice(0, most)
  resumed.isCut = sorted.length > most
}

function tell(
  config: ChainConfig,
  resumed: ResumedWatch,
  transactions: Map<string, Transaction | null>,
  tip: Tip,
): WatchResult {
  const { watch, cursor, entries } = resumed
  const read = entries.flatMap(listed => {
    const transaction = transactions.get(listed.signature)
    return transaction ? [{ listed, transaction }] : []
  })
  return {
    attemptId: watch.attemptId,
    detectedPayments: read.flatMap(({ listed, transaction }) =>
      toDetectedPayments(config, watch, listed, transaction, tip),
    ),
    // While the newest are left for later looks, nothing is known of what went.
    completeFrom: isDigging(resumed) ? Math.max(tip.seen, cursor.told) + 1 : cursor.slot + 1,
    cursor: printCursor(movedOn(config, resumed, transactions, tip)),
    ...(isSeed(watch.source) && {
      outflows: read.flatMap(({ listed, transaction }) =>
        outflowsOf(config, watch, listed, transaction, tip),
      ),
    }),
  }
}

const isDigging = ({ listings }: ResumedWatch): boolean =>
  [...listings].some(([place, { isWhole }]) => !isWhole || place.below.length > 0)

/**
 * Past all that was told for good, up to the first that was not. What cannot be read is kept in sight for a
 * program that can, but where so much is new that it would hide the rest.
 */
function toldOf(
  config: ChainConfig,
  resumed: ResumedWatch,
  transactions: Map<string, Transaction | null>,
  tip: Tip,
): Listed[] {
  const { entries, isCut } = resumed
  const isFull = isCut || isDigging(resumed)
  const end = entries.findIndex(
    one => !isTold(config, one, tip) || (transactions.get(one.signature) === null && !isFull),
  )
  return end === -1 ? entries : entries.slice(0, end)
}

function movedOn(
  config: ChainConfig,
  resumed: ResumedWatch,
  transactions: Map<string, Transaction | null>,
  tip: Tip,
): Cursor {
  const { cursor, prints, listings, entries, isCut } = resumed
  const told = toldOf(config, resumed, transactions, tip)
  const isWhole = [...listings.values()].every(listing => listing.isWhole)
  const isAll = isWhole && !isCut && told.length === entries.length
  const signatures = new Set(told.map(({ signature }) => signature))
  const now = config.clock()
  return {
    opened: cursor.opened,
    seen: Math.max(cursor.seen, tip.seen),
    told: Math.max(cursor.told, entries.at(-1)?.slot ?? 0),
    slot: Math.max(cursor.slot, told.at(-1)?.slot ?? 0),
    places: cursor.places.map(place => {
      const listing = listings.get(place)
      if (!listing) return place
      const newest = newestOf(listing, signatures)
      const nextState = newest ? { ...place, until: newest.signature, slot: newest.slot } : place
      const print = prints.get(place.account) ?? null
      const isCalm = isAll && place.below.length === 0 && print === place.print
      return {
        ...nextState,
        below: belowAfter(place, listing, isAll),
        print,
        calmSince: isCalm && print !== null ? now : null,
      }
    }),
  }
}

/** The newest that was told, with all before it at the same account. */
function newestOf({ listed }: Listing, told: Set<string>): Listed | undefined {
  const left = listed.findLastIndex(({ signature }) => !told.has(signature))
  return listed[left + 1]
}
