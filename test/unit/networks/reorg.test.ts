import { expect, test } from 'bun:test'
import { NetworkError } from '../../../src/networks/port.ts'
import { Reorganised, retryReorganised } from '../../../src/networks/rpc/reorg.ts'

/** Fails this number of times before it succeeds. */
function failing(times: number, error: Error) {
  const counts = { works: 0, forgets: 0 }
  const work = async () => {
    counts.works++
    if (counts.works <= times) throw error
    return 'done'
  }
  const forget = () => {
    counts.forgets++
  }
  return { counts, result: retryReorganised(work, forget) }
}

test('work on a reorganised chain is repeated, after remembered data is dropped each time', async () => {
  const { counts, result } = failing(2, new Reorganised())
  expect(await result).toBe('done')
  expect(counts).toEqual({ works: 3, forgets: 2 })
})

test('a chain that is reorganised repeatedly is a network error', async () => {
  const { counts, result } = failing(3, new Reorganised())
  await expect(result).rejects.toThrow(NetworkError)
  expect(counts.works).toBe(3)
})

test('any other error is not retried', async () => {
  const { counts, result } = failing(1, new NetworkError('does not answer'))
  await expect(result).rejects.toThrow('does not answer')
  expect(counts).toEqual({ works: 1, forgets: 0 })
})
