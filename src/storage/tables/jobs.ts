import { and, asc, eq, gt, isNotNull, isNull, lte, notInArray, sql } from 'drizzle-orm'
import type { ClaimedJob, Job, JobKind } from '../../domain/job.ts'
import type { Jobs, LaneCapacity } from '../port.ts'
import { jobs } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { columnParams, excludedColumns, lazy } from './statements.ts'

const isJob = (kind: JobKind, subject: string) => and(eq(jobs.kind, kind), eq(jobs.subject, subject))
const isLeased = (job: ClaimedJob) => and(isJob(job.kind, job.subject), eq(jobs.lease, job.lease))
const notInLanes = (lanes: string[]) => (lanes.length > 0 ? notInArray(jobs.lane, lanes) : undefined)

/** The maximum number of due jobs that one claim considers. */
const CLAIM_MAX = 500

/** Takes as many jobs as the lanes have capacity for. */
function fitting<T extends Pick<Job, 'kind' | 'lane'>>(due: T[], capacity: LaneCapacity): T[] {
  const chosen = new Map<string, number>()
  return due.filter(job => {
    const before = chosen.get(job.lane) ?? 0
    if (before >= capacity.remaining(job)) return false
    chosen.set(job.lane, before + 1)
    return true
  })
}

/** Due jobs, longest due first. */
const dueJobs = (db: Db, now: number, fullLanes: string[]) =>
  db
    .select({ kind: jobs.kind, subject: jobs.subject, lane: jobs.lane })
    .from(jobs)
    .where(and(lte(jobs.dueAt, now), notInLanes(fullLanes)))
    .orderBy(asc(jobs.dueAt))
    .limit(CLAIM_MAX)

export function jobsTable(db: Db, onScheduled: () => void): Jobs {
  const put = lazy(() =>
    db
      .insert(jobs)
      .values(columnParams(jobs))
      .onConflictDoUpdate({ target: [jobs.kind, jobs.subject], set: excludedColumns(jobs) })
      .prepare(),
  )
  const earliest = lazy(() =>
    db.select({ dueAt: jobs.dueAt }).from(jobs).orderBy(asc(jobs.dueAt)).limit(1).prepare(),
  )
  return {
    async schedule(job) {
      await put().execute({ ...job, lease: null, tries: 0 })
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
      const chosen = fitting(await dueJobs(db, now, capacity.fullLanes), capacity)
      if (chosen.length === 0) return []
      const keys = chosen.map(({ kind, subject }) => sql`(${kind}, ${subject})`)
      const rows = await db
        .update(jobs)
        .set({ dueAt: leaseUntil, lease, tries: sql`${jobs.tries} + 1` })
        .where(sql`(${jobs.kind}, ${jobs.subject}) IN (VALUES ${sql.join(keys, sql`, `)})`)
        .returning()
      return rows.map(row => ({ ...row, lease }))
    },
    async finish(job, next) {
      if (next === null) await db.delete(jobs).where(isLeased(job))
      else await db.update(jobs).set({ dueAt: next, lease: null, tries: 0 }).where(isLeased(job))
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
      const rows =
        fullLanes.length === 0
          ? await earliest().execute()
          : await db
              .select({ dueAt: jobs.dueAt })
              .from(jobs)
              .where(notInLanes(fullLanes))
              .orderBy(asc(jobs.dueAt))
              .limit(1)
      return first(rows)?.dueAt ?? null
    },
  }
}
