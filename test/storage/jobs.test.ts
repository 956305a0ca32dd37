import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage, Tables } from '../../src/storage/port.ts'
import { openStorage } from '../../src/storage/sqlite/open.ts'

let folder: string
let storage: Storage

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'florin-jobs-'))
  storage = openStorage(join(folder, 'florin.sqlite'), 0)
})
afterEach(async () => {
  await storage.close()
  rmSync(folder, { recursive: true })
})

const write = <T>(work: (jobs: Tables['jobs']) => Promise<T>): Promise<T> =>
  storage.write(tables => work(tables.jobs))
const nextDueAt = (full: string[] = []) => storage.read(tables => tables.jobs.nextDueAt(full))
const job = (subject: string, dueAt: number, lane = 'lane') => ({
  kind: 'event.deliver' as const,
  subject,
  lane,
  dueAt,
})
const room = (count: number, full: string[] = []) => ({ full, of: () => count })
const claim = (now: number, space = room(10)) =>
  write(jobs => jobs.claim(now, 'me', now + 1000, space)).then(claimed =>
    claimed.map(({ subject }) => subject),
  )

describe('jobs', () => {
  test('that are not due are not claimed', async () => {
    await write(jobs => jobs.schedule(job('later', 101)))
    expect(await claim(100)).toEqual([])
    expect(await claim(101)).toEqual(['later'])
  })

  test('that are claimed are nobody else’s until the lease runs out', async () => {
    await write(jobs => jobs.schedule(job('a', 100)))
    expect(await claim(100)).toEqual(['a'])
    expect(await claim(1099)).toEqual([])
    expect(await claim(1100)).toEqual(['a'])
  })

  test('are claimed by two at once only once each', async () => {
    await write(async jobs => {
      for (let i = 0; i < 20; i++) await jobs.schedule(job(`${i}`, i))
    })
    const claims = await Promise.all([claim(100, room(15)), claim(100, room(15)), claim(100, room(15))])
    expect(claims.flat().sort()).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`).sort())
  })

  test('of a full lane wait, those of another go on', async () => {
    await write(async jobs => {
      for (let i = 0; i < 5; i++) await jobs.schedule(job(`slow${i}`, i, 'slow'))
      await jobs.schedule(job('quick', 50, 'quick'))
    })
    expect(await claim(100, room(2))).toEqual(expect.arrayContaining(['slow0', 'slow1', 'quick']))
    expect(await claim(100, room(2, ['slow']))).toEqual([])
    expect(await nextDueAt(['slow'])).toBe(1100)
  })

  test('that are finished are gone, or come again', async () => {
    await write(jobs => jobs.schedule(job('a', 1)))
    await write(jobs => jobs.schedule(job('b', 1)))
    await write(async jobs => {
      for (const claimed of await jobs.claim(5, 'me', 1000, room(9))) {
        await jobs.finish(claimed, claimed.subject === 'a' ? null : 70)
      }
    })
    expect(await nextDueAt()).toBe(70)
    expect(await claim(2000)).toEqual(['b'])
  })

  test('that were scheduled anew while they ran keep their new time', async () => {
    await write(jobs => jobs.schedule(job('a', 1)))
    await write(async jobs => {
      const [claimed] = await jobs.claim(5, 'me', 1000, room(9))
      await jobs.schedule(job('a', 42))
      await jobs.finish(claimed!, null)
    })
    expect(await nextDueAt()).toBe(42)
  })

  test('that are hastened come earlier, never later, and not while they run', async () => {
    await write(jobs => jobs.schedule(job('a', 100)))
    await write(jobs => jobs.bringForward('event.deliver', 'a', 200))
    expect(await nextDueAt()).toBe(100)
    await write(jobs => jobs.bringForward('event.deliver', 'a', 50))
    expect(await nextDueAt()).toBe(50)
    await claim(60)
    await write(jobs => jobs.bringForward('event.deliver', 'a', 55))
    expect(await nextDueAt()).toBe(1060)
  })

  test('that a dead process held are given back', async () => {
    await write(jobs => jobs.schedule(job('a', 1)))
    await claim(5)
    await write(jobs => jobs.release(6, 'somebody else'))
    expect(await claim(7)).toEqual([])
    await write(jobs => jobs.release(6, null))
    expect(await claim(7)).toEqual(['a'])
  })
})
