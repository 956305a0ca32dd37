import { invalid } from '../domain/errors.ts'
import type { Caller } from '../domain/key.ts'
import { authenticate, type Need } from '../operations/authenticate.ts'
import type { World } from '../operations/world.ts'
import { BODY_MAX, readForm, readJson } from './body.ts'
import type { RateLimit } from './rate-limit.ts'
import { trace } from './request.ts'

interface Context {
  request: Request
}

const admissions = new WeakMap<Request, Promise<Caller>>()

function admit(world: World, request: Request, need: Need): Promise<Caller> {
  const known = admissions.get(request)
  if (known !== undefined) return known
  const admission = authenticate(world, request.headers.get('x-api-key'), need).then(caller => {
    trace(request).merchantId = caller.merchantId
    return caller
  })
  admissions.set(request, admission)
  return admission
}

/**
 * The hooks of a route that needs a key. The key is judged before a byte of the body is read, and before
 * parameters are checked, so that a stranger learns nothing from their errors.
 */
export const keyed = (world: World, need: Need, bodyMax = BODY_MAX) => ({
  parse: async ({ request }: Context) => {
    await admit(world, request, need)
    return readJson(request, bodyMax)
  },
  transform: async ({ request }: Context) => {
    await admit(world, request, need)
    refuseRepeated(request.url)
  },
})

/** A member of a query that comes twice would be one of the two: which, nobody said. */
function refuseRepeated(url: string): void {
  if (!url.includes('?')) return
  const names = [...new URL(url).searchParams.keys()]
  if (new Set(names).size < names.length) throw invalid('/', 'each member of the query may come once')
}

/** The merchant's key that this request was admitted with. */
export async function callerOf(request: Request): Promise<Caller> {
  const caller = await admissions.get(request)
  if (!caller) throw new Error('the route is not keyed')
  return caller
}

/** The hooks of a route that anybody may ask, so many times a minute. */
export const open = (limit: RateLimit, bodyMax = BODY_MAX) => {
  const counted = new WeakSet<Request>()
  const count = (request: Request) => {
    if (counted.has(request)) return
    counted.add(request)
    limit(request)
  }
  return {
    parse: ({ request }: Context) => {
      count(request)
      return readJson(request, bodyMax)
    },
    transform: ({ request }: Context) => count(request),
  }
}

/** The hooks of a form on a page that anybody may post, so many times a minute. */
export const openForm = (limit: RateLimit) => ({
  parse: ({ request }: Context) => {
    limit(request)
    return readForm(request)
  },
})

export const formed = { parse: ({ request }: Context) => readForm(request) }
