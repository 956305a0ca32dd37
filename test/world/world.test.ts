import { expect, test } from 'bun:test'
import { isOnPostgres } from '../support/app.ts'
import { fromEarlier } from './earlier.ts'
import { makeHistory } from './generate.ts'
import { historyOf, runHistory } from './runner.ts'

/** The number of steps of one short history; `npm run simulate` runs many long ones. */
const STEPS = 25

test('the whole server keeps the rules of the model in a short history', async () => {
  expect(
    await runHistory(
      historyOf(3, STEPS, { engine: isOnPostgres ? 'postgres' : 'sqlite', story: null, earlier: null }),
    ),
  ).toBeNull()
}, 60_000)

test('a seed always makes the same history', () => {
  expect(makeHistory(5)).toEqual(makeHistory(5))
})

test('each server of a history from an earlier version gets this version and goes back in turn', () => {
  const { setup, steps } = makeHistory(5)
  const mixed = fromEarlier({ setup: { ...setup, engine: 'postgres' }, steps }, 'v1.0.0').steps
  const installs = mixed.flatMap(step => (step.do === 'install' ? [step] : []))
  for (const machine of [0, 1]) {
    const versions = installs.filter(step => step.machine === machine).map(({ version }) => version)
    expect(versions.length).toBeGreaterThan(1)
    expect(versions).toEqual(versions.map((_, at) => (at % 2 === 0 ? 'this' : 'earlier')))
  }
  expect(mixed.filter(({ do: name }) => name !== 'install')).toEqual(steps)
})
