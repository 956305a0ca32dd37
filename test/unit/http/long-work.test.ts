import { expect, test } from 'bun:test'
import { LongWork } from '../../../src/http/dashboard/payouts/long-work.ts'

const { signal } = new AbortController()
const unexpected = (error: unknown) => {
  throw error
}

test('work that ends soon is answered with its result or error', async () => {
  const long = new LongWork<number>(60_000)
  expect(await long.run('a', async () => 7, signal, unexpected)).toBe(7)
  const failing = long.run('a', () => Promise.reject(new Error('no')), signal, unexpected)
  expect(await failing.catch(String)).toBe('Error: no')
})

test('work that takes long continues, once for each key', async () => {
  const long = new LongWork<number>(1)
  const { promise, resolve } = Promise.withResolvers<number>()
  const started: string[] = []
  const start = (key: string) =>
    long.run(
      key,
      () => {
        started.push(key)
        return promise
      },
      signal,
      unexpected,
    )
  expect([await start('a'), await start('a'), await start('b')]).toEqual([null, null, null])
  expect(started).toEqual(['a', 'b'])
  const last = start('a')
  resolve(3)
  expect(await last).toBe(3)
  expect(await start('a')).toBe(3)
  expect(started).toEqual(['a', 'b', 'a'])
})

test('a failure after the answer is reported once', async () => {
  const long = new LongWork<number>(1)
  const { promise, reject } = Promise.withResolvers<number>()
  const late: string[] = []
  const run = () =>
    long.run(
      'a',
      () => promise,
      signal,
      error => late.push(String(error)),
    )
  expect([await run(), await run()]).toEqual([null, null])
  reject(new Error('gone'))
  await promise.catch(() => {})
  await Promise.resolve()
  expect(late).toEqual(['Error: gone'])
})
