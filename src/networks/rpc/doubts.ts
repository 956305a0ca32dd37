import { type Network, NetworkError, type Watch, type WatchResult } from '../port.ts'

/** The attempts of which an endpoint leaves something out, until the other endpoints have been asked. */
export class Doubts {
  readonly #ids = new Set<string>()

  /** Always returns true: the watch has no result of this endpoint. */
  add({ attemptId }: Watch): true {
    this.#ids.add(attemptId)
    return true
  }

  /** Those of the watches that were added; they are forgotten. */
  take(watches: Watch[]): Watch[] {
    return watches.filter(({ attemptId }) => this.#ids.delete(attemptId))
  }
}

interface Looks {
  /** leaves out what is in doubt, so that another endpoint is asked */
  strict: Network
  /** reports what is in doubt too, without a conclusion from what is missing */
  lenient: Network
  doubts: Doubts
}

/**
 * A network that asks the other endpoints about each watch that the first one leaves out. What all of them
 * leave in doubt is scanned leniently, so that a payment that was found is never held back.
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
