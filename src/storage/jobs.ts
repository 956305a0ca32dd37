import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, notInArray, sql } from 'drizzle-orm'
import type { JobKind } from '../domain/job.ts'
import type { Jobs } from './port.ts'
import { first } from './rows.ts'
import { jobs } from './schema.ts'
import type { Db } from './tables.ts'

const one = (kind: JobKind, subject: string) => and(eq(jobs.kind, kind), eq(jobs.subject, subject))
const outside = (lanes: string[]) => (lanes.length > 0 ? notInArray(jobs.lane, lanes) : undefined)

export const jobsTable = (db: Db, onScheduled: () => void): Jobs => ({
  async schedule(job) {
    const row = { ...job, lease: null, tries: 0 }
    await db
      .insert(jobs)
      .values(row)
      .onConflictDoUpdate({ target: [jobs.kind, jobs.subject], set: row })
    onScheduled()
  },
  async hasten(kind, subject, dueAt) {
    await db
      .update(jobs)
      .set({ dueAt })
      .where(and(one(kind, subject), isNull(jobs.lease), gt(jobs.dueAt, dueAt)))
    onScheduled()
  },
  async remove(kind, subject) {
    await db.delete(jobs).where(one(kind, subject))
  },
  async claim(now, lease, leaseUntil, limit, fullLanes) {
    const due = await db
      .select({ kind: jobs.kind, subject: jobs.subject })
      .from(jobs)
      .where(and(lte(jobs.dueAt, now), outside(fullLanes)))
      .orderBy(asc(jobs.dueAt))
      .limit(limit)
    if (due.length === 0) return []
    const keys = due.map(({ kind, subject }) => sql`(${kind}, ${subject})`)
    const rows = await db
      .update(jobs)
      .set({ dueAt: leaseUntil, lease, tries: sql`${jobs.tries} + 1` })
      .where(inArray(sql`(${jobs.kind}, ${jobs.subject})`, [sql`VALUES ${sql.join(keys, sql`, `)}`]))
      .returning()
    return rows.map(row => ({ ...row, lease }))
  },
  async finish(job, next) {
    const mine = and(one(job.kind, job.subject), eq(jobs.lease, job.lease))
    if (next === null) await db.delete(jobs).where(mine)
    else await db.update(jobs).set({ dueAt: next, lease: null, tries: 0 }).where(mine)
  },
  async release(now, lease) {
    await db
      .update(jobs)
      .set({ dueAt: now, lease: null })
      .where(lease === null ? isNotNull(jobs.lease) : eq(jobs.lease, lease))
  },
  nextDueAt: async fullLanes => {
    const row = first(
      await db
        .select({ dueAt: jobs.dueAt })
        .from(jobs)
        .where(outside(fullLanes))
        .orderBy(asc(jobs.dueAt))
        .limit(1),
    )
    return row?.dueAt ?? null
  },
})
