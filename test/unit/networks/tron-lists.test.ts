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

test.each([
  ['the end of what was listed', { lastAt: 90 }, 90],
  ['the oldest payment that waits for a later scan', { waitingFrom: 91 }, 91],
  ['the oldest payment that the node does not know', { unknownFrom: 92 }, 92],
  ['where it began, as long as nothing more is certain', { waitingFrom: 70 }, 80],
  ['the moment after one that has more payments than a scan lists', { lastAt: 80 }, 80 + 1 / MINUTE_MS],
] as const)('a long list is continued from %s', (_, changes, minute) => {
  const minutes = { lastAt: 96, waitingFrom: null, unknownFrom: null, ...changes }
  const [lastAt, waitingFrom, unknownFrom] = [minutes.lastAt, minutes.waitingFrom, minutes.unknownFrom].map(
    at => (at === null ? null : at * MINUTE_MS),
  ) as [number, number | null, number | null]
  const tip = { head, finalized: block(97 * MINUTE_MS) }
  const long = { entries: [], hasMore: true, lastAt }
  const next = nextFrom(long, { waitingFrom, unknownFrom, tip }, 80 * MINUTE_MS)
  expect(next).toBe(minute * MINUTE_MS)
})
