import type { ClaimedJob, Job } from '../domain/job.ts'
import type { Context } from '../operations/context.ts'
import { table } from './table.ts'

const LEASE_MS = 120_000
/** Rows that another process wrote are found within this time. */
const IDLE_MS = 1000
const STOP_MS = 5000
const RETRY_MIN_MS = 1000
const RETRY_MAX_MS = 600_000

export interface JobLoop {
  /** Looks for due jobs now. */
  wake(): void
  /** Runs what is due, and what that makes due, until nothing is. */
  settle(): Promise<void>
  /** Takes no more jobs, waits a little for the running ones, and gives back the rest. */
  stop(): Promise<void>
}

/**
 * Claims due rows and runs them, each lane within its concurrency. What a killed server had claimed is taken
 * back first.
 */
export async function startJobs(context: Context): Promise<JobLoop> {
  const loop = new Loop(context)
  await context.storage.write(tables => tables.jobs.release(context.clock(), null))
  loop.wake()
  return loop
}

class Loop implements JobLoop {
  readonly #lease: string
  readonly #running = new Map<string, { job: Job; count: number }>()
  readonly #runs = new Set<Promise<void>>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #turn: Promise<void> | null = null
  #again = false
  #stopped = false

  constructor(private readonly context: Context) {
    this.#lease = context.ids.uuid()
  }

  wake(): void {
    if (this.#stopped) return
    this.#again = true
    this.#turn ??= this.#turns().finally(() => {
      this.#turn = null
    })
  }

  async settle(): Promise<void> {
    do {
      this.wake()
      await this.#turn
      await Promise.all(this.#runs)
    } while (!this.#stopped && ((await this.#isDue()) || this.#isBusy()))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#turn
    await Promise.race([Promise.all(this.#runs), Bun.sleep(STOP_MS)])
    await this.context.storage.write(tables => tables.jobs.release(this.context.clock(), this.#lease))
  }

  async #turns(): Promise<void> {
    clearTimeout(this.#timer)
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false
        while (await this.#claim()) {}
      }
    } catch (error) {
      this.context.log.error({ error: String(error) }, 'the jobs could not be claimed')
    }
    await this.#sleep()
  }

  async #sleep(): Promise<void> {
    if (this.#stopped) return
    const dueAt = await this.#nextDueAt().catch(() => null)
    const pause = dueAt === null ? IDLE_MS : Math.min(IDLE_MS, Math.max(1, dueAt - this.context.clock()))
    this.#timer = setTimeout(() => this.wake(), pause)
  }

  #nextDueAt(): Promise<number | null> {
    return this.context.storage.read(tables => tables.jobs.nextDueAt(this.#full()))
  }

  async #isDue(): Promise<boolean> {
    const dueAt = await this.#nextDueAt()
    return dueAt !== null && dueAt <= this.context.clock()
  }

  /** What a run made due may have been claimed already: then it is due no more, and not yet done. */
  #isBusy(): boolean {
    return this.#turn !== null || this.#runs.size > 0
  }

  #room({ kind, lane }: Pick<Job, 'kind' | 'lane'>): number {
    return table[kind].concurrency - (this.#running.get(lane)?.count ?? 0)
  }

  #full(): string[] {
    return [...this.#running].filter(([, { job }]) => this.#room(job) <= 0).map(([lane]) => lane)
  }

  async #claim(): Promise<boolean> {
    if (this.#stopped || !(await this.#isDue())) return false
    const now = this.context.clock()
    const room = { full: this.#full(), of: (job: Pick<Job, 'kind' | 'lane'>) => this.#room(job) }
    const jobs = await this.context.storage.write(tables =>
      tables.jobs.claim(now, this.#lease, now + LEASE_MS, room),
    )
    const groups = Map.groupBy(jobs, job =>
      table[job.kind].batched ? job.lane : `${job.kind} ${job.subject}`,
    )
    for (const group of groups.values()) this.#start(group)
    return jobs.length > 0
  }

  #start(jobs: ClaimedJob[]): void {
    const [job] = jobs
    if (!job) return
    this.#count(job, jobs.length)
    const run = this.#run(job, jobs).finally(() => {
      this.#count(job, -jobs.length)
      this.#runs.delete(run)
      this.wake()
    })
    this.#runs.add(run)
  }

  #count(job: Job, change: number): void {
    const count = (this.#running.get(job.lane)?.count ?? 0) + change
    if (count > 0) this.#running.set(job.lane, { job, count })
    else this.#running.delete(job.lane)
  }

  async #run({ kind }: Job, jobs: ClaimedJob[]): Promise<void> {
    const { context } = this
    try {
      const next = await table[kind].run(
        context,
        jobs.map(job => job.subject),
      )
      await context.storage.write(async tables => {
        for (const job of jobs) await tables.jobs.finish(job, next.get(job.subject) ?? null)
      })
    } catch (error) {
      const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
      context.log.error({ kind, subjects: jobs.map(job => job.subject), fault }, 'a job failed')
      await this.#postpone(jobs)
    }
  }

  async #postpone(jobs: ClaimedJob[]): Promise<void> {
    const now = this.context.clock()
    await this.context.storage
      .write(async tables => {
        for (const job of jobs) {
          const pause = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(job.tries, 20))
          await tables.jobs.postpone(job, now + pause)
        }
      })
      .catch(() => {})
  }
}
