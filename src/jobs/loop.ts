import type { ClaimedJob, Job } from '../domain/job.ts'
import type { Context } from '../operations/context.ts'
import { LaneLimits } from './lane-limits.ts'
import { Leases } from './leases.ts'
import { Recorder } from './recorder.ts'
import { table } from './table.ts'

const LEASE_MS = 120_000
/**
 * The lease if there are other servers. It is short, because they wait until a killed server's leases end.
 */
const SHARED_LEASE_MS = 30_000
/** The number of times that running jobs extend their lease in the time of one lease. */
const EXTENSIONS = 3
/** Interval at which the loop looks for jobs that another process has added. */
const IDLE_MS = 1000
const STOP_MS = 5000
const STOP_LOOKUPS_MS = 250
const RETRY_MIN_MS = 1000
const RETRY_MAX_MS = 600_000
/** A clock that is set back by less than this is only being corrected. */
const STEP_MS = 60_000
/** No job is scheduled further ahead than this, except the expiry of orders. */
const AHEAD_MAX_MS = 25 * 3600_000

export interface JobLoop {
  /** Looks for due jobs now instead of at the next pass. */
  wake(): void
  /** Like `wake`, if the next pass is later than `dueAt`. */
  wakeFor(dueAt: number): void
  /** Runs due jobs, including jobs that become due meanwhile, until none are left. */
  settle(): Promise<void>
  /**
   * Claims no more jobs. Waits up to five seconds for running jobs, but only briefly for those that ask an
   * upstream, and releases the others.
   */
  stop(): Promise<void>
}

/**
 * Claims and runs due jobs, each lane up to its concurrency. First releases the jobs that a killed server had
 * claimed, unless other servers run: then these jobs are due when their leases end.
 */
export async function startJobs(context: Context): Promise<JobLoop> {
  const loop = new Loop(context)
  await context.storage.write(async tables => {
    const now = context.clock()
    if (!context.storage.isShared) await tables.jobs.release(now, null)
    await tables.jobs.bringAllForward('order.expire', now + AHEAD_MAX_MS, now)
  })
  loop.start()
  return loop
}

class Loop implements JobLoop {
  readonly #leases: Leases
  readonly #running = new Map<string, { job: Job; count: number }>()
  readonly #limits = new LaneLimits()
  readonly #recorder: Recorder
  /** running jobs; true if a job only asks an upstream */
  readonly #activeRuns = new Map<Promise<void>, boolean>()
  readonly #leaseMs: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #extending: ReturnType<typeof setInterval> | undefined
  #pass: Promise<void> | null = null
  #nextPassAt = 0
  /** the due time of the next job, as the last pass read it; null if no job was waiting or the pass failed */
  #nextDueAt: number | null = null
  /** the lanes that the last search for due jobs left out because they were full: due jobs may wait there */
  #skippedLanes: string[] = []
  #seenAt = 0
  #isWoken = false
  #isStopped = false

  constructor(private readonly context: Context) {
    this.#leases = new Leases(context)
    this.#recorder = new Recorder(context.storage)
    this.#leaseMs = context.storage.isShared ? SHARED_LEASE_MS : LEASE_MS
  }

  start(): void {
    this.#extending = setInterval(() => void this.#extend(), this.#leaseMs / EXTENSIONS)
    this.wake()
  }

  wake(): void {
    if (this.#isStopped) return
    this.#isWoken = true
    this.#pass ??= this.#passes().finally(() => {
      this.#pass = null
      // If the loop was woken after it last searched for due jobs, it searches again.
      if (this.#isWoken) this.wake()
    })
  }

  wakeFor(dueAt: number): void {
    const nextPassAt = this.#pass === null ? this.#nextPassAt : this.context.clock() + IDLE_MS
    if (dueAt < nextPassAt) this.wake()
  }

  async settle(): Promise<void> {
    do {
      this.wake()
      await this.#pass
      await Promise.all(this.#activeRuns.keys())
    } while (!this.#isStopped && (this.#isBusy() || this.#isDue(this.#nextDueAt)))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    clearInterval(this.#extending)
    await this.#pass
    const others = [...this.#activeRuns].flatMap(([run, isLookup]) => (isLookup ? [] : [run]))
    await Promise.race([Promise.all(this.#activeRuns.keys()), Bun.sleep(STOP_LOOKUPS_MS)])
    await Promise.race([Promise.all(others), Bun.sleep(STOP_MS)])
    await this.#leases.releaseAll()
  }

  async #passes(): Promise<void> {
    clearTimeout(this.#timer)
    let dueAt: number | null = null
    try {
      while (this.#isWoken && !this.#isStopped) {
        this.#isWoken = false
        await this.#followClock()
        await this.#leases.releaseDoubtful()
        dueAt = await this.#claimDue()
      }
    } catch (error) {
      dueAt = null
      this.context.log.error({ error: String(error) }, 'job.claim.failed')
    }
    this.#scheduleNext(dueAt)
  }

  /**
   * After the clock was set back, brings forward the jobs that were scheduled while it was ahead. They would
   * otherwise wait until the clock reaches their time again.
   */
  async #followClock(): Promise<void> {
    const [now, seenAt] = [this.context.clock(), this.#seenAt]
    this.#seenAt = now
    if (seenAt - now < STEP_MS) return
    this.context.log.warn({ ms: seenAt - now }, 'clock.stepped_back')
    await this.context.storage.write(tables =>
      tables.jobs.bringAllForward('order.expire', seenAt - STEP_MS, now),
    )
  }

  /** The current time by the clock of the database. */
  #now(): number {
    return this.context.clock() + this.context.storage.clockAhead()
  }

  /** Schedules the next pass at `dueAt`, or after `IDLE_MS` if that is sooner or `dueAt` is null. */
  #scheduleNext(dueAt: number | null): void {
    this.#nextDueAt = dueAt
    if (this.#isStopped) return
    const waitMs = dueAt === null ? IDLE_MS : Math.min(IDLE_MS, Math.max(1, dueAt - this.#now()))
    this.#nextPassAt = this.context.clock() + waitMs
    this.#timer = setTimeout(() => this.wake(), waitMs)
  }

  #readDueAt(): Promise<number | null> {
    this.#skippedLanes = this.#fullLanes()
    return this.context.storage.read(tables => tables.jobs.nextDueAt(this.#skippedLanes))
  }

  #isDue(dueAt: number | null): boolean {
    return dueAt !== null && dueAt <= this.#now()
  }

  /** True if there are claimed jobs: they are no longer due, but not done either. */
  #isBusy(): boolean {
    return this.#pass !== null || this.#activeRuns.size > 0
  }

  #capacity({ kind, lane }: Pick<Job, 'kind' | 'lane'>): number {
    const { concurrency } = table[kind]
    const limit = concurrency === 'adaptive' ? this.#limits.of(lane) : concurrency
    return limit - (this.#running.get(lane)?.count ?? 0)
  }

  #fullLanes(): string[] {
    return [...this.#running].filter(([, { job }]) => this.#capacity(job) <= 0).map(([lane]) => lane)
  }

  /** Claims and starts due jobs. Returns the due time of the next job; null if no job is waiting. */
  async #claimDue(): Promise<number | null> {
    while (!this.#isStopped) {
      const dueAt = await this.#readDueAt()
      if (!this.#isDue(dueAt)) return dueAt
      // Another server may have claimed the due jobs meanwhile, so the next due time is read again.
      if (!(await this.#claim())) return this.#readDueAt()
    }
    return null
  }

  async #claim(): Promise<boolean> {
    const now = this.context.clock()
    const lease = this.#leases.next()
    const capacity = {
      fullLanes: this.#fullLanes(),
      remaining: (job: Pick<Job, 'kind' | 'lane'>) => this.#capacity(job),
    }
    const jobs = await this.context.storage
      .claimJobs(now, lease, now + this.#leaseMs, capacity)
      .catch(error => {
        this.#leases.doubt(lease)
        throw error
      })
    const groups = Map.groupBy(jobs, job =>
      table[job.kind].batched ? job.lane : `${job.kind} ${job.subject}`,
    )
    for (const group of groups.values()) this.#start(group)
    return jobs.length > 0
  }

  #start(jobs: ClaimedJob[]): void {
    const [job] = jobs
    if (!job) return
    this.#leases.begin(jobs)
    const run = this.#run(job, jobs).finally(() => {
      this.#activeRuns.delete(run)
      this.#leases.end(jobs)
    })
    this.#activeRuns.set(run, table[job.kind].isLookup === true)
  }

  #count(job: Job, change: number): void {
    const count = (this.#running.get(job.lane)?.count ?? 0) + change
    if (count > 0) this.#running.set(job.lane, { job, count })
    else this.#running.delete(job.lane)
  }

  async #run(job: ClaimedJob, jobs: ClaimedJob[]): Promise<void> {
    const { log } = this.context
    const { kind } = job
    const subjects = jobs.map(({ subject }) => subject)
    const startedAt = performance.now()
    try {
      if (!(await this.#runInLane(job, jobs, startedAt))) return this.#leases.doubt(job.lease)
      log.debug({ kind, subjects, ms: Math.round(performance.now() - startedAt) }, 'job.done')
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
      // After a stop, the database may be closed, so nothing is stored.
      if (this.#isStopped) {
        this.#leases.doubt(job.lease)
        return log.debug({ kind, subjects, error: reason }, 'job.interrupted')
      }
      log.error({ kind, subjects, error: reason }, 'job.failed')
      await this.#postpone(jobs)
    }
  }

  /**
   * Runs jobs of a lane and stores the outcome. Other jobs of the lane may start meanwhile. Returns false if
   * the loop was stopped before they ran.
   */
  async #runInLane(job: Job, jobs: ClaimedJob[], startedAt: number): Promise<boolean> {
    let stored: Promise<void>
    this.#count(job, jobs.length)
    try {
      // A job that was scheduled again while it ran may be claimed again before its outcome is stored.
      await this.#recorder.stored(jobs)
      if (this.#isStopped) return false
      const subjects = jobs.map(({ subject }) => subject)
      const results = await table[job.kind].run(this.context, subjects)
      for (const result of results.values())
        if (result instanceof Object) this.#limits.count(job.lane, result, startedAt)
      stored = this.#recorder.record(jobs, results)
    } finally {
      this.#count(job, -jobs.length)
      if (this.#pass !== null || this.#skippedLanes.includes(job.lane)) this.wake()
    }
    await stored
    return true
  }

  /** Extends the leases of running jobs. Otherwise another server would run a job that outlasts its lease. */
  async #extend(): Promise<void> {
    await this.#leases
      .extend(this.context.clock() + this.#leaseMs)
      .catch(error => this.context.log.error({ error: String(error) }, 'job.extend.failed'))
  }

  async #postpone(jobs: ClaimedJob[]): Promise<void> {
    const now = this.#now()
    await this.context.storage
      .write(async tables => {
        for (const job of jobs) {
          const backoffMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(job.tries, 20))
          await tables.jobs.postpone(job, now + backoffMs)
        }
      })
      .catch(() => this.#leases.doubt(jobs[0]?.lease ?? ''))
  }
}
