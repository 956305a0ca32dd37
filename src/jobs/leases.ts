import type { ClaimedJob } from '../domain/job.ts'
import type { Context } from '../operations/context.ts'

type LeaseContext = Pick<Context, 'storage' | 'clock' | 'ids'>

/**
 * The names under which this process holds jobs. Each claim has its own, so that a run does not end the lease
 * of another run of the same job. After a fault of the database it is unknown what a claim holds: it is
 * released once none of those that run has its name.
 */
export class Leases {
  readonly #running = new Map<string, number>()
  readonly #retired = new Set<string>()

  constructor(private readonly context: LeaseContext) {}

  /** the lease of jobs that are claimed now */
  next = (): string => this.context.ids.uuid()

  begin([job]: ClaimedJob[]): void {
    if (job) this.#running.set(job.lease, (this.#running.get(job.lease) ?? 0) + 1)
  }

  end([job]: ClaimedJob[]): void {
    if (!job) return
    const left = (this.#running.get(job.lease) ?? 0) - 1
    if (left > 0) this.#running.set(job.lease, left)
    else this.#running.delete(job.lease)
  }

  /** Jobs may still be held under this lease once none of those that run has it. */
  doubt(lease: string): void {
    this.#retired.add(lease)
  }

  /** Releases what a fault has left leased. */
  async releaseDoubtful(): Promise<void> {
    for (const lease of this.#retired) {
      if (this.#running.has(lease)) continue
      await this.#release([lease])
      this.#retired.delete(lease)
    }
  }

  /** Puts off the end of the leases of all that runs. */
  async extend(until: number): Promise<void> {
    const leases = [...this.#running.keys()]
    if (leases.length === 0) return
    await this.context.storage.extendJobs(leases, until)
  }

  async releaseAll(): Promise<void> {
    await this.#release([...this.#retired, ...this.#running.keys()])
  }

  async #release(leases: string[]): Promise<void> {
    if (leases.length === 0) return
    const { clock, storage } = this.context
    await storage.write(tables => tables.jobs.release(clock() + storage.clockAhead(), leases))
  }
}
