import { expect, test } from 'bun:test'
import { MemoryKeeper } from '../../../src/boot/memory-keeper.ts'

const LOOK_MS = 250
const COLLECTION_MS = 20

/** A process and its keeper, with a clock and work of the test's own. */
function keptProcess() {
  const state = { worked: 0, now: 0, collections: 0, shrunk: 0 }
  const keeper = new MemoryKeeper({
    worked: () => state.worked,
    now: () => state.now,
    collect() {
      state.collections++
      state.worked += COLLECTION_MS
      state.now += COLLECTION_MS
    },
    shrink() {
      state.shrunk++
      state.worked += COLLECTION_MS
    },
  })
  /** Lets time pass. The process works for this share of it. */
  function pass(seconds: number, share: number): void {
    for (let ms = 0; ms < seconds * 1000; ms += LOOK_MS) {
      state.now += LOOK_MS
      state.worked += share * LOOK_MS
      keeper.look()
    }
  }
  return { state, pass }
}

test('the garbage of a load is collected within four seconds of its end, once', () => {
  const { state, pass } = keptProcess()
  pass(5, 0.9)
  pass(4, 0.01)
  expect(state.collections).toBe(1)
  pass(600, 0.01)
  expect(state.collections).toBe(1)
})

test('no request of a load waits for a collection, also after a pause of seconds', () => {
  const { state, pass } = keptProcess()
  for (let burst = 0; burst < 20; burst++) {
    pass(10, 0.9)
    pass(2, 0.01)
  }
  expect(state.collections).toBe(0)
})

test('short bursts share the cost of a collection', () => {
  const { state, pass } = keptProcess()
  for (let burst = 0; burst < 100; burst++) {
    pass(0.25, 0.3)
    pass(4, 0.01)
  }
  expect(state.collections).toBeGreaterThan(0)
  expect(state.collections * COLLECTION_MS).toBeLessThan(state.worked * 0.03)
})

test('a server without a load collects no garbage', () => {
  const { state, pass } = keptProcess()
  pass(3600, 0.01)
  expect(state.collections).toBe(0)
})

test('garbage of a short load is collected after a long quiet time', () => {
  const { state, pass } = keptProcess()
  pass(3, 0.9)
  pass(4, 0.01)
  expect(state.collections).toBe(1)
  pass(0.5, 0.9)
  pass(4, 0.01)
  expect(state.collections).toBe(1)
  pass(10, 0.01)
  expect(state.collections).toBe(2)
})

test('compiled code is freed after a long load, once', () => {
  const { state, pass } = keptProcess()
  pass(20, 0.9)
  pass(2, 0.01)
  expect(state.shrunk).toBe(0)
  pass(600, 0.01)
  expect(state).toMatchObject({ collections: 0, shrunk: 1 })
})

test('many short loads share the cost of compiling again', () => {
  const { state, pass } = keptProcess()
  for (let load = 0; load < 100; load++) {
    pass(1, 0.9)
    pass(20, 0.01)
  }
  expect(state.shrunk).toBeGreaterThan(0)
  expect(state.shrunk * 400).toBeLessThan(state.worked * 0.03)
})
