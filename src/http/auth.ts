import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Caller } from '../domain/api-key.ts'
import { invalid } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'
import { type AccessRule, authenticate, checkAccess } from '../operations/keys/authenticate.ts'
import { type BodyLimits, readForm, readJson } from './body.ts'
import type { DescribedOperation } from './openapi/describe.ts'
import type { RateLimit } from './rate-limit.ts'
import { originOf, requestState } from './request-state.ts'

interface RequestParts {
  request: Request
}

/**
 * Checks the API key of a request, once per request. The key is in the header X-API-Key unless `key` is
 * given.
 */
export const checkKey = (
  context: Context,
  request: Request,
  access: AccessRule,
  key: string | null = request.headers.get('x-api-key'),
): Promise<Caller> => checkCaller(request, access, () => authenticate(context, key))

/** Checks who sent a request, once per request. `identify` returns the sender, or throws. */
export function checkCaller(
  request: Request,
  access: AccessRule,
  identify: () => Promise<Caller>,
): Promise<Caller> {
  const state = requestState(request)
  state.caller ??= identify().then(caller => {
    state.merchantId = caller.merchantId
    state.keyId = caller.keyId
    state.limitKey(request)
    checkAccess(caller, access)
    return caller
  })
  return state.caller
}

/**
 * The hooks of a route that requires an API key, and its entry in the document. The key is checked before the
 * body is read and before parameters are validated, so that nobody without a key learns anything from those
 * errors.
 */
export const requireKey = <Operation extends DescribedOperation<AccessRule>>(
  context: Context,
  { access, detail }: Operation,
  limits?: BodyLimits,
) => ({
  detail,
  parse: async ({ request }: RequestParts) => {
    await checkKey(context, request, access)
    return readJson(request, limits)
  },
  transform: async ({ request }: RequestParts) => {
    await checkKey(context, request, access)
    refuseRepeatedParameters(request.url)
  },
})

/** Refuses repeated parameters, because it is unclear which value was meant. */
function refuseRepeatedParameters(url: string): void {
  if (!url.includes('?')) return
  const names = [...new URL(url).searchParams.keys()]
  if (new Set(names).size < names.length) {
    throw invalid('/', 'repeats a query parameter; send each one once')
  }
}

/** The holder of a request's API key. */
export async function callerOf(request: Request): Promise<Caller> {
  const { caller } = requestState(request)
  if (!caller) throw new Error('the route does not require a key')
  return caller
}

/** The context of an operation that changes something. It names the key and the request in the audit log. */
export async function contextOf(context: Context, request: Request): Promise<Context> {
  const { keyId } = await callerOf(request)
  return { ...context, origin: originOf(request, `key:${keyId}`) }
}

function count(limit: RateLimit, request: Request): void {
  const state = requestState(request)
  if (state.isCounted) return
  state.isCounted = true
  limit(request)
}

/** The hooks of a rate-limited route that needs no key, and its entry in the document. */
export const publicRoute = <Operation extends DescribedOperation<'rate-limited'>>(
  limit: RateLimit,
  { detail }: Operation,
) => ({
  detail,
  parse: ({ request }: RequestParts) => {
    count(limit, request)
    return readJson(request)
  },
  transform: ({ request }: RequestParts) => count(limit, request),
})

/**
 * The hooks of a form on a page. `admit` runs before the body is read, and throws if the body must not be
 * read. For a malformed path nothing is read either; the path is refused afterwards.
 */
export const formBody = <Params extends TSchema>(
  params: Params,
  admit: (params: Static<Params>, request: Request) => Promise<unknown>,
) => ({
  params,
  parse: async ({ request, params: values }: RequestParts & { params: unknown }) => {
    if (!Value.Check(params, values)) return null
    await admit(Value.Decode(params, values), request)
    return readForm(request)
  },
})
