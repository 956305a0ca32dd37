import { Elysia } from 'elysia'
import { Refusal } from '../../domain/errors.ts'
import type { World } from '../../operations/context.ts'
import { failure, success } from '../envelope.ts'
import { requestId } from '../trace.ts'
import * as docs from './openapi.ts'

export const health = (world: World) =>
  new Elysia()
    .get('/healthz', () => success({ status: 'alive' }), docs.isAlive)
    .get(
      '/readyz',
      async ({ request, set }) => {
        try {
          await world.storage.check()
          return success({ status: 'ready' })
        } catch (error) {
          world.log.error({ fault: String(error) }, 'the database is not ready')
          set.status = 503
          return failure(new Refusal('internal_error', 'The database is not ready.'), requestId(request))
        }
      },
      docs.isReady,
    )
