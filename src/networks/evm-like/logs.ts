import { asserted } from '../../domain/errors.ts'
import { NetworkError } from '../port.ts'
import { ask, type Node, type Query } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import { Floods } from './floods.ts'
import type { FoundLogs, LogSearch } from './log-search.ts'
import { type Header, headerAt, isTooMany, type Log, logsOf } from './rpc-calls.ts'

const SEARCHES_AT_ONCE = 40
/**
 * Max refusals of searches in one reading. A node that exceeds them refuses everything, since crowded blocks
 * cause fewer refusals.
 */
const REFUSALS_MAX = 300

/**
 * Reads logs in ranges of blocks. A range that a node refuses is halved, and so are the addresses of a search
 * that finds too much. A block with too many logs for one address is left out for that address, and tried
 * again less and less often.
 */
export class LogReader {
  readonly #spanMax: number
  readonly #floods: Floods
  #span: number

  constructor(spanMax: number, clock: () => number = Date.now) {
    this.#spanMax = spanMax
    this.#span = spanMax
    this.#floods = new Floods(clock)
  }

  /**
   * Reads the logs of these searches. Throws NetworkError, also if the node is on another chain than `head`.
   */
  async read(node: Node, searches: LogSearch[], head: Header): Promise<FoundLogs> {
    const unread: FoundLogs['unread'] = new Map()
    const reading: Reading = {
      waiting: searches.flatMap(search => this.#floods.around(search, unread)),
      span: this.#span,
      logs: [],
      crowded: [],
      answers: 0,
      refusals: 0,
    }
    while (reading.waiting.length > 0) {
      const now = takePieces(reading)
      const [block, ...answers] = await askWithBlock(node, now, head.height)
      if (block?.hash !== head.hash) throw new Reorganised()
      for (const [index, answer] of answers.entries())
        accept(reading, asserted(now[index], 'each search has an answer'), answer)
    }
    const { logs, crowded, answers, span } = reading
    if (crowded.length > 0 && answers === 0) throw new NetworkError('rejects every eth_getLogs')
    for (const search of crowded) this.#floods.add(search, unread)
    this.#span = span < this.#span ? span : Math.min(this.#spanMax, span * 2)
    return { logs, unread }
  }
}

/** The state of reading a list of searches: the searches still to be done, and what the others found. */
interface Reading {
  waiting: LogSearch[]
  /** the number of blocks that the node searches at once */
  span: number
  logs: Log[]
  /** searches for one address in one block that find too much, and so cannot be divided */
  crowded: LogSearch[]
  answers: number
  /** the refusals that a smaller span does not prevent */
  refusals: number
}

/** Adds the answer to one search to the reading. Throws NetworkError if the node refuses too much. */
function accept(reading: Reading, search: LogSearch, answer: LogAnswer): void {
  if (Array.isArray(answer)) {
    reading.answers += 1
    reading.logs.push(...answer.filter(({ height }) => height >= search.from && height <= search.to))
    return
  }
  const isCrowded = isTooMany(answer)
  if (isCrowded || search.from === search.to) reading.refusals += 1
  else reading.span = Math.max(1, Math.min(reading.span, Math.ceil((search.to - search.from + 1) / 2)))
  if (reading.refusals > REFUSALS_MAX) throw new NetworkError(`rejects eth_getLogs: "${answer.message}"`)
  const parts = partsOf(search, isCrowded)
  if (parts) reading.waiting.unshift(...parts)
  else if (isCrowded) reading.crowded.push(search)
  else throw new NetworkError(`rejected eth_getLogs of one block: "${answer.message}"`)
}

/**
 * Takes the next searches, each of at most `span` blocks. Ranges are cut only here, since they can be very
 * long.
 */
function takePieces({ waiting, span }: Reading): LogSearch[] {
  const taken: LogSearch[] = []
  while (taken.length < SEARCHES_AT_ONCE) {
    const [search] = waiting
    if (!search) break
    const to = Math.min(search.to, search.from + span - 1)
    if (search.from <= to) taken.push({ ...search, to })
    if (to >= search.to) waiting.shift()
    else waiting[0] = { ...search, from: to + 1 }
  }
  return taken
}

/** Halves a search, by its addresses first if it found too much; null if it cannot be halved. */
function partsOf(search: LogSearch, isFull: boolean): LogSearch[] | null {
  const { addresses, from, to } = search
  const isRange = from < to
  if (addresses.length > 1 && (isFull || !isRange)) {
    const half = Math.ceil(addresses.length / 2)
    return [addresses.slice(0, half), addresses.slice(half)].map(some => ({ ...search, addresses: some }))
  }
  if (!isRange) return null
  const middle = from + Math.floor((to - from) / 2)
  return [
    { ...search, to: middle },
    { ...search, from: middle + 1 },
  ]
}

const askWithBlock = (
  node: Node,
  searches: LogSearch[],
  height: number,
): Promise<[Header | null, ...LogAnswer[]]> =>
  ask(node, [
    headerAt(height),
    ...searches.map(
      ({ filterFor, addresses, from, to }): Query<LogAnswer> => logsOf(filterFor(addresses), from, to),
    ),
  ])

type LogAnswer = ReturnType<ReturnType<typeof logsOf>['read']>
