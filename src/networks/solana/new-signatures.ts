import { asserted } from '../../domain/errors.ts'
import { NetworkError } from '../port.ts'
import { ask, type Node, type Query } from '../rpc/batch.ts'
import type { TrackedAccount } from './cursor.ts'
import { type ListedSignature, signaturesOf } from './rpc-calls.ts'

/** The new transactions of one account, as far as one scan lists them. */
export interface Listing {
  /** the new transactions, the newest first */
  listed: ListedSignature[]
  /**
   * true if the list reaches back to reported transactions; otherwise the next scan continues into the past
   */
  isComplete: boolean
}

/**
 * A scan reads at most this many pages of one account. A longer list is read over several scans, from its
 * end.
 */
const PAGES_MAX = 12
/**
 * The share of the list, counted from its newest transaction, at which the next scan continues. The rest
 * above that place then fits into one scan.
 */
const BACKLOG_SHARE = 0.8
/** Max signatures in a backlog. A longer backlog loses its newest signatures, which are found again. */
const BACKLOG_MAX = 16

interface Progress extends Listing {
  tracked: TrackedAccount
  /** the node must have reached this slot, otherwise it lacks reported transactions */
  minSlot: number
  pages: number
}

const keyOf = ({ account, until, backlog }: TrackedAccount): string => `${account} ${until} ${backlog.at(-1)}`

/**
 * Lists the new transactions of each account, only once for watches that share an account. Throws
 * NetworkError.
 */
export async function listNewSignatures(
  node: Node,
  accounts: TrackedAccount[],
  reportedTo: ReadonlyMap<TrackedAccount, number>,
): Promise<Map<TrackedAccount, Listing>> {
  const byKey = Map.groupBy(accounts, keyOf)
  const lists = [...byKey.values()].map((same): Progress => {
    const oldest = same.reduce((a, b) => (a.slot < b.slot ? a : b))
    const minSlot = Math.max(...same.map(one => reportedTo.get(one) ?? 0))
    return { tracked: oldest, minSlot, listed: [], isComplete: false, pages: 0 }
  })
  for (let open = lists; open.length > 0; open = open.filter(isOpen)) {
    const pages = await ask(node, open.map(nextPage))
    for (const [index, progress] of open.entries())
      addPage(progress, asserted(pages[index], 'each account has a page'))
  }
  const byAccount = new Map(lists.map(progress => [keyOf(progress.tracked), progress]))
  return new Map(
    accounts.map(tracked => [
      tracked,
      ownPart(tracked, asserted(byAccount.get(keyOf(tracked)), 'each account was listed')),
    ]),
  )
}

/** Drops what is older than the watch, since another watch of the same account may have begun earlier. */
function ownPart({ slot }: TrackedAccount, { listed, isComplete }: Listing): Listing {
  const own = listed.filter(one => one.slot >= slot)
  return { listed: own, isComplete: isComplete || own.length < listed.length }
}

const isOpen = ({ isComplete, pages }: Progress): boolean => !isComplete && pages < PAGES_MAX

/**
 * The query for the next page. It asks for signatures before the last but one, so that the page begins with
 * the last one. A node that does not know that signature would otherwise report an empty page, as if there
 * were no more.
 */
const nextPage = ({ tracked, minSlot, listed }: Progress): Query<ListedSignature[]> =>
  signaturesOf(
    tracked.account,
    tracked.until,
    listed.at(-2)?.signature ?? tracked.backlog.at(-1) ?? null,
    minSlot,
  )

function addPage(progress: Progress, page: ListedSignature[]): void {
  const { tracked, listed } = progress
  progress.pages += 1
  const last = listed.at(-1)
  if (last && page[0]?.signature !== last.signature) {
    throw new NetworkError('leaves out some transactions of an address')
  }
  const added = last ? page.slice(1) : page
  const recent = added.filter(({ slot, signature }) => slot >= tracked.slot && signature !== tracked.until)
  listed.push(...recent)
  // A node may list fewer signatures than it was asked for, so only a page that adds nothing is the last.
  progress.isComplete = added.length === 0 || recent.length < added.length || listed.length < 2
}

/**
 * Returns the next backlog, which grows while there are more transactions in the past, and shrinks as they
 * are reported.
 */
export function nextBacklog(
  { backlog }: TrackedAccount,
  { listed, isComplete }: Listing,
  isAllReported: boolean,
): string[] {
  if (isComplete) return isAllReported ? backlog.slice(0, -1) : backlog
  const least = Math.floor(listed.length * BACKLOG_SHARE)
  // The cut is between two slots, unless the whole rest is one slot.
  const first = listed.findIndex(({ slot }, index) => index >= least && listed[index + 1]?.slot !== slot)
  const next = listed[first === listed.length - 1 ? least : first]
  return next ? [...backlog, next.signature].slice(-BACKLOG_MAX) : backlog
}
