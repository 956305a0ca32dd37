import { withFewerSteps } from '../simulation/shrink.ts'
import type { Engine } from './disks.ts'
import { fromEarlier, stayingEarlier } from './earlier.ts'
import type { Fact, Judge, Saying } from './facts.ts'
import { makeHistory } from './generate.ts'
import { Model } from './model/model.ts'
import { simpleJudge } from './simple-judge.ts'
import { Simulation } from './simulation.ts'
import { type History, printHistory, type Step } from './steps.ts'

const judges = (): Judge[] => [simpleJudge(), new Model()]

export type OnLine = (line: Fact | Saying) => void

export const runHistory = (history: History, onLine: OnLine | null = null) =>
  new Simulation(history, judges(), onLine).run()

/** A problem without its numbers and IDs: a shorter history must fail in the same way. */
const kindOf = (problem: string): string =>
  problem.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '').replace(/[0-9]+/g, '')

export interface Failure {
  seed: number
  steps: number
  problem: string
  /** the shortest history that fails in the same way */
  shortest: History
}

/** Variants of a history with fewer requests at the same time. */
function smaller(history: History): History[] {
  return history.steps.flatMap((step, index) => {
    const with_ = (changed: Step) => ({ ...history, steps: history.steps.with(index, changed) })
    if (step.do === 'together')
      return step.requests.map((_, at) => with_({ ...step, requests: step.requests.toSpliced(at, 1) }))
    return step.do === 'wait' && step.minutes > 1 ? [with_({ ...step, minutes: 1 })] : []
  })
}

async function shrink(history: History, problem: string): Promise<History> {
  const fails = async (shorter: History): Promise<boolean> => {
    const found = await runHistory(shorter)
    return found !== null && kindOf(found.problem) === kindOf(problem)
  }
  let best = await withFewerSteps(history, fails)
  for (const candidate of smaller(best)) if (await fails(candidate)) best = candidate
  return best
}

interface Found extends Pick<Failure, 'seed' | 'steps' | 'problem'> {
  /** true if servers that keep the earlier version fail in the same way */
  isOfEarlier: boolean
}

/** The histories that a run makes. */
export interface Choice {
  engine: Engine
  /** the only story of the histories, by its name or index; null for all stories */
  story: string | null
  /** the commit of an earlier version with which servers start */
  earlier: string | null
}

/** The history of a seed on an engine, or its first steps. */
export function historyOf(seed: number, stepsMax: number, { engine, story, earlier }: Choice): History {
  const made = makeHistory(seed, story)
  const own = { ...made, setup: { ...made.setup, engine } }
  const { setup, steps } = earlier === null ? own : fromEarlier(own, earlier)
  return { setup, steps: steps.slice(0, stepsMax) }
}

/** True if servers that keep the earlier version fail in the same way. */
async function failsEarlier(history: History, problem: string): Promise<boolean> {
  const earlier = stayingEarlier(history)
  const found = earlier && (await runHistory(earlier))
  return found !== null && kindOf(found.problem) === kindOf(problem)
}

/**
 * Runs the history of a seed, or its first steps. Shortens a failing history if `onFound` says so. A failure
 * that the earlier version has alone does not count.
 */
export async function runSeed(
  seed: number,
  stepsMax: number,
  choice: Choice,
  onFound: (found: Found) => boolean,
): Promise<{ steps: number; failure: Failure | null }> {
  const history = historyOf(seed, stepsMax, choice)
  const found = await runHistory(history)
  if (found === null) return { steps: history.steps.length, failure: null }
  const { problem, steps } = found
  const isOfEarlier = await failsEarlier({ ...history, steps: history.steps.slice(0, steps) }, problem)
  const isShortened = onFound({ seed, steps, problem, isOfEarlier })
  if (isOfEarlier) return { steps, failure: null }
  if (!isShortened) return { steps, failure: { seed, steps, problem, shortest: history } }
  const shortest = await shrink({ ...history, steps: history.steps.slice(0, steps) }, problem)
  return { steps, failure: { seed, steps, problem, shortest } }
}

export const printFound = ({ seed, steps, problem, isOfEarlier }: Found): string =>
  isOfEarlier
    ? `Seed ${seed}: the earlier version fails alone, too: ${problem}`
    : `Seed ${seed} fails after ${steps} steps: ${problem}`

export const printShortest = ({ shortest }: Failure): string =>
  `The shortest history that still fails:\n${printHistory(shortest)}\n`
