/** How long data that nobody needs any more is kept, in milliseconds; null forever. */
export interface Retention {
  /** idempotency keys of new orders */
  idempotency: number | null
  /** the tries of events that were delivered */
  tries: number | null
  /** orders of the public form that expired without any payment */
  abandoned: number | null
}
