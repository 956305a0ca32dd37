import { describe, expect, test } from 'bun:test'
import { LruCache } from '../../../src/domain/lru-cache.ts'
import { HealthCache } from '../../../src/networks/rpc/cache.ts'

describe('an LRU cache', () => {
  test('makes a value once, and forgets the least recently used', () => {
    const made: string[] = []
    const cache = new LruCache<string>(2)
    const get = (key: string): string =>
      cache.get(key, () => {
        made.push(key)
        return `of ${key}`
      })
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map(get).join()).toBe('of a,of b,of a,of c,of a,of b')
    expect(made).toEqual(['a', 'b', 'c', 'b'])
    expect(['a', 'b', 'c'].map(key => cache.has(key))).toEqual([true, true, false])
  })

  test('adds up the sizes of its values', () => {
    const cache = new LruCache<string>(10, (value, key) => value.length + key.length)
    for (const [key, value] of ['a12', 'b1234', 'c12345678', 'd1234567890'].map(one => [
      one[0]!,
      one.slice(1),
    ]))
      cache.get(key!, () => value!)
    // "d" alone is larger than the whole cache.
    expect(['a', 'b', 'c', 'd'].map(key => cache.has(key))).toEqual([false, false, false, false])
    cache.get('e', () => '1234')
    cache.get('f', () => '1234')
    expect(['e', 'f'].map(key => cache.has(key))).toEqual([true, true])
    cache.get('g', () => '')
    expect(['e', 'f', 'g'].map(key => cache.has(key))).toEqual([false, true, true])
  })

  test('frees the place of a rejected promise', async () => {
    const cache = new LruCache<Promise<string>>(2)
    for (let time = 0; time < 3; time++) {
      await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    }
    await Promise.all(['b', 'c'].map(key => cache.get(key, async () => key)))
    expect(['b', 'c'].map(key => cache.has(key))).toEqual([true, true])
  })

  test('does not keep a value whose creation failed', () => {
    const cache = new LruCache<string>(2)
    const fails = () => {
      throw new Error('no')
    }
    expect(() => cache.get('a', fails)).toThrow('no')
    expect(cache.get('a', () => 'yes')).toBe('yes')
  })

  test('shares a promise among simultaneous callers, and forgets a rejected one', async () => {
    const cache = new LruCache<Promise<string>>(2)
    const { promise, reject } = Promise.withResolvers<string>()
    const first = cache.get('a', () => promise)
    expect(cache.get('a', async () => 'another')).toBe(first)
    reject(new Error('no'))
    await expect(first).rejects.toThrow('no')
    expect(await cache.get('a', async () => 'new')).toBe('new')
  })

  test('keeps a newer value if an earlier promise is rejected', async () => {
    const cache = new LruCache<Promise<string>>(1)
    const { promise, reject } = Promise.withResolvers<string>()
    const first = cache.get('a', () => promise)
    void cache.get('b', async () => 'other')
    const second = cache.get('a', async () => 'new')
    reject(new Error('no'))
    await expect(first).rejects.toThrow('no')
    expect(cache.get('a', async () => 'newest')).toBe(second)
  })
})

test('a health cache keeps a problem for half a minute, and a healthy result forever', async () => {
  let now = 0
  let state: string | null = 'broken'
  let checks = 0
  const cache = new HealthCache(() => now)
  const problem = () =>
    cache.problem('token', async () => {
      checks++
      return state
    })
  expect([await problem(), await problem(), checks]).toEqual(['broken', 'broken', 1])
  state = null
  now = 30_000
  expect([await problem(), checks]).toEqual([null, 2])
  state = 'broken'
  now = 1e12
  expect([await problem(), checks]).toEqual([null, 2])
})
