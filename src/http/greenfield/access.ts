import type { TSchema } from '@sinclair/typebox'
import type { Caller } from '../../domain/api-key.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import type { AccessRule } from '../../operations/keys/authenticate.ts'
import { callerOf, checkKey } from '../auth.ts'
import { readJson } from '../body.ts'

interface RequestParts {
  request: Request
  params?: Record<string, string>
}

/** The API key of a request: `Authorization: token KEY`. */
export const tokenOf = ({ headers }: Request): string | null =>
  /^token\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null

/**
 * The hooks of a route that requires a key, which is checked before the body is read. All parameters of its
 * path are UUIDs, which the route gets in lower case, as they are stored.
 */
export const requireToken = (context: Context, access: AccessRule) => ({
  detail: { hide: true },
  transform: async ({ request, params = {} }: RequestParts) => {
    await checkKey(context, request, access, tokenOf(request))
    for (const [name, id] of Object.entries(params)) params[name] = id.toLowerCase()
  },
})

/** The hooks of a route that requires a key, and has a JSON body. */
export const requireTokenAndBody = <Body extends TSchema>(
  context: Context,
  access: AccessRule,
  body: Body,
) => ({
  ...requireToken(context, access),
  parse: async ({ request }: RequestParts) => {
    await checkKey(context, request, access, tokenOf(request))
    return readJson(request)
  },
  body,
})

/** The holder of a request's key. Refuses the store of another merchant, since each store is one merchant. */
export async function storeOf(request: Request, params: { storeId?: string }): Promise<Caller> {
  const caller = await callerOf(request)
  if (params.storeId !== undefined && params.storeId !== caller.merchantId) {
    throw new Refusal('not_found', 'The store was not found')
  }
  return caller
}
