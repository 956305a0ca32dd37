import { expect, test } from 'bun:test'
import { allKnown, whenKnown } from '../../../src/domain/awaitable.ts'

test('what is known is used at once, and what is not when it is', async () => {
  expect(whenKnown(1, one => one + 1)).toBe(2)
  const later = whenKnown(Promise.resolve(1), one => one + 1)
  expect(later).toBeInstanceOf(Promise)
  expect(await later).toBe(2)
  expect(allKnown([1, 2])).toEqual([1, 2])
  const mixed = allKnown([1, Promise.resolve(2)])
  expect(mixed).toBeInstanceOf(Promise)
  expect(await mixed).toEqual([1, 2])
})

test('what failed is not gone on with', async () => {
  const next = () => {
    throw new Error('was called')
  }
  await expect(whenKnown(Promise.reject(new Error('no')), next)).rejects.toThrow('no')
  await expect(allKnown([1, Promise.reject(new Error('no'))])).rejects.toThrow('no')
})
