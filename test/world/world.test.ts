import { expect, test } from 'bun:test'
import { makeHistory } from './generate.ts'
import { runHistory } from './runner.ts'

/** Of one history: npm run simulate runs many. */
const STEPS = 25

test('the whole server keeps the rules of the model in a short history', async () => {
  const { setup, steps } = makeHistory(3)
  expect(await runHistory({ setup, steps: steps.slice(0, STEPS) })).toBeNull()
}, 60_000)

test('a seed makes one history', () => {
  expect(makeHistory(5)).toEqual(makeHistory(5))
})
