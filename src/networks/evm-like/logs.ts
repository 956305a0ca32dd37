import { ask, type Node, type Query } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import { type Header, headerAt, type Log, type LogFilter, logsOf } from './rpc-calls.ts'

/** A search for logs in a range of blocks, both ends included. */
export interface LogSearch {
  filter: LogFilter
  from: number
  to: number
}

const SEARCHES_AT_ONCE = 40

/** Reads logs in ranges of at most `span` blocks; a range that a node refuses is halved. */
export class LogReader {
  readonly #spanMax: number
  #span: number

  constructor(spanMax: number) {
    this.#spanMax = spanMax
    this.#span = spanMax
  }

  /** All logs of these searches, on the chain of `head` only. Throws NetworkError. */
  async read(node: Node, searches: LogSearch[], head: Header): Promise<Log[]> {
    const waiting = searches.flatMap(search => split(search, this.#span))
    const found: Log[] = []
    let wasHalved = false
    while (waiting.length > 0) {
      const now = waiting.splice(0, SEARCHES_AT_ONCE)
      const [block, ...answers] = await askWithBlock(node, now, head.height)
      if (block?.hash !== head.hash) throw new Reorganised()
      for (const [index, logs] of answers.entries()) {
        const search = now[index]!
        if (logs === null) waiting.unshift(...split(search, Math.ceil((search.to - search.from + 1) / 2)))
        else found.push(...logs.filter(({ height }) => height >= search.from && height <= search.to))
      }
      if (answers.includes(null) && !wasHalved) {
        wasHalved = true
        this.#span = Math.max(1, Math.floor(this.#span / 2))
      }
    }
    if (!wasHalved) this.#span = Math.min(this.#spanMax, this.#span * 2)
    return found
  }
}

const askWithBlock = (
  node: Node,
  searches: LogSearch[],
  height: number,
): Promise<[Header | null, ...(Log[] | null)[]]> =>
  ask(node, [
    headerAt(height),
    ...searches.map(({ filter, from, to }): Query<Log[] | null> => logsOf(filter, from, to)),
  ])

function split({ from, to, filter }: LogSearch, span: number): LogSearch[] {
  const count = Math.max(0, Math.ceil((to - from + 1) / span))
  return Array.from({ length: count }, (_, index) => ({
    filter,
    from: from + index * span,
    to: Math.min(to, from + (index + 1) * span - 1),
  }))
}
