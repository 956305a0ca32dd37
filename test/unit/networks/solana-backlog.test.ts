import { expect, test } from 'bun:test'
import type { TrackedAccount } from '../../../src/networks/solana/cursor.ts'
import { type Listing, nextBacklog } from '../../../src/networks/solana/new-signatures.ts'

/** Signatures named by their place in the list, the newest first, with these slots. */
const listOf = (slots: number[], isComplete: boolean) =>
  ({ listed: slots.map((slot, at) => ({ signature: `${at}`, slot })), isComplete }) as Listing
const tracked = { backlog: ['newer', 'older'] } as TrackedAccount

const slots = [20, 19, 18, 17, 16, 15, 14, 13, 12, 11]
const oneSlot = slots.map(() => 20)
/** The place at four fifths of the list, 16, and the one after it are in one slot. */
const halfSlot = [...slots.map(slot => slot + 10), ...slots.slice(0, 7), 14, 13, 12]

test.each<[sentence: string, list: Listing, isAllReported: boolean, places: string[]]>([
  ['loses its oldest place once all before it is reported', listOf([9], true), true, ['newer']],
  ['stays until all before it is reported', listOf([9], true), false, ['newer', 'older']],
  [
    'gets a place in the last fifth of a list without its end',
    listOf(slots, false),
    false,
    ['newer', 'older', '8'],
  ],
  ['gets a place between two slots', listOf(halfSlot, false), false, ['newer', 'older', '17']],
  [
    'gets a place inside a slot that is the whole rest',
    listOf(oneSlot, false),
    false,
    ['newer', 'older', '8'],
  ],
])('a backlog %s', (_, list, isAllReported, places) => {
  expect(nextBacklog(tracked, list, isAllReported)).toEqual(places)
})

test('a backlog keeps its oldest places', () => {
  const full = { backlog: Array.from({ length: 16 }, (_, at) => `place ${at}`) } as TrackedAccount
  const next = nextBacklog(full, listOf(slots, false), false)
  expect([next.length, next[0], next.at(-1)]).toEqual([16, 'place 1', '8'])
})
