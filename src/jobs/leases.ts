import type { ClaimedJob } from '../domain/job.ts'
import type { Context } from '../operations/context.ts'

type LeaseContext = Pick<Context, 'storage' | 'clock' | 'ids'>

/**
 * The leases of this process. Each claim has its own lease, so that a run cannot end the lease of another run
 * of the same job. After a database fault it is unknown which jobs a claim holds: its lease is released when
 * no job of the claim is running any more.
 */
export class Leases {
  readonly #running = new Map<string, number>()
  readonly #retired = new Set<string>()

  constructor(private readonly context: LeaseContext) {}

  /** Makes the lease of a new claim. */
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

  /** Marks a lease that may still hold jobs after all its known jobs have ended. */
  doubt(lease: string): void {
    this.#retired.add(lease)
  }

  /** Releases doubtful leases whose jobs have all ended. */
  async releaseDoubtful(): Promise<void> {
    for (const lease of this.#retired) {
      if (this.#running.has(lease)) continue
      await this.#release([lease])
      this.#retired.delete(lease)
    }
  }

  /** Extends the leases of all running jobs. */
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
