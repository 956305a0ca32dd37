import type { ClaimedJob, Job, JobKind, JobPriority } from '../../domain/job.ts'

/** How many jobs each lane can take now. */
export interface LaneCapacity {
  /** the lanes that can take no job */
  fullLanes: string[]
  /** how many more jobs the lane of this job can take */
  remaining(job: Pick<Job, 'kind' | 'lane'>): number
}

/** A job is identified by its kind and subject. */
export interface Jobs {
  /** Inserts or replaces the job. A lease on the replaced job ends. */
  schedule(job: Job): Promise<void>
  /** The same, unless the job is due earlier: after `now`, and without a lease. */
  scheduleFirst(job: Job, now: number): Promise<void>
  /** Makes a job due earlier. Does nothing if it is leased or already due earlier. */
  bringForward(kind: JobKind, subject: string, dueAt: number): Promise<void>
  /** Makes the jobs of a lane due at `dueAt`, except those that are leased or already due earlier. */
  bringLaneForward(lane: string, dueAt: number): Promise<void>
  /** Makes the jobs of all other kinds due at `dueAt`, if they are due after `after` and not leased. */
  bringAllForward(except: JobKind, after: number, dueAt: number): Promise<void>
  remove(kind: JobKind, subject: string): Promise<void>
  /** Leases due jobs, as many as each lane can take: in the order of priority, then longest due first. */
  claim(now: number, lease: string, leaseUntil: number, capacity: LaneCapacity): Promise<ClaimedJob[]>
  /**
   * Removes a leased job, or makes it due at `next`, with a new priority if one is given. Does nothing if the
   * job was scheduled again meanwhile.
   */
  finish(job: ClaimedJob, next: number | null, priority?: JobPriority): Promise<void>
  /** Makes a leased job that failed due later. Its number of tries is not reset. */
  postpone(job: ClaimedJob, dueAt: number): Promise<void>
  /** Puts off the end of leases. */
  extend(leases: readonly string[], leaseUntil: number): Promise<void>
  /** Ends leases, or all if `leases` is null. The jobs are due at once. */
  release(now: number, leases: readonly string[] | null): Promise<void>
  /** The jobs of each kind that are due and not leased: how many, and when the oldest of them was due. */
  countDue(now: number): Promise<{ kind: JobKind; count: number; oldest: number }[]>
  /** When the next job outside the full lanes is due; null if there is none. */
  nextDueAt(fullLanes: string[]): Promise<number | null>
}
