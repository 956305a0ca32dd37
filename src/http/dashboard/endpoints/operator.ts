import type { User } from '../../../domain/user.ts'
import type { Context } from '../../../operations/context.ts'
import { requestId } from '../../request-state.ts'
import { personOf } from '../access.ts'

/** Who asks, and the context that names them in the audit logs. Operators need no shop. */
export async function operatorOf(
  context: Context,
  request: Request,
): Promise<{ user: User; context: Context }> {
  const { user } = await personOf(context, request)
  const origin = { actor: `user:${user.id}`, requestId: requestId(request) } as const
  return { user, context: { ...context, origin } }
}
