export type JobKind =
  | 'order.expire'
  | 'attempt.poll'
  | 'event.deliver'
  | 'catalogue.refresh'
  | 'rates.refresh'
  | 'refund.send'

/** Work for later. A lane is what shares a limit of concurrency: a webhook endpoint, a chain, a provider. */
export interface Job {
  kind: JobKind
  subject: string
  lane: string
  dueAt: number
}

/** A claimed job: only the holder of the lease may finish it, until the lease expires. */
export interface ClaimedJob extends Job {
  lease: string
  tries: number
}
