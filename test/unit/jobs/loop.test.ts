import { afterEach, expect, test } from 'bun:test'
import type { ClaimedJob } from '../../../src/domain/job.ts'
import { startJobs } from '../../../src/jobs/loop.ts'
import { type Result, table } from '../../../src/jobs/table.ts'
import type { Context, Tables } from '../../../src/operations/context.ts'
import type { LaneCapacity } from '../../../src/storage/port.ts'

const KIND = 'order.expire'
const NEXT = 9_000_000_000_000_000
const usual = { ...table[KIND] }
afterEach(() => {
  Object.assign(table[KIND], usual)
})

const turns = async (count = 20) => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate)
}

type Row = Pick<ClaimedJob, 'dueAt' | 'tries'> & { lease: string | null }

/** A database of many servers: jobs are claimed while the outcomes of others are being stored. */
function givenJobs() {
  const rows = new Map<string, Row>()
  let looks = 0
  const jobs = {
    bringAllForward: async () => {},
    async nextDueAt() {
      looks += 1
      return Math.min(...[...rows.values()].map(({ dueAt }) => dueAt), NEXT)
    },
    async finish({ subject, lease }: ClaimedJob, next: number | null) {
      if (rows.get(subject)?.lease !== lease) return
      if (next === null) rows.delete(subject)
      else rows.set(subject, { dueAt: next, lease: null, tries: 0 })
    },
    async release(now: number, leases: string[]) {
      for (const row of rows.values())
        if (leases.includes(row.lease ?? '')) Object.assign(row, { dueAt: now, lease: null })
    },
  }
  const tables = { jobs } as unknown as Tables
  const storage = {
    isShared: true,
    clockAhead: () => 0,
    read: (work: (tables: Tables) => Promise<unknown>) => work(tables),
    write: (work: (tables: Tables) => Promise<unknown>) => work(tables),
    async claimJobs(
      now: number,
      lease: string,
      dueAt: number,
      { remaining }: LaneCapacity,
    ): Promise<ClaimedJob[]> {
      const due = [...rows].filter(([, row]) => row.dueAt <= now)
      return due.slice(0, remaining({ kind: KIND, lane: 'one' })).map(([subject, row]) => {
        Object.assign(row, { dueAt, lease, tries: row.tries + 1 })
        return { kind: KIND, subject, lane: 'one', lease, dueAt, tries: row.tries }
      })
    },
  }
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const ids = { uuid: () => crypto.randomUUID() }
  return {
    rows,
    /** number of times that the loop read when the next job is due */
    looks: () => looks,
    context: { storage, log, ids, clock: Date.now } as unknown as Context,
    schedule: (subject: string) => rows.set(subject, { dueAt: 0, lease: null, tries: 0 }),
  }
}

/** A job that is scheduled again while its outcome is being stored, which takes until `release`. */
async function givenUnstored() {
  const given = givenJobs()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const seen: string[] = []
  let stored = 'nothing'
  table[KIND].run = async (_, [subject = '']): Promise<ReadonlyMap<string, Result>> => {
    seen.push(stored)
    const outcome: Result = {
      isAccepted: true,
      durationMs: 1,
      onStored() {},
      async record() {
        await held
        stored = `outcome ${seen.length}`
        return seen.length === 1 ? null : NEXT
      },
    }
    return new Map([[subject, outcome]])
  }
  given.schedule('a')
  const loop = await startJobs(given.context)
  await turns()
  expect(seen).toEqual(['nothing'])
  given.schedule('a')
  loop.wake()
  await turns()
  return { ...given, loop, release, seen }
}

test('a job that is scheduled again while its outcome is being stored runs afterwards', async () => {
  const { loop, release, seen, rows } = await givenUnstored()
  expect(seen).toEqual(['nothing'])
  release()
  await loop.settle()
  expect(seen).toEqual(['nothing', 'outcome 1'])
  // The stored outcome of the first run did not end the second run.
  expect(rows.get('a')).toEqual({ dueAt: NEXT, lease: null, tries: 0 })
  await loop.stop()
})

test('a job that waits for its outcome is released by a stop', async () => {
  const { loop, release, seen, rows } = await givenUnstored()
  const stopped = loop.stop()
  release()
  await stopped
  await turns()
  expect(seen).toEqual(['nothing'])
  expect(rows.get('a')).toMatchObject({ lease: null })
  expect(rows.get('a')?.dueAt).toBeLessThanOrEqual(Date.now())
})

/** Runs two jobs of one lane. Returns which of them ran, and how often the loop searched for due jobs. */
async function runTwo(concurrency: number) {
  const given = givenJobs()
  const ran: string[] = []
  const run = async (_: Context, [subject = '']: string[]) => {
    ran.push(subject)
    await turns(3)
    return new Map([[subject, null]])
  }
  Object.assign(table[KIND], { concurrency, run })
  for (const subject of ['a', 'b']) given.schedule(subject)
  const loop = await startJobs(given.context)
  await turns()
  await loop.stop()
  return { ran, looks: given.looks() }
}

test('when a job ends in a lane that was not full, the loop does not look for other jobs', async () => {
  // The loop searches once before it claims both jobs, and once after.
  expect(await runTwo(3)).toEqual({ ran: ['a', 'b'], looks: 2 })
})

test('a job that waits for a place in a full lane runs as soon as another one ends', async () => {
  expect((await runTwo(1)).ran).toEqual(['a', 'b'])
})
