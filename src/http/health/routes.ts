import { Elysia } from 'elysia'
import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { failure } from '../envelope.ts'
import { requestId } from '../request-state.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'

export const health = (context: Context) =>
  new Elysia()
    .get('/healthz', () => respond(docs.isAlive, { status: 'alive' }), { detail: docs.isAlive.detail })
    .get(
      '/readyz',
      async ({ request, set }) => {
        try {
          await context.storage.check()
          return respond(docs.isReady, { status: 'ready' })
        } catch (error) {
          context.log.error({ error: String(error) }, 'database.not_ready')
          set.status = 503
          return failure(new Refusal('internal_error', 'The database is not ready.'), requestId(request))
        }
      },
      { detail: docs.isReady.detail },
    )
