import { Elysia } from 'elysia'
import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'

const SHARED_MS = 5000
const RETRY_SECONDS = 30

export function health(context: Context) {
  const isReady = shareReadiness(context)
  return new Elysia()
    .get('/healthz', () => respond(docs.isAlive, { status: 'alive' }), { detail: docs.isAlive.detail })
    .get(
      '/readyz',
      async () => {
        if (!(await isReady())) {
          throw new Refusal('storage_unavailable', 'The database is not ready.', {
            retryAfterSeconds: RETRY_SECONDS,
          })
        }
        return respond(docs.isReady, { status: 'ready' })
      },
      { detail: docs.isReady.detail },
    )
}

/** Writes to the database at most once in five seconds. Requests in between share the answer. */
function shareReadiness({ storage, log }: Context): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  let until = 0
  return () => {
    if (answer && performance.now() < until) return answer
    until = performance.now() + SHARED_MS
    answer = storage.check().then(
      () => true,
      error => {
        log.error({ error: String(error) }, 'database.not_ready')
        return false
      },
    )
    return answer
  }
}
