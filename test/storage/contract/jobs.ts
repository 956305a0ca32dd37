import { describe, expect, test } from 'bun:test'
import type { ClaimedJob, Job } from '../../../src/domain/job.ts'
import type { LaneCapacity, Tables } from '../../../src/storage/port.ts'
import { LATEST, type Open, opening, TEXT } from './given.ts'

export function jobsContract(open: Open): void {
  const engine = opening(open, 'test')
  const write = <T>(work: (jobs: Tables['jobs']) => Promise<T>): Promise<T> =>
    engine.write(tables => work(tables.jobs))
  const nextDueAt = (full: string[] = []) => engine.read(tables => tables.jobs.nextDueAt(full))
  const job = (subject: string, dueAt: number, lane = 'lane', kind: Job['kind'] = 'event.deliver'): Job => ({
    ...{ kind, subject, lane, dueAt },
  })
  const schedule = (...jobs: Job[]) =>
    write(async table => {
      for (const one of jobs) await table.schedule(one)
    })
  const capacity = (count: number, fullLanes: string[] = []): LaneCapacity => ({
    fullLanes,
    remaining: () => count,
  })
  const claimed = (now: number, lanes = capacity(10), lease = 'me') =>
    write(jobs => jobs.claim(now, lease, now + 1000, lanes))
  const claim = async (now: number, lanes = capacity(10)) =>
    (await claimed(now, lanes)).map(({ subject }) => subject).sort()

  describe('jobs', () => {
    test('are claimed as they were scheduled, with the lease and the number of tries', async () => {
      await schedule(job(TEXT, 0, TEXT, 'rates.refresh'))
      const [first] = await claimed(5, capacity(1), 'holder')
      const expected: ClaimedJob = {
        ...job(TEXT, 1005, TEXT, 'rates.refresh'),
        priority: 0,
        lease: 'holder',
        tries: 1,
      }
      expect(first).toEqual(expected)
      const [second] = await claimed(1005, capacity(1), 'next')
      expect(second).toEqual({ ...expected, dueAt: 2005, lease: 'next', tries: 2 })
    })

    test('are identified by kind and subject', async () => {
      await schedule(job('a', 5), job('a', 6, 'lane', 'order.expire'), job('a', 7))
      expect((await claimed(9)).length).toBe(2)
      await write(jobs => jobs.remove('event.deliver', 'a'))
      await write(jobs => jobs.remove('event.deliver', 'nothing'))
      expect((await claimed(5000)).map(({ kind }) => kind)).toEqual(['order.expire'])
    })

    test('of a kind that only a newer version knows wait, and delay no others', async () => {
      const newer = 'order.remind' as Job['kind']
      await schedule(job('new', 1, 'shared', newer), job('new', 1, 'own', newer), job('old', 5, 'shared'))
      expect(await nextDueAt()).toBe(5)
      expect(await nextDueAt(['elsewhere'])).toBe(5)
      expect(await claim(9)).toEqual(['old'])
      expect(await nextDueAt(['shared'])).toBe(null)
    })

    test('that are due and not leased are counted, with the oldest of each kind', async () => {
      await schedule(job('a', 5), job('b', 3), job('c', 6), job('d', 7), job('e', 4, 'lane', 'order.expire'))
      await write(jobs => jobs.claim(3, 'me', 5000, capacity(1)))
      const counted = await engine.read(tables => tables.jobs.countDue(6))
      expect(counted.sort((x, y) => (x.kind < y.kind ? -1 : 1))).toEqual([
        { kind: 'event.deliver', count: 2, oldest: 5 },
        { kind: 'order.expire', count: 1, oldest: 4 },
      ])
      expect(await engine.read(tables => tables.jobs.countDue(2))).toEqual([])
    })

    test('are not claimed before they are due', async () => {
      await schedule(job('later', 101), job('last', LATEST))
      expect(await claim(100)).toEqual([])
      expect(await claim(101)).toEqual(['later'])
    })

    test('cannot be claimed again until the lease expires', async () => {
      await schedule(job('a', 100))
      expect(await claim(100)).toEqual(['a'])
      expect(await claim(1099)).toEqual([])
      expect(await claim(1100)).toEqual(['a'])
    })

    test('are claimed once by concurrent claims', async () => {
      await schedule(...Array.from({ length: 20 }, (_, i) => job(`${i}`, i)))
      const claims = await Promise.all([
        claim(100, capacity(15)),
        claim(100, capacity(15)),
        claim(100, capacity(15)),
      ])
      expect(claims.flat().sort()).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`).sort())
    })

    test('are claimed longest due first, up to the capacity of each lane', async () => {
      await schedule(...[4, 2, 3, 1, 0].map(at => job(`slow${at}`, at, 'slow')), job('quick', 50, 'quick'))
      expect(await claim(100, capacity(2))).toEqual(['quick', 'slow0', 'slow1'])
      const unlike: LaneCapacity = { fullLanes: [], remaining: ({ lane }) => (lane === 'slow' ? 1 : 0) }
      expect(await claim(100, unlike)).toEqual(['slow2'])
    })

    test('of a lane are claimed in the order of their priority, which a finished job can change', async () => {
      await schedule(
        { ...job('third', 1), priority: 3 },
        { ...job('first', 9), priority: 0 },
        { ...job('second', 5), priority: 2 },
        { ...job('later', 200), priority: 0 },
      )
      const [first] = await claimed(100, capacity(1))
      expect(first).toMatchObject({ subject: 'first', priority: 0 })
      await write(jobs => jobs.finish(first!, 50, 3))
      expect(await claim(100, capacity(1))).toEqual(['second'])
      expect(await claim(100, capacity(1))).toEqual(['third'])
      expect(await claim(100, capacity(1))).toEqual(['first'])
      expect(await claim(100, capacity(1))).toEqual([])
    })

    test('of a full lane do not block other lanes', async () => {
      await schedule(job('slow', 1, 'slow'), job('quick', 50, 'quick'), job('other', 60, TEXT))
      expect(await nextDueAt()).toBe(1)
      expect(await nextDueAt(['slow'])).toBe(50)
      expect(await nextDueAt(['slow', 'quick'])).toBe(60)
      expect(await nextDueAt(['slow', 'quick', TEXT])).toBe(null)
      expect(await claim(100, capacity(2, ['slow']))).toEqual(['other', 'quick'])
      expect(await nextDueAt(['slow'])).toBe(1100)
    })

    test('are removed when finished, or scheduled again with no tries', async () => {
      await schedule(job('a', 1), job('b', 1))
      await write(async jobs => {
        for (const one of await jobs.claim(5, 'me', 1000, capacity(9))) {
          await jobs.finish(one, one.subject === 'a' ? null : 70)
        }
      })
      expect(await nextDueAt()).toBe(70)
      expect(await claimed(2000)).toEqual([{ ...job('b', 3000), priority: 0, lease: 'me', tries: 1 }])
    })

    test('that were scheduled first keep an earlier time in the future', async () => {
      const first = (dueAt: number, now: number) => write(jobs => jobs.scheduleFirst(job('a', dueAt), now))
      for (const [dueAt, now, expected] of [
        [100, 0, 100],
        [150, 50, 100],
        [80, 50, 80],
        [180, 80, 180],
      ] as const) {
        await first(dueAt, now)
        expect(await nextDueAt()).toBe(expected)
      }
      // The job that runs is replaced, whether its lease ends before or after the new time.
      for (const [now, dueAt] of [
        [200, 1100],
        [1100, 2500],
      ] as const) {
        expect(await claimed(now)).toMatchObject([{ subject: 'a', tries: 1 }])
        await first(dueAt, now)
        expect(await nextDueAt()).toBe(dueAt)
      }
    })

    test('that were scheduled again while running keep the new time', async () => {
      for (const next of [null, 99]) {
        await schedule(job('a', 1))
        const [running] = await claimed(5)
        await schedule(job('a', 42))
        await write(jobs => jobs.finish(running!, next))
        expect(await nextDueAt()).toBe(42)
        await write(jobs => jobs.postpone(running!, 77))
        expect(await nextDueAt()).toBe(42)
      }
    })

    test('keep the number of tries when they fail, and can be brought forward', async () => {
      await schedule(job('a', 1))
      const [running] = await claimed(5)
      await write(jobs => jobs.postpone(running!, 60))
      expect(await nextDueAt()).toBe(60)
      await write(jobs => jobs.bringForward('event.deliver', 'a', 50))
      expect((await claimed(50))[0]?.tries).toBe(2)
    })

    test('of a lane are brought forward together, except running and earlier ones', async () => {
      await schedule(job('a', 70), job('b', 90), job('early', 20), job('other', 80, 'other'))
      await claim(20)
      await write(jobs => jobs.bringLaneForward('lane', 50))
      expect(await claim(49)).toEqual([])
      expect(await claim(50)).toEqual(['a', 'b'])
    })

    test('that are too far ahead are brought forward, except running ones and those of one kind', async () => {
      await schedule(job('a', 70), job('b', 90, 'other'), job('near', 60), job('running', 20))
      await schedule(job('expiry', 95, 'lane', 'order.expire'))
      await claim(20, capacity(10, ['other']))
      await write(jobs => jobs.bringAllForward('order.expire', 60, 50))
      expect(await claim(50)).toEqual(['a', 'b'])
      expect(await claim(94)).toEqual(['near'])
    })

    test('can be brought forward, but not delayed, and not while running', async () => {
      await schedule(job('a', 100), job('b', 300))
      const bringForward = (dueAt: number) => write(jobs => jobs.bringForward('event.deliver', 'a', dueAt))
      await bringForward(200)
      expect(await nextDueAt()).toBe(100)
      await bringForward(50)
      expect(await nextDueAt()).toBe(50)
      await claim(60)
      await bringForward(55)
      expect(await nextDueAt()).toBe(300)
    })

    test('stay leased for longer if their holder extends its leases', async () => {
      await schedule(job('a', 1), job('b', 2), job('c', 3))
      await claimed(1, capacity(9), 'one')
      await claimed(2, capacity(9), 'two')
      await claimed(3, capacity(9), 'three')
      await write(jobs => jobs.extend(['one', 'three', 'none'], 5000))
      expect(await claim(1500)).toEqual(['b'])
      expect(await claim(4999)).toEqual(['b'])
      expect(await claim(5000)).toEqual(['a', 'c'])
    })

    test('are released for one holder, or for all', async () => {
      await schedule(job('a', 1), job('b', 2))
      await claimed(1, capacity(9), 'one')
      await claimed(2, capacity(9), 'two')
      await write(jobs => jobs.release(6, ['somebody else']))
      expect(await claim(7)).toEqual([])
      await write(jobs => jobs.release(6, ['none', 'one']))
      expect(await claim(7)).toEqual(['a'])
      await write(jobs => jobs.release(8, null))
      expect(await claim(9)).toEqual(['a', 'b'])
    })

    test('have no next due time if there are no jobs', async () => {
      expect([await nextDueAt(), await nextDueAt(['lane'])]).toEqual([null, null])
    })
  })
}
