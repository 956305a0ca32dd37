import { databaseTemplate, makeDataDir } from './database.ts'
import { makePriceHistory, type PriceHistory, printPriceHistory } from './price-history.ts'
import { creditOf, isEqual } from './price-model.ts'
import { type Amounts, PriceWalk } from './price-walk.ts'
import { kindOf } from './runner.ts'
import { STARTS_AT } from './scene.ts'
import { Violation } from './server.ts'
import { withFewerSteps } from './shrink.ts'

type End = Awaited<ReturnType<PriceWalk['run']>>

/**
 * The difference between a run with checks by pages and one without; null if there is none. Payments at the
 * same quotes must have the same value, no matter when the server finds them.
 */
function differenceOf(one: End, other: End): string | null {
  const [terms, others] = [one, other].map(({ ending }) =>
    ending.attempts.map(({ assetId, priced, dueAtomic }) => `${priced} ${dueAtomic} ${assetId}`).join(),
  )
  // Without a check, the server may use another, newer rate. Then the runs cannot be compared.
  if (terms !== others || !one.bounds.every(({ isExact }) => isExact)) return null
  const [first, second] = [one.ending, other.ending]
  if (first.status !== second.status)
    return `the order is ${first.status} with looks, and ${second.status} without`
  if (first.status === 'PAID' || isEqual(creditOf(first), creditOf(second))) return null
  return 'other amounts are credited with looks than without'
}

/** Runs histories of moving prices one after another, in one database that is emptied in between. */
export async function openPriceRunner() {
  const { folder, remove } = makeDataDir()
  const reset = await databaseTemplate(folder, STARTS_AT)
  let compared = 0
  const run = async (history: PriceHistory, given: Amounts | null) => {
    reset()
    const walk = new PriceWalk(history, folder, given)
    return { ...(await walk.run()), amounts: walk.amounts }
  }
  const problemOf = async (history: PriceHistory): Promise<string | null> => {
    try {
      const seen = await run(history, null)
      if (seen.bounds.length === 0) return null
      const difference = differenceOf(seen, await run(history, seen.amounts))
      if (seen.bounds.every(({ isExact }) => isExact)) compared += 1
      return difference
    } catch (error) {
      if (error instanceof Violation) return error.message
      throw error
    }
  }
  return {
    problemOf,
    /** number of histories that were compared with a run without checks by pages */
    compared: () => compared,
    /** Returns the shortest failing history of a seed, as text; null if nothing fails. */
    async failureOf(seed: number): Promise<string | null> {
      const history = makePriceHistory(seed)
      const problem = await problemOf(history)
      if (problem === null) return null
      const isSame = async (shorter: PriceHistory) => kindOf(await problemOf(shorter)) === kindOf(problem)
      const shortest = await withFewerSteps(history, isSame)
      return `Seed ${seed} fails: ${(await problemOf(shortest)) ?? problem}\n${printPriceHistory(shortest)}\n`
    },
    close: remove,
  }
}
