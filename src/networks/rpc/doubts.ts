import {
  type DetectedPayment,
  type Network,
  NetworkError,
  Undecided,
  type Watch,
  type WatchResult,
} from '../port.ts'

/** Attempts for which an endpoint leaves payments out, kept until the other endpoints have been asked. */
export class Doubts {
  /** the payments in blocks that the endpoints in doubt report, by attempt */
  readonly #reported = new Map<string, Set<string>>()

  /** Adds a watch. Always returns true, so that a scan can drop its result in the same expression. */
  add({ attemptId }: Pick<Watch, 'attemptId'>, reported: readonly DetectedPayment[] = []): true {
    const inBlocks = reported.filter(({ height }) => height !== null).map(keyOf)
    const before = this.#reported.get(attemptId) ?? []
    this.#reported.set(attemptId, new Set([...before, ...inBlocks]))
    return true
  }

  /**
   * Returns the results that contain all payments which endpoints in doubt have reported, since an endpoint
   * that lists less is no proof that these left something out. Forgets the payments that were found. Throws
   * Undecided if no result is left.
   */
  complete(results: WatchResult[]): WatchResult[] {
    const whole = results.filter(({ attemptId, detectedPayments }) => {
      const reported = this.#reported.get(attemptId)
      return !reported?.difference(new Set(detectedPayments.map(keyOf))).size
    })
    if (whole.length === 0 && results.length > 0) {
      throw new Undecided('does not report a payment that another endpoint reports')
    }
    for (const { attemptId } of whole) this.#reported.get(attemptId)?.clear()
    return whole
  }

  has({ attemptId }: Watch): boolean {
    return this.#reported.has(attemptId)
  }

  forget(watches: readonly Watch[]): void {
    for (const { attemptId } of watches) this.#reported.delete(attemptId)
  }
}

const keyOf = ({ txId, txIndex }: DetectedPayment): string => `${txId} ${txIndex}`

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
      try {
        const first = await attempt(strict, watches)
        const results = [...first.results]
        const missing = without(watches, results)
        if (missing.length > 0 && results.length > 0)
          results.push(...(await attempt(strict, missing)).results)
        const open = without(watches, results).filter(watch => doubts.has(watch))
        if (open.length > 0) results.push(...(await attempt(lenient, open)).results)
        if (results.length === 0 && first.error) throw first.error
        return results
      } finally {
        doubts.forget(watches)
      }
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
