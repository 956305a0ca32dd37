import { expect, test } from 'bun:test'
import { givenAttempt, JSON_VALUE, LATEST, type Open, opening } from './given.ts'

export function elsewhereContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine

  test('the state of an attempt’s other chains is stored and replaced', async () => {
    const [one, other] = [await givenAttempt(engine), await givenAttempt(engine)]
    const find = (attemptId: string) => read(tables => tables.elsewhere.find(attemptId))
    expect(await find(one.id)).toBe(null)
    const first = { attemptId: one.id, askedAt: null, chains: {} }
    await write(tables => tables.elsewhere.put(first))
    expect(await find(one.id)).toEqual(first)
    const look = { readAt: LATEST, failedAt: null, cursor: JSON_VALUE }
    const second = { attemptId: one.id, askedAt: LATEST, chains: { polygon: look } }
    await write(tables => tables.elsewhere.put(second))
    expect(await find(one.id)).toEqual(second)
    expect(await find(other.id)).toBe(null)
  })
}
