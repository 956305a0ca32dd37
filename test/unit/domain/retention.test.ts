import { expect, test } from 'bun:test'
import { advance } from '../../../src/domain/retention.ts'

const DAY = 24 * 3600_000

test.each<[sentence: string, ranAt: number, reachedAt: number, now: number, reached: number]>([
  ['follows the clock', 1_000, 1_000, 2_000, 2_000],
  ['catches up at twice the pace of the clock', 10_000, 0, 11_000, 2_000],
  ['moves by a day at most', 10 * DAY, 0, 30 * DAY, DAY],
  ['stays where it is after the clock went back', 10_000, 5_000, 9_000, 5_000],
  ['is never ahead of the clock', 10_000, 9_900, 10_400, 10_400],
])('the deletion of old rows %s', (_, ranAt, reachedAt, now, reached) => {
  expect(advance({ ranAt, reachedAt }, now)).toEqual({ ranAt: now, reachedAt: reached })
})

test('the first deletion on a server deletes nothing from before it', () => {
  expect(advance(null, 5)).toEqual({ ranAt: 5, reachedAt: 5 })
})
