import { and, asc, eq, gt, isNotNull, isNull, lte, notInArray, sql } from 'drizzle-orm'
import { type ClaimedJob, type Job, type JobKind, jobPriorities } from '../../domain/job.ts'
import type { Jobs, LaneCapacity } from '../port.ts'
import { jobs } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { columnParams, excludedColumns, lazy } from './statements.ts'

const isJob = (kind: JobKind, subject: string) => and(eq(jobs.kind, kind), eq(jobs.subject, subject))
const isLeased = (job: ClaimedJob) => and(isJob(job.kind, job.subject), eq(jobs.lease, job.lease))
const notInLanes = (lanes: string[]) => (lanes.length > 0 ? notInArray(jobs.lane, lanes) : undefined)

type Candidate = Pick<Job, 'kind' | 'subject' | 'lane'>

/** The lanes that have jobs, found with one search of the index for each. */
async function listLanes(db: Db): Promise<string[]> {
  const found = sql`(
    WITH RECURSIVE found (lane) AS (
      SELECT min(lane) FROM jobs
      UNION ALL
      SELECT (SELECT min(jobs.lane) FROM jobs WHERE jobs.lane > found.lane) FROM found
      WHERE found.lane IS NOT NULL
    )
    SELECT lane FROM found WHERE lane IS NOT NULL)`
  const rows = await db.select({ lane: sql<string>`lane` }).from(found)
  return rows.map(({ lane }) => lane)
}

/** The due jobs of a lane, as many as it can take. Reads only those. */
async function dueOfLane(db: Db, lane: string, now: number, capacity: LaneCapacity): Promise<Candidate[]> {
  const chosen: Candidate[] = []
  let limit = 1
  for (const priority of jobPriorities) {
    const read = (count: number) =>
      db
        .select({ kind: jobs.kind, subject: jobs.subject, lane: jobs.lane })
        .from(jobs)
        .where(and(eq(jobs.lane, lane), eq(jobs.priority, priority), lte(jobs.dueAt, now)))
        .orderBy(asc(jobs.dueAt))
        .limit(count)
    // The first job shows which kind the lane has, and so how many more it takes.
    const [first] = chosen.length === 0 ? await read(1) : []
    if (first) limit = capacity.remaining(first)
    if (chosen.length === 0 && !first) continue
    if (chosen.length < limit) chosen.push(...(await read(limit - chosen.length)))
    if (chosen.length >= limit) break
  }
  return chosen
}

async function listDue(db: Db, now: number, capacity: LaneCapacity): Promise<Candidate[]> {
  const chosen: Candidate[] = []
  for (const lane of await listLanes(db)) {
    if (capacity.fullLanes.includes(lane)) continue
    chosen.push(...(await dueOfLane(db, lane, now, capacity)))
  }
  return chosen
}

const earliestOutside = (db: Db, fullLanes: string[]) =>
  db.select({ dueAt: jobs.dueAt }).from(jobs).where(notInLanes(fullLanes)).orderBy(asc(jobs.dueAt)).limit(1)

export function jobsTable(db: Db, onScheduled: () => void): Jobs {
  const put = lazy(() =>
    db
      .insert(jobs)
      .values(columnParams(jobs))
      .onConflictDoUpdate({ target: [jobs.kind, jobs.subject], set: excludedColumns(jobs) })
      .prepare(),
  )
  const earliest = lazy(() => earliestOutside(db, []).prepare())
  return {
    async schedule(job) {
      await put().execute({ priority: 0, ...job, lease: null, tries: 0 })
      onScheduled()
    },
    async bringForward(kind, subject, dueAt) {
      await db
        .update(jobs)
        .set({ dueAt })
        .where(and(isJob(kind, subject), isNull(jobs.lease), gt(jobs.dueAt, dueAt)))
      onScheduled()
    },
    async bringLaneForward(lane, dueAt) {
      await db
        .update(jobs)
        .set({ dueAt })
        .where(and(eq(jobs.lane, lane), isNull(jobs.lease), gt(jobs.dueAt, dueAt)))
      onScheduled()
    },
    async remove(kind, subject) {
      await db.delete(jobs).where(isJob(kind, subject))
    },
    async claim(now, lease, leaseUntil, capacity) {
      const chosen = await listDue(db, now, capacity)
      if (chosen.length === 0) return []
      const keys = chosen.map(({ kind, subject }) => sql`(${kind}, ${subject})`)
      const rows = await db
        .update(jobs)
        .set({ dueAt: leaseUntil, lease, tries: sql`${jobs.tries} + 1` })
        .where(sql`(${jobs.kind}, ${jobs.subject}) IN (VALUES ${sql.join(keys, sql`, `)})`)
        .returning()
      return rows.map(row => ({ ...row, lease }))
    },
    async finish(job, next, priority = job.priority ?? 0) {
      if (next === null) await db.delete(jobs).where(isLeased(job))
      else await db.update(jobs).set({ dueAt: next, lease: null, tries: 0, priority }).where(isLeased(job))
      if (next !== null) onScheduled()
    },
    async postpone(job, dueAt) {
      await db.update(jobs).set({ dueAt, lease: null }).where(isLeased(job))
    },
    async release(now, lease) {
      await db
        .update(jobs)
        .set({ dueAt: now, lease: null })
        .where(lease === null ? isNotNull(jobs.lease) : eq(jobs.lease, lease))
    },
    nextDueAt: async fullLanes => {
      const rows = fullLanes.length === 0 ? await earliest().execute() : await earliestOutside(db, fullLanes)
      return first(rows)?.dueAt ?? null
    },
  }
}
