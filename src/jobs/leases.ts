import type { ClaimedJob } from '../domain/job.ts'
import type { Context } from '../operations/context.ts'

type LeaseContext = Pick<Context, 'storage' | 'clock' | 'ids'>

/**
 * Under which name this process holds jobs. After a fault of the database it is unknown which it holds: they
 * keep their old name, and what is still held under it is released once none of those that run has it.
 */
export class Leases {
  #current: string
  readonly #running = new Map<string, number>()
  readonly #retired = new Set<string>()

  constructor(private readonly context: LeaseContext) {
    this.#current = context.ids.uuid()
  }

  /** the lease of jobs that are claimed now */
  get current(): string {
    return this.#current
  }

  begin([job]: ClaimedJob[]): void {
    if (job) this.#running.set(job.lease, (this.#running.get(job.lease) ?? 0) + 1)
  }

  end([job]: ClaimedJob[]): void {
    if (!job) return
    const left = (this.#running.get(job.lease) ?? 0) - 1
    if (left > 0) this.#running.set(job.lease, left)
    else this.#running.delete(job.lease)
  }

  /** What was stored about jobs of this lease may be lost. */
  doubt(lease: string): void {
    if (lease !== this.#current) return
    this.#retired.add(lease)
    this.#current = this.context.ids.uuid()
  }

  /** Releases what a fault has left leased. */
  async releaseDoubtful(): Promise<void> {
    for (const lease of this.#retired) {
      if (this.#running.has(lease)) continue
      await this.#release(lease)
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
    for (const lease of [...this.#retired, this.#current]) await this.#release(lease)
  }

  #release(lease: string): Promise<void> {
    const { clock, storage } = this.context
    return storage.write(tables => tables.jobs.release(clock() + storage.clockAhead(), lease))
  }
}
