import { databaseTemplate, makeDataDir } from './database.ts'
import { type History, makeHistory, printHistory } from './history.ts'
import type { Family, Lie } from './lies.ts'
import { STARTS_AT } from './scene.ts'
import { shrink } from './shrink.ts'
import { Simulation } from './simulation.ts'

export interface Failure {
  seed: number
  problem: string
  /** the shortest history that fails in the same way */
  shortest: History
}

/** A problem without its numbers: a shorter history must fail in the same way. */
export const kindOf = (problem: string | null): string | undefined => problem?.replace(/[0-9]+/g, '')

/** Runs histories one after another, in one database that is emptied in between. */
export async function openRunner() {
  const { folder, remove } = makeDataDir()
  const reset = await databaseTemplate(folder, STARTS_AT)
  const run = async (history: History) => {
    reset()
    const simulation = new Simulation(history.setup, folder)
    return { problem: await simulation.run(history), openedAssets: simulation.openedAssets }
  }
  const problemOf = async (history: History): Promise<string | null> => (await run(history)).problem

  return {
    run,
    problemOf,
    /** Runs the history of a seed. Returns its failure; null if there is none. */
    async runSeed(family: Family, seed: number, lies: readonly Lie[]): Promise<Failure | null> {
      const history = makeHistory(family, seed, lies)
      const problem = await problemOf(history)
      if (problem === null) return null
      const isSame = async (shorter: History) => kindOf(await problemOf(shorter)) === kindOf(problem)
      const shortest = await shrink(history, isSame)
      return { seed, problem: (await problemOf(shortest)) ?? problem, shortest }
    },
    close: remove,
  }
}

export const printFailure = ({ seed, problem, shortest }: Failure): string =>
  `Seed ${seed} fails: ${problem}\n${printHistory(shortest)}\n`
