import { NetworkError } from '../port.ts'
import { ask, type Node, type Query } from '../rpc/batch.ts'
import type { Place } from './cursor.ts'
import { type Listed, signaturesOf } from './rpc-calls.ts'

/** What is new at one account, as far as one look lists it. */
export interface Listing {
  /** the newest first */
  listed: Listed[]
  /** down to what was told before; otherwise the next look goes on into the past */
  isWhole: boolean
}

/** So many lists of one account fit one look; where more is new, the oldest is looked for first. */
const PAGES_MAX = 12
/** Where the next look goes on, so that what is left above is less than a look lists. */
const DUG_SHARE = 0.8
/** With more, the newest are forgotten and found again. */
const BELOW_MAX = 16

interface Reading extends Listing {
  place: Place
  pages: number
}

const keyOf = ({ account, until, below }: Place): string => `${account} ${until} ${below.at(-1)}`

/** Lists what is new at each place; once where several watches share an account. Throws NetworkFault. */
export async function listAll(node: Node, places: Place[], told: number): Promise<Map<Place, Listing>> {
  const byKey = Map.groupBy(places, keyOf)
  const readings = [...byKey.values()].map((own): Reading => {
    const oldest = own.reduce((a, b) => (a.slot < b.slot ? a : b))
    return { place: oldest, listed: [], isWhole: false, pages: 0 }
  })
  for (let open = readings; open.length > 0; open = open.filter(isOpen)) {
    const pages = await ask(
      node,
      open.map(reading => nextPage(reading, told)),
    )
    for (const [index, reading] of open.entries()) take(reading, pages[index]!)
  }
  const listings = new Map(readings.map(reading => [keyOf(reading.place), reading]))
  return new Map(places.map(place => [place, shareOf(place, listings.get(keyOf(place))!)]))
}

/** Another watch of the same account may have begun earlier. */
function shareOf({ slot }: Place, { listed, isWhole }: Listing): Listing {
  const own = listed.filter(one => one.slot >= slot)
  return { listed: own, isWhole: isWhole || own.length < listed.length }
}

const isOpen = ({ isWhole, pages }: Reading): boolean => !isWhole && pages < PAGES_MAX

/**
 * Before the last but one, so that the next page begins with the last: a node that does not know it would
 * answer with nothing, as if there were no more.
 */
const nextPage = ({ place, listed }: Reading, told: number): Query<Listed[]> =>
  signaturesOf(place.account, place.until, listed.at(-2)?.signature ?? place.below.at(-1) ?? null, told)

function take(reading: Reading, page: Listed[]): void {
  const { place, listed } = reading
  reading.pages += 1
  const last = listed.at(-1)
  if (last && page[0]?.signature !== last.signature) {
    throw new NetworkError('lists the transactions of an address with a gap')
  }
  const fresh = last ? page.slice(1) : page
  const young = fresh.filter(({ slot, signature }) => slot >= place.slot && signature !== place.until)
  listed.push(...young)
  // A node may list fewer at once than it was asked for, so that only a page without more is the last one.
  reading.isWhole = fresh.length === 0 || young.length < fresh.length || listed.length < 2
}

/** Down while there is more in the past; then up again, as all is told that lies below. */
export function belowAfter({ below }: Place, { listed, isWhole }: Listing, isAllTold: boolean): string[] {
  if (isWhole) return isAllTold ? below.slice(0, -1) : below
  const mark = listed[Math.floor(listed.length * DUG_SHARE)]
  return mark ? [...below, mark.signature].slice(-BELOW_MAX) : below
}
