import { NetworkError } from '../port.ts'
import { ask, type Node, type Question } from '../rpc/batch.ts'
import { type Header, headerAt, type Log, type LogFilter, logsOf } from './rpc-calls.ts'

/** Blocks of a chain, both ends included. */
interface Range {
  from: number
  to: number
}

export interface Search extends Range {
  filter: LogFilter
}

const PIECES_AT_ONCE = 40
const LOOKS_MAX = 3

/** The chain was replaced while it was read: what was read before and after does not belong together. */
export class Reorganised extends NetworkError {
  constructor() {
    super('reorganised its chain while it was read')
  }
}

/** Looks, and looks again where the chain was reorganised in the meantime. Throws NetworkFault. */
export async function lookSteadily<T>(look: () => Promise<T>): Promise<T> {
  for (let looks = 1; ; looks++) {
    try {
      return await look()
    } catch (error) {
      if (!(error instanceof Reorganised) || looks === LOOKS_MAX) throw error
    }
  }
}

/** Reads logs in pieces of at most `span` blocks; where a node finds one too large, in halves of it. */
export class LogReader {
  readonly #spanMax: number
  #span: number

  constructor(spanMax: number) {
    this.#spanMax = spanMax
    this.#span = spanMax
  }

  /** All logs of these searches, on the chain of `head` alone. Throws NetworkFault. */
  async read(node: Node, searches: Search[], head: Header): Promise<Log[]> {
    const waiting = searches.flatMap(search => pieces(search, this.#span))
    const found: Log[] = []
    let wasHalved = false
    while (waiting.length > 0) {
      const now = waiting.splice(0, PIECES_AT_ONCE)
      const [tip, ...answers] = await askWithTip(node, now, head.height)
      if (tip?.hash !== head.hash) throw new Reorganised()
      for (const [index, logs] of answers.entries()) {
        const piece = now[index]!
        if (logs === null) waiting.unshift(...pieces(piece, Math.ceil((piece.to - piece.from + 1) / 2)))
        else found.push(...logs.filter(({ height }) => height >= piece.from && height <= piece.to))
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

const askWithTip = (
  node: Node,
  searches: Search[],
  height: number,
): Promise<[Header | null, ...(Log[] | null)[]]> =>
  ask(node, [
    headerAt(height),
    ...searches.map(({ filter, from, to }): Question<Log[] | null> => logsOf(filter, from, to)),
  ])

function pieces({ from, to, filter }: Search, span: number): Search[] {
  const count = Math.max(0, Math.ceil((to - from + 1) / span))
  return Array.from({ length: count }, (_, index) => ({
    filter,
    from: from + index * span,
    to: Math.min(to, from + (index + 1) * span - 1),
  }))
}
