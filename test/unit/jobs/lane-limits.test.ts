import { expect, test } from 'bun:test'
import { LaneLimits } from '../../../src/jobs/lane-limits.ts'

/** The limits of one lane. By default, each answer begins after the last change of a limit. */
function givenLane() {
  let now = 0
  const limits = new LaneLimits(() => now)
  const answer = (isAccepted: boolean, durationMs: number, startedAt = now + 1): number => {
    now = Math.max(now, startedAt + durationMs)
    limits.count('lane', { isAccepted, durationMs }, startedAt)
    return limits.of('lane')
  }
  const accept = (count: number, durationMs: number) => {
    for (let i = 0; i < count; i++) answer(true, durationMs)
    return limits.of('lane')
  }
  return { limits, answer, accept, now: () => now }
}

test('the concurrency of an endpoint starts at 4 and grows by one for each quick answer, up to 32', () => {
  const { limits, accept } = givenLane()
  expect([limits.of('lane'), accept(1, 20), accept(10, 20), accept(100, 20)]).toEqual([4, 5, 15, 32])
})

test('the concurrency of an endpoint falls to 1 on a failure, and grows again from there', () => {
  const { answer, accept } = givenLane()
  accept(40, 20)
  expect([answer(false, 20), accept(1, 20), accept(3, 20)]).toEqual([1, 2, 5])
})

test('an endpoint that takes longer than a second gets no more than 4', () => {
  const { accept } = givenLane()
  expect(accept(50, 1001)).toBe(4)
})

test('the concurrency is halved when an endpoint needs three times its best time', () => {
  const { answer, accept } = givenLane()
  accept(40, 100)
  expect([answer(true, 290), answer(true, 500), answer(true, 500), answer(true, 500)]).toEqual([32, 16, 8, 4])
  expect(answer(true, 500)).toBe(4)
})

test('the concurrency is halved once for answers that were in progress together', () => {
  const { answer, accept, now } = givenLane()
  accept(40, 100)
  const startedAt = now() + 1
  for (let i = 0; i < 32; i++) answer(true, 900, startedAt)
  expect(answer(true, 900, startedAt)).toBe(16)
})

test('the concurrency is not lowered by differences between short answers', () => {
  const { accept } = givenLane()
  accept(40, 2)
  expect(accept(40, 240)).toBe(32)
})

test('an endpoint that stays slower, but answers within a second, gets the full concurrency again', () => {
  const { accept } = givenLane()
  accept(40, 100)
  expect(accept(100, 600)).toBe(32)
})

test('lanes do not share their limits', () => {
  const { limits, answer } = givenLane()
  answer(false, 10)
  expect([limits.of('lane'), limits.of('other')]).toEqual([1, 4])
})
