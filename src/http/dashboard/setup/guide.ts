import type { Guide } from '../../../../views/dashboard/guide.ts'
import { type SetupStep, setupSteps } from '../../../domain/setup.ts'
import { readSetupSteps, type StepState } from '../../../operations/overview/setup.ts'
import type { ShopVisit } from '../visit.ts'

export const OVERVIEW = '/dashboard'

export const stepUrl = (step: SetupStep): string => `/dashboard/setup/${step}`

/**
 * The URL of the next open step after `after`, or of the first open step if `after` is null. If no step is
 * open, the URL of the overview.
 */
export function nextUrl(steps: readonly StepState[], after: SetupStep | null): string {
  const from = after === null ? 0 : setupSteps.indexOf(after) + 1
  const next = steps.slice(from).find(({ state }) => state === 'open')
  return next ? stepUrl(next.step) : OVERVIEW
}

/**
 * The first step of the guide, in which the person chooses a password. A person who is signed in has done it.
 */
const account = { step: 'account', state: 'done', url: null } as const

/** The guide for a step in the setup of a shop. */
export async function guideOf({ context, merchant }: ShopVisit, current: SetupStep): Promise<Guide> {
  const steps = await readSetupSteps(context, merchant.id)
  const next = nextUrl(steps, current)
  const before = setupSteps[setupSteps.indexOf(current) - 1]
  return {
    steps: [account, ...steps.map(({ step, state }) => ({ step, state, url: stepUrl(step) }))],
    current,
    backUrl: before ? stepUrl(before) : null,
    nextUrl: next,
    isLast: next === OVERVIEW,
  }
}

/** The guide for a person who has no shop yet. */
export const firstGuide = (current: 'account' | 'shop', backUrl: string | null): Guide => ({
  steps: [
    { ...account, state: current === 'account' ? 'open' : 'done' },
    ...setupSteps.map(step => ({ step, state: 'open' as const, url: null })),
  ],
  current,
  backUrl,
  nextUrl: OVERVIEW,
  isLast: false,
})
