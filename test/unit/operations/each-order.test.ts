import { expect, test } from 'bun:test'
import { eachOrder } from '../../../src/operations/orders/browse.ts'
import type { Storage } from '../../../src/storage/port.ts'

test('a long export lets other requests run between its parts', async () => {
  const asked: { turns: number; examinedMax: number | undefined; text: string | undefined }[] = []
  let turns = 0
  let isDone = false
  const tables = {
    merchants: { find: async () => ({}) },
    orders: {
      match: async () => ({ ids: ['a'], isCut: true }),
      async browse({ text }: { text?: string }, _limit: number, _turn: unknown, examinedMax?: number) {
        asked.push({ turns, examinedMax, text })
        return { rows: [], examinedTo: asked.length < 5 ? { at: 10 - asked.length, id: 'a' } : null }
      },
    },
  }
  const storage = { read: async (work: (given: typeof tables) => unknown) => work(tables) }
  const other = (async () => {
    for (; !isDone; turns++) await new Promise(setImmediate)
  })()
  const parts = eachOrder({ storage: storage as unknown as Storage }, 'merchant', { text: ' Ann ' })
  for await (const part of parts) expect(part).toEqual([])
  isDone = true
  await other
  expect(asked.map(({ text }) => text)).toEqual(Array(5).fill('Ann'))
  expect(Math.max(...asked.map(({ examinedMax }) => examinedMax ?? Number.POSITIVE_INFINITY))).toBeLessThan(
    5000,
  )
  for (const [index, { turns: at }] of asked.entries()) expect(at).toBeGreaterThanOrEqual(index)
})
