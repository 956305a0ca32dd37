import { expect, test } from 'bun:test'
import { mapLimit } from '../../../src/networks/rpc/map-limit.ts'

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

test('the results are in the order of the items, and at most the limit runs at a time', async () => {
  let running = 0
  let most = 0
  const results = await mapLimit([5, 1, 4, 2, 3], 2, async turns => {
    most = Math.max(most, ++running)
    for (let left = turns; left > 0; left--) await turn()
    running--
    return turns * 10
  })
  expect(results).toEqual([50, 10, 40, 20, 30])
  expect(most).toBe(2)
})

test('a slow item does not delay the others', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const begun: number[] = []
  const all = mapLimit([0, 1, 2, 3], 2, async index => {
    begun.push(index)
    if (index === 0) await promise
  })
  for (let turns = 0; turns < 5; turns++) await turn()
  expect(begun).toEqual([0, 1, 2, 3])
  resolve()
  await all
})

test('after an item has failed, no further item is started', async () => {
  const begun: number[] = []
  const failing = mapLimit([0, 1, 2, 3], 2, async index => {
    begun.push(index)
    await turn()
    if (index === 0) throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  for (let turns = 0; turns < 5; turns++) await turn()
  expect(begun.length).toBeLessThan(4)
})

test('no items give no results', async () => {
  expect(await mapLimit([], 4, async () => 1)).toEqual([])
})
