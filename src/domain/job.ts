/** What this version can do. A newer version that uses the same database may have scheduled more. */
export const jobKinds = [
  'order.expire',
  'attempt.check',
  'elsewhere.look',
  'event.deliver',
  'webhook.watch',
  'catalogue.refresh',
  'rates.refresh',
  'refund.send',
  'services.watch',
  'skipped.watch',
  'notification.address',
  'notification.send',
  'buyer_mail.send',
  'payment_mail.send',
  'channel.digest',
  'retention.apply',
] as const
export type JobKind = (typeof jobKinds)[number]

/** From first to last. */
export const jobPriorities = [0, 1, 2, 3] as const
export type JobPriority = (typeof jobPriorities)[number]

/** Work for later. */
export interface Job {
  kind: JobKind
  /** what the job is about: the ID of an order, an attempt, an event, a merchant, a mail or a provider */
  subject: string
  /** jobs of a lane share a limit of concurrency: a webhook endpoint, a chain or a provider */
  lane: string
  /** due jobs of a lane run in this order, then longest due first; 0 if not given */
  priority?: JobPriority
  dueAt: number
}

/** A job that a process has claimed. Only the holder of the lease can finish it, until the lease expires. */
export interface ClaimedJob extends Job {
  /** identifies the claim */
  lease: string
  /** how often the job was claimed since it was scheduled or last succeeded */
  tries: number
}
