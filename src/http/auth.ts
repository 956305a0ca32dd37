import type { Caller } from '../domain/api-key.ts'
import { invalid } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'
import { type AccessRule, authenticate } from '../operations/merchants/authenticate.ts'
import { BODY_MAX, readForm, readJson } from './body.ts'
import type { RateLimit } from './rate-limit.ts'
import { trace } from './trace.ts'

interface RequestParts {
  request: Request
}

const admissions = new WeakMap<Request, Promise<Caller>>()

function admit(context: Context, request: Request, need: AccessRule): Promise<Caller> {
  const known = admissions.get(request)
  if (known !== undefined) return known
  const admission = authenticate(context, request.headers.get('x-api-key'), need).then(caller => {
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
export const requireKey = (context: Context, need: AccessRule, bodyMax = BODY_MAX) => ({
  parse: async ({ request }: RequestParts) => {
    await admit(context, request, need)
    return readJson(request, bodyMax)
  },
  transform: async ({ request }: RequestParts) => {
    await admit(context, request, need)
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
export const publicRoute = (limit: RateLimit, bodyMax = BODY_MAX) => {
  const counted = new WeakSet<Request>()
  const count = (request: Request) => {
    if (counted.has(request)) return
    counted.add(request)
    limit(request)
  }
  return {
    parse: ({ request }: RequestParts) => {
      count(request)
      return readJson(request, bodyMax)
    },
    transform: ({ request }: RequestParts) => count(request),
  }
}

/** The hooks of a form on a page that anybody may post, so many times a minute. */
export const publicForm = (limit: RateLimit) => ({
  parse: ({ request }: RequestParts) => {
    limit(request)
    return readForm(request)
  },
})

export const formBody = { parse: ({ request }: RequestParts) => readForm(request) }
