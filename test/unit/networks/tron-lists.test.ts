import { expect, test } from 'bun:test'
import { nextFrom } from '../../../src/networks/tron/list-address.ts'

const MINUTE_MS = 60_000
const block = (at: number) => ({ height: at, hash: `${at}`, parent: '', at })
const head = block(100 * MINUTE_MS)
const read = { waitingFrom: null, unknownFrom: null }

test.each([
  ['the newest block of two minutes ago, where nothing is called final', null, 98],
  ['the newest final block', block(97 * MINUTE_MS), 97],
])('a long list that was read up to now is continued from %s', (_, finalized, minute) => {
  const long = { entries: [], hasMore: true, lastAt: head.at }
  expect(nextFrom(long, { ...read, tip: { head, finalized } }, 0)).toBe(minute * MINUTE_MS)
})
