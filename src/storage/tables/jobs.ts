import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { type ClaimedJob, type Job, type JobPriority, jobKinds, jobPriorities } from '../../domain/job.ts'
import type { Jobs, LaneCapacity } from '../port.ts'
import { jobs } from '../schema/index.ts'
import type { Db } from './db.ts'
import {
  columnParams,
  conflictOn,
  excludedColumns,
  first,
  lazy,
  limitParam,
  param,
  updateOf,
} from './statements.ts'

const isJob = and(eq(jobs.kind, param('kind')), eq(jobs.subject, param('subject')))
const isLeased = and(isJob, eq(jobs.lease, param('lease')))

/**
 * True for kinds of jobs that this version knows. Jobs of newer kinds are left to newer servers.
 * `withoutIndex` is needed because SQLite would otherwise read every job in the order of the primary key.
 */
const isKnown = ({ dialect }: Db) =>
  sql`${dialect.withoutIndex(jobs.kind)} IN (${sql.raw(jobKinds.map(kind => `'${kind}'`).join())})`

type Candidate = Pick<Job, 'kind' | 'subject' | 'lane'>

const isDueAt = (priority: JobPriority) =>
  sql`EXISTS (SELECT 1 FROM jobs WHERE jobs.lane = found.lane AND jobs.priority = ${sql.raw(`${priority}`)}
    AND jobs.due_at <= (SELECT now FROM given))`

/** Lists the lanes that have due jobs, with a few index searches per lane. */
function listLanes(db: Db) {
  const found = sql`(
    WITH RECURSIVE given (now) AS (SELECT CAST(${param('now')} AS BIGINT)),
    found (lane) AS (
      SELECT min(lane) FROM jobs
      UNION ALL
      SELECT (SELECT min(jobs.lane) FROM jobs WHERE jobs.lane > found.lane) FROM found
      WHERE found.lane IS NOT NULL
    )
    SELECT lane FROM found
    WHERE lane IS NOT NULL AND (${sql.join(jobPriorities.map(isDueAt), sql` OR `)})) AS lanes`
  return db.select({ lane: sql<string>`lane` }).from(found).prepare()
}

const listDueOfLane = (db: Db) =>
  db
    .select({ kind: jobs.kind, subject: jobs.subject, lane: jobs.lane })
    .from(jobs)
    .where(
      and(
        eq(jobs.lane, param('lane')),
        eq(jobs.priority, param('priority')),
        lte(jobs.dueAt, param('now')),
        isKnown(db),
      ),
    )
    .orderBy(asc(jobs.dueAt))
    .limit(limitParam())
    .prepare()

type ReadDueJobs = (lane: string, priority: JobPriority, limit: number) => Promise<Candidate[]>

/** Reads the due jobs of a lane, but not more than it can take. */
async function dueOfLane(read: ReadDueJobs, lane: string, capacity: LaneCapacity): Promise<Candidate[]> {
  const chosen: Candidate[] = []
  let limit = 1
  for (const priority of jobPriorities) {
    // The first job shows the lane's kind, and so the number of jobs that it can take.
    const [first] = chosen.length === 0 ? await read(lane, priority, 1) : []
    if (first) limit = capacity.remaining(first)
    if (chosen.length === 0 && !first) continue
    if (chosen.length < limit) chosen.push(...(await read(lane, priority, limit - chosen.length)))
    if (chosen.length >= limit) break
  }
  return chosen
}

function dueJobs(db: Db): (now: number, capacity: LaneCapacity) => Promise<Candidate[]> {
  const lanes = lazy(() => listLanes(db))
  const due = lazy(() => listDueOfLane(db))
  return async (now, capacity) => {
    const chosen: Candidate[] = []
    const read: ReadDueJobs = async (lane, priority, limit) => due().execute({ lane, priority, now, limit })
    for (const { lane } of await lanes().execute({ now })) {
      if (capacity.fullLanes.includes(lane)) continue
      chosen.push(...(await dueOfLane(read, lane, capacity)))
    }
    return chosen
  }
}

const earliest = (db: Db, condition?: SQL) =>
  db.select({ dueAt: jobs.dueAt }).from(jobs).where(condition).orderBy(asc(jobs.dueAt)).limit(limitParam())

const countDue = (db: Db, now: number) =>
  db
    .select({ kind: jobs.kind, count: count(), oldest: sql<number>`min(${jobs.dueAt})` })
    .from(jobs)
    .where(and(lte(jobs.dueAt, now), isNull(jobs.lease)))
    // SQLite would read the whole table in the order of the primary key if it could use that index.
    .groupBy(db.dialect.withoutIndex(jobs.kind))

/** Selects jobs that are still due. Skips those that another process is leasing at the same time. */
function isStillDue(db: Db): SQL {
  const { pairsOf, skipLocked } = db.dialect
  const isOneOf = sql`(${jobs.kind}, ${jobs.subject}) IN ${pairsOf(sql.placeholder('keys'))}`
  const due = db
    .select({ kind: jobs.kind, subject: jobs.subject })
    .from(jobs)
    .where(and(isOneOf, lte(jobs.dueAt, param('now'))))
  return inArray(sql`(${jobs.kind}, ${jobs.subject})`, sql`(${due}${skipLocked})`)
}

const leaseJobs = (db: Db) =>
  db
    .update(jobs)
    .set({
      dueAt: sql`${sql.placeholder('leaseUntil')}`,
      lease: sql`${sql.placeholder('lease')}`,
      tries: sql`${jobs.tries} + 1`,
    })
    .where(isStillDue(db))
    .returning()
    .prepare()

function bringingForward(
  db: Db,
  onScheduled: (dueAt: number) => void,
): Pick<Jobs, 'bringLaneForward' | 'bringAllForward'> {
  async function bring(which: SQL, after: number, dueAt: number): Promise<void> {
    const isLater = and(which, isNull(jobs.lease), gt(jobs.dueAt, after))
    await db.update(jobs).set({ dueAt }).where(isLater)
    onScheduled(dueAt)
  }
  return {
    bringLaneForward: (lane, dueAt) => bring(eq(jobs.lane, lane), dueAt, dueAt),
    bringAllForward: (except, after, dueAt) => bring(ne(jobs.kind, except), after, dueAt),
  }
}

const hasOneOf = ({ dialect }: Db, leases: readonly string[]): SQL =>
  sql`${jobs.lease} IN ${dialect.textsOf(sql`${JSON.stringify(leases)}`)}`

const leasing = (db: Db): Pick<Jobs, 'extend' | 'release'> => ({
  async extend(leases, leaseUntil) {
    await db.update(jobs).set({ dueAt: leaseUntil }).where(hasOneOf(db, leases))
  },
  async release(now, leases) {
    await db
      .update(jobs)
      .set({ dueAt: now, lease: null })
      .where(leases === null ? isNotNull(jobs.lease) : hasOneOf(db, leases))
  },
})

function scheduling(db: Db, onScheduled: (dueAt: number) => void): Pick<Jobs, 'schedule' | 'scheduleFirst'> {
  const put = lazy(() =>
    db
      .insert(jobs)
      .values(columnParams(jobs))
      .onConflictDoUpdate({ target: conflictOn(jobs.kind, jobs.subject), set: excludedColumns(jobs) })
      .prepare(),
  )
  const isReplaced = or(
    isNotNull(jobs.lease),
    lte(jobs.dueAt, param('now')),
    gt(jobs.dueAt, sql`excluded.due_at`),
  )!
  const putFirst = lazy(() =>
    db
      .insert(jobs)
      .values(columnParams(jobs))
      .onConflictDoUpdate({
        target: conflictOn(jobs.kind, jobs.subject),
        set: excludedColumns(jobs),
        setWhere: isReplaced,
      })
      .prepare(),
  )
  return {
    async schedule(job) {
      await put().execute({ priority: 0, ...job, lease: null, tries: 0 })
      onScheduled(job.dueAt)
    },
    async scheduleFirst(job, now) {
      await putFirst().execute({ priority: 0, ...job, lease: null, tries: 0, now })
      onScheduled(job.dueAt)
    },
  }
}

export function jobsTable(db: Db, onScheduled: (dueAt: number) => void): Jobs {
  const notInLanes = sql`${jobs.lane} NOT IN ${db.dialect.textsOf(sql.placeholder('lanes'))}`
  const earliestOfAll = lazy(() => earliest(db, isKnown(db)).prepare())
  const earliestOutside = lazy(() => earliest(db, and(notInLanes, isKnown(db))).prepare())
  const lease = lazy(() => leaseJobs(db))
  const listDue = dueJobs(db)
  const removal = lazy(() => db.delete(jobs).where(isJob).prepare())
  const removalOfLeased = lazy(() => db.delete(jobs).where(isLeased).prepare())
  const updateLeased = updateOf<typeof jobs, Pick<ClaimedJob, 'kind' | 'subject' | 'lease'>>(
    db,
    jobs,
    isLeased,
  )
  const isLater = and(isJob, isNull(jobs.lease), gt(jobs.dueAt, param('dueAt')))
  const updateLater = updateOf<typeof jobs, Pick<Job, 'kind' | 'subject' | 'dueAt'>>(db, jobs, isLater)
  return {
    ...scheduling(db, onScheduled),
    async bringForward(kind, subject, dueAt) {
      await updateLater({ kind, subject, dueAt }, { dueAt })
      onScheduled(dueAt)
    },
    ...bringingForward(db, onScheduled),
    async remove(kind, subject) {
      await removal().execute({ kind, subject })
    },
    async claim(now, holder, leaseUntil, capacity) {
      const chosen = await listDue(now, capacity)
      if (chosen.length === 0) return []
      const keys = JSON.stringify(chosen.map(({ kind, subject }) => [kind, subject]))
      const rows = await lease().execute({ keys, now, leaseUntil, lease: holder })
      return rows.map(row => ({ ...row, lease: holder }))
    },
    async finish(job, next, priority = job.priority ?? 0) {
      const { kind, subject, lease } = job
      if (next === null) await removalOfLeased().execute({ kind, subject, lease })
      else await updateLeased({ kind, subject, lease }, { dueAt: next, lease: null, tries: 0, priority })
      if (next !== null) onScheduled(next)
    },
    postpone: ({ kind, subject, lease }, dueAt) =>
      updateLeased({ kind, subject, lease }, { dueAt, lease: null }),
    ...leasing(db),
    countDue: async now => countDue(db, now),
    nextDueAt: async fullLanes => {
      const lanes = JSON.stringify(fullLanes)
      const query = fullLanes.length === 0 ? earliestOfAll() : earliestOutside()
      return first(await query.execute({ lanes, limit: 1 }))?.dueAt ?? null
    },
  }
}
