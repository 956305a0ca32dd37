import { Elysia } from 'elysia'
import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'

const SHARED_MS = 5000
/**
 * The time after which the database counts as not ready. A load balancer should know within seconds, but the
 * write may wait longer for a database that is cut off.
 */
const WAIT_MS = 3000
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

/**
 * Returns a function that checks if the database is ready, by a write. It writes at most once in five
 * seconds; requests in between share the answer.
 */
function shareReadiness({ storage, log }: Context): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  let until = 0
  return () => {
    if (answer && performance.now() < until) return answer
    until = performance.now() + SHARED_MS
    answer = inTime(storage.check()).then(
      () => true,
      error => {
        log.error({ error: String(error) }, 'database.not_ready')
        return false
      },
    )
    return answer
  }
}

function inTime(check: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>()
  const tooLate = () => reject(new Error(`The database has not answered for ${WAIT_MS} ms.`))
  const timer = setTimeout(tooLate, WAIT_MS).unref()
  return Promise.race([check, promise]).finally(() => clearTimeout(timer))
}
