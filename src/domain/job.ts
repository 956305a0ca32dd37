/** Job kinds of this version. A newer version on the same database may have scheduled others. */
export const jobKinds = [
  'order.expire',
  'attempt.check',
  'elsewhere.look',
  'event.deliver',
  'webhook.watch',
  'further.deliver',
  'further.watch',
  'catalogue.refresh',
  'rates.refresh',
  'refund.send',
  'reversals.find',
  'services.watch',
  'payable.watch',
  'skipped.watch',
  'lightning.watch',
  'funds.watch',
  'sweeps.read',
  'notification.address',
  'notification.send',
  'buyer_mail.send',
  'payment_mail.send',
  'channel.digest',
  'retention.apply',
] as const
export type JobKind = (typeof jobKinds)[number]

/** Priorities of jobs, highest first. */
export const jobPriorities = [0, 1, 2, 3] as const
export type JobPriority = (typeof jobPriorities)[number]

/** A job to run later. */
export interface Job {
  kind: JobKind
  /** ID of the order, attempt, event, delivery, webhook, merchant, mail or provider that the job is about */
  subject: string
  /** group with a common limit of concurrency: a webhook endpoint, a chain or a provider */
  lane: string
  /** jobs of a lane run in order of priority, then longest due first; 0 by default */
  priority?: JobPriority
  dueAt: number
}

/** A job that a process has claimed. Only the holder of the lease can finish it, until the lease expires. */
export interface ClaimedJob extends Job {
  /** identifies the claim */
  lease: string
  /** number of claims since the job was scheduled or last succeeded */
  tries: number
}
