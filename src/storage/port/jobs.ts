import type { ClaimedJob, Job, JobKind, JobPriority } from '../../domain/job.ts'

/** Number of jobs that each lane can take now. */
export interface LaneCapacity {
  /** lanes that can take no job */
  fullLanes: string[]
  /** number of further jobs that the lane of this job can take */
  remaining(job: Pick<Job, 'kind' | 'lane'>): number
}

/** The scheduled jobs. A job is identified by its kind and subject. */
export interface Jobs {
  /** Inserts or replaces the job. Ends the lease of a replaced job. */
  schedule(job: Job): Promise<void>
  /** Like `schedule`, unless the job is already due earlier, after `now`, and not leased. */
  scheduleFirst(job: Job, now: number): Promise<void>
  /** Makes a job due earlier. Does nothing if it is leased or already due earlier. */
  bringForward(kind: JobKind, subject: string, dueAt: number): Promise<void>
  /** Makes all jobs of a lane due at `dueAt`, except those that are leased or already due earlier. */
  bringLaneForward(lane: string, dueAt: number): Promise<void>
  /** Makes jobs of all other kinds due at `dueAt` if they are due after `after` and not leased. */
  bringAllForward(except: JobKind, after: number, dueAt: number): Promise<void>
  remove(kind: JobKind, subject: string): Promise<void>
  /** Leases due jobs, at most the number that each lane can take: by priority, then longest due first. */
  claim(now: number, lease: string, leaseUntil: number, capacity: LaneCapacity): Promise<ClaimedJob[]>
  /**
   * Removes a leased job, or makes it due at `next`, with a new priority if one is given. Does nothing if the
   * job was scheduled again meanwhile.
   */
  finish(job: ClaimedJob, next: number | null, priority?: JobPriority): Promise<void>
  /** Makes a leased job that failed due later. Keeps its number of tries. */
  postpone(job: ClaimedJob, dueAt: number): Promise<void>
  extend(leases: readonly string[], leaseUntil: number): Promise<void>
  /** Ends the given leases, or all leases if `leases` is null. Their jobs are due at once. */
  release(now: number, leases: readonly string[] | null): Promise<void>
  /** Returns, for each kind, the number of jobs that are due and not leased, and the earliest due time. */
  countDue(now: number): Promise<{ kind: JobKind; count: number; oldest: number }[]>
  /** Returns the time at which the next job outside the full lanes is due; null if there is none. */
  nextDueAt(fullLanes: string[]): Promise<number | null>
}
