import { type Network, NetworkError, type Watch, type WatchResult } from '../port.ts'

/** Attempts for which an endpoint leaves payments out, kept until the other endpoints have been asked. */
export class Doubts {
  readonly #ids = new Set<string>()

  /** Adds a watch. Always returns true, so that a scan can drop its result in the same expression. */
  add({ attemptId }: Watch): true {
    this.#ids.add(attemptId)
    return true
  }

  /** Returns the watches that were added, and forgets them. */
  take(watches: Watch[]): Watch[] {
    return watches.filter(({ attemptId }) => this.#ids.delete(attemptId))
  }
}

interface Looks {
  /** the network that has no result for a watch in doubt, so that another endpoint is asked */
  strict: Network
  /**
   * the network that reports the payments of a watch in doubt too, and concludes nothing from what is missing
   */
  lenient: Network
  doubts: Doubts
}

/**
 * Makes a network that asks the other endpoints about each watch without a result. If all of them leave a
 * watch in doubt, it is scanned leniently, so that payments that were found are not held back.
 */
export function withSecondLook({ strict, lenient, doubts }: Looks): Network {
  return {
    ...strict,
    async scan(watches) {
      const first = await attempt(strict, watches)
      const results = [...first.results]
      const missing = without(watches, results)
      if (missing.length > 0 && results.length > 0) results.push(...(await attempt(strict, missing)).results)
      const doubted = doubts.take(watches)
      const open = without(doubted, results)
      if (open.length > 0) results.push(...(await attempt(lenient, open)).results)
      if (results.length === 0 && first.error) throw first.error
      return results
    },
  }
}

const without = (watches: Watch[], results: WatchResult[]): Watch[] => {
  const done = new Set(results.map(({ attemptId }) => attemptId))
  return watches.filter(({ attemptId }) => !done.has(attemptId))
}

async function attempt(
  network: Network,
  watches: Watch[],
): Promise<{ results: WatchResult[]; error: NetworkError | null }> {
  try {
    return { results: await network.scan(watches), error: null }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return { results: [], error }
  }
}
