import { Refusal } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'
import type { AccessRule } from '../operations/keys/authenticate.ts'
import { callerOf, requireKey } from './auth.ts'
import { readJson } from './body.ts'
import { loginTokenOf } from './dashboard/cookie.ts'
import { checkSameOrigin } from './dashboard/same-origin.ts'
import { requireRole, visitorOf } from './dashboard/visit.ts'
import type { DescribedOperation } from './openapi/describe.ts'
import { requestState } from './request-state.ts'

interface RequestParts {
  request: Request
}

/** The sender of a request, for operations that record it. */
interface Sender {
  merchantId: string
  by: `key:${string}` | `user:${string}`
}

/** True for a request with a login. False if there is an API key too, because the key takes precedence. */
const isByPerson = ({ policy }: Context, request: Request): boolean =>
  !request.headers.has('x-api-key') && loginTokenOf(request, policy.dashboardUrl) !== null

/**
 * The signed-in user of a request. Refuses requests from other sites, because browsers send the cookie with
 * them too.
 */
async function personBehind(
  context: Context,
  request: Request,
  { detail }: DescribedOperation<AccessRule>,
): Promise<Sender> {
  checkSameOrigin(request, context.policy.dashboardUrl)
  const visit = await visitorOf(context, request)
  if (!visit) throw new Refusal('unauthorized', 'The login has ended. Sign in to the dashboard again.')
  const { merchant, user } = visit
  requireRole(visit, detail['x-operation'].login ?? 'operator')
  if (!merchant) throw new Refusal('forbidden', 'Choose a shop in the dashboard first.')
  if (merchant.status === 'suspended') throw new Refusal('merchant_suspended')
  requestState(request).merchantId = merchant.id
  return { merchantId: merchant.id, by: `user:${user.id}` }
}

/**
 * The hooks of a route that accepts an API key, or the login of a user with a sufficient role. Both are
 * checked before the body is read.
 */
export function requireKeyOrLogin(context: Context, operation: DescribedOperation<AccessRule>) {
  const byKey = requireKey(context, operation)
  return {
    ...byKey,
    parse: async (parts: RequestParts) => {
      if (!isByPerson(context, parts.request)) return byKey.parse(parts)
      await personBehind(context, parts.request, operation)
      return readJson(parts.request)
    },
    transform: async (parts: RequestParts) => {
      if (!isByPerson(context, parts.request)) return byKey.transform(parts)
      await personBehind(context, parts.request, operation)
    },
  }
}

/** The sender of a request to a route that accepts a key or a login. */
export async function senderOf(
  context: Context,
  request: Request,
  operation: DescribedOperation<AccessRule>,
): Promise<Sender> {
  if (isByPerson(context, request)) return personBehind(context, request, operation)
  const { merchantId, keyId } = await callerOf(request)
  return { merchantId, by: `key:${keyId}` }
}
