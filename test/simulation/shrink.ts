import type { History, Step } from './history.ts'

type Fails<Of> = (history: Of) => Promise<boolean>

/** Shortens a failing history as far as it still fails: leaves out steps and makes their numbers smaller. */
export async function shrink(history: History, fails: Fails<History>): Promise<History> {
  let best = await withFewerSteps(history, fails)
  for (let index = 0; index < best.steps.length; index++) {
    const candidates = smallerSteps(best.steps[index]!).map(step => ({
      ...best,
      steps: best.steps.with(index, step),
    }))
    best = (await firstFailing(candidates, fails)) ?? best
  }
  return (await firstFailing(withSimplerSetup(best), fails)) ?? best
}

/** The history without the steps that are not needed for the failure. */
export async function withFewerSteps<Of extends { steps: unknown[] }>(
  history: Of,
  fails: Fails<Of>,
): Promise<Of> {
  let best = history
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; ) {
    const shorter = await withoutSome(best, size, fails)
    if (shorter) best = shorter
    else size = size === 1 ? 0 : Math.ceil(size / 2)
  }
  return best
}

async function firstFailing(candidates: History[], fails: Fails<History>): Promise<History | null> {
  for (const candidate of candidates) if (await fails(candidate)) return candidate
  return null
}

function withSimplerSetup(history: History): History[] {
  const { setup, steps } = history
  const isForged = steps.some(step => step.do === 'lie' && step.lie === 'forge')
  if (isForged) return []
  return [1, setup.endpoints]
    .filter(endpoints => steps.every(step => step.do !== 'lie' || step.endpoint < endpoints))
    .map(endpoints => ({ setup: { ...setup, endpoints, quorumAbove: null }, steps }))
}

async function withoutSome<Of extends { steps: unknown[] }>(
  history: Of,
  size: number,
  fails: Fails<Of>,
): Promise<Of | null> {
  for (let start = 0; start < history.steps.length; start += size) {
    const candidate = { ...history, steps: history.steps.toSpliced(start, size) }
    if (await fails(candidate)) return candidate
  }
  return null
}

function smallerSteps(step: Step): Step[] {
  if (step.do === 'wait')
    return [1, 5, 31].filter(one => one < step.minutes).map(minutes => ({ ...step, minutes }))
  if (step.do === 'lie') return step.times > 1 ? [{ ...step, times: 1 }] : []
  if (step.do === 'reorganise') return step.depth > 1 ? [{ ...step, depth: 1 }] : []
  if (step.do === 'pay') return step.percent === 100 ? [] : [{ ...step, percent: 100 }]
  return []
}
