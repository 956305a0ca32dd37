import { expect, test } from 'bun:test'
import { LruCache } from '../../../../src/networks/rpc/lru.ts'

test('what was made is given again, and forgotten when enough came after it', () => {
  const made: string[] = []
  const lately = new LruCache<string>(2)
  const recall = (key: string): string =>
    lately.recall(key, () => {
      made.push(key)
      return `of ${key}`
    })
  expect(['a', 'b', 'a', 'b', 'c', 'b', 'a'].map(recall).join()).toBe('of a,of b,of a,of b,of c,of b,of a')
  expect(made).toEqual(['a', 'b', 'c', 'a'])
})

test('what could not be made is not kept', () => {
  const lately = new LruCache<string>(2)
  const fails = () => {
    throw new Error('no')
  }
  expect(() => lately.recall('a', fails)).toThrow('no')
  expect(lately.recall('a', () => 'yes')).toBe('yes')
})
