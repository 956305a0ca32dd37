import { expect, test } from 'bun:test'
import { isOnPostgres } from '../support/app.ts'
import { makeHistory } from './generate.ts'
import { historyOf, runHistory } from './runner.ts'

/** Of one history: npm run simulate runs many. */
const STEPS = 25

test('the whole server keeps the rules of the model in a short history', async () => {
  expect(await runHistory(historyOf(3, STEPS, isOnPostgres ? 'postgres' : 'sqlite'))).toBeNull()
}, 60_000)

test('a seed makes one history', () => {
  expect(makeHistory(5)).toEqual(makeHistory(5))
})
